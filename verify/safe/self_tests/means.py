"""SAFE on the mean of rows that leave, against loops over the rows."""

import math
from collections.abc import Iterator

import numpy as np

from verify.safe.self_tests.publication_runs import all_rows, quiet_run
from verify.safe.self_tests.published_models import at_target
from verify.safe.views.mean import MeanRegret
from verify.safe.views.mean_of_rows import MeanOfRows
from verify.self_tests import Equality

N, FIRST = 14, 4  # rows, and how many of them leave first


def equalities() -> Iterator[Equality]:
    """The mean of rows as they leave, and what the view tells of it."""
    rows = np.random.default_rng(3).normal(size=(N, 2))
    stream = MeanOfRows(rows, np.arange(N) < FIRST, share=0.6, seed=5)
    remaining = _remaining()
    yield Equality("counts", stream.counts, list(map(len, remaining)))
    yield from _path(stream, np.array([rows[some].mean(axis=0) for some in remaining]))
    yield from _published(stream, rows, remaining)
    yield from _view()


def _remaining() -> list[list[int]]:
    """The rows that are left after rounds 0..6: 60 % of those after the first leave, but one."""
    others = list(range(FIRST, N))
    order = np.random.default_rng(5).permutation(others)
    after = [[i for i in others if i not in order[:k]] for k in range(6)]
    return [list(range(N)), *after]


def _path(stream: MeanOfRows, means: np.ndarray) -> Iterator[Equality]:
    far = np.linalg.norm(means - means[0], axis=1)
    yield Equality("distances", stream.distances, far[1:])
    steps = np.linalg.norm(np.diff(means, axis=0), axis=1)
    yield Equality("steps of the path", stream.path_steps, steps)
    middle = (means[0] + means[far.argmax()]) / 2
    yield Equality("radius", stream.radius, np.linalg.norm(means - middle, axis=1).max())


def _published(
    stream: MeanOfRows, rows: np.ndarray, remaining: list[list[int]]
) -> Iterator[Equality]:
    start = rows.mean(axis=0)
    total, gaps = 0.0, []
    for indices in remaining[1:]:
        some = rows[indices]
        best = some.mean(axis=0)
        slope = (start - some).mean(axis=0)
        w = start - 0.3 * slope / np.linalg.norm(slope)
        gaps.append(np.linalg.norm(w - best))
        for x in some:
            excess = ((w - x) ** 2).sum() - ((best - x) ** 2).sum()
            total += excess / (2 * len(some))
    yield Equality("regret", stream.regret(0.3), total)
    yield Equality("published", stream.published(0.3), gaps)


def _view() -> Iterator[Equality]:
    run = quiet_run()
    run.view(MeanRegret)
    rows = all_rows(run)
    stream = MeanOfRows(rows.x, rows.y == 0, seed=0)
    regret = run["mean_regret_of_safe"]
    gamma, W, T = regret.at["gamma"], stream.radius, stream.rounds
    yield Equality("gamma", gamma, 3 * W / math.sqrt(T))
    yield Equality("regret of the run's rows", regret.values, stream.regret(gamma))
    expected = {
        "T": T,
        "n": len(rows.y),
        "mu": 1,
        "Ls": 1,
        "phi": 0.0,
        "W": W,
        "K": 1 / (3 * math.sqrt(W)),
        "U": 2 * W + gamma,
        "V": stream.path_steps.sum(),
        "D": stream.distances,
        "d": rows.x.shape[1],
    }
    for name, value in expected.items():
        yield Equality(f"the constant {name}", regret.at[name], value)
    far = stream.published(gamma).max()
    for name in ("mean_least_variance", "mean_least_large_variance"):
        least = run[name]
        yield at_target(name, far / np.sqrt(least.values), least.at["epsilon"], 1e-8)
        yield Equality(f"{name}, its step", [least.at["W"], least.at["gamma"]], [W, 0.0])
