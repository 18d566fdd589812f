"""Reports as text: for every document a line a claim, then a line a finding."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from forgetproof.linting.findings import LintReport, shown_down, shown_up

if TYPE_CHECKING:
    from accounting.mechanism import ClaimVerdict, PrivacyClaim

OF_THE_VERDICT = ("FP100", "FP101")
WORDS = ("holds", "conditional", "false", "open")
CLASS = (
    "false is said of the class of mechanisms that a document declares: some losses and rows of it "
    "need more"
)


def lines(report: LintReport) -> Iterator[str]:
    """The lines of one report; a verdict's own finding stands on the line of its claim."""
    yield f"{report.file}: {report.mechanism.name}"
    for claim, verdict in zip(report.mechanism.claims, report.verdicts, strict=True):
        word = verdict.word.upper() if verdict.word == "false" else verdict.word
        yield f"  claims[{verdict.claim}]  {word:<11} {numbers(claim, verdict)}"
    if report.mechanism.draft:
        yield f"  unknown    {', '.join(report.mechanism.unknowns)}"
    for condition in dict.fromkeys(c for v in report.verdicts for c in v.conditions):
        if not condition.endswith(": unknown"):
            yield f"  condition  {condition}"
    for finding in report.findings:
        if finding.code not in OF_THE_VERDICT:
            yield f"  {finding}"


def numbers(claim: PrivacyClaim, verdict: ClaimVerdict) -> str:
    """What is claimed, needed and certified, each rounded to the side that accuses nobody."""
    compared = verdict.comparison
    claimed = f"{_words(claim)} claimed"
    if compared.scale == "epsilon" and claim.epsilon is None:
        implied = f"epsilon {shown_down(compared.claimed)} at delta {compared.delta:g}"
        claimed = f"{claimed}, that is {implied}"
    if verdict.word in ("holds", "conditional"):
        return f"{claimed}; certified {shown_up(compared.upper)}"
    if not compared.route:
        return claimed
    if math.isinf(compared.lower):
        return f"{claimed}; no finite number is true ({compared.route})"
    certified = "nothing" if math.isinf(compared.upper) else shown_up(compared.upper)
    needed = shown_down(compared.lower)
    return f"{claimed}; {needed} is needed, {certified} certified ({compared.route})"


def _words(claim: PrivacyClaim) -> str:
    """The claim in its own form."""
    number = shown_down(claim.number)
    if claim.delta is not None:
        return f"epsilon {number} at delta {claim.delta:g}"
    if claim.slope is not None:
        return f"D_alpha <= {number} alpha"
    return f"mu {number}" if claim.mu is not None else f"D_{claim.order:g} <= {number}"


def summary(reports: Sequence[LintReport]) -> str:
    """One line: documents and claims by verdict, and what a false one is false of."""
    words = [verdict.word for report in reports for verdict in report.verdicts]
    counts = ", ".join(f"{words.count(word)} {word}" for word in WORDS if word in words)
    totals = f"{_counted(len(reports), 'document')}: {_counted(len(words), 'claim')}"
    return f"{totals}: {counts}" if words else totals


def of_the_class(reports: Iterable[LintReport]) -> bool:
    """Whether a claim is false, which is said of the class that its document declares."""
    return any(verdict.word == "false" for report in reports for verdict in report.verdicts)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
