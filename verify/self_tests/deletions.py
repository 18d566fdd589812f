"""Streams of deletions, and the moments of the rows that they leave: row by row, class by class."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from simulators.streaming.deletions import Deletions, by_class, given, random_subsets
from simulators.streaming.forgotten import Forgotten
from simulators.streaming.statistics import Sums, class_statistics
from verify.self_tests import Equality

ROWS, DIMENSION, CLASSES = 24, 3, 3
ROUNDS = ((2, 7, 9), (0, 5), (), (12, 1, 3, 20))
Array = NDArray[np.float64]
Index = NDArray[np.int64]


def equalities() -> Iterator[Equality]:
    """Deletions, then statistics."""
    yield from _deletions()
    yield from _statistics()


def problem() -> tuple[Array, Index]:
    """Features and labels, the classes in turn."""
    random = np.random.default_rng(9)
    labels = np.arange(ROWS) % CLASSES
    centres = 1.5 * random.normal(size=(CLASSES, DIMENSION))
    return random.normal(size=(ROWS, DIMENSION)) + centres[labels], labels


def _deletions() -> Iterator[Equality]:
    """Rounds, sizes and padded masks of streams of deletions, against loops over the rows."""
    stream = given(6, [[4, 1], [1, 0], [], [5]], trials=2)
    expected = [[2, 1, 5, 5, 1, 4]] * 2
    # removed_at: the round from 1 in which each row leaves, rounds + 1 for those that stay.
    yield Equality("given", stream.removed_at, expected)
    yield Equality("Deletions' sizes", [stream.trials, stream.n, stream.rounds], [2, 6, 4])
    yield Equality("Deletions.sizes", stream.sizes, [[2, 1, 0, 1]] * 2)
    yield Equality("Deletions.remaining", stream.remaining, [[6, 4, 3, 3, 2]] * 2)
    yield Equality("Deletions.kept", stream.kept(2)[0], [0, 0, 1, 1, 0, 1])
    yield Equality("Deletions.forgotten", stream.forgotten(2)[0], [1, 0, 0, 0, 0, 0])
    yield Equality("Deletions.trial", stream.trial(1).removed_at, expected[:1])
    both = np.array([[2, 1, 5, 5, 1, 4], [5, 5, 1, 2, 2, 5]])
    # Two trials of different deletions, padded to one width: the mask tells which columns count.
    deletions = Forgotten.of(both, 4, torch.device("cpu"))
    for t in range(1, 5):
        columns, here = deletions.leaving(t)
        all_, deletion_mask = deletions.gone(t)
        for trial, times in enumerate(both):
            rows = deletions.rows[trial, columns][here[trial] > 0]
            yield Equality("Forgotten.leaving", np.sort(rows), np.flatnonzero(times == t))
            rows = deletions.rows[trial, all_][deletion_mask[trial] > 0]
            yield Equality("Forgotten.gone", np.sort(rows), np.flatnonzero(times <= t))
    yield Equality("Forgotten.sizes", deletions.sizes, [[2, 1, 0, 1], [1, 2, 0, 0]])
    sample = random_subsets(9, [2, 0, 3], trials=40, seed=1)
    yield Equality("random_subsets", sample.sizes, [[2, 0, 3]] * 40)
    labels = np.array([0, 1, 0, 1, 1, 0, 2])
    classes = by_class(labels, [1, 1, 0], [2, 2, 1], trials=5, seed=1)
    yield Equality("by_class", classes.sizes, [[2, 1, 1]] * 5)
    yield Equality("by_class, its rows", (classes.removed_at[:, [1, 3, 4]] <= 2).all(), True)
    assert isinstance(classes, Deletions)


def moments(z: Array, labels: Index, keep: Array, ddof: int) -> list[tuple[int, Array, Array]]:
    """(count, mean, covariance) of the rows kept of each class."""
    statistics = []
    for c in range(CLASSES):
        rows = z[keep & (labels == c)]
        cov = np.cov(rows.T, ddof=ddof) if len(rows) > ddof else np.zeros((z.shape[1],) * 2)
        statistics.append((len(rows), rows.mean(axis=0), np.atleast_2d(cov)))
    return statistics


def _statistics() -> Iterator[Equality]:
    """Class moments carried from round to round, against those of the rows that are left."""
    x, labels = problem()
    z = x[:, :2]
    hot = np.eye(CLASSES)[labels]
    # Rows centred on the first class means, which limits the cancellation of their moments.
    first = np.array([z[labels == c].mean(axis=0) for c in range(CLASSES)])
    u = torch.tensor(z - first[labels])[None]
    keep = np.ones(ROWS, dtype=bool)
    for update, ddof in (("exact", 0), ("exact", 1), ("printed", 1)):
        start = Sums.over(u, torch.tensor(hot)[None])
        statistics = class_statistics(start, update, ddof)
        keep[:] = True
        present = moments(z, labels, keep, ddof)
        for rows in ROUNDS:
            deletion_mask = np.zeros(ROWS, dtype=bool)
            deletion_mask[list(rows)] = True
            weights = torch.tensor(hot * deletion_mask[:, None])[None]
            statistics.remove(Sums.over(u, weights))
            keep &= ~deletion_mask
            now = statistics.moments()
            exact = moments(z, labels, keep, ddof)
            # The printed update starts from its own previous value, so its error accumulates.
            if update == "printed":
                present = printed(present, z, labels, deletion_mask)
            class_moments = exact if update == "exact" else present
            yield Equality(f"{update} statistics, counts", now.count[0], [m[0] for m in exact])
            means = now.mean[0].numpy() + first
            yield Equality(f"{update} statistics, means", means, [m[1] for m in exact])
            covariances = [m[2] for m in class_moments]
            yield Equality(f"{update} statistics, covariances", now.covariance[0], covariances)


def printed(before: Any, z: Array, labels: Index, gone: Array) -> list[tuple[int, Array, Array]]:
    """Eq 23 of safe as printed, one class at a time."""
    after = []
    for c, (n, mean, cov) in enumerate(before):
        rows = z[gone & (labels == c)]
        m = len(rows)
        if m == 0:
            after.append((n, mean, cov))
            continue
        # One row has no covariance: its term is zero.
        lost = np.cov(rows.T, ddof=1) if m > 1 else np.zeros_like(cov)
        remainder, delta = n - m, mean - rows.mean(axis=0)
        cov = (
            (remainder - 1) / (n - 1) * cov
            - lost
            + n * m / (remainder * (n - 1)) * np.outer(delta, delta)
        )
        after.append((remainder, (n * mean - m * rows.mean(axis=0)) / remainder, cov))
    return after
