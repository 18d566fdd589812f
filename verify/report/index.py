"""The rows of the index: every claim with what one searches, filters and sorts by."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from bounds.statements import ORIGINS
from bounds.unicode_formulas import unicode_words
from verify import words
from verify.glosses import proof_in_words
from verify.interpretations import counted
from verify.origin import cited, notes
from verify.outcome import Outcome
from verify.power import powers
from verify.report.places import claim_page

COLUMNS = (
    ("claim", "number", "claim"),
    ("verdict", "number", "verdict"),
    ("kind", "text", "kind"),
    ("slack", "number", "times the best bound"),
    ("attainment", "number", "closest case"),
    ("red below", "number", "notices a bound below"),
)
"""Columns of the table: their keys, how they sort, and their heads."""


@dataclass(frozen=True)
class IndexRow:
    """A claim as the index shows it; numbers are those of its leading verdict.

    `word` is the entry of `words.ORDER` that the verdict belongs to, `rank` its place there,
    `order` the claim's place in the run, `origin` whose statement it is, `decision` how many
    interpretations count and what they say, `notes` whose it is, a small
    attainment and the proof, `others` how many of its verdicts that do not count say what, `text`
    what a search looks through. The `..._value` of a number sorts; it is empty where there is none.
    """

    id: str
    label: str
    paper: str
    kind: str
    origin: str
    statement: str
    page: str
    order: int
    verdict: str
    word: str
    rank: int
    decision: str
    notes: str
    others: tuple[tuple[int, str], ...]
    slack: str
    slack_value: str
    attainment: str
    attainment_value: str
    red: str
    red_value: str
    text: str


def index_rows(outcomes: Sequence[Outcome]) -> list[IndexRow]:
    """One row for every claim, in the order of the run."""
    return [_row(order, outcome) for order, outcome in enumerate(outcomes)]


def grouped(table: Sequence[IndexRow]) -> list[tuple[str, str, list[IndexRow]]]:
    """Rows by the word of their headline, problems first, the paper's before ours: word, origin."""
    # All pairs in the order of the words, then of the origins; empty ones go.
    kinds = product(words.ORDER, ORIGINS)
    groups = ((w, o, [r for r in table if (r.word, r.origin) == (w, o)]) for w, o in kinds)
    return [(word, origin, members) for word, origin, members in groups if members]


def choices(table: Sequence[IndexRow]) -> list[tuple[str, list[str]]]:
    """What each filter offers: the values that occur."""
    return [
        ("paper", list(dict.fromkeys(r.paper for r in table))),
        ("verdict", list(dict.fromkeys(word for word, _, _ in grouped(table)))),
        ("origin", list(dict.fromkeys(r.origin for r in table))),
        ("kind", sorted({r.kind for r in table})),
    ]


def _row(order: int, outcome: Outcome) -> IndexRow:
    claim, first = outcome.claim, outcome.leading
    power = {p.key: p for p in powers([outcome])}.get(first.key)
    word = words.kind_of(outcome.headline)
    ways = counted(claim, outcome.words)
    counting = {f"{name}.{claim.own_form}" for name in ways}
    rest = Counter(
        "error" if outcome.error else words.kind_of(v.word)
        for v in outcome.verdicts
        if v.key not in counting
    )
    slack = first.slack[1] if first.slack else None
    red = power.lowest if power else None
    paper = cited(claim.paper)
    text = " ".join((claim.id, claim.label, claim.words, outcome.headline, paper, *claim.aliases))
    return IndexRow(
        claim.id,
        claim.label,
        claim.paper,
        claim.kind,
        claim.origin,
        unicode_words(claim.words),
        claim_page(claim.id),
        order,
        outcome.headline,
        word,
        words.ORDER.index(word),
        "" if outcome.error else _ways(list(ways.values())),
        proof_in_words(notes(claim, outcome.headline, first.attainment, first.proof)),
        tuple((rest[w], w) for w in words.ORDER if rest[w]),
        words.typeset(words.span(first.slack)),
        _sortable(slack),
        words.typeset(words.optional(first.attainment)),
        _sortable(first.attainment),
        words.typeset(words.limit(red)),
        _sortable(red),
        text.lower(),
    )


def _ways(verdicts: list[str]) -> str:
    """How many ways to read a claim count, with their verdicts; nothing of one way."""
    if len(verdicts) < 2:
        return ""
    each = Counter(verdicts)
    counts = ", ".join(f"{each[word]} {word}" for word in dict.fromkeys(verdicts))
    return f"read in {len(verdicts)} ways: {counts}"


def _sortable(value: float | None) -> str:
    """The number as JavaScript reads it."""
    if value is None:
        return ""
    return repr(float(value)) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
