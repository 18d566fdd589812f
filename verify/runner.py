"""Runs checks, in this process or in several, and gathers their verdicts."""

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, Protocol

import bounds
from accounting.numerics import validation
from bounds import Statement, faults
from simulators.device.default import DEVICES
from verify import executors, self_tests
from verify.confirmation import confirmed
from verify.context import COMPARISONS, Context
from verify.evidence import Comparison, Declaration, Evidence
from verify.fingerprint import formula_hash
from verify.manifest import manifest
from verify.measurements import experiments, measured_in
from verify.outcome import Outcome, outcome_of
from verify.store import Store, last
from verify.transcription import transcribed
from verify.units import clashes
from verify.verdict import verdicts

PACKAGES = ("accounting", "bounds", "simulators", "verify")


@dataclass(frozen=True)
class Settings:
    """What a run depends on besides the code. Raises ValueError outside the ranges."""

    profile: Literal["quick", "full"] = "quick"
    seed: int = 0
    scale: float = 1.0
    memory: int = 1 << 30
    device: str = "cpu"

    def __post_init__(self) -> None:
        validation.choice("profile", self.profile, ("quick", "full"))
        validation.count("seed", self.seed, low=0)
        validation.scalar("scale", self.scale, low=0, low_open=True, high_open=True)
        validation.count("memory", self.memory, low=1)
        validation.choice("device", self.device, DEVICES)

    @property
    def key(self) -> str:
        """What a run is kept under, besides the hash of the code."""
        return f"{self.profile}-{self.seed}-{self.scale!r}-{self.device}"


def run_claim(id: str, settings: Settings) -> tuple[list[Evidence], float, str | None]:
    """Evidence for one claim, the seconds it took, and the traceback of a check that broke.

    Where code of `simulators` that the check uses departs from an equality, nothing is run.
    """
    claim = bounds.get(id)
    paper = bounds.paper(claim.paper)
    evidence: list[Evidence] = []
    error = None
    start = time.perf_counter()
    try:
        if why := _unfit(claim):
            # Every form is declared, so that the report says why instead of leaving the claim out.
            forms = ((r.name, form) for r in claim.interpretations for form in r.forms)
            return [Declaration(*form, "not run", why) for form in forms], 0.0, None
        own: list[Evidence] = [*transcribed(claim), *clashes(claim)]
        evidence = [*confirmed(claim, Context(claim, **vars(settings))), *own]
        verdicts(claim, evidence)  # what is no evidence of the claim ends this check, not the run
    except (Exception, SystemExit) as broken:  # is reported beside the others, whatever broke it
        # An extra that is not installed is no fault of the check.
        absent = broken.name if isinstance(broken, ModuleNotFoundError) else None
        # A module of ours that is missing is a fault; a missing extra stops the run with its name.
        if absent and not (paper.foreign or absent.split(".")[0] in PACKAGES):
            raise
        evidence, error = [], fault(claim, broken)
    return evidence, time.perf_counter() - start, error


def fault(claim: Statement, error: BaseException) -> str:
    """The traceback; its last line says where in the paper's own code it arose, and at what."""
    owner = bounds.paper(claim.paper)
    modules = [owner.module(claim.id)] + ([owner.check(claim.id)] if owner.checks else [])
    files = " or ".join(f"{module.replace('.', '/')}.py" for module in modules)
    lines = traceback.format_exception(error)
    line = faults.told(error, {owner.package, owner.checks} - {""}, files)
    return f"{''.join(lines[:-1])}{line}\n"


def _unfit(claim: Statement) -> str | None:
    """Why its check is not run, if it is not."""
    paper = bounds.paper(claim.paper)
    if not paper.checks:
        return "its paper has no checks"
    # Before anything is imported of the check: a wrong simulator would make wrong evidence.
    if why := self_tests.departure(paper.check(claim.id)):
        return why
    try:
        modules = measured_in(claim)
    except Exception:  # a check that cannot be imported is reported as broken
        return None
    return next(filter(None, map(self_tests.departure, modules)), None)


class FollowingWork(Protocol):
    """What a process makes behind the checks; it is pickled."""

    def __call__(self) -> Any:
        """What is made."""

    def code_hash(self) -> str:
        """Of the code that makes it, where it is asked."""


class Sequel(Protocol):
    """What follows from a claim that is checked, in the processes that check the others."""

    def work(self, outcome: Outcome) -> FollowingWork | None:
        """What is to be made of it, if anything."""

    def take(self, work: Any, made: Any) -> None:
        """Receives what was made."""


