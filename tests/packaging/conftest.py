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
    """A folder with the engine alone, which hides the papers that this environment may have."""
    folder = unpacked(wheels[:1], wheels[0].parent / "engine")
    # The first distribution of a name on the path is the one whose entry points count.
    info = folder / f"{'-'.join(wheels[1].name.split('-')[:2])}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: forgetproof-papers\nVersion: 0\n")
    return folder
