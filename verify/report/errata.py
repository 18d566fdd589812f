"""What authors would want to correct: each statement, what is wrong, what should stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bounds import Statement
from bounds.unicode_formulas import unicode_words
from verify import words
from verify.case_values import CaseValue, case_values
from verify.explanation import deciding_verdict
from verify.glosses import gloss, proof_in_words
from verify.interpretations import is_green
from verify.origin import whose
from verify.record import DecidingCase
from verify.report.places import claim_page, plain
from verify.report.results import ClaimResult
from verify.report.sentences import basis, sides
from verify.stored import StoredInterpretation, StoredVerdict
from verify.verdict_sentences import what_fails
from verify.words import WRONG

UNKNOWN = "No correction is known to us."


@dataclass(frozen=True)
class FailedReading:
    """An interpretation under which the printed form fails; `program` is the anchor of its program.

    `stance` says what the interpretation is where it does not count in the claim's headline.
    `sentence` says what fails, `case` gives the deciding case in a line, `remarks` what else there
    is to say: units that disagree.
    """

    interpretation: str
    stance: str
    hypotheses: str
    word: str
    sentence: str
    case: str
    remarks: str
    rows: tuple[Mapping[str, Any], ...]
    file: str
    program: str


@dataclass(frozen=True)
class StandingForm:
    """A form that stands in for the printed one, with its verdict.

    `notes` are the proof by its level, `proof` what it says, `provided` the hypotheses it needs,
    where these are not those that the paper states.
    """

    name: str
    tex: str
    word: str
    notes: str
    basis: str
    proof: str
    provided: str


@dataclass(frozen=True)
class Erratum:
    """One entry: `printed` and the standing forms hold TeX.

    `word` is the claim's headline and `gloss` what that means, `lead` says what fails,
    `disagreement` names its interpretations by their words where it is mixed, `whose` says where
    the statement is not the paper's. `values` are the inputs of the deciding case. `programs` have
    an anchor, a label and the text; `program` is the name of the first.
    """

    id: str
    label: str
    whose: str
    word: str
    gloss: str
    lead: str
    disagreement: str
    page: str
    anchor: str
    statement: str
    printed: str
    values: tuple[CaseValue, ...]
    findings: tuple[FailedReading, ...]
    correction: str
    standing: tuple[StandingForm, ...]
    replay: str
    programs: tuple[tuple[str, str, str], ...]
    program: str

    @property
    def instead(self) -> str:
        """What should stand, in words."""
        return self.correction or UNKNOWN

    @property
    def rank(self) -> int:
        """Its place among entries by gravity, the gravest first."""
        return words.ORDER.index(words.kind_of(self.word))

    @property
    def command(self) -> str:
        """What shows it: the program where there is one."""
        return f"{self.replay} --as-script" if self.programs else self.replay


def errata(results: Iterable[ClaimResult], paper: str) -> list[Erratum]:
    """The paper's entries, in the order of the results, which is that of the paper."""
    return [_erratum(r) for r in results if r.claim.paper == paper and listed(r.claim, r.headline)]


def remarks(results: Iterable[ClaimResult], paper: str) -> list[Erratum]:
    """Statements that stand, yet fail under an interpretation, and what fails of ours beside it."""
    mine = (r for r in results if r.claim.paper == paper)
    return [_erratum(r) for r in mine if wrong(r) and not listed(r.claim, r.headline)]


def gravest_first(entries: Iterable[Erratum]) -> list[Erratum]:
    """The entries by how grave they are, equal ones in their order."""
    return sorted(entries, key=lambda entry: entry.rank)


def listed(claim: Statement, headline: str) -> bool:
    """Whether the claim is an entry: the paper's, with a headline that speaks against it."""
    return claim.origin == "paper" and words.kind_of(headline) in WRONG


def wrong(result: ClaimResult) -> list[tuple[StoredInterpretation, StoredVerdict]]:
    """The verdicts that speak against what the paper prints; none if the check broke."""
    if result.error:
        return []
    own = result.claim.own_form
    return [
        (each, verdict)
        for each in result.verdicts.interpretations
        if (verdict := each.verdict(own)) is not None and verdict.wrong
    ]


