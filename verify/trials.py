"""Trials of a run in pieces, on several processes or a cluster, kept on disk as they end.

A piece depends on the problem, the seed and its place alone, and pieces are merged in their order:
the bytes of the answer are the same whoever computes them, and whatever was killed meanwhile.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accounting.numerics import validation
from simulators.data.disk import write
from simulators.runs.trial_moments import TrialStatistics
from simulators.runs.trials import InOrder, statistics_of_all
from verify import executors
from verify.fingerprint import code_hash
from verify.jsonio import dumps, load, loads

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment

Make = Callable[[], "Experiment"]
FILE = "trials.json"
SAVED = 2.0
"""Seconds after which what has ended is written."""


class TrialsOnDisk:
    """The pieces that have ended, in one file of a folder that is replaced as a whole.

    identity: what the trials depend on, JSON-ready.  resume: begin with what the file holds.

    Raises ValueError where the file to resume is of another run, or none of ours, and where the
    folder cannot be written.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any], *, resume: bool = False) -> None:
        self.path = folder / FILE
        # Compared as it will be read: JSON turns tuples into lists.
        self.identity = loads(dumps(dict(identity)))
        self.merged = self._read() if resume and self.path.is_file() else InOrder()
        self._next = time.monotonic() + SAVED

    def _read(self) -> InOrder:
        try:
            document = load(self.path)
            before = dict(document["identity"])
            statistics = TrialStatistics.from_document(document["statistics"])
            count = validation.count("pieces", document["pieces"], low=1)
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
        return InOrder(count, statistics)

    def take(self, piece: int, statistics: TrialStatistics) -> None:
        """Merges a piece, and writes what is merged once in a while."""
        self.merged.take(piece, statistics)
        if time.monotonic() >= self._next:
            self.save()

    def save(self) -> None:
        """Writes what is merged, if anything is."""
        if self.merged.statistics is None:
            return
        document = {
            "identity": self.identity,
            "pieces": self.merged.count,
            "statistics": self.merged.statistics.document(),
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

    made: the pickled function that makes the experiment.
    """

    made: bytes

    def __call__(self, piece: int) -> TrialStatistics:
        statistics: TrialStatistics = _run(self.made).statistics(piece)
        return statistics


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
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """The document of the run, its trials in this process, in `jobs`, or on a cluster.

    make: makes the experiment, whose runs come in pieces; to be pickled where others compute.
    cluster: the address of a Dask scheduler.  out: a folder, which must be there, for what has
    ended; resume: go on from what is there.  progress: called with (trials done, trials in all).

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
    run: Any = make().run()
    disk = None if out is None else TrialsOnDisk(out, identity_of(run), resume=resume)
    merged = InOrder() if disk is None else disk.merged
    take = merged.take if disk is None else disk.take
    missing = range(merged.count, run.pieces.count)

    def record(piece: int, statistics: TrialStatistics) -> None:
        take(piece, statistics)
        if progress is not None:
            progress(min(merged.count * run.pieces.size, run.pieces.trials), run.pieces.trials)

    try:
        if cluster is not None and missing:
            task = PieceOfTrials(pickle.dumps(make))
            executors.on_cluster(cluster, missing, task, record, hash_of_piece)
        elif jobs > 1 and len(missing) > 1:
            executors.in_processes(jobs, missing, PieceOfTrials(pickle.dumps(make)), record)
        else:
            statistics_of_all(run, merged, take)
    finally:
        # Also after an interrupt: what has ended is kept.
        if disk is not None:
            disk.save()
    document: dict[str, Any] = run.told(merged.all)
    return document


def identity_of(run: Any) -> dict[str, Any]:
    """What the trials of a run depend on."""
    return {
        "code": code_hash(),
        "algorithm": run.experiment.algorithm,
        "settings": run.experiment.settings,
        "data": run.data.sha256,
        "pieces": run.pieces.size,
    }
