"""The recursion's vectors, of sets and of single rows, and the clip, against loops by hand."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.runs.unlearning import HessianFree
from verify.hf.self_tests.runs import (
    FORGOTTEN,
    LAM,
    SETTINGS,
    WHOLE_BATCHES,
    PathsByHand,
    equality,
    norm,
)
from verify.hf.views.clips import ClippedGradients
from verify.hf.views.recollections import Recollections
from verify.hf.views.row_vectors import RowVectors
from verify.self_tests import Equality


def equalities() -> Iterator[Equality]:
    """Errors of both recursions, sums of rows, vectors of one row, and norms after a clip."""
    yield from _errors()
    yield from _row_vectors()
    yield from _clip()


def _errors() -> Iterator[Equality]:
    """Both recursions of the set, and one of each of its rows."""
    run: Any = HessianFree(**SETTINGS, decay=0.9, statistics="set").run()
    run.view(Recollections)
    hand = PathsByHand(run)
    difference = hand.retrained[-1] - hand.learned[-1]
    for name in ("batch", "kept"):
        vector, norms = hand.recursion(name)
        error = run[f"{name}_error"]
        yield Equality(f"error, {name}", error.values, norm(difference - vector), 1e-8)
        yield Equality(f"norms, {name}", error.at["norms"], norms, 1e-9)
    (one, first), (other, second) = (hand.recursion("kept", (u,)) for u in FORGOTTEN)
    gap = run["additivity_gap"]
    vector, _ = hand.recursion("kept")
    yield Equality("additivity gap", gap.values, norm(vector - one - other), 1e-8)
    yield Equality("norms of rows", gap.at["row_norms"], [first, second], 1e-9)
    present = [[float(u in rows) for rows in hand.batches] for u in FORGOTTEN]
    yield Equality("visits", gap.at["present"], present)


def _row_vectors() -> Iterator[Equality]:
    """Quadratics with one Hessian: vectors of the second row by a loop."""
    settings = {**WHOLE_BATCHES, "data": "linear", "loss": "quadratic"}
    run: Any = HessianFree(**settings).run()
    run.view(RowVectors)
    x, rate = run.task.data.features, 0.7
    share, mean = rate / len(x), x.mean(axis=0)
    # The learned path, and the row's vectors with Hessians of all rows and of the others.
    w = np.zeros(3)
    whole = np.zeros(3)
    stored = np.zeros(3)
    for _ in range(3):
        lost = share * (LAM * w - x[1])
        whole = whole - rate * LAM * whole + lost
        stored = stored - rate * LAM * 11 / 12 * stored + lost
        w = w - rate * (LAM * w - mean)
    yield equality(run, "row_vector", norm(whole))
    at = run["row_vector"].at
    points = (mean / LAM, x[1] / LAM, np.zeros(3))
    parts = [point @ whole / norm(whole) for point in points]
    yield Equality("parts along it", [at[name] for name in ("cbar", "c_u", "w0")], parts, 1e-9)
    # The repair: three more steps, without the row from w + stored and with it from w.
    without, again = w + stored, w.copy()
    rest = np.delete(x, 1, axis=0).sum(axis=0)
    for _ in range(3):
        without = without - rate * (LAM * without * 11 / 12 - rest / 12)
        again = again - rate * (LAM * again - mean)
    vector = without - again
    yield equality(run, "repaired_vector", norm(vector))
    part = stored @ vector / norm(vector)
    yield Equality("a0", run["repaired_vector"].at["a0"], part, 1e-9)


def _clip() -> Iterator[Equality]:
    """Norms on a path whose mean gradients are clipped at 0.05."""
    run: Any = HessianFree(**WHOLE_BATCHES, clip=0.05, statistics="set").run()
    run.view(ClippedGradients)
    hand = PathsByHand(run)
    norms, w = [], np.zeros(3)
    for rows, _, rate in hand.steps():
        gradient = hand.gradient(w, rows)
        norms.append(norm(gradient))
        w = w - rate * gradient * min(1.0, 0.05 / norm(gradient))
    yield equality(run, "clipped_norm", np.minimum(norms, 0.05))
    yield equality(run, "printed_clipped_norm", np.maximum(norms, 0.05))
