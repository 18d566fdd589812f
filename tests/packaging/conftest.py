"""The two wheels, built once, and unpacked as an installer would."""

import zipfile
from pathlib import Path

import pytest

from tests.forks import forked

ROOT = Path(__file__).resolve().parents[2]


def unpacked(wheels, folder):
    """A folder with the contents of these wheels."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder)
    return folder


@pytest.fixture(scope="session")
def wheels(tmp_path_factory):
    """The built wheels' files: the engine, and its papers."""
    folder = tmp_path_factory.mktemp("wheels")
    line = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    for project in (ROOT, ROOT / "papers"):
        forked(line, cwd=project).check_returncode()
    (engine,) = folder.glob("forgetproof-*.whl")
    (papers,) = folder.glob("forgetproof_papers-*.whl")
    return engine, papers


@pytest.fixture(scope="session")
def site(wheels):
    """A folder with the engine and the papers."""
    return unpacked(wheels, wheels[0].parent / "site")


@pytest.fixture(scope="session")
def engine(wheels):
    """A folder with the engine alone."""
    return unpacked(wheels[:1], wheels[0].parent / "engine")
