"""What authors would want to correct: each statement, what is wrong, what should stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from verify import words
from verify.evidence import Comparison, Reproduction
from verify.origin import rests, whose
from verify.outcome import Outcome
from verify.report.document import clashing, counterexample, program
from verify.report.places import claim_page, counterexample_file, plain
from verify.verdict import Verdict
from verify.words import WRONG

# A list of more numbers is shown by its ends.
LONG = 8


@dataclass(frozen=True)
class FailedReading:
    """An interpretation under which the printed form fails; `program` is the anchor of its program.

    `stance` says what the interpretation is where it does not count in the claim's headline.
    """

    interpretation: str
    stance: str
    hypotheses: str
    word: str
    sentence: str
    reason: str
    rows: tuple[dict[str, Any], ...]
    file: str | None
    program: str | None


@dataclass(frozen=True)
class Standing:
    """A form that stands in for the printed one, with its verdict.

    `notes` are a small attainment and the proof, `provided` the hypotheses it needs, where these
    are not those that the paper states.
    """

    name: str
    tex: str | None
    word: str
    notes: str
    basis: str
    proof: str
    provided: str


@dataclass(frozen=True)
class Erratum:
    """One entry: `printed` and the standing forms hold TeX.

    `word` is the claim's headline, `disagreement` its interpretations by their words where it is
    mixed, `whose` says where the statement is not the paper's.
    """

    id: str
    label: str
    whose: str
    word: str
    disagreement: str
    page: str
    anchor: str
    statement: str
    printed: str | None
    findings: tuple[FailedReading, ...]
    correction: str
    standing: tuple[Standing, ...]
    replay: str
    programs: tuple[tuple[str, str, str], ...]


def errata(outcomes: Iterable[Outcome], paper: str) -> list[Erratum]:
    """The paper's entries, in the order of the outcomes, which is that of the paper."""
    return [_erratum(o) for o in outcomes if o.claim.paper == paper and listed(o)]


def remarks(outcomes: Iterable[Outcome], paper: str) -> list[Erratum]:
    """Statements that stand, yet fail under an interpretation, and what fails of ours beside it."""
    mine = (o for o in outcomes if o.claim.paper == paper)
    return [_erratum(o) for o in mine if wrong(o) and not listed(o)]


def listed(outcome: Outcome) -> bool:
    """Whether the claim is an entry: the paper's, with a headline that speaks against it."""
    return outcome.claim.origin == "paper" and words.kind_of(outcome.headline) in WRONG


def wrong(outcome: Outcome) -> list[Verdict]:
    """The verdicts that speak against what the paper prints; none if the check broke."""
    if outcome.error:
        return []
    return [
        v
        for v in outcome.verdicts
        if v.form == outcome.claim.own_form and words.kind_of(v.word) in WRONG
    ]


def _erratum(outcome: Outcome) -> Erratum:
    claim, against = outcome.claim, wrong(outcome)
    form = claim.forms.get(claim.own_form)
    anchor = plain(claim.id)
    sources = [program(outcome, v) for v in against]
    anchors = [f"{anchor}.program-{i}" for i in range(1, len(sources) + 1)]
    return Erratum(
        claim.id,
        claim.label,
        whose(claim),
        outcome.headline,
        outcome.disagreement,
        claim_page(claim.id),
        anchor,
        claim.words,
        form.tex if form else None,
        tuple(
            _finding(outcome, v, name if source else None)
            for v, name, source in zip(against, anchors, sources, strict=True)
        ),
        claim.correction,
        tuple(_standing(outcome, against)),
        words.replay_command(claim.id),
        tuple(
            (name, f"{claim.label}, {v.interpretation}", source)
            for v, name, source in zip(against, anchors, sources, strict=True)
            if source
        ),
    )


def _finding(outcome: Outcome, verdict: Verdict, anchor: str | None) -> FailedReading:
    case = counterexample(verdict)
    tables = [
        e
        for e in outcome.evidence
        if isinstance(e, Reproduction)
        and (e.interpretation, e.form) == (verdict.interpretation, verdict.form)
    ]
    interpretation = outcome.claim.interpretation(verdict.interpretation)
    return FailedReading(
        interpretation.name,
        words.STANCES[interpretation.stance],
        interpretation.text,
        verdict.word,
        sentence(case) if case else _sentence(verdict.reason),
        " ".join(filter(None, (_beyond(verdict, case), _units(outcome, verdict)))),
        tuple(dict(row) for table in tables for row in table.rows if not row["match"]),
        counterexample_file(outcome.claim.id, verdict.key) if case else None,
        anchor,
    )


def _beyond(verdict: Verdict, found: Comparison | None) -> str:
    """What the reason says besides the instance, such as the one edit that repairs a typo."""
    if found is None:
        return ""
    # The reason ends with the instance, which the sentence has told already.
    rest = verdict.reason.removesuffix(found.instance).rstrip("; ")
    return _sentence(rest) if rest else ""


def _units(outcome: Outcome, verdict: Verdict) -> str:
    """Terms in units that disagree, told under the first interpretation."""
    # Units are the form's, not the interpretation's: told once.
    clash_terms = clashing(outcome, verdict) if verdict == wrong(outcome)[0] else ()
    return f"Units disagree: {'; '.join(clash_terms)}." if clash_terms else ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def sentence(c: Comparison) -> str:
    """A comparison in one sentence with its numbers; long lists by their ends."""
    inputs = ", ".join(f"{name} = {_short(value)}" for name, value in c.inputs.items())
    place = f" at {inputs}" if inputs else ""
    level = "" if c.level is None else f", at level {c.level:.0e}"
    text = f"{c.instance.rstrip('.')}{place}: {words.judged(c)} ({c.basis}{level})."
    return words.typeset(text[:1].upper() + text[1:])


def _short(value: Any) -> str:
    if isinstance(value, list | tuple):
        entries: Sequence[str] = [_short(v) for v in value]
        if len(value) > LONG:
            entries = [*entries[:3], "…", entries[-1]]
        return f"[{', '.join(entries)}]" + (f" ({len(value)})" if len(value) > LONG else "")
    return words.number(value)


def _standing(outcome: Outcome, against: Sequence[Verdict]) -> Iterable[Standing]:
    """The corrected form, or else the tight one, where it fares best.

    An interpretation under which the printed form fails comes before one with other hypotheses.
    """
    claim = outcome.claim
    forms = claim.forms
    failed = {v.interpretation for v in against}
    for name in ("corrected", "tight"):
        judged = [v for v in outcome.verdicts if v.form == name]
        if not judged:
            continue
        best = max(
            judged,
            key=lambda v: (v.interpretation in failed, words.ORDER.index(words.kind_of(v.word))),
        )
        elsewhere = best.interpretation not in failed
        yield Standing(
            name,
            forms[name].tex if name in forms else None,
            best.word,
            rests(claim, best.word, best.attainment, best.proof),
            best.basis,
            best.reason if best.word == "holds" else "",
            claim.interpretation(best.interpretation).text if elsewhere else "",
        )
        return
