"""Removal by Newton steps, against Newton's method by hand on twelve rows."""

import math
from collections.abc import Iterator
from dataclasses import astuple
from typing import Any

import numpy as np
from scipy.optimize import brentq

from simulators.experiments.unlearning import NewtonRemoval
from simulators.trajectory.removal import CertifiedRemoval, exact_delta, printed_delta
from verify.oracles import Equality
from verify.oracles.experiments import gaussian_delta
from verify.oracles.path_runs import GIVEN
from verify.oracles.step_runs import GONE, LAM, far, seen


def equalities() -> Iterator[Equality]:
    """The residual of one Newton step, with noise and without, and what noise moves."""
    own = ("data", "rows", "dimension", "test_share", "regularisation", "forget")
    run: Any = NewtonRemoval(**{name: GIVEN[name] for name in own}, noise=0.3).run()
    x, y = run.world.data.features, run.world.data.targets
    kept = [i for i in range(12) if i not in GONE]

    def slope(w: Any, rows: Any, b: Any) -> Any:
        return (
            -(y[rows] / (1 + np.exp(y[rows] * (x[rows] @ w)))) @ x[rows] + len(rows) * LAM * w + b
        )

    def bend(w: Any, rows: Any) -> Any:
        s = 1 / (1 + np.exp(-(x[rows] @ w)))
        return (x[rows].T * (s * (1 - s))) @ x[rows] + len(rows) * LAM * np.eye(3)

    def best(b: Any, rows: Any = range(12)) -> Any:
        w = np.zeros(3)
        for _ in range(40):
            w = w - np.linalg.solve(bend(w, list(rows)), slope(w, list(rows), b))
        return w

    def left(b: Any) -> tuple[Any, float]:
        w = best(b)
        step = -np.linalg.solve(bend(w, kept), slope(w, kept, b))
        return step, far(slope(w + step, kept, b))

    none = np.zeros(3)
    step, alone = left(none)
    yield seen(run, "residual", alone, 1e-6)
    at, along = run["residual"].at, x[kept] @ step
    sizes = [np.linalg.norm(x[kept], 2), far(step), far(along), far(along**2)]
    found = [at[name] for name in ("norm_X", "norm_D", "norm_XD", "norm_XD2")]
    yield Equality("sizes of the step", found, sizes, 1e-8)
    pushes = 0.3 * np.random.default_rng(0).standard_normal((32, 3))
    yield seen(run, "noisy_residual", [left(b)[1] for b in pushes[:8]], 1e-6)
    squares = [far(best(b) - best(none)) ** 2 for b in pushes]
    yield seen(run, "shift", math.sqrt(np.mean(squares)))
    for name in ("release_delta", "small_release_delta"):
        at = run[name].at
        both = zip(at["epsilon"], at["c"], strict=True)
        yield seen(run, name, [gaussian_delta(e / c, e) for e, c in both])
    k = run.constants
    gam = 1 / (6 * math.sqrt(3))
    yield Equality("gam, C", [k["gam"], k["C"]], [gam, 1.0])
    yield from _formulas()
    # The noise of a budget for the first two requests: the third has the model trained again.
    draws = np.random.default_rng(5).standard_normal((2, 3))
    noise, mu = 0.0044, brentq(lambda mu: gaussian_delta(mu, 1.0) - 1e-3, 1e-3, 9.0)
    server = CertifiedRemoval(run.model, noise, 1.0, 1e-3, seed=5)
    yield Equality("budget of residuals", server.budget, noise * mu)
    rows, w, spent = list(range(12)), best(noise * draws[0]), np.float64(0.0)
    yield Equality("certified removal, learned", server.point, w, 1e-7)
    for gone in ([1, 6], [3], [0, 2, 8]):
        served: Any = server.remove(gone)
        rows = [i for i in rows if i not in gone]
        lost = slope(w, gone, 0.0)
        step = np.linalg.solve(bend(w, rows), lost)
        left = slope(w + step, rows, 0.0) - slope(w, rows, 0.0) - lost
        along, largest = x[rows] @ step, np.linalg.norm(x[rows], 2)
        bound = gam / 2 * largest * far(along**2)
        wanted = [
            far(left),
            bound,
            gam * largest * far(step) * far(along),
            4 * gam * len(gone) ** 2 / (LAM**2 * len(rows)),
        ]
        yield Equality(f"residuals of {gone}", list(astuple(served)), wanted, 1e-6)
        w, spent = w + step, spent + bound
        again = spent > noise * mu
        if again:
            w, spent = best(noise * draws[1], rows), np.float64(0.0)
        yield Equality(f"certified removal of {gone}", server.point, w, 1e-7)
        yield Equality(f"spent after {gone}", server.spent, spent, 1e-6)
        yield Equality(f"trained again after {gone}", server.retrainings, float(again))


def _formulas() -> Iterator[Equality]:
    """The authors' delta, and that of two Gaussians epsilon/c deviations apart."""
    pairs = ((0.5, 2.0), (1.0, 3.0), (20.0, 2.0))
    found = [printed_delta(e, c) for e, c in pairs]
    yield Equality("printed delta", found, [1.5 / math.exp(c * c / 2) for _, c in pairs])
    found = [exact_delta(e, c) for e, c in pairs]
    yield Equality("exact delta", found, [gaussian_delta(e / c, e) for e, c in pairs], 1e-8)
