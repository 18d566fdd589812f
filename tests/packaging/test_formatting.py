"""Of what `make lint` holds to the formatter, only tables of numbers stand as they are written."""

import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIP = "# fmt: skip"


def formatted():
    """The files that the Makefile names."""
    (names,) = re.findall(r"^FORMATTED := (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.M)
    for pattern in names.split():
        for path in ROOT.glob(pattern):
            yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


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


def test_only_tables_of_numbers_are_skipped():
    files = list(formatted())
    assert len(files) > 150
    skipped = [
        f"{path.relative_to(ROOT)}:{line[-1].start[0]}"
        for path in files
        for line in statements(path)
        if any(t.type == tokenize.COMMENT and SKIP in t.string for t in line) and not is_table(line)
    ]
    assert skipped == []
