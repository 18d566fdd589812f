"""Labels of statements, as a person writes them: an id, "Theorem 3.2", "olu Theorem 2"."""

from __future__ import annotations

import re
import unicodedata

from bounds.library import get, how_to_install, paper, statements, suggestions
from bounds.statements import Statement

_TOKEN = re.compile(r"[a-z]+|[0-9]+")
_SHORT = {
    "thm": "theorem",
    "lem": "lemma",
    "cor": "corollary",
    "prop": "proposition",
    "def": "definition",
    "eq": "equation",
    "alg": "algorithm",
    "rem": "remark",
    "sec": "section",
    "app": "appendix",
    "tab": "table",
    "fig": "figure",
}


def lookup(text: str, of: str | None = None) -> tuple[Statement, ...]:
    """The statements that the text names, in the order of the papers.

    text: an id or an alias; or the beginning of a label, whole words of it, in any case and with
    the usual abbreviations ("thm 3.2"), after the paper's key, title or number on arXiv if need be.
    of: a paper, in place of one in the text.

    Raises ValueError for a text that names none, with what it may have meant.
    """
    try:
        return (get(text),)
    except ValueError:
        owner, label = (of, text) if of is not None else _owner(text)
    query = _tokens(label)
    # Token by token: "Theorem 3" begins Theorem 3.2, and not Theorem 32.
    matches = tuple(
        s for s in statements(owner) if query and _tokens(s.label)[: len(query)] == query
    )
    if not matches:
        more = suggestions(text) + how_to_install()
        raise ValueError(f"id must name a claim by id or label, got {text!r}{more}")
    return matches


def _owner(text: str) -> tuple[str | None, str]:
    """The paper that the text begins with, if it does, and the rest."""
    head, _, rest = text.strip().partition(" ")
    try:
        return paper(head).key, rest
    except ValueError:
        return None, text


def _tokens(text: str) -> list[str]:
    """Words and numbers, without case, accents and abbreviations."""
    # NFKD parts a letter from its accent, which is then no part of a token.
    plain = unicodedata.normalize("NFKD", text.lower())
    return [_SHORT.get(token, token) for token in _TOKEN.findall(plain)]
