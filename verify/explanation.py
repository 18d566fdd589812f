"""What is known of a claim, in the order in which a person asks: is it true, what fails, when and
by how much, what should stand instead, and how is that cited.

Everything is stored (`verify.stored`), and nothing is run. `forgetproof explain` prints it, and
`--json` has the same under the names of the fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import bounds
from bounds import Statement
from bounds.library import installed
from bounds.unicode_formulas import unicode_formula, unicode_words
from verify.case_values import CaseValue, case_values
from verify.drawable import drawable
from verify.glosses import form_in_words, gloss, proof_in_words
from verify.interpretations import is_green
from verify.stored import StoredClaim, StoredInterpretation, StoredVerdict, stored
from verify.verdict_sentences import what_fails, what_was_tested
from verify.words import kind_of

STANDING = ("corrected", "tight", "printed")
"""Forms that are shown as the formula, the first that there is."""
FAIR = ("plain", "component", "out_of_context", "amended")
"""Stances of interpretations, from what a reader of the paper could mean to what is ours."""
PROVISOS = {
    "plain": "",
    "component": "for one part of the statement: ",
    "out_of_context": "for its words without their context: ",
    "amended": "with a hypothesis that we add: ",
}
"""The stance of an interpretation -> what stands before its words where the claim stands by it."""


@dataclass(frozen=True)
class CaseExample:
    """The case that decides the verdict: its inputs, its two sides, and how it was measured."""

    instance: str
    values: tuple[CaseValue, ...]
    measured: float
    bound: float
    relation: str
    basis: str
    rows: str

    @property
    def text(self) -> str:
        """In a line."""
        basis = f"{self.basis}, {self.rows}" if self.rows else self.basis
        values = ", ".join(value.equation for value in self.values) or self.instance
        return f"{values}  ({basis})"


@dataclass(frozen=True)
class StandingFormula:
    """The formula that should stand, or stands: which form, its verdict, and its proof."""

    form: str
    text: str
    tex: str
    verdict: str
    proof: str
    argument: str

    @property
    def grounds(self) -> str:
        """The verdict and what it rests on: "[corrected: holds; named proof: it falls with K]"."""
        proof = ""
        if self.proof:
            proof = f"; {proof_in_words(self.proof)}: {unicode_words(self.argument)}"
        return f"[{form_in_words(self.form)}: {self.verdict}{proof}]"


@dataclass(frozen=True)
class NextCommand:
    """What to run next, and what it shows."""

    command: str
    purpose: str


@dataclass(frozen=True)
class LabelPart:
    """A statement whose label begins with the claim's."""

    id: str
    label: str
    verdict: str
    wrong: bool


@dataclass(frozen=True)
class Explanation:
    """Everything that is said of a claim; what there is nothing to say of is empty or None.

    what_fails and it_stands_if are of a claim that fails, tested of one that stands. changed says
    that the claim's formula or check was edited after its last run. history has a line for each
    change of the verdict.
    """

    id: str
    label: str
    key: str
    origin: str
    verdict: str
    gloss: str
    it_says: str
    what_fails: str
    tested: str
    example: CaseExample | None
    read_as: str
    it_stands_if: str
    correction: str
    formula: StandingFormula | None
    parts: tuple[LabelPart, ...]
    cite: str
    changed: str
    history: tuple[str, ...]
    next: tuple[NextCommand, ...]

    def document(self) -> dict[str, Any]:
        """As data."""
        return asdict(self)


def explanation(claim: Statement) -> Explanation:
    """What is stored of a claim, in sentences."""
    return explained(claim, stored(claim))


def explained(claim: Statement, known: StoredClaim) -> Explanation:
    """The same of other verdicts than the stored ones, such as those of a run that has ended."""
    deciding, verdict = deciding_verdict(known)
    fails, tested, example = "", "", None
    if verdict is not None:
        fails = what_fails(claim, verdict) if known.wrong else ""
        tested = "" if known.wrong else what_was_tested(verdict)
        example = _example(claim, verdict)
    return Explanation(
        known.id,
        known.label,
        claim.paper,
        known.origin,
        known.headline,
        gloss(known.headline).meaning,
        unicode_words(known.words),
        fails,
        tested,
        example,
        _read_as(known, deciding),
        _stands_if(known) if known.wrong else "",
        unicode_words(known.correction),
        _formula(known),
        tuple(_parts(known.parts)),
        cite(known),
        _changed(known),
        tuple(_history(known)),
        tuple(_next(claim, known)),
    )


def cite(known: StoredClaim) -> str:
    """One sentence for a paper or a letter: the statement, what is true of it, and by which run."""
    paper = installed(known.id.split(".")[0])
    subject = f"{known.label} of {paper.reference}" if paper else known.label
    # What is ours beside a paper is not the paper's to answer for.
    if known.origin == "ours" and paper and paper.arxiv:
        subject = f"{known.label}, a statement of forgetproof beside {paper.reference},"
    source = f"forgetproof, claim {known.id}"
    if known.run is not None:
        source = (
            f"forgetproof {known.run.version}, claim {known.id}, run of {known.run.date}, "
            f"{known.run.profile} profile, seed {known.run.seed}"
        )
    return f"{subject} {gloss(known.headline).predicate} ({source})."


