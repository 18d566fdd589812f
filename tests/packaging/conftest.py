"""The wheel, built once, and unpacked as an installer would."""

import zipfile
from pathlib import Path

import pytest

from tests.forks import forked

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The built wheel's file."""
    folder = tmp_path_factory.mktemp("wheel")
    line = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    forked(line, cwd=ROOT).check_returncode()
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def site(wheel):
    """A folder with the wheel's contents."""
    target = wheel.parent / "site"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(target)
    return target
