"""A fork answers as a process of its own would."""

import os
import subprocess
import sys

import pytest

from tests.forks import forked, without

SHOWN = "import os, sys; print(sys.argv, __name__, sys.path, os.getcwd(), os.environ.get('E'))"
PROGRAMS = {
    "what it is given": SHOWN,
    "its input": "import sys; print(sys.stdin.read()); print('ε', file=sys.stderr)",
    "a number": "raise SystemExit(7)",
    "a complaint": "import sys; print(1); sys.exit('no')",
    "nothing": "import sys; sys.exit(None)",
    "what runs at the end": "import atexit; atexit.register(print, 'end'); print('begin')",
    "a thread": "import threading as t, time\n"
    "def late(): time.sleep(.05); print('late')\n"
    "t.Thread(target=late).start()",
    "a death": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_fork_ends_as_a_process_does(tmp_path, kind):
    options = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": "one", "E": "mine"}}
    line = ["-c", PROGRAMS[kind], "a word"]
    found = forked(line, input="é\n", **options)
    process = [sys.executable, *line]
    wanted = subprocess.run(process, input="é\n", capture_output=True, text=True, **options)
    assert (found.returncode, found.stdout) == (wanted.returncode, wanted.stdout)
    assert found.stderr == wanted.stderr


def test_a_module_is_run_from_its_folder(tmp_path):
    (tmp_path / "own.py").write_text(f"{SHOWN}\nimport own\n1/0")
    found = forked(["-m", "own", "a"], cwd=tmp_path, env={})
    assert found.returncode == 1
    mine, imported = found.stdout.splitlines()
    assert mine.startswith(f"[{str(tmp_path / 'own.py')!r}, 'a'] __main__ [{str(tmp_path)!r}, ")
    assert " own [" in imported
    assert found.stderr.endswith("ZeroDivisionError: division by zero\n")


def test_its_environment_is_the_one_given(tmp_path):
    code = "import os; print(dict(os.environ))"
    assert forked(["-c", code], cwd=tmp_path, env={"A": "b"}).stdout == "{'A': 'b'}\n"


def test_forks_share_nothing_and_begin_without_ours(tmp_path):
    mark = "import math, os, numpy; math.mark = numpy.mark = 1; os.environ['MARK'] = '1'"
    assert forked(["-c", mark], cwd=tmp_path).returncode == 0
    ours = "{'accounting', 'bounds', 'simulators', 'verify', 'forgetproof', 'tests'}"
    look = f"import math, os, sys, numpy; print({ours} & {{m.split('.')[0] for m in sys.modules}}, "
    look += "hasattr(math, 'mark'), hasattr(numpy, 'mark'), 'MARK' in os.environ)"
    assert forked(["-c", look], cwd=tmp_path).stdout == "set() False False False\n"


def test_a_package_can_be_missing(tmp_path):
    code = without("numpy") + "import sympy\nimport numpy.linalg"
    found = forked(["-c", code], cwd=tmp_path)
    assert found.stderr.endswith("ModuleNotFoundError: No module named 'numpy'\n")
