"""`forgetproof doctor`: what is installed, and which files hide a module of ours."""

import json
import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from forgetproof import guard, installation
from forgetproof.cli import run
from forgetproof.installation import Package

ROOT = Path(__file__).resolve().parents[3]
SUMS = {"all", "dev"}  # extras that are made of others


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder, which Python would look into first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return tmp_path


def document(capsys):
    code = run(["doctor", "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_an_empty_folder_is_fine(folder, capsys):
    assert run(["doctor"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"forgetproof {metadata.version('forgetproof')} in ")
    assert out.endswith("\nfine\n")


@pytest.mark.parametrize("name", ["forgetproof", *guard.PACKAGES])
@pytest.mark.parametrize("pattern", ["{}.py", "{}/__init__.py"])
def test_a_file_or_folder_that_hides_a_package_is_named(folder, capsys, name, pattern):
    file = folder / pattern.format(name)
    file.parent.mkdir(exist_ok=True)
    file.touch()
    code, found = document(capsys)
    assert code == 1
    (line,) = found["to_mend"]
    assert line.startswith(f"{file} hides {name}, ")
    assert run(["doctor"]) == 1
    assert capsys.readouterr().out.endswith(f"to mend: {line}\n1 to mend\n")


def test_a_folder_without_a_module_hides_nothing(folder, capsys):
    # Python prefers a package further on: a folder of results may be called `bounds`.
    (folder / "bounds").mkdir()
    (folder / "verify").mkdir()
    (folder / "verify" / "table.csv").touch()
    (folder / "accounting.txt").touch()
    assert document(capsys)[1]["to_mend"] == []


def test_a_folder_of_pythonpath_is_looked_into_up_to_ours(folder, capsys, monkeypatch):
    early, late = folder / "early", folder / "late"
    for place in (early, late):
        place.mkdir()
    (early / "bounds.py").touch()
    (late / "verify.py").touch()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (early, guard.HOME, late))))
    (line,) = document(capsys)[1]["to_mend"]
    assert line.startswith(f"{early / 'bounds.py'} hides bounds, ")


def test_our_own_folder_hides_nothing(capsys, monkeypatch):
    monkeypatch.chdir(guard.HOME)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert list(guard.hiding()) == []


def test_every_extra_is_told_with_what_it_enables(folder, capsys):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    promised = project["optional-dependencies"].keys() - SUMS
    found = document(capsys)[1]["extras"]
    assert found.keys() == installation.ENABLES.keys() == promised
    for name, told in found.items():
        assert told["packages"]
        assert f"'forgetproof[{name}]'" in told["install"]


def test_without_a_clone_extras_are_those_of_the_records(tmp_path, monkeypatch):
    monkeypatch.setattr(installation, "HOME", tmp_path)
    records = ["numpy>=1.26", "torch>=2.4; extra == 'sim'", 'numba>=0.59; extra == "sim"']
    records += ["pepit>=0.3 ; extra=='sdp'", "forgetproof[sim]; extra == 'dask'"]
    monkeypatch.setattr(installation.metadata, "requires", lambda name: records)
    brought = installation.extras()
    assert {
        extra: [(p.name, p.lowest) for p in packages] for extra, packages in brought.items()
    } == {
        "sim": [("torch", "2.4"), ("numba", "0.59")],
        "sdp": [("pepit", "0.3")],
    }


def test_a_missing_or_an_old_package_is_told_with_how_to_get_it(folder, capsys, monkeypatch):
    versions = {"torch": None, "scikit-learn": "1.5.2", "numba": "0.60.0+cpu"}
    genuine = installation.version_of

    def version(name):
        return versions[name] if name in versions else genuine(name)

    monkeypatch.setattr(installation, "version_of", version)
    code, found = document(capsys)
    assert code == 0
    troubles = found["extras"]["sim"]["troubles"]
    assert sorted(troubles) == ["scikit-learn 1.5.2 is older than 1.6", "torch is missing"]
    run(["doctor"])
    out = capsys.readouterr().out
    assert "torch is missing" in out
    assert "-> pip install 'forgetproof[sim]'" in out


@pytest.mark.parametrize(
    ("version", "usable"),
    [("2.4", True), ("2.4.0", True), ("2.10.1+cu121", True), ("2.4rc1", True), ("2.3.9", False)],
)
def test_versions_are_compared_by_their_numbers(version, usable):
    assert (Package("torch", "2.4", version).trouble is None) == usable


def test_nothing_heavy_is_imported(folder):
    code = (
        "import sys; from forgetproof.cli import run; run(['doctor']); "
        "assert not {'torch', 'scipy', 'sympy', 'matplotlib'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
