"""What the report says of one claim, as data for the template."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

import bounds
from verify import plots
from verify.claim import Claim
from verify.evidence import Comparison, Reproduction
from verify.expectation import Surprise
from verify.report import words
from verify.report.document import counterexample, program
from verify.report.mathml import mathml
from verify.runner import Outcome
from verify.verdict import Verdict


@dataclass(frozen=True)
class CaseView:
    """A deciding comparison in words and numbers."""

    refutes: bool
    name: str
    instance: str
    judged: str
    inputs: tuple[tuple[str, str], ...]
    basis: str
    replay: str
    script: str | None


@dataclass(frozen=True)
class FormView:
    """One form under one reading."""

    name: str
    word: str
    basis: str
    reason: str
    loose: str
    reach: str
    instances: int
    formula: Markup | None
    note: str
    expected: str | None
    case: CaseView | None
    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class ClaimView:
    """A claim as the template shows it."""

    claim: Claim
    kind: str
    word: str
    error: str | None
    seconds: float
    left: Markup | None
    symbols: tuple[tuple[Markup, str, str], ...]
    readings: tuple[tuple[str, str, tuple[FormView, ...]], ...]
    plot: Markup | None
    caption: str


def claim_view(outcome: Outcome, surprises: Iterable[Surprise]) -> ClaimView:
    """Everything the report shows of one claim."""
    claim = outcome.claim
    expected = {s.key: s.expected for s in surprises if s.claim == claim.id}
    formula = bounds.get(claim.id) if claim.formula else None
    plot, caption = _plot(claim)
    readings, shown = [], set[str]()
    for reading in claim.readings:
        mine = [v for v in outcome.verdicts if v.reading == reading.name]
        forms = tuple(_form(outcome, v, expected.get(v.key), shown) for v in mine)
        readings.append((reading.name, reading.text, forms))
    return ClaimView(
        claim,
        words.kind_of(outcome.headline),
        outcome.headline,
        outcome.error,
        outcome.seconds,
        mathml(formula.left) if formula else None,
        _symbols(formula),
        tuple(readings),
        plot,
        caption,
    )


def _symbols(formula: bounds.Formula | None) -> tuple[tuple[Markup, str, str], ...]:
    if formula is None:
        return ()
    return tuple((mathml(s.tex), s.meaning, s.range()) for s in formula.symbols.values())


def _form(outcome: Outcome, verdict: Verdict, expected: str | None, shown: set[str]) -> FormView:
    """A form's row; its formula only the first time, under the first reading that judges it."""
    claim = outcome.claim
    form = bounds.get(claim.id).forms.get(verdict.form) if claim.formula else None
    if verdict.form in shown:
        form = None
    shown.add(verdict.form)
    tables = [
        e
        for e in outcome.evidence
        if isinstance(e, Reproduction) and (e.reading, e.form) == (verdict.reading, verdict.form)
    ]
    return FormView(
        verdict.form,
        "error" if outcome.error else verdict.word,
        verdict.basis,
        verdict.reason,
        words.typeset(words.span(verdict.loose)),
        "" if verdict.reach is None else words.typeset(words.number(verdict.reach, 4)),
        verdict.instances,
        mathml(form.tex, block=True) if form else None,
        form.note if form else "",
        expected,
        _case(outcome, verdict),
        tuple(dict(row) for table in tables for row in table.rows),
    )


def _case(outcome: Outcome, verdict: Verdict) -> CaseView | None:
    worst = verdict.worst
    if worst is None:
        return None
    refutes = counterexample(verdict) is not None
    against = "Contradiction" if worst.role == "class" else "Counterexample"
    return CaseView(
        refutes,
        against if refutes else "Closest experiment",
        worst.instance,
        words.typeset(words.judged(worst)),
        tuple(_inputs(worst)),
        worst.basis if worst.level is None else f"{worst.basis}, at level {worst.level:.0e}",
        words.replay_command(outcome.claim.id),
        program(outcome, verdict),
    )


def _inputs(c: Comparison) -> Sequence[tuple[str, str]]:
    return [(name, _plain(value)) for name, value in c.inputs.items()]


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_plain(v) for v in value) + "]"
    return words.typeset(words.number(value, 12))


def _plot(claim: Claim) -> tuple[Markup | None, str]:
    """The claim's plot and its caption; the reason in words where it could not be drawn."""
    if claim.natural is None or not claim.formula:
        return None, ""
    try:
        picture = plots.picture(claim)
        drawn = Markup(plots.inline_svg(picture))
    except Exception as error:  # whatever an experiment raises must not cost the whole report
        return None, f"No plot: {type(error).__name__}: {error}"
    return drawn, words.typeset(picture.fixed)
