"""The documentation site without Sphinx: places, examples, docstrings, links, counts."""

import re
from ast import literal_eval
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import bounds
from tools.site import api, documents, links, places
from tools.site.docstrings import DocstringText
from tools.site.folder import SourceFolder
from verify.expectation import of_paper
from verify.interpretations import headline
from verify.report.errata import WRONG
from verify.words import kind_of

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAPERS = [paper.key for paper in bounds.papers() if not paper.foreign]


def test_every_document_has_one_place():
    there = {path.name for kind in ("*.md", "*.ipynb") for path in places.DOCS.glob(kind)}
    listed = places.documents()
    assert sorted(listed) == sorted(there - set(places.LISTS))
    assert set(places.EXECUTED) <= set(listed)


def test_every_task_has_its_page():
    assert {f"{task}.md" for task in api.TASKS} == {p.name for p in (places.DOCS / "api").iterdir()}


def offered_by(module):
    """`__all__` of a module, read from its text where it stands there: torch is not needed."""
    text = Path(find_spec(module).origin).read_text("utf-8")
    names = re.search(r"^__all__ = (\[[^\]]*\])$", text, re.M)
    return literal_eval(names[1]) if names else import_module(module).__all__


def test_every_public_name_has_an_example_that_runs():
    pages = api.pages_with_examples()
    shown = frozenset().union(*(names for page in pages for _, names in api.examples(page)))
    modules = [module for _, offered in api.TASKS.values() for module in offered]
    lacking = {module: set(offered_by(module)) - shown for module in modules}
    assert {module: names for module, names in lacking.items() if names} == {}


@pytest.mark.parametrize("key", PAPERS)
def test_the_readme_counts_claims_and_those_that_need_a_correction(key):
    paper = bounds.paper(key)
    words = of_paper(paper)
    claims = [c for c in bounds.statements(key) if c.origin == "paper" or key == "own"]
    wrong = sum(kind_of(headline(c, words.get(c.id, {}))) in WRONG for c in claims)
    assert f"| `{key}` | {paper.cited} | {len(claims)} | {wrong} |" in README


DOCSTRINGS = {
    "signs": ("|x| of *args, and a_ of b", r"\|x\| of \*args, and a\_ of b"),
    "code": (
        "`mu_gdp`, `n`, `sglu.lem3.4`",
        ":py:obj:`mu_gdp <accounting.mu_gdp>`, ``n``, :claim:`sglu.lem3.4`",
    ),
    "a block": ("It is\n\n    a = |b|\n\nthen.", "It is\n\n::\n\n    a = |b|\n\nthen."),
    "items": (
        "n: rows,\n    all of them.\nd: numbers.",
        "- n: rows,\n  all of them.\n- d: numbers.",
    ),
    "a section": ("Args:\n    n: |rows|.", "Args:\n    n: \\|rows\\|."),
    "fields": ("Fields:\n    n: rows.\n    d: ids.", "Fields:\n\n- n: rows.\n- d: ids."),
}
"""What is written -> a docstring, and the reStructuredText that says the same."""


@pytest.mark.parametrize("kind", DOCSTRINGS)
def test_docstrings_keep_what_they_say(kind):
    written, expected = DOCSTRINGS[kind]
    text = DocstringText({"mu_gdp": "accounting.mu_gdp"}, frozenset({"sglu.lem3.4"}))
    assert text.lines(written.splitlines()) == [*expected.splitlines(), ""]


def test_links_of_documents_lead_to_their_pages(tmp_path):
    folder = SourceFolder(tmp_path)
    text = "[a](limits.md#x) [b](../bounds/own/common_level.md) [c](https://example.org) [d](#here)"
    moved = documents.moved(text, "how-to/data", places.DOCS, folder, set())
    assert re.findall(r"\]\((.*?)\)", moved) == [
        "../reference/limits.md#x",
        "../explanation/proofs/common_level.md",
        "https://example.org",
        "#here",
    ]


def test_a_file_that_is_linked_gets_a_page(tmp_path):
    sources = set()
    text = "[a](../simulators/domains.py)"
    moved = documents.moved(text, "how-to/data", places.DOCS, SourceFolder(tmp_path), sources)
    assert moved == "[a](../source/simulators-domains-py.md)"
    assert sources == {ROOT / "simulators" / "domains.py"}


def test_what_an_earlier_build_laid_is_swept_away(tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "page.md").write_text("old", "utf-8")
    folder = SourceFolder(tmp_path)
    folder.write("new/page.md", "new")
    folder.sweep()
    assert [path.name for path in tmp_path.iterdir()] == ["new"]
    assert folder.pages == 1


def test_broken_links_are_named(tmp_path):
    page = '<h1 id="top">x</h1><a href="{}">y</a>'
    (tmp_path / "a.html").write_text(page.format("b.html#top"), "utf-8")
    (tmp_path / "b.html").write_text(page.format("c.html"), "utf-8")
    (tmp_path / "d.html").write_text(page.format("a.html#bottom"), "utf-8")
    (tmp_path / "e.html").write_text('<script src="https://example.org/x.js"></script>', "utf-8")
    assert list(links.faults(tmp_path)) == [
        "b.html: no file c.html",
        "d.html: no anchor a.html#bottom",
        "e.html: asks another host for https://example.org/x.js",
    ]
    assert links.count(tmp_path) == 3
