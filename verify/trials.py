"""Trials of a run in pieces, on several processes or a cluster, kept on disk as they end.

A piece depends on the problem, the seed and its place alone, and pieces are merged in their order:
the bytes of the answer are the same whoever computes them, and whatever was killed meanwhile.
Quantiles take further passes over the same pieces, which count where the quantiles lie.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accounting.numerics import validation
from simulators.data.disk import write
from simulators.runs.trial_moments import TrialStatistics
from simulators.runs.trial_quantiles import MOMENTS, QuantileSearch, Search
from simulators.runs.trials import InOrder, statistics_of, statistics_of_all
from verify import executors
from verify.fingerprint import code_hash
from verify.jsonio import dumps, load, loads

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment

Make = Callable[[], "Experiment"]
FILE = "trials.json"
SAVED = 2.0
"""Seconds after which what has ended is written."""


class TrialPasses:
    """What is kept of trials in memory.

    Attributes:
        passes: what is kept of all trials, by passes that have ended.
        merged: what the pass at work has.
    """

    def __init__(self) -> None:
        self.passes: list[TrialStatistics] = []
        self.merged = InOrder()

    def take(self, piece: int, statistics: TrialStatistics) -> None:
        """Merges a piece."""
        self.merged.take(piece, statistics)

    def end_pass(self) -> None:
        """The pass at work has ended, and another may begin."""
        self.passes.append(self.merged.all)
        self.merged = InOrder()

    def save(self) -> None:
        """Nothing is written."""


class TrialsOnDisk(TrialPasses):
    """The passes and pieces that have ended, in one file of a folder, replaced as a whole.

    identity: what the trials depend on, JSON-ready.  resume: begin with what the file holds.

    Raises ValueError where the file to resume is of another run, or none of ours, and where the
    folder cannot be written.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any], *, resume: bool = False) -> None:
        super().__init__()
        self.path = folder / FILE
        # Compared as it will be read: JSON turns tuples into lists.
        self.identity = loads(dumps(dict(identity)))
        if resume and self.path.is_file():
            self._read()
        self._next = time.monotonic() + SAVED

    def _read(self) -> None:
        try:
            document = load(self.path)
            before = dict(document["identity"])
            passes = list(map(TrialStatistics.from_document, document["passes"]))
            count = validation.count("pieces", document["pieces"], low=0)
            statistics = TrialStatistics.from_document(document["statistics"]) if count else None
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"out must hold trials to resume, got {self.path}: {error}") from error
        other = [
            name
            for name in (*self.identity, *before)
            if before.get(name) != self.identity.get(name)
        ]
        if other:
            raise ValueError(
                f"out must hold a run with the same settings to resume, got {self.path}: "
                f"{', '.join(dict.fromkeys(other))} differ"
            )
        self.passes, self.merged = passes, InOrder(count, statistics)

    def take(self, piece: int, statistics: TrialStatistics) -> None:
        """Merges a piece, and writes what is merged once in a while."""
        super().take(piece, statistics)
        if time.monotonic() >= self._next:
            self.save()

    def save(self) -> None:
        """Writes what is merged, if anything is."""
        merged = self.merged.statistics
        if merged is None and not self.passes:
            return
        document = {
            "identity": self.identity,
            "passes": [each.document() for each in self.passes],
            "pieces": self.merged.count,
            "statistics": None if merged is None else merged.document(),
        }
        try:
            write(self.path, dumps(document).encode())
        except OSError as error:
            raise ValueError(
                f"out must be a writable folder, got {self.path.parent}: {error.strerror}"
            ) from error
        self._next = time.monotonic() + SAVED


@dataclass(frozen=True)
class PieceOfTrials:
    """What a process does for a piece: it makes the run once, and keeps it.

    made: the pickled function that makes the experiment.  search: what else is counted.
    """

    made: bytes
    search: Search = MOMENTS

    def __call__(self, piece: int) -> TrialStatistics:
        return statistics_of(_run(self.made), piece, self.search)


@lru_cache(maxsize=1)
def _run(made: bytes) -> Any:
    return pickle.loads(made)().run()


def hash_of_piece(piece: int) -> str:
    """Of the code behind any piece."""
    return code_hash()


def run_trials(
    make: Make,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    out: Path | None = None,
    resume: bool = False,
    quantiles: Sequence[float] = (),
    progress: Callable[[int, int], None] | None = None,
    run: Any = None,
) -> dict[str, Any]:
    """The document of the run, its trials in this process, in `jobs`, or on a cluster.

    make: makes the experiment, whose runs come in pieces; to be pickled where others compute.
    cluster: the address of a Dask scheduler.  out: a folder, which must be there, for what has
    ended; resume: go on from what is there.  quantiles: levels in [0, 1]; the document then has
    the exact quantiles of every number that is measured of a trial, for a second run of the trials
    or two (the value of rank ceil(p n)).  progress: called with (trials done, trials in all),
    from the first one on in every pass.  run: what `make().run()` returned, if it is at hand.

    Raises:
        ValueError: jobs with a cluster, resume without out, another run's file, or what the run
            refuses.
        executors.IncompleteRun: workers died again and again; what has ended is kept in out.
    """
    validation.count("jobs", jobs, low=1)
    if cluster is not None and jobs > 1:
        raise ValueError(f"jobs must be 1 on a cluster, which has its own workers, got {jobs}")
    if resume and out is None:
        raise ValueError("resume needs out, the folder of the earlier run")
    run = make().run() if run is None else run
    kept, levels = TrialPasses(), tuple(quantiles)
    if out is not None:
        identity = {**identity_of(run), "quantiles": levels}
        kept = TrialsOnDisk(out, identity, resume=resume)
    pieces = run.pieces

    def record(piece: int, statistics: TrialStatistics) -> None:
        kept.take(piece, statistics)
        if progress is not None:
            progress(min(kept.merged.count * pieces.size, pieces.trials), pieces.trials)

    def pass_over(search: Search) -> None:
        missing = range(kept.merged.count, pieces.count)
        if cluster is not None and missing:
            task = PieceOfTrials(pickle.dumps(make), search)
            executors.on_cluster(cluster, missing, task, record, code=hash_of_piece)
        elif jobs > 1 and len(missing) > 1:
            task = PieceOfTrials(pickle.dumps(make), search)
            executors.in_processes(jobs, missing, task, record)
        else:
            statistics_of_all(run, kept.merged, kept.take, search)
        kept.end_pass()

    try:
        # One set of processes for all passes.
        with executors.kept():
            while (search := QuantileSearch(levels, kept.passes).next()) is not None:
                pass_over(search)
    finally:
        # Also after an interrupt: what has ended is kept.
        kept.save()
    document: dict[str, Any] = run.told(kept.passes[0])
    if levels:
        document["quantiles"] = QuantileSearch(levels, kept.passes).document()
    return document


def identity_of(run: Any) -> dict[str, Any]:
    """What the trials of a run depend on."""
    return {
        "code": code_hash(),
        "algorithm": run.experiment.algorithm,
        "settings": run.experiment.settings,
        "data": run.data_sha256,
        "pieces": run.pieces.size,
    }
