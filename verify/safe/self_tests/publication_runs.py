"""Runs on a stream of deletions: who leaves, constants and observables, by loops over the rows."""

import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from simulators.experiments.publication_run import PublicationRun
from simulators.experiments.publications import SafePublications, TrackingPublications
from verify.oracles import Equality

MU, ROUNDS = 0.05, 4
SMALL: dict[str, Any] = {
    "data": "wine",
    "rounds": ROUNDS,
    "share": 0.03,
    "regularisation": MU,
    "trials": 1,
    "device": "cpu",
}
Array = NDArray[np.float64]


@cache
def quiet_run(**changed: Any) -> PublicationRun:
    """SAFE without noise and without the forgetting term, on a few rounds."""
    run = SafePublications(**{**SMALL, "weight": 0.0, "noise": False, **changed}).run()
    assert isinstance(run, PublicationRun)
    return run


def rows_of(run: PublicationRun) -> tuple[Array, NDArray[np.int64]]:
    """Features (n, d) and class numbers (n,) of the training rows."""
    train = run.problem.train
    return train.features, train.targets.astype(int)


def rows_left(run: PublicationRun) -> list[NDArray[np.bool_]]:
    """Which rows of the first trial are left after rounds 0..T, each (n,)."""
    n, deletions = len(run.problem.train), run.problem.deletions
    left = [np.full(n, True)]
    for t in range(1, run.problem.rounds + 1):
        left.append(left[-1] & (deletions.removed_at[0] != t))
    return left


def risk(w: Array, x: Array, y: NDArray[np.int64]) -> float:
    """Mean loss of softmax regression with the ridge."""
    scores = x @ w
    losses = [math.log(np.exp(s).sum()) - s[c] for s, c in zip(scores, y, strict=True)]
    return float(np.mean(losses) + MU / 2 * (w * w).sum())


def slope(w: Array, x: Array, y: NDArray[np.int64]) -> Array:
    """Its gradient (d, classes)."""
    total = np.zeros_like(w)
    for row, label in zip(x, y, strict=True):
        odds = np.exp(row @ w)
        total += np.outer(row, odds / odds.sum() - np.eye(w.shape[1])[label])
    return total / len(y) + MU * w


def equalities() -> Iterator[Equality]:
    """Schedules, constants, and the observables of the run itself."""
    yield from _schedules()
    yield from _constants()
    yield from _regrets()


def _schedules() -> Iterator[Equality]:
    run = quiet_run(schedule="aligned")
    x, y = rows_of(run)
    size = max(1, round(0.03 * len(y)))
    zero = np.zeros((x.shape[1], 3))
    pulls = np.array([slope(zero, x[[i]], y[[i]]).ravel() for i in range(len(y))])
    along = pulls @ np.linalg.eigh(pulls.T @ pulls)[1][:, -1]
    order = np.argsort(-along * np.sign(along.sum()))
    for t, (before, after) in enumerate(pairwise(rows_left(run))):
        expected = sorted(order[t * size : (t + 1) * size])
        yield Equality("aligned rows first", np.flatnonzero(before & ~after), expected)

    run = quiet_run(schedule="class")
    _, y = rows_of(run)
    steps = list(pairwise(rows_left(run)))
    classes = [sorted(set(y[before & ~after])) for before, after in steps]
    yield Equality("a class after the other", classes, [[t * 3 // ROUNDS] for t in range(ROUNDS)])

    run = quiet_run()
    sizes = [int((before & ~after).sum()) for before, after in pairwise(rows_left(run))]
    yield Equality("random rows, so many", sizes, [size] * ROUNDS)
    yield Equality("rows to learn from", len(run.problem.train), 178 - int(0.2 * 178))


def _constants() -> Iterator[Equality]:
    run = quiet_run()
    (x, y), k = rows_of(run), run.constants
    optima = run.problem.optimal[:, 0]
    for w, left in zip(optima, rows_left(run), strict=True):
        pull = slope(w, x[left], y[left]).ravel()
        yield Equality(
            "gradient at a minimiser, beside 1", [1, *pull], [1.0] + [0.0] * w.size, 1e-8
        )
    # Rows of norm 1: each loss is sqrt 2-Lipschitz and 1/2-smooth without the ridge.
    L_h, n = math.sqrt(2), len(y)
    radius = min(L_h / MU, math.sqrt(2 * math.log(3) / MU))
    gamma = math.sqrt(radius / ROUNDS) / 2.5
    sizes = [int((before & ~after).sum()) for before, after in pairwise(rows_left(run))]
    moves = [float(np.linalg.norm(b - a)) for a, b in pairwise(optima)]
    away = [float(np.linalg.norm(w - optima[0])) for w in optima[1:]]
    farthest = max(float(np.linalg.norm(w)) for w in optima)
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
        "d": x.shape[1] * 3,
        "epsilon": 1.0,
        "delta": 1e-5,
        "releases": 1,
        "phi": 0.0,
        "deletions": sizes,
        "D": away,
        "V": sum(moves),
    }
    for name, value in expected.items():
        yield Equality(f"the constant {name}", k[name], value, 1e-10)
    yield Equality("path length", run["path_length"].values, sum(moves))


def _regrets() -> Iterator[Equality]:
    run = quiet_run()
    x, y = rows_of(run)
    optima, left = run.problem.optimal[:, 0], rows_left(run)
    errors, away = [], []
    for t in range(1, ROUNDS + 1):
        rows, w = left[t], run.weights[t - 1, 0]
        errors.append(risk(w, x[rows], y[rows]) - risk(optima[t], x[rows], y[rows]))
        away.append(float(np.linalg.norm(w - optima[t])))
    yield Equality("regret of a trial", run["quiet_regret"].values, sum(errors), 1e-8)
    yield Equality("distance", run["published_distance"].values, away)
    removed = [int((~rows).sum()) for rows in left[1:]]
    yield Equality("rows that have left", run["published_distance"].at["M"], removed)
    words = ("no noise", "no weight", "the printed step", "public constants", "noise")
    met = [run.hypotheses[word] for word in words]
    yield Equality("hypotheses", met, [1, 1, 1, 1, 0])

    settings = {**SMALL, "rounds": 2, "trials": 8, "steps": 3}
    many = TrackingPublications(**settings).run()
    assert isinstance(many, PublicationRun)
    totals = many.regrets.sum(axis=0)
    mean = many["mean_regret"]
    yield Equality("mean regret", mean.values, sum(totals) / 8)
    spread = math.sqrt(((totals - totals.mean()) ** 2).sum() / 7 / 8)
    wide = stdtrit(7, 1 - 1e-10) / -ndtri(1e-10)
    yield Equality("its error", mean.error, wide * spread)
