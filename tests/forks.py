"""Python programs run in forks of one process, which has imported what takes seconds.

That process holds packages of others, none of ours, and one thread. A fork has the folder, the
environment, the path and the streams of a fresh interpreter; only the hash seed and the locale are
those of the tests. What a start imports or needs is no question for a fork.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType

HEAVY = (
    *("click", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg"),
    *("matplotlib.figure", "mpmath", "numpy", "pytest", "scipy.integrate", "scipy.linalg"),
    *("scipy.optimize", "scipy.sparse.linalg", "scipy.special", "scipy.stats", "sympy", "torch"),
)
ABSENT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {packages}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
for name in [name for name in sys.modules if name.partition(".")[0] in {packages}]:
    del sys.modules[name]
sys.meta_path.insert(0, Absent())
"""
PATIENCE = 600  # seconds of a fork that never ends
STREAMS = ("in", "out", "err")


def forked(arguments, *, cwd, env=None, input=""):
    """What `subprocess.run([sys.executable, *arguments], ...)` gives; they begin with -m or -c."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in STREAMS]
        files[0].write_text(input)
        environment = dict(os.environ if env is None else env)
        order = [list(arguments), str(cwd), environment, list(map(str, files))]
        process = server()
        print(json.dumps(order), file=process.stdin, flush=True)
        code = json.loads(process.stdout.readline())
        out, err = (file.read_text() for file in files[1:])
    return subprocess.CompletedProcess(arguments, code, out, err)


def without(*packages):
    """Source text, after which a program has none of these packages."""
    return ABSENT.format(packages=packages)


@cache
def server():
    """One for this process, which ends with it."""
    process = subprocess.Popen(
        [sys.executable, __file__],
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # an interrupt of the tests is not told twice
    )
    atexit.register(process.communicate)
    atexit.register(process.terminate)
    return process


def serve():
    """Answers each order with the exit code of its fork."""
    orders, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what an import prints is no answer
    for name in HEAVY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    path = sys.path[1:]
    for line in orders:
        child = os.fork()
        if child == 0:
            finish(*json.loads(line), path)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)


def finish(arguments, folder, environment, files, path):
    """Runs one program as its interpreter would, to the end of this process."""
    signal.alarm(PATIENCE)
    for number, file in enumerate(files):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), number)
    code = 1
    try:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        importlib.invalidate_caches()
        kind, what, *words = arguments
        given = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
        first = folder if kind == "-m" else ""
        sys.path[:] = [first, *map(os.path.abspath, given), *path]
        sys.argv = [kind, *words]
        main = sys.modules["__main__"] = ModuleType("__main__")
        if kind == "-m":
            runpy.run_module(what, run_name="__main__", alter_sys=True)
        else:
            exec(compile(what, "<string>", "exec"), main.__dict__)
        code = 0
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
        if isinstance(leave.code, str):
            print(leave.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        # As an interpreter ends, less a third of a second in which it takes itself apart.
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()
