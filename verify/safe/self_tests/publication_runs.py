"""Runs on a stream of deletions: who leaves, constants and observables, by loops over the rows."""

import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from simulators.runs.publication_run import PublicationRun
from simulators.runs.publications import SafePublications, TrackingPublications
from verify.self_tests import Equality

MU, ROUNDS, SHARE = 0.05, 4, 0.03
SMALL: dict[str, Any] = {
    "data": "wine",
    "rounds": ROUNDS,
    "share": SHARE,
    "regularisation": MU,
    "trials": 1,
    "device": "cpu",
}
Array = NDArray[np.float64]
Index = NDArray[np.int64]


class LabelledRows(NamedTuple):
    """Features (n, d) and class numbers (n,), with softmax regression on them, row by row."""

    x: Array
    y: Index

    def only(self, rows: Any) -> "LabelledRows":
        """Those that a mask or a list of indices names."""
        return LabelledRows(self.x[rows], self.y[rows])

    def risk(self, w: Array) -> float:
        """Mean loss with the ridge."""
        scores = self.x @ w
        pairs = zip(scores, self.y, strict=True)
        losses = [math.log(np.exp(row).sum()) - row[label] for row, label in pairs]
        return float(np.mean(losses) + MU / 2 * (w * w).sum())

    def slope(self, w: Array) -> Array:
        """The gradient of the risk (d, classes)."""
        total = np.zeros_like(w)
        for row, label in zip(self.x, self.y, strict=True):
            odds = np.exp(row @ w)
            errors = odds / odds.sum()
            errors[label] -= 1
            total += np.outer(row, errors)
        return total / len(self.y) + MU * w


@cache
def quiet_run(**changed: Any) -> PublicationRun:
    """SAFE without noise and without the forgetting term, on a few rounds."""
    settings = {**SMALL, "weight": 0.0, "noise": False, **changed}
    return made_run(SafePublications(**settings))


def made_run(experiment: SafePublications | TrackingPublications) -> PublicationRun:
    run = experiment.run()
    assert isinstance(run, PublicationRun)
    return run


def all_rows(run: PublicationRun) -> LabelledRows:
    """The training rows."""
    train = run.problem.train
    return LabelledRows(train.features, train.targets.astype(int))


def masks(run: PublicationRun, trial: int = 0) -> list[NDArray[np.bool_]]:
    """Which rows are left after rounds 0..T, each (n,)."""
    removed_at = run.problem.deletions.removed_at[trial]
    mask = np.full(len(removed_at), True)
    after = [mask]
    for t in range(1, run.problem.rounds + 1):
        mask = mask & (removed_at != t)
        after.append(mask)
    return after


def rows_after(run: PublicationRun, trial: int = 0) -> list[LabelledRows]:
    """The rows that are left after rounds 0..T."""
    rows = all_rows(run)
    return [rows.only(mask) for mask in masks(run, trial)]


def equalities() -> Iterator[Equality]:
    """Schedules, minimisers, constants, and the observables of the run itself."""
    yield from _schedules()
    yield from _minimisers()
    yield from _constants()
    yield from _observables()
    yield from _mean()


def _leaving(run: PublicationRun) -> list[Index]:
    """The rows of F_1..F_T."""
    return [np.flatnonzero(before & ~after) for before, after in pairwise(masks(run))]


