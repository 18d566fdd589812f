"""Descent to Delete, against gradient descent by hand."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

from simulators.experiments.d2d import DescentToDelete
from verify.oracles import Equality
from verify.oracles.experiments import gaussian_delta

LAM = 0.2
SETTINGS: dict[str, Any] = {
    "sigma": 0.0,
    "radius": 50.0,
    "rows": 20,
    "regularisation": LAM,
    "trials": 1,
    "learn_epochs": 5,
    "unlearn_epochs": 2,
}


def equalities() -> Iterator[Equality]:
    """Gradient descent on the mean of 20 rows, with the label of the last one flipped."""
    run: Any = DescentToDelete(**SETTINGS).run()
    x = run.data.features
    lipschitz = 0.25 * np.linalg.norm(x, axis=1).max() ** 2 + LAM
    before, after = (
        _descent(x, data.targets, 2 / (lipschitz + LAM)) for data in (run.data, run.updates[0])
    )
    start = np.zeros(x.shape[1])
    minima = [descend(start, 400) for descend in (before, after)]
    learned = before(start, 5)
    unlearned = after(learned, 2)
    distances = [
        run["learned_distance"].values,
        run["learned_distance"].at["W0"],
        run["request_distance"].values,
    ]
    gaps = [learned - minima[0], minima[0], unlearned - minima[1]]
    yield Equality("descent to delete", distances, [np.linalg.norm(gap) for gap in gaps], 1e-9)
    yield Equality("what it publishes", run.result.unlearned[0], unlearned, 1e-9)
    shift = np.linalg.norm(unlearned - after(start, 5))
    mu = brentq(lambda mu: gaussian_delta(mu, 1.0) - 1e-5, 0.01, 9)
    yield Equality("noise at publication", run["least_output_noise"].values, shift / mu, 1e-8)
    constants = [run.constants[name] for name in ("L", "m", "M", "n", "T", "I", "S")]
    yield Equality("constants of d2d", constants, [lipschitz, LAM, 0.5, 20, 5, 2, 1], 1e-9)


def _descent(x: np.ndarray, y: np.ndarray, step: float) -> Callable[[Any, int], Any]:
    """(start, steps) -> where descent on the mean logistic loss of these rows ends (p,)."""

    def descend(w: Any, steps: int) -> Any:
        for _ in range(steps):
            slopes = -y / (1 + np.exp(y * (x @ w)))
            w = w - step * (slopes @ x / len(x) + LAM * w)
        return w

    return descend
