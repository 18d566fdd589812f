"""What retraining without the rows is taken to be, in words, and what other meanings would cost."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from accounting.numerics.attempt import least, why
from accounting.problems.answer import shown
from accounting.problems.sampled_fields import SampledFields
from accounting.sampled.accountants import accounts
from accounting.sampled.changed_data import unlike
from accounting.sampled.schedules import batches

_SAMPLED = {
    "poisson": "draws each row at the rate B over the number of rows that it has",
    "fixed": "draws B of the rows that it has",
    "shuffled": "shuffles the rows that it has into ceil(rows/B) batches an epoch",
    "cyclic": "takes the rows that it has in their order, those after a gap a place earlier",
    "full": "takes all rows that it has",
}

_MOST_ROWS = 100  # of all requests, for a remark: rows in question times others at every step


def conditions(problem: SampledFields) -> tuple[str, ...]:
    """What the adjacency means for this sampling, in plain words."""
    if problem.adjacency == "zero-out":
        return (
            "retraining masks the requested rows: it keeps n, the sampling rate, the divisor B and "
            "the number of batches, and counts their gradients as 0; for retraining on a table "
            "without them use adjacency delete",
        )
    if problem.adjacency == "replace":
        return ()
    run = (
        "retraining and the further steps have" if problem.adjacency == "delete" else "training has"
    )
    has = f"{run} n - {problem.rows * problem.requests} rows"
    if problem.requests > 1 and problem.privacy_unit == "one":
        has = (
            f"retraining begins with n - {problem.rows} rows, and every other request takes "
            f"{problem.rows} from both runs"
        )
    if problem.sampling == "poisson" and problem.rate is not None:
        sampling_text = (
            "the rate is given and does not follow n: every run draws each row at that rate"
        )
    else:
        sampling_text = f"a run {_SAMPLED[problem.sampling]}"
    texts = [
        f"{has}; {sampling_text}, and divides by B = {problem.batch_size} all the same: a "
        "divisor that follows the number of rows is not covered"
    ]
    if problem.unlearning_rate is not None:
        texts.append(f"the further steps draw each row at the rate {problem.unlearning_rate:.10g}")
    elif problem.sampling == "poisson" and problem.rate is None:
        texts.append("the further steps draw at the rate of retraining, not at that of training")
    return tuple(texts)


def check_requests(problem: SampledFields) -> None:
    """Raises ValueError where several requests in sequence are not covered."""
    if problem.sampling in ("fixed", "shuffled"):
        raise ValueError(
            f"requests must be 1 with sampling {problem.sampling}, got {problem.requests}"
        )
    if problem.adjacency in ("add", "replace"):
        raise ValueError(
            f"requests must be 1 with adjacency {problem.adjacency}, got {problem.requests}"
        )
    most = problem.n - problem.requests * problem.rows
    if most < 1:
        raise ValueError(
            f"requests must leave one of n = {problem.n} rows, got {problem.requests} of "
            f"{problem.rows} each"
        )
    if problem.adjacency == "delete" and problem.rate is None and problem.batch_size > most:
        raise ValueError(
            f"batch_size must be at most {most} with adjacency delete, the rows that stay, "
            f"got {problem.batch_size}"
        )
    same = batches(most, problem.batch_size) == batches(problem.n, problem.batch_size)
    if problem.adjacency == "delete" and problem.sampling == "cyclic" and not same:
        raise ValueError(
            "requests must leave the number of batches an epoch as it is with adjacency "
            f"delete, got {problem.requests}"
        )


def rates(problem: SampledFields, lengths: list[int]) -> tuple[Any, Any]:
    """Where other requests change the number of rows in both runs: a rate for every step."""
    follows = problem.sampling == "poisson" and problem.rate is None
    several = problem.privacy_unit == "one" and problem.requests > 1
    if not (follows and several and problem.adjacency == "delete"):
        return problem.rate, None
    row_counts = problem.n - problem.rows * np.arange(problem.requests + 1)
    # In the run with the rows of the last request, and in the one that never had them.
    here, there = (
        problem.batch_size / row_counts,
        problem.batch_size / np.append(row_counts[1:], row_counts[-1]),
    )
    if problem.unlearning_rate is not None:
        here[1:] = problem.unlearning_rate
    return np.repeat(here, lengths), np.repeat(there, lengths)


def others(problem: SampledFields, sigma: float, delta: float) -> dict[str, Any]:
    """Other meanings of retraining -> what the same noise certifies then, or why nothing."""
    if problem.adjacency == "replace" or not 0 < sigma < math.inf:
        return {}
    changes: dict[str, dict[str, Any]] = {}
    if problem.adjacency == "zero-out":
        changes["delete"] = {"adjacency": "delete"}
    else:
        changes["zero-out"] = {"adjacency": "zero-out", "unlearning_rate": None}
    if problem.adjacency == "delete" and unlike(problem.setting):
        if problem.unlearning_rate is None:
            rate = problem.batch_size / problem.n
            changes["delete, further steps at the rate of training"] = {"unlearning_rate": rate}
        else:
            changes["delete, further steps at the rate of retraining"] = {"unlearning_rate": None}
    outcomes: dict[str, Any] = {}
    for name, change in changes.items():
        if name != "zero-out" and problem.rows * problem.requests > _MOST_ROWS:
            outcomes[name] = f"not computed here for more than {_MOST_ROWS} rows"
            continue
        try:
            at = accounts(replace(problem, **change).setting, delta)
        except ValueError as error:
            outcomes[name] = why(error)
            continue
        both: list[tuple[str, Callable[[], float]]] = [
            (each, partial(getattr(at, each), sigma)) for each in ("mixture", "patterns")
        ]
        outcomes[name], _ = least(both)
    return outcomes


def lines(found: dict[str, Any]) -> list[str]:
    """The same as text."""
    texts = []
    for name, value in found.items():
        word, _, how = name.partition(", ")
        what = {
            "delete": "were retraining to draw from the rows that stay alone",
            "zero-out": "were retraining to mask the rows",
        }[word]
        if how:
            what = f"with the {how}"
        text = f"epsilon {shown(value)} at this sigma" if isinstance(value, float) else value
        option = "--unlearning-rate" if how else f"--adjacency {word}"
        texts.append(f"{what} ({option}): {text}")
    return texts
