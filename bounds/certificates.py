"""Certificates beside a paper's statements, and what they make of the proofs of its forms.

A certificate shows by machine that a form is never below a sharper one (never above, where both
bound from below), so that it holds *if the sharper one does*. `bounds.algebra.certificates` checks
it; here it is data, read without sympy.  What no certificate shows yet stands in the same file,
with the reason.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from bounds import proof_files
from bounds.interpretations import Proof
from bounds.library import blame, installed, paper
from bounds.statements import Statement

NAME = "certificates.json"
Step = Sequence[Any]


@dataclass(frozen=True)
class Certificate:
    """That under an interpretation the form `sharper` is at most `looser` (at least, where both are
    >=).

    Attributes:
        claim, interpretation, sharper, looser: a pair of `Interpretation.order`.
        cases: the steps of every case of the difference, in the order of `bounds.algebra.cases`.
        whole: the only case is the difference as it stands.
        box: symbol -> its ends, where the certificate speaks of a part of the ranges only.
        open: why there is no certificate; it then proves nothing.
    """

    claim: str
    interpretation: str
    sharper: str
    looser: str
    cases: tuple[tuple[Step, ...], ...] = ()
    whole: bool = True
    box: Mapping[str, Sequence[str]] = field(default_factory=dict)
    open: str = ""

    @property
    def pair(self) -> tuple[str, str, str, str]:
        """What it speaks of."""
        return self.claim, self.interpretation, self.sharper, self.looser

    @property
    def where(self) -> str:
        """The box in words; empty where it holds on all ranges."""
        return ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in self.box.items())

    @property
    def told(self) -> tuple[str, ...]:
        """What is shown, and how, a line each: lemmas, names, places of symbols."""
        place = f" for {self.where}" if self.where else ""
        lines = [f"{self.looser} follows from {self.sharper}{place}, checked by machine"]
        for number, steps in enumerate(self.cases, 1):
            if len(self.cases) > 1:
                lines.append(f"case {number} of {len(self.cases)}")
            lines.extend(map(_told, steps))
        return (*lines, "then every factor of the difference shows its sign")


def _told(step: Step) -> str:
    kind, *words = step
    if kind == "lemma":
        return f"lemma {words[0]}({', '.join(words[1:])})"
    if kind == "name":
        return f"{words[0]} for {words[1]}"
    if kind == "square":
        return f"{words[0]}^2 for {words[1]}"
    low, high = [*words[1:], None, None][:2]
    return " <= ".join(filter(None, (low, words[0], high)))


@cache
def rows(key: str) -> tuple[Certificate, ...]:
    """All lines of a paper's file: certificates, and the pairs that are open."""
    beside = files(paper(key).package) / NAME
    entries = json.loads(beside.read_text("utf-8")) if beside.is_file() else []
    return tuple(
        Certificate(**{**row, "cases": tuple(map(tuple, row.get("cases", ())))}) for row in entries
    )


def certificates(key: str) -> tuple[Certificate, ...]:
    """The certificates of a paper, from beside its statements."""
    return tuple(row for row in rows(key) if not row.open)


def certificate(claim: Statement, interpretation: str, form: str) -> Certificate | None:
    """That by which a form follows from a sharper one; None where there is none."""
    # A statement of no installed paper has no file of certificates beside it.
    if installed(claim.paper) is None:
        return None
    try:
        listed = certificates(claim.paper)
    except Exception as error:  # a third-party package may fail in any way
        blame(f"{NAME} of {claim.paper}", error)
        return None
    pairs = claim.interpretation(interpretation).order
    for row in listed:
        here = (row.claim, row.interpretation, row.looser) == (claim.id, interpretation, form)
        if here and (row.sharper, form) in pairs:
            return row
    return None


def proof(claim: Statement, interpretation: str, form: str) -> Proof | None:
    """The proof of a form with what is checked of it.

    It is *proved* where a file of `bounds.proof_files` shows it; *checked* where a certificate
    without a box leads to it: from the sharper form, whose own proof keeps its level and stands in
    `anchor`.
    """
    own = claim.interpretation(interpretation).proof(form)
    if own is not None and (file := proof_files.of_form(claim, interpretation, form)) is not None:
        return replace(
            own,
            level="proved",
            formal=file.path,
            half=file.half(claim),
            unbound=file.unbound(claim),
            theorems=file.theorems,
        )
    record = certificate(claim, interpretation, form)
    if own is None or record is None:
        return own
    # Checked steps are followed back to the form whose proof is read by a person.
    start, sharper = record.sharper, proof(claim, interpretation, record.sharper)
    while sharper is not None and sharper.level == "checked":
        start, sharper = sharper.start, sharper.anchor
    # A written proof is not replaced by a chain that ends in a mere phrase.
    if sharper is None or own.level == "written" != sharper.level:
        return own
    level = own.level if record.box else "checked"
    return replace(own, level=level, start=start, anchor=sharper, box=record.where)
