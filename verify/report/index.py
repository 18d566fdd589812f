"""The rows of the index: every claim with what one searches, filters and sorts by."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from verify import words
from verify.origin import cited, notes
from verify.power import powers
from verify.report.places import claim_page
from verify.runner import Outcome

# Columns of the table, with how they sort.
COLUMNS = (
    ("claim", "number"),
    ("verdict", "number"),
    ("kind", "text"),
    ("basis", "text"),
    ("loose", "number"),
    ("reach", "number"),
    ("red below", "number"),
)
GROUPS = {
    "error": "Checks that broke",
    "false": "False as stated",
    "vacuous": "Vacuous: nothing satisfies the hypotheses",
    "typo": "Wrong by one edit",
    "mixed": "Right under one reading, wrong under another",
    "not run": "Not decided by this run",
    "unspecified": "Unspecified",
    "not checkable": "Not checkable",
    "not refuted": "Not refuted, without a proof named",
    "reproduced in part": "Reproduced in part",
    "reproduced": "Reproduced",
    "consistent": "Consistent definitions",
    "holds": "Hold",
}


@dataclass(frozen=True)
class IndexRow:
    """A claim as the index shows it; numbers and basis are those of its leading verdict.

    `word` is the entry of `words.ORDER` that the verdict belongs to, `rank` its place there,
    `order` the claim's place in the run, `disagreement` the readings of a mixed one, `notes` a
    small reach and the proof, `others` how many of its other verdicts say what, `text` what a
    search looks through. The `..._value` of a number sorts; it is empty where there is none.
    """

    id: str
    label: str
    paper: str
    kind: str
    statement: str
    page: str
    order: int
    verdict: str
    word: str
    rank: int
    disagreement: str
    notes: str
    others: tuple[tuple[int, str], ...]
    basis: str
    loose: str
    loose_value: str
    reach: str
    reach_value: str
    red: str
    red_value: str
    text: str


def index_rows(outcomes: Sequence[Outcome]) -> list[IndexRow]:
    """One row for every claim, in the order of the run."""
    return [_row(order, outcome) for order, outcome in enumerate(outcomes)]


def grouped(table: Sequence[IndexRow]) -> list[tuple[str, str, list[IndexRow]]]:
    """Rows by the word of their headline, problems first: word, heading, rows."""
    found = ((w, GROUPS[w], [r for r in table if r.word == w]) for w in words.ORDER)
    return [(word, heading, members) for word, heading, members in found if members]


def choices(table: Sequence[IndexRow]) -> list[tuple[str, list[str]]]:
    """What each filter offers: the values that occur."""
    return [
        ("paper", list(dict.fromkeys(r.paper for r in table))),
        ("verdict", [word for word, _, _ in grouped(table)]),
        ("kind", sorted({r.kind for r in table})),
        ("basis", sorted({r.basis for r in table})),
    ]


def _row(order: int, outcome: Outcome) -> IndexRow:
    claim, first = outcome.claim, outcome.leading
    power = {p.key: p for p in powers([outcome])}.get(first.key)
    word = words.kind_of(outcome.headline)
    rest = Counter(
        "error" if outcome.error else words.kind_of(v.word)
        for v in outcome.verdicts
        if v is not first
    )
    loose = first.loose[1] if first.loose else None
    red = power.lowest if power else None
    paper = cited(claim.paper)
    text = " ".join((claim.id, claim.label, claim.words, outcome.headline, paper, *claim.aliases))
    return IndexRow(
        claim.id,
        claim.label,
        claim.paper,
        claim.kind,
        claim.words,
        claim_page(claim.id),
        order,
        outcome.headline,
        word,
        words.ORDER.index(word),
        outcome.disagreement,
        notes(claim, outcome.headline, first.reach, first.proof),
        tuple((rest[w], w) for w in words.ORDER if rest[w]),
        "none" if outcome.error else first.basis,
        words.typeset(words.span(first.loose)),
        _sortable(loose),
        words.typeset(words.optional(first.reach)),
        _sortable(first.reach),
        words.typeset(words.limit(red)),
        _sortable(red),
        text.lower(),
    )


def _sortable(value: float | None) -> str:
    """The number as JavaScript reads it."""
    if value is None:
        return ""
    return repr(float(value)) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
