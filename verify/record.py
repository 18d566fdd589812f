"""What the last full run came to, claim by claim: `record.json` beside the checks of each paper.

`forgetproof verify --record` writes it and nothing else does; whatever is told of a claim without
a run reads it. A test holds it against a fresh run of every claim.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bounds
from bounds import Paper, Statement
from bounds.library import blame
from simulators.data.disk import write
from verify.evidence import Comparison
from verify.expectation import folders_of_checks
from verify.jsonio import dumps, loads
from verify.typed import build

if TYPE_CHECKING:
    from verify.outcome import Outcome
    from verify.verdict import Verdict

NAME = "record.json"
SCHEMA = "forgetproof-record/1"
LONGEST_LIST = 6
"""Entries of a list that are all written."""
_NUMBERS = 1e-6
"""By how much a number of an exact comparison may differ on another machine, relative."""


@dataclass(frozen=True)
class DecidingCase:
    """The comparison that a verdict rests on.

    inputs: its numbers by their symbols, long lists as text. measured, bound: the two sides.
    relation: how the claim says that they relate.  basis: exact, certified or statistical, the last
    at the error probability `level`.  on_data: whether it is of a run on real rows.  program: the
    program that shows it, by name; empty where there is none.  made_rows: whether it is of a run on
    rows that were made to come near the bound.
    """

    instance: str
    inputs: Mapping[str, Any]
    measured: float
    bound: float
    relation: str
    basis: str
    level: float | None
    on_data: bool
    program: str
    made_rows: bool = False

    @property
    def rows(self) -> str:
        """Of which rows its run is: "on real rows", "on made rows"; empty for other instances."""
        if self.made_rows:
            return "on made rows"
        return "on real rows" if self.on_data else ""

    @property
    def ratio(self) -> float | None:
        """The measured side over the bound; None where that is no finite number."""
        if not self.bound or abs(self.bound) == float("inf"):
            return None
        ratio = self.measured / self.bound
        return ratio if abs(ratio) < float("inf") else None


@dataclass(frozen=True)
class RecordedVerdict:
    """A verdict of the run.

    cases: how many instances were compared.  attainment: the largest measured side over the best
    bound.  slack: least and largest ratio of the form to it.  proof: what the word "holds" rests
    on, as it is told.
    """

    interpretation: str
    form: str
    word: str
    basis: str
    reason: str
    cases: int
    attainment: float | None
    slack: list[float] | None
    proof: str
    case: DecidingCase | None


@dataclass(frozen=True)
class RecordedClaim:
    """What a run said of a claim.

    sources: digest of the claim's statement and check as they were then (`sources`).  history: the
    dates on which the headline changed, each with the headline from then on and the version.
    """

    sources: str
    date: str
    version: str
    profile: str
    seed: int
    headline: str
    verdicts: tuple[RecordedVerdict, ...]
    history: tuple[Mapping[str, str], ...]

    def verdict(self, interpretation: str, form: str) -> RecordedVerdict | None:
        """The verdict of a form under an interpretation; None where none was recorded."""
        matching = (
            v for v in self.verdicts if (v.interpretation, v.form) == (interpretation, form)
        )
        return next(matching, None)


def sources(claim: Statement) -> str:
    """Changes whenever the module of the claim's statement does, or that of its check.

    Code that many claims share is left out: a test runs every claim and compares what it says.
    """
    paper = bounds.paper(claim.paper)
    digest = hashlib.sha256(claim.id.encode())
    modules = [paper.module(claim.id)]
    if paper.checks:
        modules.append(paper.check(claim.id))
    for module in modules:
        spec = find_spec(module)
        if spec is None or spec.origin is None:
            raise ValueError(f"{claim.id} must be stated and checked in modules, got no {module}")
        digest.update(Path(spec.origin).read_bytes())
    return digest.hexdigest()[:16]


def of_paper(paper: Paper) -> dict[str, RecordedClaim]:
    """Claim id -> what the last recorded run said; empty where nothing was recorded.

    Raises ValueError where a record of ours cannot be read; one of a third party is set aside.
    """
    files = [folder / NAME for folder in folders_of_checks(paper)]
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        return {}
    try:
        status = file.stat()
        return _parsed(file, status.st_mtime_ns, status.st_size)
    except (OSError, ValueError) as error:
        if not paper.foreign:
            raise ValueError(f"record must be as `verify --record` wrote it: {error}") from error
        blame(f"{NAME} of {paper.distribution}", error)
        return {}


def of_claim(claim: Statement) -> RecordedClaim | None:
    """What the last recorded run said of the claim."""
    return of_paper(bounds.paper(claim.paper)).get(claim.id)


@lru_cache(maxsize=64)
def _parsed(file: Path, _changed: int, _size: int) -> dict[str, RecordedClaim]:
    document = loads(file.read_text("utf-8"))
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ValueError(f"{file} must have the schema {SCHEMA}")
    return {id: _claim_from(id, entry) for id, entry in document["claims"].items()}


def _claim_from(id: str, entry: Mapping[str, Any]) -> RecordedClaim:
    try:
        verdicts = []
        for each in entry["verdicts"]:
            case = each["case"]
            rebuilt = {**each, "case": None if case is None else build(DecidingCase, case)}
            verdicts.append(build(RecordedVerdict, rebuilt))
        changes = tuple(entry["history"])
        return build(RecordedClaim, {**entry, "verdicts": tuple(verdicts), "history": changes})
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{id}: {error}") from error


def recorded(
    outcome: Outcome,
    about: Mapping[str, Any],
    before: RecordedClaim | None,
    digest: str | None = None,
) -> RecordedClaim:
    """The outcome as it is written.

    about: the manifest of its run; what it leaves out is empty.  before: what the record says.
    digest: what stands for the claim's `sources`, where they are not to be compared.
    """
    date = str(about.get("date", ""))[:10]
    version = str(about.get("versions", {}).get("forgetproof", ""))
    history = () if before is None else before.history
    if before is None or before.headline != outcome.headline:
        entry = {"date": date, "version": version, "headline": outcome.headline}
        history = (*history, entry)
    return RecordedClaim(
        sources(outcome.claim) if digest is None else digest,
        date,
        version,
        str(about.get("profile", "")),
        int(about.get("seed", 0)),
        outcome.headline,
        tuple(_verdict(outcome, verdict) for verdict in outcome.verdicts),
        history,
    )


def _verdict(outcome: Outcome, verdict: Verdict) -> RecordedVerdict:
    worst = verdict.worst
    return RecordedVerdict(
        verdict.interpretation,
        verdict.form,
        verdict.word,
        verdict.basis,
        verdict.reason,
        verdict.instances,
        verdict.attainment,
        None if verdict.slack is None else list(verdict.slack),
        verdict.proof.told if verdict.proof else "",
        None if worst is None else _case(worst, _program(outcome, verdict)),
    )


def _program(outcome: Outcome, verdict: Verdict) -> str:
    """The name of the program that shows the form false, of whichever comparison has one."""
    scripts = [verdict.worst.script] if verdict.worst else []
    for each in outcome.evidence:
        mine = (each.interpretation, each.form) == (verdict.interpretation, verdict.form)
        if mine and isinstance(each, Comparison) and each.violated:
            scripts.append(each.script)
    return next((name for name in scripts if name), "")


def _case(comparison: Comparison, program: str) -> DecidingCase:
    return DecidingCase(
        comparison.instance,
        {name: _short(value) for name, value in comparison.inputs.items()},
        float(comparison.measured),
        float(comparison.bound),
        comparison.relation,
        comparison.basis,
        comparison.level,
        comparison.on_data,
        program,
        comparison.made_rows,
    )


def _short(value: Any) -> Any:
    """A number or text as it is; what is longer as its ends and its length."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple) and len(value) > LONGEST_LIST:
        return f"{value[0]}, {value[1]}, … {value[-1]} ({len(value)} values)"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_short(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return [_short(each) for each in value]
    return value


def differences(fresh: RecordedClaim, stored: RecordedClaim) -> list[str]:
    """Where a fresh run says something else than the record; empty: nowhere.

    Words and sources must be equal, numbers of exact and certified comparisons agree to a
    millionth; what was sampled may differ by the machine.
    """
    places = [] if fresh.sources == stored.sources else ["sources"]
    words = {(v.interpretation, v.form): v for v in stored.verdicts}
    if fresh.headline != stored.headline:
        places.append("headline")
    if list(words) != [(v.interpretation, v.form) for v in fresh.verdicts]:
        return [*places, "verdicts"]
    for verdict in fresh.verdicts:
        other = words[verdict.interpretation, verdict.form]
        key = f"{verdict.interpretation}.{verdict.form}"
        for name in ("word", "basis", "cases", "proof"):
            if getattr(verdict, name) != getattr(other, name):
                places.append(f"{key}: {name}")
        if (verdict.case is None) != (other.case is None):
            places.append(f"{key}: case")
        elif verdict.case and other.case and verdict.case.basis != "statistical":
            for name in ("measured", "bound"):
                if not _near(getattr(verdict.case, name), getattr(other.case, name)):
                    places.append(f"{key}: {name}")
    return places


def _near(number: float, other: float) -> bool:
    if number == other:
        return True
    return abs(number - other) <= _NUMBERS * max(abs(number), abs(other))


def keep(outcomes: Iterable[Outcome], about: Mapping[str, Any]) -> list[Path]:
    """Write the outcomes into the records of their papers; other claims keep what they have.

    Returns the files. Raises ValueError where a check broke, or where a paper's checks are in no
    folder that can be written to.
    """
    by_paper: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.error:
            raise ValueError(f"record must be of checks that ran, got {outcome.claim.id} broken")
        by_paper.setdefault(outcome.claim.paper, []).append(outcome)
    files = []
    for key, mine in by_paper.items():
        paper = bounds.paper(key)
        folders = folders_of_checks(paper)
        if not folders:
            raise ValueError(f"record must be of papers with checks, got {key}")
        before = of_paper(paper)
        fresh = {o.claim.id: recorded(o, about, before.get(o.claim.id)) for o in mine}
        claims = {**before, **fresh}
        files.append(folders[0] / NAME)
        _write({id: claims[id] for id in paper.statements if id in claims}, files[-1])
    return files


def _write(claims: Mapping[str, RecordedClaim], file: Path) -> None:
    """A claim a line, so that what a run changed can be read from a difference of files."""
    lines = [f"{json.dumps(id)}: {dumps(asdict(claim))}" for id, claim in claims.items()]
    body = ",\n".join(lines)
    text = f'{{"schema": {json.dumps(SCHEMA)}, "claims": {{\n{body}\n}}}}\n'
    try:
        write(file, text.encode("utf-8"))
    except OSError as error:
        raise ValueError(f"record must be written to {file}: {error.strerror}") from error
