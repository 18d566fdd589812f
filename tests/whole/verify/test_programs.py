"""Every counterexample program runs without this project, and every name of one has its file."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bounds
from verify import programs
from verify.context import Context

LONGEST = 50
ROOT = Path(__file__).resolve().parents[3]
FOLDERS = sorted({programs.folder(c) for c in bounds.statements()})
FILES = [file for folder in FOLDERS for file in sorted(folder.glob("*.py"))]
NAMES = [f"{file.parent.parent.name}-{file.stem}" for file in FILES]


# An isolated interpreter that has only started numpy, of which each program gets a copy.
ISOLATED = """
import fractions, gc, json, os, pkgutil, runpy, signal, sys, tempfile, traceback
import numpy
gc.collect()
gc.freeze()
for line in sys.stdin:
    file = json.loads(line)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        if not (child := os.fork()):
            code = 1
            try:
                signal.alarm(600)
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.argv = [file]
                runpy.run_path(file, run_name="__main__")
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told = [(f.seek(0), f.read().decode())[1] for f in (out, err)]
    print(json.dumps([code, *told]), flush=True)
"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    return tmp_path_factory.mktemp("empty")


@pytest.fixture(scope="module")
def isolated(empty):
    """A function: file -> exit code, output and complaints of a process that runs it alone."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-I", "-c", ISOLATED], cwd=empty, stdin=pipe, stdout=pipe, text=True
    ) as server:

        def run(file):
            print(json.dumps(str(file)), file=server.stdin, flush=True)
            return json.loads(server.stdout.readline())

        yield run


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_programs_run_alone_and_show_both_sides(file, isolated, empty):
    code, out, err = isolated(file)
    assert code == 0, err
    assert len(re.findall(r"\d+(?:\.\d+)?(?:e[-+]\d+)?", out)) >= 2
    assert not list(empty.iterdir())


def test_programs_share_nothing_and_know_nothing_of_this_project(isolated, tmp_path):
    def ran(text):
        file = tmp_path / "program.py"
        file.write_text(text)
        return isolated(file)

    mark = "import math, numpy, sys\nmath.marked = numpy.marked = sys.marked = 1\n"
    assert ran(mark + "print(__name__, len(sys.argv))") == [0, "__main__ 1\n", ""]
    held = "import math, numpy, sys\nprint([hasattr(m, 'marked') for m in (math, numpy, sys)])"
    assert ran(held) == [0, "[False, False, False]\n", ""]
    for wrong in ("assert 1 == 2", "np", "numpy", "import program", "raise SystemExit(3)"):
        assert ran(wrong)[0] == 1, wrong
    paths = "import sys\nprint([p for p in sys.path if p in ('', %r)])"
    assert ran(paths % str(tmp_path)) == [0, "[]\n", ""]


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_programs_are_short_assert_and_need_numpy_at_most(file):
    text = file.read_text("utf-8")
    assert "assert " in text
    assert len(text.splitlines()) <= LONGEST
    modules = re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)
    assert set(modules) <= {*sys.stdlib_module_names, "numpy"}


def strings(node):
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}


@pytest.mark.parametrize("folder", FOLDERS, ids=[f.parent.name for f in FOLDERS])
def test_every_program_is_named_and_every_name_is_a_program(folder):
    """Read from the sources of the checks, which take minutes to run.

    A file is named where its name is a string of a check. A string under the keyword `script` is
    a name; one that arrives there in a variable is held by `compare`, when its check runs.
    """
    trees = [ast.parse(p.read_text("utf-8")) for p in sorted(folder.parent.glob("*.py"))]
    files = {file.stem for file in folder.glob("*.py")}
    assert files <= set().union(*map(strings, trees))
    words = (k for t in trees for k in ast.walk(t) if isinstance(k, ast.keyword))
    naming = [k.value for k in words if k.arg == "script"]
    assert {name for value in naming for name in values(value)} <= files


def values(value):
    """The strings that an expression may have as its value."""
    if isinstance(value, ast.IfExp):
        return values(value.body) | values(value.orelse)
    return strings(value) - {None} if isinstance(value, ast.Constant) else set()


def test_a_comparison_names_a_program_that_exists():
    claim = bounds.get("guo.delta")
    inputs = {"epsilon": 1.0, "c": 2.0}
    compared = Context(claim).compare("literal", "printed", 1.0, inputs, "x", script="delta")
    assert programs.text(claim, compared.script).startswith('"""Certified removal')
    with pytest.raises(ValueError, match=r"script must name a program in .*guo.*'alpha'"):
        Context(claim).compare("literal", "printed", 1.0, inputs, "x", script="alpha")


def test_programs_lie_beside_the_module_that_checks_the_claim(monkeypatch, tmp_path):
    """Whatever package that module is of, so that a paper from outside brings its own."""
    claim = bounds.get("guo.delta")
    third_party = type(sys)("third_party.check")
    third_party.__file__ = str(tmp_path / "check.py")
    monkeypatch.setitem(sys.modules, "third_party.check", third_party)
    monkeypatch.setattr(type(bounds.paper("guo")), "check", lambda paper, id: "third_party.check")
    (tmp_path / "counterexamples").mkdir()
    (tmp_path / "counterexamples" / "own.py").write_text("print(1, 2)\n")
    assert programs.text(claim, "own") == "print(1, 2)\n"
    assert programs.path(claim, "own") == Path(tmp_path, "counterexamples", "own.py")