def _erratum(result: ClaimResult) -> Erratum:
    claim, against = result.claim, wrong(result)
    form = claim.forms.get(claim.own_form)
    anchor = plain(claim.id)
    _, deciding = deciding_verdict(result.verdicts)
    if against and (deciding is None or not deciding.wrong):
        _, deciding = against[0]
    case = deciding.case if deciding else None
    sources = [result.detail(each.name, verdict.form).program for each, verdict in against]
    anchors = [f"{anchor}.program-{i}" for i in range(1, len(sources) + 1)]
    return Erratum(
        claim.id,
        claim.label,
        whose(claim),
        result.headline,
        gloss(result.headline).meaning,
        what_fails(claim, deciding) if deciding else "",
        result.verdicts.disagreement,
        claim_page(claim.id),
        anchor,
        unicode_words(claim.words),
        form.tex if form else "",
        case_values(claim, case.inputs) if case else (),
        tuple(
            _finding(result, each, verdict, name if source else "", first=not place)
            for place, ((each, verdict), name, source) in enumerate(
                zip(against, anchors, sources, strict=True)
            )
        ),
        unicode_words(claim.correction),
        tuple(_standing(result, {each.name for each, _ in against})),
        words.replay_command(claim.id),
        tuple(
            (name, f"{claim.label}, {each.name}", source)
            for (each, _), name, source in zip(against, anchors, sources, strict=True)
            if source
        ),
        next((v.case.program for _, v in against if v.case and v.case.program), ""),
    )


def _finding(
    result: ClaimResult,
    each: StoredInterpretation,
    verdict: StoredVerdict,
    anchor: str,
    *,
    first: bool,
) -> FailedReading:
    detail = result.detail(each.name, verdict.form)
    # Units are the form's, not the interpretation's: told once.
    clashes = f"Units disagree: {'; '.join(detail.clashes)}." if detail.clashes and first else ""
    return FailedReading(
        each.name,
        each.note,
        unicode_words(each.text),
        verdict.word,
        what_fails(result.claim, verdict),
        sentence(result.claim, verdict.case) if verdict.case else "",
        clashes,
        tuple(row for row in detail.rows if not row.get("match", True)),
        detail.file,
        anchor,
    )


def sentence(claim: Statement, case: DecidingCase) -> str:
    """A comparison in one sentence with its numbers; long lists by their ends."""
    inputs = ", ".join(value.equation for value in case_values(claim, case.inputs))
    place = f" at {inputs}" if inputs else ""
    both = sides(case)
    instance = unicode_words(case.instance).rstrip(".")
    text = f"{instance}{place}: {both[:1].lower()}{both[1:]} ({basis(case)})."
    return words.typeset(text[:1].upper() + text[1:])


def _standing(result: ClaimResult, failed: set[str]) -> Iterator[StandingForm]:
    """The corrected form, or else the tight one, where it fares best.

    An interpretation under which the printed form fails comes before one with other hypotheses.
    """
    claim = result.claim
    for name in ("corrected", "tight"):
        judged = [
            (each, verdict)
            for each in result.verdicts.interpretations
            if (verdict := each.verdict(name)) is not None
        ]
        if not judged:
            continue
        each, best = max(judged, key=lambda pair: (pair[0].name in failed, _fares(pair[1])))
        yield StandingForm(
            name,
            claim.forms[name].tex if name in claim.forms else "",
            best.word,
            proof_in_words(best.proof) if best.word == "holds" else "",
            result.detail(each.name, name).basis,
            unicode_words(best.argument or best.reason) if best.word == "holds" else "",
            "" if each.name in failed else unicode_words(each.text),
        )
        return


def _fares(verdict: StoredVerdict) -> tuple[bool, int]:
    return is_green(verdict.word), words.ORDER.index(words.kind_of(verdict.word))
