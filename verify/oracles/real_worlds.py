"""Worlds made of rows that have closed forms, against loops over the rows."""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.special import ndtr

from simulators.experiments.cells import Cells
from simulators.experiments.mean_world import MeanWorld
from simulators.streaming.ogd import normalised_descent, tuned_step
from verify.oracles import Equality
from verify.oracles.experiments import normal_density


def equalities() -> Iterator[Equality]:
    """The mean of rows as they leave; a table of cells; projected descent on both."""
    yield from _means()
    yield from _cells()
    yield from _descent()


def _descent() -> Iterator[Equality]:
    goals = np.array([[0.9, 0.0], [0.0, 0.7], [-0.5, 0.5], [0.3, -0.9]])
    u, path = np.array([0.1, 0.2]), [np.array([0.1, 0.2])]
    for goal in goals:
        u = u - 0.4 * (u - goal) / np.linalg.norm(u - goal)
        u = u / max(1.0, float(np.linalg.norm(u)) / 0.5)
        path.append(u)
    found = normalised_descent(
        lambda t, points: 3.0 * (points - goals[t - 1]), [[0.1, 0.2]], 4, step=0.4, radius=0.5
    )
    yield Equality("projected descent", found[0], path)
    yield Equality("its best step", tuned_step(0.5, 2.0, 4), math.sqrt(4 * 0.5 * 2.5 / 4))


def _means() -> Iterator[Equality]:
    random = np.random.default_rng(3)
    rows, first = random.normal(size=(14, 2)), np.arange(14) < 4
    world = MeanWorld(rows, first, share=0.6, seed=5)
    order = np.random.default_rng(5).permutation(np.arange(4, 14))
    left = [list(range(14)), list(range(4, 14))]
    left += [[i for i in range(4, 14) if i not in order[:k]] for k in range(1, 6)]
    means = np.array([rows[kept].mean(axis=0) for kept in left])
    far = np.linalg.norm(means - means[0], axis=1)
    yield Equality("counts", world.counts, [len(kept) for kept in left])
    yield Equality("distances", world.distances, far[1:])
    yield Equality("moves", world.moves, np.linalg.norm(np.diff(means, axis=0), axis=1))
    middle = (means[0] + means[far.argmax()]) / 2
    yield Equality("radius", world.radius, np.linalg.norm(means - middle, axis=1).max())
    total, gaps = 0.0, []
    for kept in left[1:]:
        best = rows[kept].mean(axis=0)
        slope = (means[0] - rows[kept]).mean(axis=0)
        w = means[0] - 0.3 * slope / np.linalg.norm(slope)
        gaps.append(np.linalg.norm(w - best))
        total += sum(((w - x) ** 2).sum() - ((best - x) ** 2).sum() for x in rows[kept]) / (
            2 * len(kept)
        )
    yield Equality("regret", world.regret(0.3), total)
    yield Equality("published", world.published(0.3), gaps)


def _cells() -> Iterator[Equality]:
    random = np.random.default_rng(4)
    classes = np.repeat([0, 1], [30, 42])
    rows = random.normal(size=(72, 3)) + 0.4 * classes[:, None]
    world = Cells(rows, classes)
    cells, k = np.asarray(world.cells), len(world.table)
    sizes = np.bincount(cells)
    yield Equality("cells of one size", [sizes.min() + 1 >= sizes.max(), k >= 3], [1, 1])
    pairs = list(product(range(k), (0, 1)))
    counts = [int(((cells == c) & (classes == y)).sum()) for c, y in pairs]
    yield Equality("table", world.table, np.reshape(counts, (k, 2)))
    x, cell, label = cells - (k - 1) / 2, 1, 0
    gone = np.flatnonzero((cells == cell) & (classes == label))
    kept = np.setdiff1d(np.arange(72), gone[: len(gone) // 2])
    raw, share = [], []
    for y in (0, 1):
        old, new = x[classes == y], x[kept][classes[kept] == y]
        at = x[cells == cell][0]
        densities = [normal_density(at, side.mean(), side.std()) for side in (new, old)]
        ratio = densities[0] / densities[1]
        rate = (len(new) / len(kept)) / (len(old) / 72)
        raw.append(rate * ratio * ((cells == cell) & (classes == y)).sum() / sizes[cell])
        share.append(((cells == cell) & (classes == y))[kept].sum() / (cells[kept] == cell).sum())
    after = world.without(cell, label)
    found = world.shifted(after, cell)
    yield Equality("q f(w_0)", found[0], raw)
    yield Equality("f(w_t*)", found[1], share)
    means = [x[classes == y].mean() for y in (0, 1)]
    yield Equality("means", world.moments(world.table)[0], means)
    own = x[classes == 1]
    points = np.unique(own)
    normal = ndtr((points - own.mean()) / own.std())
    above, below = ((own[:, None] <= points).mean(axis=0), (own[:, None] < points).mean(axis=0))
    apart = max(np.abs(above - normal).max(), np.abs(below - normal).max())
    yield Equality("distance of a fit", world.fit_distance(1), apart)
    sums: dict[float, float] = {}
    for triple in product(np.unique(own), repeat=3):
        weight = math.prod(float((own == v).mean()) for v in triple)
        total = round(sum(triple), 9)
        sums[total] = sums.get(total, 0.0) + weight
    points = np.array(sorted(sums))
    law = np.array([sums[p] for p in points])
    normal = ndtr((points - 3 * own.mean()) / (math.sqrt(3) * own.std()))
    above = law.cumsum()
    apart = max(np.abs(above - normal).max(), np.abs(above - law - normal).max())
    third = (np.abs(own - own.mean()) ** 3).mean() / own.std() ** 3
    yield Equality("distance of sums", world.sum_distance(1, 3), [apart, third])
