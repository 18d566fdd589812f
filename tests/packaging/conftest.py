"""The wheel, built once, and unpacked as an installer would."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The built wheel's file."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def site(wheel):
    """A folder with the wheel's contents."""
    target = wheel.parent / "site"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(target)
    return target
