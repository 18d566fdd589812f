"""What `import forgetproof` shows, also where a file that hides a package of ours is in front."""

import ast
import subprocess
import sys

import pytest

import forgetproof
from tests.packaging.test_inner_imports import PACKAGES, ROOT


def test_dir_lists_the_nouns_and_nothing_else():
    assert dir(forgetproof) == sorted(forgetproof.__all__)


def python(code, folder):
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["accounting", "bounds", "simulators", "verify"])
def test_a_file_in_front_is_passed_over_and_named(tmp_path, name):
    file = tmp_path / f"{name}.py"
    file.write_text("raise SystemExit('not ours')")
    done = python("import forgetproof; forgetproof.noise_for", tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert f"UserWarning: {file} shadows the package {name} of forgetproof" in done.stderr


def test_what_is_imported_already_cannot_be_passed_over(tmp_path):
    (tmp_path / "accounting.py").write_text("ours = False")
    done = python("import accounting, forgetproof; forgetproof.Target", tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path / 'accounting.py'} shadows the package accounting" in done.stderr


def test_no_refusal_rests_on_an_assert():
    """`python -O` drops asserts, and with them what checks a setting."""
    checks = ("_check", "__post_init__")
    files = {
        path: path.read_text("utf-8")
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    # Parsing all of them takes four seconds; few have both words.
    some = {
        path: text
        for path, text in files.items()
        if "assert" in text and any(name in text for name in checks)
    }
    places = [
        f"{path.relative_to(ROOT)}:{line.lineno}"
        for path, text in some.items()
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef) and function.name in checks
        for line in ast.walk(function)
        if isinstance(line, ast.Assert)
    ]
    assert places == []