def deciding_verdict(
    known: StoredClaim,
) -> tuple[StoredInterpretation, StoredVerdict | None]:
    """The interpretation that decides the headline, with the verdict of the paper's own form.

    Of a claim that fails that is the first that counts and fails; else the first.
    """
    own = [
        (each, verdict)
        for each in known.interpretations
        if (verdict := each.verdict(known.own_form)) is not None
    ]
    if not own:
        return known.interpretations[0], None
    failing = [(each, verdict) for each, verdict in own if verdict.wrong]
    return failing[0] if known.wrong and failing else own[0]


def _example(claim: Statement, verdict: StoredVerdict) -> CaseExample | None:
    case = verdict.case
    if case is None:
        return None
    values = case_values(claim, case.inputs)
    return CaseExample(
        unicode_words(case.instance),
        values,
        case.measured,
        case.bound,
        case.relation,
        case.basis,
        case.rows,
    )


def _read_as(known: StoredClaim, deciding: StoredInterpretation) -> str:
    """The words under which the verdict is; those of the first where they begin "the same"."""
    text = unicode_words(deciding.text)
    first = known.interpretations[0]
    if deciding is not first and text.startswith("the same"):
        return f"{text} (the same as: {unicode_words(first.text)})"
    return text


def _stands_if(known: StoredClaim) -> str:
    """The fairest interpretation by which what is printed stands, with its verdict."""
    standing = [
        (FAIR.index(each.stance), place)
        for place, each in enumerate(known.interpretations)
        if (verdict := each.verdict(known.own_form)) is not None and is_green(verdict.word)
    ]
    if not standing:
        return ""
    each = known.interpretations[min(standing)[1]]
    verdict = each.verdict(known.own_form)
    assert verdict is not None
    return f"{PROVISOS[each.stance]}{unicode_words(each.text)}  [{_judged(verdict)}]"


def _judged(verdict: StoredVerdict) -> str:
    """The word, and the level of the proof that "holds" rests on."""
    if verdict.word != "holds" or not verdict.proof:
        return verdict.word
    return f"{verdict.word}, {proof_in_words(verdict.proof)}"


def way(each: StoredInterpretation) -> str:
    """One way to read a claim, with the verdict of every form."""
    judged = "; ".join(f"{form_in_words(v.form)}: {_judged(v)}" for v in each.verdicts)
    return f"{PROVISOS[each.stance]}{unicode_words(each.text)}  [{judged}]"


def _formula(known: StoredClaim) -> StandingFormula | None:
    """The corrected form, else the tight one, else of a claim that stands its own."""
    forms = {form.name: form for form in known.forms}
    names = [name for name in STANDING if name in forms and not (known.wrong and name == "printed")]
    if not names:
        return None
    form = forms[names[0]]
    verdicts = [
        (not is_green(verdict.word), FAIR.index(each.stance), place)
        for place, each in enumerate(known.interpretations)
        if (verdict := each.verdict(form.name)) is not None
    ]
    best = known.interpretations[min(verdicts)[2]].verdict(form.name) if verdicts else None
    try:
        text = unicode_formula(form.tex)
    except ValueError:  # a third party's TeX may have a command without a sign
        text = form.tex
    if best is None:
        return StandingFormula(form.name, text, form.tex, "not judged", "", "")
    proof = best.proof if best.word == "holds" else ""
    return StandingFormula(
        form.name, text, form.tex, best.word, proof, best.argument if proof else ""
    )


def _parts(ids: Iterable[str]) -> Iterable[LabelPart]:
    for id in ids:
        part = stored(bounds.get(id))
        yield LabelPart(id, part.label, part.headline, part.wrong)


def _changed(known: StoredClaim) -> str:
    if known.run is None or known.run.unchanged:
        return ""
    return (
        f"The verdict was checked on {known.run.date}, before the file of the formula or of its "
        f"check was last changed; `forgetproof verify {known.id}` checks it again."
    )


def _history(known: StoredClaim) -> Iterable[str]:
    """The dates on which the verdict changed, oldest first."""
    for change in known.run.history if known.run is not None else ():
        yield f"{change['date']}: {change['headline']} (forgetproof {change['version']})"


def _next(claim: Statement, known: StoredClaim) -> Iterable[NextCommand]:
    """Up to three commands: what shows the failure, the picture, where a bound is lost."""
    id, short = known.id, known.id.partition(".")[2]
    verdicts = [verdict for each in known.interpretations for verdict in each.verdicts]
    program = any(v.wrong and v.case is not None and v.case.program for v in verdicts)
    listed = []
    if program and known.wrong:
        listed.append((f"{known.replay} --as-script", "the counterexample as a program"))
    elif kind_of(known.headline) in ("false", "typo", "mixed"):
        listed.append((known.replay, "measure it again"))
    if drawable(claim):
        listed.append((f"forgetproof plot {id} --out {short}.svg", "the bound against experiment"))
    if len(known.forms) > 1:
        listed.append((f"forgetproof explain {id} --where-lost", "which step loses how much"))
    if not listed:
        listed.append((f"forgetproof verify {id}", "check it again"))
    yield from (NextCommand(*each) for each in listed[:3])
