"""A table of class shares in cells of one column, against loops over the rows."""

import math
from collections.abc import Iterator
from itertools import product
from statistics import NormalDist

import numpy as np
from scipy.special import ndtr

from verify.oracles import Equality
from verify.safe.self_tests.publication_runs import quiet_run, rows_of
from verify.safe.views.cell_table import CellTable
from verify.safe.views.cells import CellShares


def equalities() -> Iterator[Equality]:
    """The table, laws of a column, and the observables of the view."""
    yield from _tables()
    yield from _laws()
    yield from _view()


def _rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(4)
    classes = np.repeat([0, 1], [30, 42])
    return random.normal(size=(72, 3)) + 0.4 * classes[:, None], classes


def _tables() -> Iterator[Equality]:
    rows, classes = _rows()
    table = CellTable(rows, classes)
    cells, k = np.asarray(table.cells), len(table.table)
    sizes = np.bincount(cells)
    yield Equality("cells of one size", [sizes.min() + 1 >= sizes.max(), k >= 3], [1, 1])
    pairs = list(product(range(k), (0, 1)))
    counts = [int(((cells == c) & (classes == y)).sum()) for c, y in pairs]
    yield Equality("table", table.table, np.reshape(counts, (k, 2)))
    x, cell, label = cells - (k - 1) / 2, 1, 0
    inside = np.flatnonzero((cells == cell) & (classes == label))
    kept = np.setdiff1d(np.arange(72), inside[: len(inside) // 2])
    raw, share = [], []
    for y in (0, 1):
        old, new = x[classes == y], x[kept][classes[kept] == y]
        at = x[cells == cell][0]
        densities = [NormalDist(side.mean(), side.std()).pdf(at) for side in (new, old)]
        ratio = densities[0] / densities[1]
        rate = (len(new) / len(kept)) / (len(old) / 72)
        raw.append(rate * ratio * ((cells == cell) & (classes == y)).sum() / sizes[cell])
        share.append(((cells == cell) & (classes == y))[kept].sum() / (cells[kept] == cell).sum())
    after = table.without(cell, label)
    shifted, retrained = table.shifted(after, cell)
    yield Equality("q f(w_0)", shifted, raw)
    yield Equality("f(w_t*)", retrained, share)
    means = [x[classes == y].mean() for y in (0, 1)]
    yield Equality("means", table.moments(table.table)[0], means)


def _laws() -> Iterator[Equality]:
    rows, classes = _rows()
    table = CellTable(rows, classes)
    x = np.asarray(table.cells) - (len(table.table) - 1) / 2
    own = x[classes == 1]
    points = np.unique(own)
    normal = ndtr((points - own.mean()) / own.std())
    above, below = ((own[:, None] <= points).mean(axis=0), (own[:, None] < points).mean(axis=0))
    apart = max(np.abs(above - normal).max(), np.abs(below - normal).max())
    yield Equality("distance of a fit", table.fit_distance(1), apart)
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
    yield Equality("distance of sums", table.sum_distance(1, 3), [apart, third])


def _view() -> Iterator[Equality]:
    run = quiet_run()
    run.view(CellShares)
    x, y = rows_of(run)
    table = CellTable(x, (y > 0).astype(int))
    deletions = list(product(range(len(table.table)), (0, 1)))
    gaps, removed, errors, terms, near = [], [], [], [], []
    targets: list[list[float]] = [[], []]
    z = table.values
    for cell, label in deletions:
        after = table.without(cell, label)
        a, b = table.shifted(after, cell)
        targets[0] += a.tolist()
        targets[1] += b.tolist()
        for share in (0.5, 0.02, 0.98):
            f = np.array([share, 1 - share])
            gaps.append(abs((f * np.log(f * a.sum() / a)).sum() - (f * np.log(f / b)).sum()))
            removed.append(table.table[cell, label] // 2)
        old, new = (table.moments(t) for t in (table.table, after))
        laws = [NormalDist(m[label], s[label]) for m, s in (old, new)]
        errors += [abs(math.log(laws[1].pdf(v) / laws[0].pdf(v))) for v in z]
        for p, q in zip(a, b, strict=True):
            terms.append(0.98 * abs(p - q) / (p * q))
            near.append(abs(p - q) <= 2 / math.sqrt(after.sum()))
    surrogate = run["surrogate_gap"]
    yield Equality("surrogate gaps", surrogate.values, gaps, 1e-9)
    yield Equality("rows that left", surrogate.at["M"], removed)
    stayed = [len(y) - m for m in removed]
    yield Equality("rows that stayed", surrogate.at["kept"], stayed)
    bounded = np.asarray(surrogate.values) <= surrogate.at["oscillation"] * (1 + 1e-12)
    yield Equality("no gap above the oscillation", bounded, np.ones(len(gaps)))
    yield Equality("errors of log-densities", run["density_error"].values, errors, 1e-9)

    logs = [abs(math.log(a / b)) for a, b in zip(*targets, strict=True)]
    yield Equality("differences of logarithms", run["log_difference"].values, logs, 1e-9)
    small = [d for d, *pair in zip(logs, *targets, strict=True) if max(pair) <= 1]
    yield Equality("those of small targets", run["small_log_difference"].values, small, 1e-9)
    yield Equality("last terms", run["floored_term"].values, terms, 1e-9)
    small = [term for term, close in zip(terms, near, strict=True) if close]
    yield Equality("last terms of near targets", run["last_term"].values, small, 1e-9)

    distances = [table.fit_distance(label) for label in (0, 1)]
    yield Equality("distances of fits", run["fit_distance"].values, distances)
    sums = [table.sum_distance(label, n) for label in (0, 1) for n in (4, 16, 64)]
    of_sums = run["sum_distance"]
    found = np.array([of_sums.values, of_sums.at["rho"]]).T
    yield Equality("distances of sums", found, sums)
