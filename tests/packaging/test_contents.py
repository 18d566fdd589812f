"""The tables of contents in the docstrings of `accounting` and `bounds` name what is there."""

import re
from pathlib import Path

import accounting
import bounds

ROOT = Path(__file__).resolve().parents[2]
ENTRY = re.compile(r"^ {4}(\w+(?:, \w+)*)  ", re.M)


def listed(package):
    names = [n for entry in ENTRY.findall(package.__doc__) for n in entry.split(", ")]
    assert len(names) == len(set(names))
    return set(names)


def public(package):
    folder = Path(package.__file__).parent
    inside = [p for p in folder.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()]
    return {p.stem for p in inside if not p.name.startswith("_")}


def test_accounting_lists_every_public_module():
    assert listed(accounting) == public(accounting)


def test_bounds_lists_every_module_and_paper():
    assert listed(bounds) == public(bounds)


def test_the_readme_names_every_paper():
    readme = (ROOT / "README.md").read_text("utf-8")
    for paper in bounds.papers():
        assert paper.foreign or f"| `{paper.key}` | {paper.cited} |" in readme


def test_the_index_of_the_documents_lists_each_once():
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    found = re.findall(r"\]\((\w[\w-]*\.md)\)", index)
    assert sorted(found) == sorted(
        p.name for p in (ROOT / "docs").glob("*.md") if p.name != "README.md"
    )
