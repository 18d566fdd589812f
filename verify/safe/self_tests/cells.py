"""A table of class shares in cells of one column, against loops over the rows."""

import math
from collections.abc import Iterator
from itertools import product
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from verify.safe.self_tests.publication_runs import Array, all_rows, quiet_run
from verify.safe.views.cell_table import CellTable
from verify.safe.views.cells import CellShares
from verify.self_tests import Equality

ROWS = 72
CLASSES: NDArray[np.int64] = np.repeat([0, 1], [30, 42])


def equalities() -> Iterator[Equality]:
    """The table, its targets, laws of the column, and the observables of the view."""
    table = _made_table()
    yield from _counts(table)
    yield from _targets(table)
    yield from _laws(table)
    yield from _risks()
    yield from _terms()
    yield from _distances()


def _made_table() -> CellTable:
    random = np.random.default_rng(4)
    return CellTable(random.normal(size=(ROWS, 3)) + 0.4 * CLASSES[:, None], CLASSES)


def _column(table: CellTable) -> Array:
    """The cell of every row, counted from the middle one (n,)."""
    middle = (len(table.table) - 1) / 2
    return np.asarray(table.cells) - middle


def _counts(table: CellTable) -> Iterator[Equality]:
    cells, k = np.asarray(table.cells), len(table.table)
    sizes = np.bincount(cells)
    even = sizes.min() + 1 >= sizes.max()
    yield Equality("three cells of one size", [even, k >= 3], [1, 1])
    expected = np.zeros((k, 2))
    for cell, label in zip(cells, CLASSES, strict=True):
        expected[cell, label] += 1
    yield Equality("table", table.table, expected)
    x = _column(table)
    means = [x[y == CLASSES].mean() for y in (0, 1)]
    yield Equality("means", table.moments(table.table)[0], means)


def _targets(table: CellTable) -> Iterator[Equality]:
    """Half of class 0 leaves cell 1: both targets, row by row (safe, eqs 20 to 24)."""
    cells = np.asarray(table.cells)
    x = _column(table)
    cell = 1
    label = 0
    inside = np.flatnonzero((cells == cell) & (label == CLASSES))
    rows = np.setdiff1d(np.arange(ROWS), inside[: len(inside) // 2])
    at = x[cells == cell][0]
    raw, shares = [], []
    for y in (0, 1):
        here = (cells == cell) & (y == CLASSES)
        old = x[y == CLASSES]
        new = x[rows][CLASSES[rows] == y]
        before, after = (NormalDist(side.mean(), side.std()).pdf(at) for side in (old, new))
        labels = (len(new) / len(rows)) / (len(old) / ROWS)
        raw.append(labels * after / before * here.sum() / (cells == cell).sum())
        shares.append(here[rows].sum() / (cells[rows] == cell).sum())
    shifted, retrained = table.shifted(table.without(cell, label), cell)
    yield Equality("q f(w_0)", shifted, raw)
    yield Equality("f(w_t*)", retrained, shares)


def _laws(table: CellTable) -> Iterator[Equality]:
    own = _column(table)[CLASSES == 1]
    mean, deviation = own.mean(), own.std()
    points = np.unique(own)
    normal = ndtr((points - mean) / deviation)
    upto = (own[:, None] <= points).mean(axis=0)
    below = (own[:, None] < points).mean(axis=0)
    apart = max(np.abs(upto - normal).max(), np.abs(below - normal).max())
    yield Equality("distance of a fit", table.fit_distance(1), apart)

    # The law of a sum of three draws, by enumeration.
    sums: dict[float, float] = {}
    for triple in product(points, repeat=3):
        weight = math.prod(float((own == v).mean()) for v in triple)
        total = round(sum(triple), 9)
        sums[total] = sums.get(total, 0.0) + weight
    totals = np.array(sorted(sums))
    law = np.array([sums[p] for p in totals])
    normal = ndtr((totals - 3 * mean) / (math.sqrt(3) * deviation))
    upto = law.cumsum()
    apart = max(np.abs(upto - normal).max(), np.abs(upto - law - normal).max())
    third = (np.abs(own - mean) ** 3).mean() / deviation**3
    yield Equality("distance of sums", table.sum_distance(1, 3), [apart, third])


def _of_wine() -> tuple[CellTable, list[tuple[int, int]]]:
    """The table of the run's rows, and every cell and class of which half leaves."""
    rows = all_rows(quiet_run())
    table = CellTable(rows.x, (rows.y > 0).astype(int))
    return table, list(product(range(len(table.table)), (0, 1)))


def _risks() -> Iterator[Equality]:
    """Surrogate risks less true ones, as divergences (safe, eqs 10 and 25)."""
    run = quiet_run()
    run.view(CellShares)
    table, deletions = _of_wine()
    gaps, removed = [], []
    for cell, label in deletions:
        a, b = table.shifted(table.without(cell, label), cell)
        target = a / a.sum()
        for share in (0.5, 0.02, 0.98):
            f = np.array([share, 1 - share])
            surrogate = (f * np.log(f / target)).sum()
            true = (f * np.log(f / b)).sum()
            gaps.append(abs(surrogate - true))
            removed.append(table.table[cell, label] // 2)
    result = run["surrogate_gap"]
    yield Equality("surrogate gaps", result.values, gaps, 1e-9)
    yield Equality("rows that left", result.at["M"], removed)
    n = len(run.problem.train)
    yield Equality("rows that stayed", result.at["kept"], [n - m for m in removed])
    bounded = np.asarray(result.values) <= result.at["oscillation"] * (1 + 1e-12)
    yield Equality("no gap above the oscillation", bounded, np.ones(len(gaps)))


def _terms() -> Iterator[Equality]:
    """Logarithms of both targets, the last terms of the proof, and errors of densities."""
    run = quiet_run()
    run.view(CellShares)
    table, deletions = _of_wine()
    logs, small, terms, near, errors = [], [], [], [], []
    for cell, label in deletions:
        after = table.without(cell, label)
        for a, b in zip(*table.shifted(after, cell), strict=True):
            logs.append(abs(math.log(a / b)))
            small.append(max(a, b) <= 1)
            terms.append(0.98 * abs(a - b) / (a * b))
            near.append(abs(a - b) <= 2 / math.sqrt(after.sum()))
        moments = [table.moments(counts) for counts in (table.table, after)]
        before, now = (NormalDist(m[label], s[label]) for m, s in moments)
        errors += [abs(math.log(now.pdf(v) / before.pdf(v))) for v in table.values]
    yield Equality("differences of logarithms", run["log_difference"].values, logs, 1e-9)
    some = np.array(logs)[small]
    yield Equality("those of small targets", run["small_log_difference"].values, some, 1e-9)
    yield Equality("last terms", run["floored_term"].values, terms, 1e-9)
    some = np.array(terms)[near]
    yield Equality("last terms of near targets", run["last_term"].values, some, 1e-9)
    yield Equality("errors of log-densities", run["density_error"].values, errors, 1e-9)


def _distances() -> Iterator[Equality]:
    run = quiet_run()
    run.view(CellShares)
    table, _ = _of_wine()
    fits = [table.fit_distance(label) for label in (0, 1)]
    yield Equality("distances of fits", run["fit_distance"].values, fits)
    sums = [table.sum_distance(label, n) for label in (0, 1) for n in (4, 16, 64)]
    result = run["sum_distance"]
    columns = np.array([result.values, result.at["rho"]]).T
    yield Equality("distances of sums", columns, sums)
    yield Equality("draws of a sum", result.at["n"], [4, 16, 64] * 2)
