"""What the report says of one claim, as data for the template of its page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from bounds import Statement, Symbol, certificates
from bounds.units import Units
from verify import words
from verify.evidence import Comparison, Reproduction
from verify.expectation import Surprise
from verify.origin import cited, proof_text, rests, source
from verify.outcome import Outcome
from verify.power import Power, powers
from verify.report.document import clashing, counterexample, program
from verify.report.drawing import Drawing, Refusal
from verify.report.mathml import mathml
from verify.report.places import counterexample_file, plain
from verify.report.prose import prose
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
    file: str | None
    script: str | None


@dataclass(frozen=True)
class VerdictView:
    """One form under one interpretation."""

    anchor: str
    form: str
    word: str
    notes: str
    basis: str
    proof: Markup
    certificate: tuple[str, ...]
    reason: str
    slack: str
    attainment: str
    below: str
    above: str
    instances: int
    expected: str | None
    case: CaseView | None
    clashes: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class ReadingView:
    """An interpretation, its hypotheses in words, and its verdicts."""

    name: str
    text: str
    stance: str
    verdicts: tuple[VerdictView, ...]


@dataclass(frozen=True)
class FormView:
    """A form's formula."""

    name: str
    formula: Markup
    note: str
    unit: str


@dataclass(frozen=True)
class ClaimView:
    """A claim as the template shows it; `refusal` says why a plot could not be drawn."""

    claim: Statement
    paper: str
    source: str
    word: str
    disagreement: str
    decision: str
    error: str | None
    seconds: float
    left: Markup | None
    forms: tuple[FormView, ...]
    hypotheses: tuple[str, ...]
    symbols: tuple[tuple[str, Markup, str, str, str], ...]
    interpretations: tuple[ReadingView, ...]
    plot: Drawing | None
    refusal: str
    replay: str


def claim_view(
    outcome: Outcome, surprises: Iterable[Surprise], drawing: Drawing | Refusal | None
) -> ClaimView:
    """Everything the report shows of one claim."""
    claim = outcome.claim
    expected = {s.key: s.expected for s in surprises if s.claim == claim.id}
    power = {p.key: p for p in powers([outcome])}
    interpretations = (
        ReadingView(
            interpretation.name,
            interpretation.text,
            words.STANCES[interpretation.stance],
            tuple(
                _verdict(outcome, v, power.get(v.key), expected.get(v.key))
                for v in outcome.verdicts
                if v.interpretation == interpretation.name
            ),
        )
        for interpretation in claim.interpretations
    )
    units = claim.units()
    return ClaimView(
        claim,
        cited(claim.paper),
        source(claim.paper),
        outcome.headline,
        outcome.disagreement,
        outcome.decision,
        outcome.error,
        round(outcome.seconds, 2),
        mathml(claim.left) if claim.left else None,
        tuple(
            FormView(f.name, mathml(f.tex, block=True), f.note, _unit(units[f.name]))
            for f in claim.forms.values()
        ),
        tuple(r.text for r in claim.requires),
        tuple(
            (s.name, mathml(s.tex), s.meaning, s.range(), _measured(s, units))
            for s in claim.symbols.values()
        ),
        tuple(interpretations),
        drawing if isinstance(drawing, Drawing) else None,
        drawing.reason if isinstance(drawing, Refusal) else "",
        words.replay_command(claim.id),
    )


def _unit(units: Units) -> str:
    """The unit of a form in words; nothing for what has none."""
    return "" if units.because else str(units)


def _measured(symbol: Symbol, units: Mapping[str, Units]) -> str:
    """The unit of a symbol, solved for where it is not declared; nothing for numbers."""
    # Forms may give a symbol different units: all are told.
    unit_names = {str(u.symbols[symbol.name]) for u in units.values() if symbol.name in u.symbols}
    return " or ".join(sorted(unit_names - {"1"}))


def _verdict(
    outcome: Outcome, verdict: Verdict, power: Power | None, expected: str | None
) -> VerdictView:
    tables = [
        e
        for e in outcome.evidence
        if isinstance(e, Reproduction)
        and (e.interpretation, e.form) == (verdict.interpretation, verdict.form)
    ]
    return VerdictView(
        plain(verdict.key),
        verdict.form,
        "error" if outcome.error else verdict.word,
        rests(outcome.claim, verdict.word, verdict.attainment, verdict.proof),
        verdict.basis,
        prose(proof_text(outcome.claim, verdict.proof)),
        _certificate(outcome, verdict),
        verdict.reason,
        words.typeset(words.span(verdict.slack)),
        words.typeset(words.optional(verdict.attainment)),
        words.typeset(words.limit(power.lowest if power else None)),
        words.typeset(words.limit(power.highest if power else None)),
        verdict.instances,
        expected,
        _case(outcome, verdict),
        clashing(outcome, verdict),
        tuple(dict(row) for table in tables for row in table.rows),
    )


def _certificate(outcome: Outcome, verdict: Verdict) -> tuple[str, ...]:
    """The lines of the certificate that leads to the form, if one does."""
    record = certificates.certificate(outcome.claim, verdict.interpretation, verdict.form)
    return record.told if record and verdict.proof else ()


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
        counterexample_file(outcome.claim.id, verdict.key) if refutes else None,
        program(outcome, verdict),
    )


def _inputs(c: Comparison) -> Sequence[tuple[str, str]]:
    return [(name, _plain(value)) for name, value in c.inputs.items()]


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_plain(v) for v in value) + "]"
    return words.typeset(words.number(value, 12))
