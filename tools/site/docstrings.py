"""Docstrings, written as plain text with `code`, as reStructuredText that says the same.

Signs that reStructuredText would read are escaped.  Lines that are set in further are kept as they
stand, or are items where a line before them is not set in.  Names of public objects between
backticks become links, and ids of claims too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from textwrap import dedent

SECTIONS = ("Args:", "Attributes:", "Returns:", "Raises:", "Yields:", "Note:", "Notes:")
_CODE = re.compile(r"(``[^`]+``|`[^`]+`)")
_SIGNS = re.compile(r"([\\*|])|(?<=\w)(_)(?!\w)")
_ITEM = re.compile(r"\*{0,2}\w[\w., *;]*: ")


class DocstringText:
    """Turns docstrings into reStructuredText.

    names: what may stand between backticks -> the full name of a page.  claims: ids.
    """

    def __init__(self, names: Mapping[str, str], claims: frozenset[str]) -> None:
        self._names, self._claims = names, claims

    def lines(self, lines: Iterable[str]) -> list[str]:
        """A docstring's lines, without what sets all of them in."""
        written: list[str] = []
        section = False
        for paragraph in _paragraphs(lines):
            inset = paragraph[0][:1] == " "
            section = paragraph[0] in SECTIONS or (section and inset)
            written += self._paragraph(paragraph, section)
            written.append("")
        return written

    def _paragraph(self, lines: list[str], section: bool) -> Iterator[str]:
        inset = [line[:1] == " " for line in lines]
        if section:
            yield from (line if line in SECTIONS else self._text(line) for line in lines)
        elif all(inset):
            yield from ("::", "", *lines)
        elif lines[0].endswith(":") and all(inset[1:]) and len(lines) > 1:
            yield from (self._text(lines[0]), "")
            yield from self._items(dedent("\n".join(lines[1:])).splitlines())
        elif any(inset) or (len(lines) > 1 and all(map(_ITEM.match, lines))):
            yield from self._items(lines)
        else:
            yield from map(self._text, lines)

    def _items(self, lines: Iterable[str]) -> Iterator[str]:
        """A list; what is set in goes on with the item before."""
        for line in lines:
            begins = "  " if line[:1] == " " else "- "
            yield begins + self._text(line.strip().removeprefix("- "))

    def _text(self, line: str) -> str:
        pieces = _CODE.split(line)
        return "".join(self._code(p) if i % 2 else self._plain(p) for i, p in enumerate(pieces))

    def _plain(self, text: str) -> str:
        return _SIGNS.sub(lambda m: "\\" + (m[1] or m[2]), text)

    def _code(self, piece: str) -> str:
        word = piece.strip("`")
        if word in self._claims:
            return f":claim:`{word}`"
        name = self._names.get(word.removesuffix("()"))
        return f":py:obj:`{word} <{name}>`" if name else f"``{word}``"


def _paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Runs of lines between empty ones."""
    run: list[str] = []
    for line in (*lines, ""):
        if line.strip():
            run.append(line.rstrip())
        elif run:
            yield run
            run = []
