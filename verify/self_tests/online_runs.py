"""Runs of online experiments on short streams, against the same descent by hand."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from accounting.deletions.schedule import DeletionSchedule
from accounting.problems.options import Rule
from simulators.data.sklearn_sets import digits
from simulators.domains import Ball
from simulators.losses.logistic import Logistic
from simulators.online.noise import newton_noise
from simulators.online.rows import Rows
from simulators.runs.online import Online
from verify.self_tests import Equality
from verify.self_tests.online import bends
from verify.self_tests.online_losses import GONE, MU, RADIUS, LogisticTerm

MEANS: dict[str, Any] = {
    "data": "quadratic",
    "dimension": 3,
    "rounds": 40,
    "regularisation": 0.5,
    "radius": 50.0,
    "trials": 1,
    "schedule": {"index": [5, 12], "time": [10, 20]},
}


def equalities() -> Iterator[Equality]:
    """Two losses on rows of data, constants and hypotheses of means, and the least noise."""
    yield from _rows("logistic", lambda z: np.log1p(np.exp(-z)), lambda z: -1 / (1 + np.exp(z)))
    yield from _rows("huber", _huber, lambda z: np.clip(z, -1, 1))
    yield from _rows("hinge", _hinge, lambda z: np.clip(z - 1, -1, 0))
    yield from _symbols()
    yield from _noise()
    yield from _newton_noise()


Slope = Callable[[Any], Any]


def _rows(loss: str, value: Slope, slope: Slope) -> Iterator[Equality]:
    """Total losses of a few rounds on rows of data, with and without noise of size zero."""
    settings: dict[str, Any] = {
        "rounds": 12,
        "regularisation": 0.5,
        "radius": 2.0,
        "trials": 2,
        "schedule": {"index": [3], "time": [6]},
        "sigma": 0.0,
    }
    run = Online(loss=loss, **settings).run()
    points, total = _descent(loss, value, slope)
    totals = [
        float(run.plain.losses.sum()),
        float(run.path.losses.sum()),
        float(run.result.total_loss.mean()),
    ]
    yield Equality(f"losses of {loss}", totals, [total] * 3, 1e-9)
    yield Equality(f"points of {loss}", run.plain.points[0], points, 1e-9)
    yield Equality(f"points of {loss} with noise 0", run.noisy.points, [points] * 2, 1e-9)
    # Where nothing is added, a step ends at the next point.
    stepped = run.noisy.stepped(np.arange(1, 13))
    yield Equality(f"steps of {loss} with noise 0", stepped, [points[1:]] * 2, 1e-9)


def _descent(loss: str, value: Slope, slope: Slope) -> tuple[np.ndarray, float]:
    """w_1..w_13 and the sum of the losses, steps 1/(mu t) in the ball of radius 2."""
    rows = digits().normalised()
    assert rows.targets is not None
    mu = 0.5
    w = np.zeros(64)
    total = 0.0
    points = [w]
    for t, (x, y) in enumerate(zip(rows.features[:12], rows.targets[:12], strict=True), start=1):
        # Huber's loss is of a residual, the others of a margin.
        z, sign = (x @ w - y, 1.0) if loss == "huber" else (y * (x @ w), y)
        total += float(value(z)) + mu / 2 * float(w @ w)
        w = w - (slope(z) * sign * x + mu * w) / (mu * t)
        w = w / max(1.0, float(np.linalg.norm(w)) / 2.0)
        points.append(w)
    return np.array(points), total


def _hinge(z: Any) -> Any:
    return np.where(z <= 0, 0.5 - z, np.maximum(1 - z, 0) ** 2 / 2)


def _huber(z: Any) -> Any:
    return np.where(np.abs(z) < 1, z * z / 2, np.abs(z) - 0.5)


def _symbols() -> Iterator[Equality]:
    """Of quadratics with mu = beta = .5, and of three rules of steps."""
    words = ("steps 1/(mu t)", "adaptive steps", "strong convexity", "means")
    steps = {None: (1, 0, 1, 1), 0.4: (0, 0, 1, 1), Rule("adaptive", _round): (0, 1, 1, 1)}
    for step_size, expected in steps.items():
        run = Online(**MEANS, step_size=step_size).run()
        met = [run.hypotheses[word] for word in words]
        yield Equality(f"hypotheses of steps {step_size}", met, expected)
    symbols = [run.constants[name] for name in ("mu", "beta", "T", "d", "k", "gamma")]
    yield Equality("constants", symbols, [0.5, 0.5, 40, 3, 2, 0])


def _round(at: Any) -> Any:
    return at["t"]


def _noise() -> Iterator[Equality]:
    """sigma_i^2 = (2 i - 1) (L/(mu (tau_i - 1)))^2/(2 epsilon) for steps 1/(mu t)."""
    run = Online(**{**MEANS, "epsilon": 2.0, "rounds": 30}).run()
    L = 0.5 * (50 + np.linalg.norm(run.stream.points, axis=1).max())
    sigmas = [math.sqrt((2 * i + 1) / 4) * L / (0.5 * (tau - 1)) for i, tau in enumerate((10, 20))]
    yield Equality("least noise", run.rule["sigmas"], sigmas, 1e-8)


def _newton_noise() -> Iterator[Equality]:
    """sigma_i = (M/2 mu) [(r + i L/(mu (tau_i - 1)))^2 + r^2]/sqrt(2 rho), r = D rho^I1."""
    hand = LogisticTerm()
    rho = 0.7
    norms = np.sqrt((hand.a**2).sum(axis=1))
    slopes = hand.c * norms / (1 + np.exp(-norms * RADIUS - np.abs(hand.b)))
    L = slopes.max() + MU * RADIUS
    bend = np.max(hand.c * norms**3) / (6 * math.sqrt(3))
    r = 2 * RADIUS * (1 - 2 * MU / bends(hand)) ** 9
    factor = bend / (2 * MU) / math.sqrt(2 * rho)
    shifts = [r + i * L / (MU * (tau - 1)) for i, tau in enumerate((50, 80), start=1)]
    sigmas = [factor * (shift**2 + r**2) for shift in shifts]
    stream = Rows(Logistic(MU), hand.a, hand.b, hand.c, Ball(RADIUS))
    late = DeletionSchedule(np.array(GONE), np.array((50, 80)))
    yield Equality("newton_noise", newton_noise(stream, late, rho, first=9), sigmas)
