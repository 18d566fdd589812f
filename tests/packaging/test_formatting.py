"""The formatter decides how everything stands; only tables of numbers stand as they are written."""

import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIP = "# fmt: skip"


def files():
    """Every Python file of the project."""
    for path in sorted(ROOT.rglob("*.py")):
        if not any(part.startswith(".") for part in path.relative_to(ROOT).parts):
            yield path


def statements(path):
    """The tokens of each logical line."""
    line = []
    with path.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            line.append(token)
            if token.type == tokenize.NEWLINE:
                yield line
                line = []


def is_table(line):
    numbers = sum(t.type == tokenize.NUMBER for t in line)
    words = sum(t.type in (tokenize.NAME, tokenize.STRING) for t in line)
    return numbers >= 8 and numbers >= words


@pytest.mark.parametrize(
    ("source", "table"),
    [
        ("rows = [(1, 2, 3, 4), (5, 6, 7, 8)]\n", True),
        ("rows = [(a, 2), (b, 4)]\n", False),
        ("def f(a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8): return a\n", False),
    ],
    ids=["numbers", "names", "signature"],
)
def test_a_table_has_more_numbers_than_words(tmp_path, source, table):
    path = tmp_path / "module.py"
    path.write_text(source)
    (line,) = statements(path)
    assert is_table(line) == table


def test_only_tables_of_numbers_are_skipped():
    skipped = [
        f"{path.relative_to(ROOT)}:{line[-1].start[0]}"
        for path in files()
        if SKIP in path.read_text("utf-8")
        for line in statements(path)
        if any(t.type == tokenize.COMMENT and SKIP in t.string for t in line) and not is_table(line)
    ]
    assert skipped == []
    assert not [p for p in files() if re.search(r"^\s*# fmt: o(n|ff)", p.read_text("utf-8"), re.M)]
