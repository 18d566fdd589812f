"""What checks came to for a claim, as pages show it: of a run just ended, or of the record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import bounds
from bounds import Statement
from bounds.library import installed
from verify import programs, record, stored
from verify.evidence import Reproduction
from verify.expectation import Surprise
from verify.outcome import Outcome
from verify.power import Power, powers
from verify.report.document import clashing, counterexample, program
from verify.report.places import counterexample_file
from verify.stored import StoredClaim
from verify.units import clashes
from verify.words import kind_of


@dataclass(frozen=True)
class VerdictDetail:
    """What is known of a verdict beside `StoredVerdict`.

    basis: exact, certified, statistical or declared.  program: a text that runs by itself and
    shows the counterexample.  file: the counterexample as JSON, in the report's folder.  clashes:
    terms in units that disagree.  rows: of a table that was computed again.  power: how much
    smaller or larger a bound the check would have noticed.  expected: another verdict that was.
    """

    basis: str = ""
    program: str = ""
    file: str = ""
    clashes: tuple[str, ...] = ()
    rows: tuple[Mapping[str, Any], ...] = ()
    power: Power | None = None
    expected: str = ""


@dataclass(frozen=True)
class ClaimResult:
    """A claim with its verdicts, and by "interpretation.form" what stands beside each.

    error: the traceback of a check that broke.  seconds: how long the check took; None where it
    was not run.
    """

    claim: Statement
    verdicts: StoredClaim
    details: Mapping[str, VerdictDetail] = field(default_factory=dict)
    error: str = ""
    seconds: float | None = None

    @property
    def headline(self) -> str:
        """One word for the claim."""
        return "error" if self.error else self.verdicts.headline

    @property
    def kind(self) -> str:
        """The headline without the numbers of a table."""
        return kind_of(self.headline)

    def detail(self, interpretation: str, form: str) -> VerdictDetail:
        """What stands beside a verdict; empty where nothing does."""
        return self.details.get(f"{interpretation}.{form}", VerdictDetail())


def of_record(claim: Statement) -> ClaimResult:
    """What the last recorded run said; nothing is run.

    Raises ValueError for a claim of no installed paper.
    """
    verdicts, run = stored.stored(claim), record.of_claim(claim)
    apart = {(clash.interpretation, clash.form): clash.terms for clash in clashes(claim)}
    details = {}
    for each in run.verdicts if run else ():
        name = each.case.program if each.case else ""
        details[f"{each.interpretation}.{each.form}"] = VerdictDetail(
            each.basis,
            programs.text(claim, name) if name else "",
            clashes=apart.get((each.interpretation, each.form), ()),
        )
    return ClaimResult(claim, verdicts, details)


def of_run(
    outcome: Outcome, about: Mapping[str, Any], surprises: Iterable[Surprise] = ()
) -> ClaimResult:
    """What a run said; `about` is its manifest."""
    claim = outcome.claim
    before = record.of_claim(claim) if _is_listed(claim) else None
    run = record.recorded(outcome, about, before, digest="")
    try:
        verdicts = stored.with_verdicts(claim, outcome.words, run)
    except ValueError:
        # Another case decides than the one that the written sentence has its numbers from.
        silent = tuple(replace(each, fails={}) for each in claim.interpretations)
        verdicts = stored.with_verdicts(claim.changed(interpretations=silent), outcome.words, run)
    expected = {s.key: s.expected for s in surprises if s.claim == claim.id}
    return ClaimResult(
        claim,
        verdicts,
        _details(outcome, expected),
        outcome.error or "",
        round(outcome.seconds, 2),
    )


def _is_listed(claim: Statement) -> bool:
    """Whether the claim is one of an installed paper's."""
    return installed(claim.paper) is not None and claim.id in bounds.ids()


def _details(outcome: Outcome, expected: Mapping[str, str]) -> dict[str, VerdictDetail]:
    claim, power = outcome.claim, {p.key: p for p in powers([outcome])}
    details = {}
    for verdict in outcome.verdicts:
        tables = [
            e
            for e in outcome.evidence
            if isinstance(e, Reproduction)
            and (e.interpretation, e.form) == (verdict.interpretation, verdict.form)
        ]
        refuted = counterexample(verdict) is not None
        details[verdict.key] = VerdictDetail(
            verdict.basis,
            program(outcome, verdict) or "",
            counterexample_file(claim.id, verdict.key) if refuted else "",
            clashing(outcome, verdict),
            tuple(dict(row) for table in tables for row in table.rows),
            power.get(verdict.key),
            expected.get(verdict.key, ""),
        )
    return details
