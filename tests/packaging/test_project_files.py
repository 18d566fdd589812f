"""What stands beside the code: it ships, and says the same as `pyproject.toml`."""

import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_wheel_ships_the_license(site):
    (shipped,) = site.glob("*.dist-info/licenses/LICENSE")
    assert shipped.read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    assert shipped.read_text("utf-8").startswith(f"{PROJECT['license']} License")


def test_source_distribution_holds_what_a_clone_is_tested_with(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {
        "LICENSE",
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "README.md",
        "Makefile",
        ".ci/run",
        "conftest.py",
        "constraints.txt",
        "torch.txt",
        "pyproject.toml",
        "docs/architecture.md",
    } <= names


def test_citation_names_this_version():
    said = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M))
    assert said["title"] == PROJECT["name"]
    assert said["version"] == PROJECT["version"]
    assert said["license"] == PROJECT["license"]
    assert said["abstract"].strip('"') == PROJECT["description"]
    assert f"\n## {PROJECT['version']}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.parametrize("document", ["CONTRIBUTING.md", "docs/versions.md"])
def test_files_that_a_document_names_are_there(document):
    text = (ROOT / document).read_text("utf-8")
    named = re.findall(r"`([\w<>.-]+(?:/[\w<>.-]+)*/?)`", text)
    files = [n for n in named if "/" in n or n.endswith((".txt", ".toml", ".md"))]
    files = [n for n in files if not n.startswith("forgetproof/2")]
    assert files
    for name in files:
        assert (ROOT / name.replace("<paper>", "sglu")).exists(), f"{document} names {name}"


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs"])
def test_links_lead_to_files(document):
    path = ROOT / document
    for page in sorted(path.glob("*.md")) if path.is_dir() else [path]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
