"""Limits on the work of an online learner's run."""

from __future__ import annotations

from typing import Any

MOST_VALUES = 2 * 10**8  # numbers of one result
MOST_SUMS = 10**9
MOST_STEPS = 10**11  # gradients of all trials together


def insist_on_an_end(experiment: Any, stream: Any, requests: Any) -> None:
    """ValueError for work, or results, that no machine takes."""
    k = 0 if requests is None else len(requests)
    trials = experiment.trials
    # Two runs publish an iterate at each request, and one at the end.
    most = MOST_VALUES // (stream.dimension * 2 * (k + 1))
    if trials > most:
        raise ValueError(
            f"trials must be at most {most} for {k} deletions in {stream.dimension} dimensions, "
            f"got {trials}"
        )
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
