"""The tables of contents in the docstrings of `accounting` and `bounds` name what is there."""

import importlib
import re
from pathlib import Path

import pytest

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


def test_accounting_lists_every_room():
    assert listed(accounting) == public(accounting)


ROOMS = sorted(public(accounting) - {"problems", "mechanism", "lazy_names"})


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_lists_its_public_modules(name):
    room = importlib.import_module(f"accounting.{name}")
    assert listed(room) == public(room)


def test_a_module_with_an_underscore_is_read_in_its_own_room_alone():
    import_of = re.compile(r"(?:from|import) accounting\.(\w+)(?:\._\w+| import _)")
    for package in ("accounting", "bounds", "simulators", "verify", "forgetproof"):
        for path in (ROOT / package).rglob("*.py"):
            rooms = set(import_of.findall(path.read_text("utf-8")))
            assert rooms <= ({path.parent.name} if package == "accounting" else set()), path


def test_what_accounting_offers_is_what_its_rooms_offer():
    rooms = [importlib.import_module(f"accounting.{name}") for name in ROOMS]
    offered = {name for room in rooms for name in getattr(room, "__all__", ())}
    assert set(accounting.__all__) == offered - {"divisor_epsilon"}


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
