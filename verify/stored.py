"""What is stored of a claim, so that it can be told without a run.

These are the words of the statement, the expected verdicts, the proofs and edits of its
interpretations, the correction, and the programs that show its counterexamples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import bounds
from bounds import Interpretation, Statement, certificates
from bounds.labels import parts
from verify import programs, record
from verify.expectation import of_paper
from verify.failures import failure, fields
from verify.interpretations import counted, disagreement, headline
from verify.origin import cited, proof_text, proved
from verify.words import STANCES, WRONG, kind_of, replay_command


@dataclass(frozen=True)
class StoredForm:
    """A formula: its name, its TeX, and what the paper or its proof should have instead of it."""

    name: str
    tex: str
    note: str


@dataclass(frozen=True)
class StoredVerdict:
    """The expected verdict of a form under an interpretation, and what speaks for it.

    proof: its level, as in "checked from tight (named)", and argument the proof in a sentence;
    written: the whole of a proof that is written out.  edit: what would mend the form.  fails: what
    goes wrong, in a sentence with numbers; empty where nothing does, or nothing is said of it.
    The others are of the last recorded run: case, the comparison that decided the verdict, reason,
    why it is what it is, cases, how many instances were compared, and slack, the least and the
    largest ratio of the form to the best bound.
    """

    form: str
    word: str
    proof: str
    argument: str
    written: str
    edit: str
    fails: str
    case: record.DecidingCase | None
    reason: str
    cases: int
    slack: list[float] | None

    @property
    def wrong(self) -> bool:
        """Whether the word speaks against the form."""
        return kind_of(self.word) in WRONG


@dataclass(frozen=True)
class StoredInterpretation:
    """One way to read the statement, with the verdicts of its forms.

    note: why it does not count in the headline; empty where it does.
    """

    name: str
    text: str
    note: str
    stance: str
    verdicts: tuple[StoredVerdict, ...]

    def verdict(self, form: str) -> StoredVerdict | None:
        """The verdict of a form; None where it is not judged."""
        return next((verdict for verdict in self.verdicts if verdict.form == form), None)


@dataclass(frozen=True)
class StoredProgram:
    """A counterexample program: its name and what it says of itself."""

    name: str
    says: str


@dataclass(frozen=True)
class StoredRun:
    """When and how the claim was last run; whether statement and check are as they were then.

    history: the dates on which the headline changed, each with the headline from then on.
    """

    date: str
    version: str
    profile: str
    seed: int
    unchanged: bool
    history: tuple[Mapping[str, str], ...]

    @property
    def told(self) -> str:
        """In words."""
        since = "" if self.unchanged else ", before its formula was last changed"
        settings = f"{self.profile} profile, seed {self.seed}"
        return f"run of {self.date}, {settings}, forgetproof {self.version}{since}"


@dataclass(frozen=True)
class StoredClaim:
    """All of it.

    disagreement: interpretations by their words, of a mixed claim.  own_form: the form that the
    headline is about.  correction: what should stand in the paper.  parts: ids of the statements
    whose labels begin with this one's.  programs: what shows its counterexamples; they are looked
    for when they are asked for.
    """

    id: str
    label: str
    paper: str
    origin: str
    kind: str
    words: str
    headline: str
    disagreement: str
    own_form: str
    forms: tuple[StoredForm, ...]
    interpretations: tuple[StoredInterpretation, ...]
    correction: str
    parts: tuple[str, ...]
    replay: str
    run: StoredRun | None

    @property
    def wrong(self) -> bool:
        """Whether the headline speaks against what is printed."""
        return kind_of(self.headline) in WRONG

    @cached_property
    def programs(self) -> tuple[StoredProgram, ...]:
        """The counterexample programs of its check."""
        claim = bounds.get(self.id)
        files = programs.named(claim) if bounds.paper(claim.paper).checks else []
        return tuple(StoredProgram(file.stem, programs.docstring(file)) for file in files)

    def document(self) -> dict[str, Any]:
        """As data."""
        return asdict(self) | {"programs": [asdict(program) for program in self.programs]}


def stored(claim: Statement) -> StoredClaim:
    """What is stored of a claim; nothing is run, and no check is imported."""
    words = of_paper(bounds.paper(claim.paper)).get(claim.id, {})
    run = record.of_claim(claim)
    unchanged = run is None or run.sources == record.sources(claim)
    return with_verdicts(claim, words, run, parts=parts(claim), unchanged=unchanged)


def with_verdicts(
    claim: Statement,
    words: Mapping[str, str],
    run: record.RecordedClaim | None,
    *,
    parts: tuple[Statement, ...] = (),
    unchanged: bool = True,
) -> StoredClaim:
    """The same of any verdicts, such as those of a run that has just ended.

    words: "interpretation.form" -> word.  run: what decided them.  parts: the statements whose
    labels begin with this one's.  unchanged: whether statement and check are as they were in it.
    """
    word = headline(claim, words)
    return StoredClaim(
        claim.id,
        claim.label,
        cited(claim.paper),
        claim.origin,
        claim.kind,
        claim.words,
        word,
        disagreement(claim, words) if word == "mixed" else "",
        claim.own_form,
        tuple(StoredForm(name, form.tex, form.note) for name, form in claim.forms.items()),
        tuple(_interpretation(claim, name, words, run) for name in _order(claim, words)),
        claim.correction,
        tuple(part.id for part in parts),
        replay_command(claim.id),
        None if run is None else _run(run, unchanged),
    )


def _order(claim: Statement, words: Mapping[str, str]) -> list[str]:
    """The interpretations, those that the headline counts first."""
    first = list(counted(claim, words))
    return first + [r.name for r in claim.interpretations if r.name not in first]


def _interpretation(
    claim: Statement, name: str, words: Mapping[str, str], run: record.RecordedClaim | None
) -> StoredInterpretation:
    interpretation = claim.interpretation(name)
    verdicts = []
    for form in interpretation.forms:
        proof = certificates.proof(claim, name, form)
        edit = interpretation.edits.get(form)
        word = words.get(f"{name}.{form}", "not run")
        last = None if run is None else run.verdict(name, form)
        case = None if last is None else last.case
        verdicts.append(
            StoredVerdict(
                form,
                word,
                proved(claim, proof),
                proof.words if proof else "",
                proof_text(claim, proof),
                edit.words if edit else "",
                _failure(interpretation, form, word, case),
                case,
                "" if last is None else last.reason,
                0 if last is None else last.cases,
                None if last is None else last.slack,
            )
        )
    note = STANCES[interpretation.stance]
    return StoredInterpretation(
        name, interpretation.text, note, interpretation.stance, tuple(verdicts)
    )


def _failure(
    interpretation: Interpretation, form: str, word: str, case: record.DecidingCase | None
) -> str:
    """What goes wrong with a form whose word speaks against it."""
    sentence = interpretation.fails.get(form, "")
    # Before a run is recorded there are no numbers for the fields.
    if kind_of(word) not in WRONG or (case is None and fields(sentence)):
        return ""
    return failure(sentence, case)


def _run(run: record.RecordedClaim, unchanged: bool) -> StoredRun:
    return StoredRun(run.date, run.version, run.profile, run.seed, unchanged, run.history)
