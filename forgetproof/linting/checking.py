"""`lint`: a mechanism's claims compared with what it executes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from accounting.mechanism import ClaimVerdict, Mechanism
from forgetproof.linting.codes import Level
from forgetproof.linting.conversions import approximated, misread, of_every_step
from forgetproof.linting.findings import LintFinding, LintReport
from forgetproof.linting.reasons import reason
from forgetproof.linting.structure import Remark, structure
from forgetproof.linting.targets import LintTarget, mechanisms
from forgetproof.linting.text import numbers

TRUE = ("holds", "conditional")


def lint(target: Any) -> LintReport:
    """Return the verdict of every claim, and the findings on what runs.

    target: a Mechanism, a mechanism document as a dict, or an object that has or returns one: an
    engine, a record, an event of dp-accounting, an engine of Opacus.

    Raises ValueError that begins with "target" for what leads to no mechanism, or to several.

    A claim is called false where an instance of the class that the document declares needs more
    than it says; what the document does not say is a condition, and is never guessed.
    """
    several = list(mechanisms(target, type(target).__name__))
    if len(several) != 1:
        raise ValueError(f"target must lead to one mechanism, got {len(several)}")
    return lint_source(LintTarget(several[0], _file(several[0])))


def lint_source(source: LintTarget) -> LintReport:
    """The same, of a mechanism that was read from a file, with lines of the file."""
    mechanism = source.mechanism
    judged = mechanism.verdicts()
    remarks: list[tuple[Remark, ClaimVerdict | None]] = []
    for verdict in judged:
        remarks += ((remark, verdict) for remark in _of_claim(mechanism, judged, verdict))
    # What explains a claim is not said again of the mechanism.
    explained = {(remark.code, _field(remark.key)) for remark, _ in remarks}
    alone = [r for r in structure(mechanism) if (r.code, _field(r.key)) not in explained]
    remarks = [(remark, None) for remark in alone] + remarks
    named = {_field(remark.key) for remark, _ in remarks if remark.code != "FP211"}
    findings = {
        (remark.code, _field(remark.key), remark.message): _finding(source, remark, verdict)
        for remark, verdict in reversed(remarks)
        # A field that another finding is about need not be called uncovered too.
        if remark.code != "FP211" or not any(f.startswith(_field(remark.key)) for f in named)
    }
    return LintReport(mechanism, source.file, judged, tuple(reversed(findings.values())))


def _file(mechanism: Mechanism) -> str:
    return mechanism.source.file if mechanism.source is not None else mechanism.name


def _field(key: str) -> str:
    """The field, whichever segment it is of: steps[0].divisor.is and steps.divisor.is are one."""
    return re.sub(r"^steps\[\d+\]", "steps", key)


def _of_claim(
    mechanism: Mechanism, judged: tuple[ClaimVerdict, ...], verdict: ClaimVerdict
) -> Iterator[Remark]:
    """The remarks on a claim that does not hold, and why."""
    if verdict.word in TRUE or mechanism.draft:
        # What a draft does not say is a condition of its verdicts.
        return
    level: Level = "error" if verdict.word == "false" else "warning"
    message = f"{_key(verdict)}: {numbers(mechanism.claims[verdict.claim], verdict)}"
    yield Remark.of("FP100" if level == "error" else "FP101", _key(verdict), message)
    yield from _why(mechanism, judged, verdict, level)
    yield from _uncovered(verdict)


def _key(verdict: ClaimVerdict) -> str:
    return f"claims[{verdict.claim}]"


def _why(
    mechanism: Mechanism, judged: tuple[ClaimVerdict, ...], verdict: ClaimVerdict, level: Level
) -> Iterator[Remark]:
    """Where the claim and what runs part: at a conversion, or at fields of the mechanism."""
    claim, key = mechanism.claims[verdict.claim], _key(verdict)
    if claim.made_from is not None and judged[claim.made_from].word in TRUE:
        base = mechanism.claims[claim.made_from]
        words = misread(base, claim) or "by no conversion that we know"
        message = f"claims[{claim.made_from}] holds and does not give {key}: {words}"
        yield Remark("FP208", level, key, message)
        return
    if approximation := approximated(mechanism, claim):
        yield Remark("FP208", level, key, f"{key} is no bound: {approximation}")
        return
    why = reason(mechanism, claim)
    if why is None:
        if steps := of_every_step(mechanism, claim):
            yield Remark("FP208", level, key, f"{key} is of another delta: {steps}")
        return
    for edit in why.edits:
        yield Remark(edit.code, level, edit.key, f"{key} {why.words}")


def _uncovered(verdict: ClaimVerdict) -> Iterator[Remark]:
    """The fields of which nothing of ours speaks."""
    for field in verdict.comparison.open_fields:
        yield Remark.of("FP211", field.partition(":")[0].split(" ")[0], field)


def _finding(
    source: LintTarget, remark: Remark, verdict: ClaimVerdict | None = None
) -> LintFinding:
    """A remark with its place, and the numbers of its claim."""
    place = source.place(remark.key)
    if verdict is None:
        return LintFinding(remark.code, remark.level, remark.message, place)
    compared = verdict.comparison
    return LintFinding(
        remark.code,
        remark.level,
        remark.message,
        place,
        verdict.claim,
        compared.claimed,
        compared.lower,
        compared.upper,
        compared.route,
    )
