"""`tests/core` needs no paper: with none installed it is collected, and some of its files pass.

The whole of it is run by hand, in a folder with the engine's wheel and `tests/`:
`PYTHONPATH=FOLDER python -m pytest tests/core`.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.forks import forked

ROOT = Path(__file__).resolve().parents[2]
BESIDE = ("tests", "tools", "docs", "benchmarks", "conftest.py", "pyproject.toml")
"""What tests read beside the code."""
FILES = (
    "accounting/test_group_privacy.py",
    "bounds/test_homogeneous.py",
    "cli/test_expressions.py",
    "plugin/test_strategies.py",
    "verify/test_edits.py",
)


@pytest.fixture(scope="module")
def folder(engine, tmp_path_factory):
    """The engine's wheel, unpacked, with the tests and what they read."""
    place = tmp_path_factory.mktemp("alone")
    for path in engine.iterdir():
        (place / path.name).symlink_to(path)
    for name in BESIDE:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, place / name)
    return place


def ran(folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTEST_ADDOPTS": ""}
    line = ["-m", "pytest", "-q", "--assert=plain", *words]
    done = forked(line, cwd=folder, env=environment)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout


def test_the_core_is_collected_without_a_paper_and_as_a_whole(folder):
    lines = ran(folder, "--collect-only", "tests/core").splitlines()
    assert sum("::" in line for line in lines) > 5000


def test_some_of_the_core_passes_without_a_paper(folder):
    output = ran(folder, *(f"tests/core/{name}" for name in FILES))
    assert re.search(r"\d+ passed", output)


def test_no_test_of_the_core_imports_a_paper_or_a_test_that_needs_one():
    keys = "|".join(path.parent.name for path in ROOT.glob("verify/*/expected.json"))
    needed = re.compile(rf"\s*(from|import) ((bounds|verify)\.({keys})|tests\.({keys}|whole))\b")
    assert needed.match("from bounds.sglu.problem import Langevin")
    for path in (ROOT / "tests" / "core").rglob("*.py"):
        for line in path.read_text("utf-8").splitlines():
            assert not needed.match(line), f"{path}: {line}"
