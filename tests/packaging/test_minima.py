"""The lowest versions that CI installs are those that pyproject.toml promises."""

import importlib.util
import re
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "minima.py"


@pytest.fixture
def minima():
    spec = importlib.util.spec_from_file_location("minima", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pins(lines):
    found = re.findall(r"^([\w.-]+)==([\d.]*\d)", "\n".join(lines), re.M)
    assert len(found) == len(dict(found))
    return {name: tuple(map(int, version.split("."))) for name, version in found}


def test_every_dependency_is_installed_at_its_lowest(minima):
    lowest = pins(minima.constraints())
    assert lowest.keys() == minima.promised().keys()
    assert {"click", "numpy", "scipy", "sympy", "torch", "matplotlib", "pytest"} <= lowest.keys()
    files = [minima.ROOT / name for name in ("constraints.txt", "torch.txt")]
    tested = pins("\n".join(file.read_text("utf-8") for file in files).splitlines())
    assert lowest.keys() <= tested.keys()
    for name, version in lowest.items():
        assert (
            version == tested[name]
            if name == "torch"
            else version < tested[name] or (version == tested[name][: len(version)])
        ), name


def test_every_file_that_make_installs_has_a_hash(minima):
    """But torch's, which stand alone; and pip installs nothing that is not named."""
    text = (minima.ROOT / "constraints.txt").read_text("utf-8")
    packages = re.split(r"\n(?=[^\s#])", "\n" + re.sub(r"^#.*\n", "", text, flags=re.M))[1:]
    assert len(packages) > 80
    whole = re.compile(r"[\w.-]+==\S+.*( \\\n    --hash=sha256:[0-9a-f]{64})+\s*")
    assert [package for package in packages if not whole.fullmatch(package)] == []
    assert not [each for each in packages if each.startswith(("torch", "nvidia", "triton"))]
    assert re.findall(r"^torch==[\d.]+$", (minima.ROOT / "torch.txt").read_text("utf-8"), re.M)


@pytest.mark.parametrize("requirement", ["numpy", "numpy==2", "numpy>=1,<3"])
def test_a_dependency_without_a_minimum_is_refused(minima, tmp_path, requirement):
    (tmp_path / "pyproject.toml").write_text(
        f'[project]\nname = "x"\ndependencies = ["{requirement}"]\noptional-dependencies = {{}}\n'
    )
    minima.ROOT = tmp_path
    with pytest.raises(ValueError, match="must promise NAME>=VERSION"):
        minima.promised()
