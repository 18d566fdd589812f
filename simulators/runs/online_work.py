"""Limits on the work of an online learner's run."""

from __future__ import annotations

from typing import Any

from simulators.runs.trial_moments import TrialPieces
from simulators.runs.trials import MOST_TRIALS

SMALLEST = 64
"""Trials of a piece at least, as of a block of the learners."""
MOST_VALUES = 2 * 10**8  # numbers of one result, where all trials are looked at together
MOST_SUMS = 10**9
MOST_STEPS = 10**11  # gradients of all trials together
PIECE = 1 << 22
"""Numbers of models that are computed at a time: 32 MiB."""
MOST_PIECE = 1 << 16
"""Trials that are computed at a time."""


def pieces_of(trials: int, stream: Any, requests: Any) -> TrialPieces:
    """How trials are cut: PIECE numbers at a time, a power of two that blocks of trials fill."""
    size = 1 << max(0, (PIECE // _numbers(stream, requests)).bit_length() - 1)
    return TrialPieces(trials, min(max(size, SMALLEST), MOST_PIECE))


def _numbers(stream: Any, requests: Any) -> int:
    """Of a trial: two runs publish an iterate at each request, and one at the end."""
    k = 0 if requests is None else len(requests)
    return int(stream.dimension * 2 * (k + 1))


def insist_on_memory(trials: int, stream: Any, requests: Any) -> None:
    """ValueError for trials whose results memory cannot hold at a time."""
    most = MOST_VALUES // _numbers(stream, requests)
    if trials > most:
        k = 0 if requests is None else len(requests)
        raise ValueError(
            f"trials must be at most {most} for {k} deletions in {stream.dimension} dimensions "
            f"where all are looked at together, got {trials}"
        )


def insist_on_an_end(experiment: Any, stream: Any, requests: Any) -> None:
    """ValueError for work that no machine ends."""
    k = 0 if requests is None else len(requests)
    trials = experiment.trials
    if trials > MOST_TRIALS:
        raise ValueError(f"trials must be at most {MOST_TRIALS}, got {trials}")
    # Two runs, the learner and the one without the deleted losses.
    gradients = stream.rounds * (1 + k * _sums_of_a_request(experiment)) * 2 * trials
    if gradients > MOST_STEPS:
        raise ValueError(
            f"trials times rounds times inner steps must be at most {MOST_STEPS:.0e}, got "
            f"{gradients:.3g} gradients"
        )
    if k * stream.rounds > MOST_SUMS:
        raise ValueError(
            f"k must be at most {MOST_SUMS // stream.rounds} deletions in {stream.rounds} rounds "
            f"(for each one, a comparator over all rounds), got {k}"
        )


def _sums_of_a_request(experiment: Any) -> int:
    """How often a request sums up the gradients of all rounds, at most."""
    if experiment.learner in ("active", "newton"):
        return int(experiment.inner_steps + experiment.first_steps + 2)
    return int(experiment.learner == "retrain")
