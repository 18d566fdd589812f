"""Labels of statements, as a person writes them: an id, "Theorem 3.2", "olu Theorem 2"."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from functools import lru_cache

from bounds.library import alike, get, how_to_install, ids, lost, paper, statements
from bounds.statements import Statement

MOST = 6
"""Statements that a complaint lists."""
NEAREST = 5
"""Statements that a mistyped name may have meant."""
LONGEST_TITLE = 40
"""Words."""
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

    text: an id or an alias, or an id without its paper; or the beginning of a label, whole words of
    it, in any case and with the usual abbreviations ("thm 3.2"); after the paper's key, title or
    number on arXiv if need be.
    of: a paper, in place of one in the text.

    Raises ValueError for a text that names none, with what it may have meant.
    """
    text = str(text)
    key = None if of is None else paper(of).key
    owner, label = (key, text) if key is not None else _owner(text)
    # What begins with a paper's name is no id, and no other paper need be imported.
    if owner is None or key is not None:
        try:
            statement = get(text)
        except ValueError:
            # An id whose statement is broken says why, and means no other.
            if lost(text.lower()):
                raise
        else:
            if key not in (None, statement.paper):
                raise ValueError(f"id must name a claim of {key}, got {_short(text)}")
            return (statement,)
    # The end of an id after its paper, as in "olu thm2".
    if owner is not None and f"{owner}.{label}".lower() in ids(owner):
        return (get(f"{owner}.{label}"),)
    query = _tokens(label)
    # Token by token: "Theorem 3" begins Theorem 3.2, and not Theorem 32.
    matches = tuple(
        s for s in statements(owner) if query and _tokens(s.label)[: len(query)] == query
    )
    if not matches:
        more = _did_you_mean(text, of)
        raise ValueError(
            f"id must name a claim by id or label (see `forgetproof claims`), got {_short(text)}"
            f"{more}{how_to_install()}"
        )
    return matches


def claim(id: str, paper: str | None = None) -> Statement:
    """The one statement that an id or a label names: the whole label before its beginnings.

    "Theorem 2" of olu is its Theorem 2, although "Theorem 2 (unlearning)" begins so.

    Raises ValueError as `lookup` does, and with a list where several statements are meant.
    """
    text = str(id)
    matches = lookup(text, paper)
    if len(matches) == 1:
        return matches[0]
    label = text if paper is not None else _owner(text)[1]
    # A label in full names one statement, if it is one paper's.
    whole = [s for s in matches if _tokens(s.label) == _tokens(label)]
    if len(whole) == 1 and len({s.paper for s in matches}) == 1:
        return whole[0]
    listed = ", ".join(f"{s.id} ({s.label})" for s in matches[:MOST])
    more = f" and {len(matches) - MOST} more" if len(matches) > MOST else ""
    raise ValueError(f"id must name one claim, got {_short(text)}, which may be {listed}{more}")


def parts(statement: Statement) -> tuple[Statement, ...]:
    """The other statements of its paper whose labels begin with its whole label."""
    label = _tokens(statement.label)
    return tuple(
        s
        for s in statements(statement.paper)
        if s is not statement and _tokens(s.label)[: len(label)] == label
    )


def _owner(text: str) -> tuple[str | None, str]:
    """The paper that the text begins with, by any of its names, and the rest."""
    words = text.split()
    # A title has several words: the longest beginning that names a paper counts.
    for end in range(min(len(words) - 1, LONGEST_TITLE), 0, -1):
        try:
            return paper(" ".join(words[:end])).key, " ".join(words[end:])
        except ValueError:
            continue
    return None, text


def _did_you_mean(text: str, of: str | None) -> str:
    """ "; did you mean ...?" with the statements whose ids or labels are spelled like the text."""
    key = None if of is None else paper(of).key
    near = [get(id) for id in alike(text, NEAREST) if key in (None, id.split(".")[0])]
    near += [each for each in _of_like_labels(text, of) if each not in near]
    listed = [f"{statement.id} ({statement.label})" for statement in near[:NEAREST]]
    return f"; did you mean {' or '.join(listed)}?" if listed else ""


def _of_like_labels(text: str, of: str | None) -> list[Statement]:
    """The statements whose labels are spelled like the text, the nearest first."""
    key = [paper(of).key] if of is not None else []
    # A person may give a text of any length, and the time to compare grows with it.
    words = _tokens(text[:100])
    query = [*key, *words]
    # Of every label as many words as were given; the first statement of a beginning stands for all.
    spellings: dict[str, Statement] = {}
    for statement in statements(of):
        beginning = [statement.paper, *_tokens(statement.label)][: len(query)]
        spellings.setdefault(" ".join(beginning), statement)
    near = get_close_matches(" ".join(query), spellings, n=NEAREST, cutoff=0.8) if words else []
    return [spellings[spelling] for spelling in near]


def _short(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:97] + "...")


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[str, ...]:
    """Words and numbers, without case, accents and abbreviations."""
    # NFKD parts a letter from its accent, which is then no part of a token.
    plain = unicodedata.normalize("NFKD", text.lower())
    return tuple(_SHORT.get(token, token) for token in _TOKEN.findall(plain))
