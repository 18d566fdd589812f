"""SAFE on the mean of rows that leave, against loops over the rows."""

import math
from collections.abc import Iterator

import numpy as np

from verify.oracles import Equality
from verify.safe.self_tests.publication_runs import quiet_run, rows_of
from verify.safe.self_tests.published_models import delta_of
from verify.safe.views.mean import MeanRegret
from verify.safe.views.mean_of_rows import MeanOfRows


def equalities() -> Iterator[Equality]:
    """The mean of rows as they leave, and what the view tells of it."""
    yield from _means()
    yield from _view()


def _means() -> Iterator[Equality]:
    random = np.random.default_rng(3)
    rows, first = random.normal(size=(14, 2)), np.arange(14) < 4
    stream = MeanOfRows(rows, first, share=0.6, seed=5)
    order = np.random.default_rng(5).permutation(np.arange(4, 14))
    remaining = [list(range(14)), list(range(4, 14))]
    remaining += [[i for i in range(4, 14) if i not in order[:k]] for k in range(1, 6)]
    means = np.array([rows[kept].mean(axis=0) for kept in remaining])
    far = np.linalg.norm(means - means[0], axis=1)
    yield Equality("counts", stream.counts, [len(kept) for kept in remaining])
    yield Equality("distances", stream.distances, far[1:])
    moves = np.linalg.norm(np.diff(means, axis=0), axis=1)
    yield Equality("steps of the path", stream.path_steps, moves)
    middle = (means[0] + means[far.argmax()]) / 2
    yield Equality("radius", stream.radius, np.linalg.norm(means - middle, axis=1).max())
    total, gaps = 0.0, []
    for kept in remaining[1:]:
        best = rows[kept].mean(axis=0)
        slope = (means[0] - rows[kept]).mean(axis=0)
        w = means[0] - 0.3 * slope / np.linalg.norm(slope)
        gaps.append(np.linalg.norm(w - best))
        for x in rows[kept]:
            total += (((w - x) ** 2).sum() - ((best - x) ** 2).sum()) / (2 * len(kept))
    yield Equality("regret", stream.regret(0.3), total)
    yield Equality("published", stream.published(0.3), gaps)


def _view() -> Iterator[Equality]:
    run = quiet_run()
    run.view(MeanRegret)
    x, y = rows_of(run)
    stream = MeanOfRows(x, y == 0, seed=0)
    regret = run["mean_regret_of_safe"]
    gamma, W, T = regret.at["gamma"], stream.radius, stream.rounds
    yield Equality("gamma", gamma, 3 * W / math.sqrt(T))
    yield Equality("regret of the run's rows", regret.values, stream.regret(gamma))
    expected = {
        "T": T,
        "n": len(y),
        "mu": 1,
        "Ls": 1,
        "W": W,
        "K": 1 / (3 * math.sqrt(W)),
        "U": 2 * W + gamma,
        "V": stream.path_steps.sum(),
        "D": stream.distances,
        "d": x.shape[1],
        "phi": 0.0,
    }
    for name, value in expected.items():
        yield Equality(f"the constant {name}", regret.at[name], value)
    far = stream.published(gamma).max()
    for name in ("mean_least_variance", "mean_least_large_variance"):
        least = run[name]
        pairs = zip(least.at["epsilon"], least.values, strict=True)
        deltas = [delta_of(far / math.sqrt(variance), epsilon) for epsilon, variance in pairs]
        yield Equality(name, deltas, [1e-5] * 3, 1e-8)
        yield Equality(f"{name}, its step", [least.at["W"], least.at["gamma"]], [W, 0.0])
