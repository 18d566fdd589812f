"""Every counterexample program runs without this project, and every name of one has its file."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bounds
from verify import checks, programs
from verify.context import Context

LONGEST = 50
FOLDERS = sorted({programs.folder(c) for c in bounds.statements()})
FILES = [file for folder in FOLDERS for file in sorted(folder.glob("*.py"))]
NAMES = [f"{file.parent.parent.name}-{file.stem}" for file in FILES]


@pytest.fixture(scope="session")
def empty(tmp_path_factory):
    return tmp_path_factory.mktemp("empty")


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_programs_run_alone_and_show_both_sides(file, empty):
    found = subprocess.run(
        [sys.executable, "-I", file], cwd=empty, capture_output=True, text=True, timeout=600
    )
    assert found.returncode == 0, found.stderr
    assert len(re.findall(r"\d+(?:\.\d+)?(?:e[-+]\d+)?", found.stdout)) >= 2
    assert not list(empty.iterdir())


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
    stranger = type(sys)("stranger.check")
    stranger.__file__ = str(tmp_path / "check.py")
    monkeypatch.setattr(checks, "module", lambda claim: stranger)
    (tmp_path / "counterexamples").mkdir()
    (tmp_path / "counterexamples" / "own.py").write_text("print(1, 2)\n")
    assert programs.text(claim, "own") == "print(1, 2)\n"
    assert programs.path(claim, "own") == Path(tmp_path, "counterexamples", "own.py")
