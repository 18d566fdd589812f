"""What stands beside the code: it ships, and says the same as `pyproject.toml`."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PAPERS = tomllib.loads((ROOT / "papers" / "pyproject.toml").read_text("utf-8"))["project"]


def test_wheels_ship_the_license(site):
    licenses = list(site.glob("*.dist-info/licenses/LICENSE"))
    assert len(licenses) == 2
    for shipped in licenses:
        assert shipped.read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
        assert shipped.read_text("utf-8").startswith(f"{PROJECT['license']} License")


def test_papers_are_of_the_engines_version():
    same = ("version", "requires-python", "license")
    assert [PAPERS[name] for name in same] == [PROJECT[name] for name in same]
    assert PAPERS["dependencies"] == [f"{PROJECT['name']}=={PROJECT['version']}"]


def built(folder, target, out):
    """The file that `hatchling build` makes of a folder: a wheel, or a source distribution."""
    line = ["-m", "hatchling", "build", "-t", target, "-d", str(out)]
    subprocess.run([sys.executable, *line], cwd=folder, check=True, capture_output=True)
    (file,) = out.iterdir()
    return file


def test_the_papers_are_built_from_their_own_source_distribution_as_from_a_clone(wheels, tmp_path):
    source = built(ROOT / "papers", "sdist", tmp_path / "source")
    with tarfile.open(source) as packed:
        packed.extractall(tmp_path / "unpacked", filter="data")
    (folder,) = (tmp_path / "unpacked").iterdir()
    again = built(folder, "wheel", tmp_path / "again")
    assert set(zipfile.ZipFile(again).namelist()) == set(zipfile.ZipFile(wheels[1]).namelist())


def test_source_distribution_holds_what_a_clone_is_tested_with(tmp_path):
    with tarfile.open(built(ROOT, "sdist", tmp_path / "source")) as packed:
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
        "papers/pyproject.toml",
        "papers/hatch_build.py",
        "bounds/sglu/theorem_3_2.py",
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


def test_each_limit_has_a_reason_and_something_to_do_instead():
    rows = re.findall(r"^\|(.+)\|$", (ROOT / "docs" / "limits.md").read_text("utf-8"), re.M)
    rows = [[cell.strip() for cell in row.split(" | ")] for row in rows]
    rows = [row for row in rows if row != ["what", "why", "instead"] and "---" not in row]
    assert len(rows) > 25
    assert [row for row in rows if len(row) != 3 or not all(row)] == []


@pytest.mark.parametrize(
    "page", ["README.md", *(f"docs/{name}.md" for name in ("data", "engine", "opacus", "problems"))]
)
def test_pages_that_promise_something_link_to_what_is_not_covered(page):
    assert re.search(r"\]\((docs/)?limits\.md\)", (ROOT / page).read_text("utf-8"))


SYMBOLS = ("ε", "δ", "μ", "σ", "K", "adjacency", "reference", "adaptive", "public", "released")


@pytest.mark.parametrize("word", SYMBOLS)
def test_the_glossary_explains_what_stands_beside_every_number(word):
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    assert re.search(rf"^\| {word} \||^\*\*.*\b{word}\b.*:", text, re.M | re.I)