def _schedules() -> Iterator[Equality]:
    run = quiet_run(schedule="aligned")
    rows = all_rows(run)
    size = max(1, round(SHARE * len(rows.y)))
    zero = np.zeros((rows.x.shape[1], 3))
    pulls = np.array([rows.only([i]).slope(zero).ravel() for i in range(len(rows.y))])
    # The first singular direction, from the eigenvectors of the products of coordinates.
    along = pulls @ np.linalg.eigh(pulls.T @ pulls)[1][:, -1]
    order = np.argsort(-along * np.sign(along.sum()))
    for t, leaving in enumerate(_leaving(run)):
        first = sorted(order[t * size : (t + 1) * size])
        yield Equality("aligned rows first", leaving, first)

    run = quiet_run(schedule="class")
    labels = all_rows(run).y
    classes = [sorted(set(labels[leaving])) for leaving in _leaving(run)]
    expected = [[t * 3 // ROUNDS] for t in range(ROUNDS)]
    yield Equality("a class after the other", classes, expected)

    run = quiet_run()
    sizes = [len(leaving) for leaving in _leaving(run)]
    yield Equality("random rows, so many", sizes, [size] * ROUNDS)
    yield Equality("rows to learn from", len(run.problem.train), 178 - int(0.2 * 178))


def _minimisers() -> Iterator[Equality]:
    run = quiet_run()
    for w, rows in zip(run.problem.optimal[:, 0], rows_after(run), strict=True):
        beside = [1.0, *rows.slope(w).ravel()]
        expected = [1.0] + [0.0] * w.size
        yield Equality("gradient at a minimiser, beside 1", beside, expected, 1e-8)


def _constants() -> Iterator[Equality]:
    run = quiet_run()
    optima = run.problem.optimal[:, 0]
    n = len(run.problem.train)
    sizes = [len(leaving) for leaving in _leaving(run)]
    moves = [float(np.linalg.norm(b - a)) for a, b in pairwise(optima)]
    farthest = max(float(np.linalg.norm(w)) for w in optima)
    # Rows of norm 1: each loss is sqrt 2-Lipschitz and 1/2-smooth without the ridge.
    L_h = math.sqrt(2)
    radius = min(L_h / MU, math.sqrt(2 * math.log(3) / MU))
    gamma = math.sqrt(radius / ROUNDS) / 2.5
    expected: dict[str, Any] = {
        "n": n,
        "mu": MU,
        "Ls": 0.5 + MU,
        "L_h": L_h,
        "L_path": L_h + MU * farthest,
        "W": radius,
        "U": L_h + MU * (radius + gamma),
        "gamma": gamma,
        "K": 2.5,
        "T": ROUNDS,
        "J": 1,
        "rho": 0.5 / (0.5 + 2 * MU),
        "D0": 0.0,
        "v": [2 * L_h * m / (MU * (n - t * m)) for t, m in enumerate(sizes)],
        "d": optima[0].size,
        "epsilon": 1.0,
        "delta": 1e-5,
        "releases": 1,
        "phi": 0.0,
        "deletions": sizes,
        "D": [float(np.linalg.norm(w - optima[0])) for w in optima[1:]],
        "V": sum(moves),
    }
    for name, value in expected.items():
        yield Equality(f"the constant {name}", run.constants[name], value, 1e-10)
    yield Equality("path length", run["path_length"].values, sum(moves))
    words = ("no noise", "no weight", "the printed step", "public constants", "noise")
    values = [run.hypotheses[word] for word in words]
    yield Equality("hypotheses", values, [1, 1, 1, 1, 0])


def _observables() -> Iterator[Equality]:
    run = quiet_run()
    errors, distances = [], []
    for t, rows in enumerate(rows_after(run)[1:], start=1):
        w, best = run.weights[t - 1, 0], run.problem.optimal[t, 0]
        errors.append(rows.risk(w) - rows.risk(best))
        distances.append(float(np.linalg.norm(w - best)))
    yield Equality("regret of a trial", run["quiet_regret"].values, sum(errors), 1e-8)
    published = run["published_distance"]
    yield Equality("distance", published.values, distances)
    removed = [int((~mask).sum()) for mask in masks(run)[1:]]
    yield Equality("rows that have left", published.at["M"], removed)


def _mean() -> Iterator[Equality]:
    run = made_run(TrackingPublications(**{**SMALL, "rounds": 2, "trials": 8}, steps=3))
    totals = []
    for trial in range(8):
        total = 0.0
        for t, rows in enumerate(rows_after(run, trial)[1:], start=1):
            w = run.weights[t - 1, trial]
            best = run.problem.optimal[t, trial]
            total += rows.risk(w) - rows.risk(best)
        totals.append(total)
    regret = run["mean_regret"]
    mean = sum(totals) / 8
    yield Equality("mean regret", regret.values, mean, 1e-8)
    deviation = math.sqrt(sum((total - mean) ** 2 for total in totals) / 7)
    wide = stdtrit(7, 1 - 1e-10) / -ndtri(1e-10)
    yield Equality("its error", regret.error, wide * deviation / math.sqrt(8), 1e-8)
