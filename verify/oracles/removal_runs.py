"""Removal by one Newton step, against Newton's method by hand on twelve rows."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.experiments.unlearning import NewtonRemoval
from verify.oracles import Equality
from verify.oracles.path_runs import GIVEN
from verify.oracles.step_runs import GONE, LAM, delta, far, seen


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

    def best(b: Any) -> Any:
        w = np.zeros(3)
        for _ in range(40):
            w = w - np.linalg.solve(bend(w, list(range(12))), slope(w, list(range(12)), b))
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
        yield seen(run, name, [delta(1.0, c / e, e) for e, c in both])
    k = run.constants
    yield Equality("gam, C", [k["gam"], k["C"]], [1 / (6 * math.sqrt(3)), 1.0])
