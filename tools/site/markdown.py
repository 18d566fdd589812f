"""Pieces of MyST Markdown that laid pages are made of."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable

from verify import words

_SIGNS = re.compile(r"([\\`*_{}\[\]<>|$#~])")
_CODE = re.compile(r"(`[^`]+`)")


def plain(text: str) -> str:
    """Words in which no sign is Markdown, but for `code` between backticks; on one line."""
    pieces = _CODE.split(" ".join(text.split()))
    return "".join(p if i % 2 else _SIGNS.sub(r"\\\1", p) for i, p in enumerate(pieces))


def cell(text: str) -> str:
    """The same for a cell of a table, where `code` may hold a bar."""
    return re.sub(r"(?<!\\)\|", r"\\|", plain(text))


def escaped(value: object) -> str:
    """Text as HTML."""
    return html.escape(str(value), quote=True)


def raw(markup: str) -> str:
    """HTML as it stands."""
    return f"```{{raw}} html\n{markup}\n```\n"


def contents(pages: Iterable[str], *, depth: int = 1, hidden: bool = False) -> str:
    """A table of contents."""
    options = [f":maxdepth: {depth}", *([":hidden:"] if hidden else [])]
    return "\n".join(["```{toctree}", *options, "", *pages, "```", ""])


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table whose cells are Markdown already."""
    lines = [list(header)]
    lines += [["---"] * len(lines[0]), *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def verdict(word: str) -> str:
    """The box of a verdict, as HTML; its word is in it, never its colour alone."""
    return f'<span class="fp-verdict fp-{words.tone_of(word)}">{escaped(word)}</span>'


def relative(page: str, target: str) -> str:
    """From a page to another, both relative to the site's root."""
    return os.path.relpath(target, os.path.dirname(page) or ".").replace(os.sep, "/")
