"""What the report says of one claim, as data for the template of its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from bounds import Statement, Symbol, certificates
from bounds.proof_files import accepted
from bounds.unicode_formulas import unicode_words
from bounds.units import Units
from verify import glosses
from verify.case_values import CaseValue, case_values
from verify.explanation import Explanation, deciding_verdict, explained
from verify.glosses import proof_in_words
from verify.origin import source
from verify.record import DecidingCase
from verify.report.bibtex import entry
from verify.report.breakable import breakable
from verify.report.mathml import mathml
from verify.report.places import plain
from verify.report.prose import prose
from verify.report.results import ClaimResult, VerdictDetail
from verify.report.sentences import basis, noticed, sides
from verify.stored import StoredInterpretation, StoredVerdict
from verify.verdict_sentences import what_fails, what_was_tested
from verify.words import replay_command, typeset

FORMS = {name: f"{words[:1].upper()}{words[1:]}" for name, words in glosses.FORMS.items()}
"""Names of forms as pages say them; others as they are, with a capital."""


@dataclass(frozen=True)
class ValueView:
    """An input of a case: its symbol, what that means, its value with its unit."""

    symbol: Markup
    meaning: str
    value: str


@dataclass(frozen=True)
class CaseView:
    """A deciding comparison in words and numbers."""

    name: str
    refutes: bool
    instance: str
    sides: str
    values: tuple[ValueView, ...]
    basis: str


@dataclass(frozen=True)
class VerdictView:
    """One form under one interpretation."""

    anchor: str
    form: str
    word: str
    notes: str
    sentence: str
    argument: str
    proof: Markup
    certificate: tuple[str, ...]
    noticed: str
    cases: int
    case: CaseView | None
    detail: VerdictDetail


@dataclass(frozen=True)
class ReadingView:
    """An interpretation, its hypotheses in words, and its verdicts."""

    name: str
    text: str
    note: str
    verdicts: tuple[VerdictView, ...]


@dataclass(frozen=True)
class FormView:
    """A form's formula, with its best verdict and what that rests on."""

    name: str
    formula: Markup
    note: str
    unit: str
    word: str
    notes: str


@dataclass(frozen=True)
class SymbolView:
    """A symbol of the formulas."""

    name: str
    formula: Markup
    meaning: str
    range: str
    unit: str


@dataclass(frozen=True)
class FormalView:
    """A proof that the checker of proofs accepts, line by line."""

    anchor: str
    form: str
    text: str


@dataclass(frozen=True)
class ClaimView:
    """A claim as the template shows it."""

    claim: Statement
    paper: str
    source: str
    word: str
    explanation: Explanation
    changed: Markup
    case: CaseView | None
    bibtex: str
    command: str
    error: str
    seconds: float | None
    quantity: str
    left: Markup
    forms: tuple[FormView, ...]
    hypotheses: tuple[str, ...]
    symbols: tuple[SymbolView, ...]
    interpretations: tuple[ReadingView, ...]
    run: str
    history: tuple[Mapping[str, str], ...]
    formal: tuple[FormalView, ...]

    @property
    def main_forms(self) -> tuple[FormView, ...]:
        """What is printed, corrected and best possible; all forms where there is none of these."""
        main = tuple(form for form in self.forms if form.name in FORMS.values())
        return main or self.forms

    @property
    def other_forms(self) -> tuple[FormView, ...]:
        """The forms beside those."""
        return tuple(form for form in self.forms if form not in self.main_forms)

    @property
    def verdicts(self) -> tuple[VerdictView, ...]:
        """Of every interpretation."""
        return tuple(v for each in self.interpretations for v in each.verdicts)


def claim_view(result: ClaimResult) -> ClaimView:
    """Everything the report shows of one claim."""
    claim, known = result.claim, result.verdicts
    explanation = explained(claim, known)
    units = claim.units()
    interpretations = tuple(_interpretation(result, each) for each in known.interpretations)
    _, deciding = deciding_verdict(known)
    has_case = deciding is not None and deciding.case is not None and not result.error
    return ClaimView(
        claim,
        known.paper,
        source(claim.paper),
        result.headline,
        explanation,
        prose(explanation.changed),
        _case(claim, deciding) if has_case and deciding else None,
        entry(result),
        _command(result, deciding),
        result.error,
        result.seconds,
        unicode_words(claim.quantity),
        breakable(claim.left) if claim.left else Markup(""),
        tuple(_forms(result, units)),
        tuple(map(unicode_words, (r.text for r in claim.requires))),
        tuple(
            SymbolView(s.name, mathml(s.tex), unicode_words(s.meaning), s.range(), _unit(s, units))
            for s in claim.symbols.values()
        ),
        interpretations,
        known.run.told if known.run and known.run.date else "",
        known.run.history if known.run else (),
        tuple(
            FormalView(plain(f"formal.{proof.form}"), FORMS.get(proof.form, proof.form), proof.text)
            for proof in accepted(claim)
        ),
    )