def run(
    ids: Sequence[str] | None = None,
    settings: Settings | None = None,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    out: Path | None = None,
    resume: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
    sequel: Sequel | None = None,
) -> list[Outcome]:
    """Runs the checks of the given claims (all, by default) and returns their outcomes in order.

    With `out`, evidence is written to `out/results.sqlite` as each claim finishes; with `resume`,
    claims finished there by the same code and settings are not run again. Checks run in this
    process, in `jobs` processes, or on the Dask cluster whose scheduler's address is `cluster`;
    evidence is the same whichever way. `sequel` is asked for work only where checks run in several
    processes, of this machine or of the cluster.

    Raises:
        ValueError: an id names no claim, `out` cannot be written, or no scheduler answers.
        executors.IncompleteRun: workers died again and again; what was finished is kept.
    """
    settings = settings or Settings()
    if jobs < 1:
        raise ValueError(f"jobs must be >= 1, got {jobs}")
    if cluster is not None and jobs > 1:
        raise ValueError(f"jobs must be 1 on a cluster, which has its own workers, got {jobs}")
    chosen = [bounds.get(i) for i in ids] if ids is not None else bounds.statements()
    # Aliases of one claim count once.
    chosen = list({c.id: c for c in chosen}.values())
    store = Store(out / "results.sqlite") if out else None
    try:
        return _run(chosen, settings, jobs, cluster, store, resume, progress, sequel)
    # What finished before workers died is worth keeping: the file stays.
    except executors.IncompleteRun:
        raise
    except Exception:  # a run that was refused leaves nothing
        if store:
            store.withdraw()
        raise
    finally:
        if store:
            store.close()


def _run(
    chosen: Sequence[Statement],
    settings: Settings,
    jobs: int,
    cluster: str | None,
    store: Store | None,
    resume: bool,
    progress: Callable[[int, int, str], None] | None,
    sequel: Sequel | None,
) -> list[Outcome]:
    hashes = {c.id: f"{formula_hash(c)}-{settings.key}" for c in chosen} if store else {}
    claims = {c.id: c for c in chosen}
    results: dict[str, Outcome] = {}
    about: dict[str, Any] = {
        "seed": settings.seed,
        "profile": settings.profile,
        "scale": settings.scale,
        "jobs": jobs,
        "device": settings.device,
    }
    if store and resume:
        finished_ids = (c.id for c in chosen if store.finished(c.id, hashes[c.id]))
        results = {id: outcome_of(claims[id], *store.load(id, hashes[id])) for id in finished_ids}
    stored_count = len(results)

    def record(id: str, result: tuple[list[Evidence], float, str | None]) -> None:
        results[id] = outcome_of(claims[id], *result)
        if store:
            if (
                len(results) == stored_count + 1
            ):  # the first of this run: what is kept is now its own
                store.set_manifest(manifest(**about))
            store.save(id, hashes[id], *result)
        if progress:
            progress(len(results), len(chosen), id)

    def record_either(key: str | FollowingWork, result: Any) -> list[FollowingWork]:
        # Keys of claims are texts, those of further work are tasks.
        if isinstance(key, str):
            record(key, result)
            work = sequel and sequel.work(results[key])
            return [work] if work else []
        if sequel:
            sequel.take(key, result)
        return []

    missing = [c.id for c in chosen if c.id not in results]
    task = partial(run_claim, settings=settings)
    keys: list[str | FollowingWork] = [*missing]
    either = partial(_either, task)
    if cluster is not None and missing:
        executors.on_cluster(cluster, keys, either, record_either, _kin, code=_code)
    # A single check is not worth the start of a process.
    elif jobs > 1 and len(missing) > 1:
        executors.in_processes(jobs, keys, either, record_either, _kin)
    else:
        for id in missing:
            record(id, task(id))
    outcomes = [results[c.id] for c in chosen]
    # After all checks: only then is the number of sampled comparisons known.
    _insist_on_budget(outcomes)
    if store:
        # Once more with the outcomes, for the hashes of what they rest on.
        store.set_manifest(manifest(**about, outcomes=outcomes))
    return outcomes


def _either(check: Callable[[str], Any], key: str | FollowingWork) -> Any:
    return check(key) if isinstance(key, str) else key()


def _code(key: str | FollowingWork) -> str:
    """The hash of the code behind a check or what follows it."""
    return formula_hash(bounds.get(key)) if isinstance(key, str) else key.code_hash()


def _kin(key: str | FollowingWork) -> str:
    """What a check shares with others; pictures share nothing."""
    return _experiment_name(key) if isinstance(key, str) else ""


@cache
def _experiment_name(id: str) -> str:
    """The experiment whose runs a check measures first, if any."""
    try:
        return next(iter(experiments(bounds.get(id))), "")
    except Exception:  # a check that cannot be imported is reported as broken
        return ""


def _insist_on_budget(outcomes: Sequence[Outcome]) -> None:
    """Raises RuntimeError where more comparisons were sampled than share the error budget."""
    sampled = sum(
        e.count
        for o in outcomes
        for e in o.evidence
        if isinstance(e, Comparison) and e.basis == "statistical"
    )
    if sampled > COMPARISONS:
        raise RuntimeError(f"{sampled} sampled comparisons share a budget for {COMPARISONS}")


def fresh_outcome(claim: Statement, settings: Settings) -> Outcome:
    """What checking the claim now comes to."""
    return outcome_of(claim, *run_claim(claim.id, settings))


def last_outcome(claim: Statement, folder: Path) -> Outcome | None:
    """What the last run that is kept in the folder found of the claim, by the code as it is now.

    Runs with bounds that were multiplied do not count.
    """
    file = folder / "results.sqlite"
    if not file.is_file():
        return None
    # Any seed and profile and device, but a scale of 1.
    record = last(file, claim.id, f"{formula_hash(claim)}-%-{1.0!r}-%")
    return outcome_of(claim, *record) if record else None
