"""Descent to Delete on a few rows: models by loops, the noise of publication on a fine grid."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtri

from simulators.runs.d2d import DeletionByDescent, DescentRun
from verify.self_tests import Equality
from verify.self_tests.experiments import gaussian_delta, normal_density
from verify.sglu.views.descent_to_delete import DescentErrors, PublicationNoise

Array = NDArray[np.float64]


def equalities() -> Iterator[Equality]:
    """One request with the internal state, and one where what was published is reused."""
    yield from _internal_state()
    yield from _published_state()


def _run(**settings: Any) -> DescentRun:
    run = DeletionByDescent(**settings, sigma=0.0, trials=1).run()
    assert isinstance(run, DescentRun)
    run.view(DescentErrors)
    run.view(PublicationNoise)
    return run


def _internal_state() -> Iterator[Equality]:
    """Logistic loss on 20 digits, with the label of the last one flipped."""
    run = _run(radius=50.0, rows=20, regularisation=0.2, learn_epochs=5, unlearn_epochs=2)
    x = run.data.features
    targets = [run.data.targets, run.updates[0].targets]
    lipschitz = 0.25 * np.linalg.norm(x, axis=1).max() ** 2 + 0.2

    def descend(w: Array, y: Array, steps: int) -> Array:
        for _ in range(steps):
            slopes = -y / (1 + np.exp(y * (x @ w)))
            w = w - 2 / (lipschitz + 0.2) * (slopes @ x / 20 + 0.2 * w)
        return w

    zero = np.zeros(64)
    minimisers = [descend(zero, y, 400) for y in targets]
    model = descend(zero, targets[0], 5)
    answer = descend(model, targets[1], 2)
    far = run["learned_distance"]
    distances = [far.values, far.at["W0"], run["request_distance"].values]
    gaps = [model - minimisers[0], minimisers[0], answer - minimisers[1]]
    yield Equality("descent to delete", distances, [np.linalg.norm(gap) for gap in gaps], 1e-9)
    yield Equality("what it publishes", run.result.unlearned[0], answer, 1e-9)
    gap = np.linalg.norm(answer - descend(zero, targets[1], 5))
    least = gap / brentq(lambda mu: gaussian_delta(mu, 1.0) - 1e-5, 0.01, 9)
    yield Equality("noise at publication", run["least_output_noise"].values, least, 1e-8)
    names = ("L", "m", "M", "n", "T", "I", "S")
    constants = [run.constants[name] for name in names]
    yield Equality("constants of d2d", constants, [lipschitz, 0.2, 0.5, 20, 5, 2, 1], 1e-9)


def _published_state() -> Iterator[Equality]:
    """Ridge regression on eight rows, one request of one step: curves on a fine grid."""
    settings: dict[str, Any] = {"data": "synthetic", "dimension": 2, "rows": 8, "loss": "ridge"}
    settings |= {"regularisation": 0.5, "radius": math.inf, "internal_state": False}
    run = _run(**settings, learn_epochs=60, unlearn_epochs=1)
    L, m = run.constants["L"], run.constants["m"]
    size, gamma = 2 / (L + m), (L - m) / (L + m)
    steps = math.ceil(1 + math.log(math.log(4 * 2 / 1e-5)) / -math.log(gamma))
    x, y = run.updates[0].features, run.updates[0].targets
    H, b = x.T @ x / 8 + 0.5 * np.eye(2), x.T @ y / 8
    contraction = np.eye(2) - size * H
    retrained = np.zeros(2)
    for _ in range(60):
        retrained = retrained - size * (H @ retrained - b)
    w, cov = run.secret[0], np.eye(2)
    for _ in range(steps):
        w = w - size * (H @ w - b)
        cov = contraction @ cov @ contraction
    gap = w - retrained
    far = float(np.linalg.norm(gap))
    # Noise of scale 1 is published before and after, along the gap.
    variance = 1 + float(gap @ cov @ gap) / far**2
    least = run["least_published_noise"].values
    z = np.linspace(-20, 20, 40_001)
    p = normal_density(z, 0, 1)
    q = normal_density(z, far / least, math.sqrt(variance))
    excesses = [np.maximum(f - math.e * g, 0).sum() for f, g in ((p, q), (q, p))]
    delta = max(excesses) * (z[1] - z[0])
    yield Equality("noise of what is published", -ndtri(delta), -ndtri(1e-5), 1e-6)