def _command(result: ClaimResult, deciding: StoredVerdict | None) -> str:
    """The command that shows the counterexample again, as a program where there is one."""
    program = deciding is not None and deciding.case is not None and deciding.case.program
    return replay_command(result.claim.id) + (" --as-script" if program else "")


def _forms(result: ClaimResult, units: Mapping[str, Units]) -> Iterator[FormView]:
    claim = result.claim
    for name, form in claim.forms.items():
        judged = [
            (each, verdict)
            for each in result.verdicts.interpretations
            if (verdict := each.verdict(name)) is not None
        ]
        word = notes = ""
        # The paper's own form has the headline; another one the verdict that it fares best with.
        if name == claim.own_form:
            word = result.headline
        elif judged and not result.error:
            _, best = min(judged, key=lambda pair: (pair[1].wrong, bool(pair[0].note)))
            word = best.word
            notes = proof_in_words(best.proof) if word == "holds" else ""
        yield FormView(
            FORMS.get(name, name.capitalize()),
            breakable(form.tex),
            unicode_words(form.note),
            _measured(units[name]),
            word,
            notes,
        )


def _measured(units: Units) -> str:
    """What a form is measured in; nothing for a number, and where it is not known."""
    if units.because or str(units) == "1":
        return ""
    return "its terms have different units" if units.clashes else f"in {units}"


def _unit(symbol: Symbol, units: Mapping[str, Units]) -> str:
    """The unit of a symbol, solved for where it is not declared; nothing for numbers."""
    # Forms may give a symbol different units: all are told.
    unit_names = {str(u.symbols[symbol.name]) for u in units.values() if symbol.name in u.symbols}
    return " or ".join(sorted(unit_names - {"1"}))


def _interpretation(result: ClaimResult, each: StoredInterpretation) -> ReadingView:
    verdicts = tuple(_verdict(result, each, verdict) for verdict in each.verdicts)
    return ReadingView(each.name, unicode_words(each.text), each.note, verdicts)


def _verdict(
    result: ClaimResult, interpretation: StoredInterpretation, verdict: StoredVerdict
) -> VerdictView:
    claim, detail = result.claim, result.detail(interpretation.name, verdict.form)
    record = certificates.certificate(claim, interpretation.name, verdict.form)
    return VerdictView(
        plain(f"{interpretation.name}.{verdict.form}"),
        FORMS.get(verdict.form, verdict.form.capitalize()),
        "error" if result.error else verdict.word,
        proof_in_words(verdict.proof) if verdict.word == "holds" else "",
        what_fails(claim, verdict) if verdict.wrong else what_was_tested(verdict),
        unicode_words(verdict.argument) if verdict.word == "holds" else "",
        prose(verdict.written),
        record.told if record and verdict.argument else (),
        noticed(detail.power),
        verdict.cases,
        None if result.error or verdict.case is None else _case(claim, verdict),
        detail,
    )


def _case(claim: Statement, verdict: StoredVerdict) -> CaseView:
    case: DecidingCase = verdict.case  # type: ignore[assignment]  # asked for where there is one
    refutes = verdict.wrong
    against = "Contradiction" if verdict.word == "vacuous" else "Counterexample"
    return CaseView(
        against if refutes else "Closest case",
        refutes,
        unicode_words(case.instance),
        sides(case),
        tuple(_value(claim, value) for value in case_values(claim, case.inputs)),
        basis(case),
    )


def _value(claim: Statement, value: CaseValue) -> ValueView:
    symbol = claim.symbols.get(value.name)
    text = typeset(f"{value.value} {value.unit}".rstrip())
    if symbol is None:
        return ValueView(Markup("<i>{}</i>").format(value.symbol), "", text)
    return ValueView(mathml(symbol.tex), unicode_words(symbol.meaning), text)
