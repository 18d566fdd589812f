"""How far deletions move the optimum, and SAFE's step beside it: exact minimisers attain both.

Part of the correction of safe's Theorem 2(iii): the distance that the noise has to hide.
"""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def _step(start: Fraction, best: Fraction, gamma: float) -> float:
    """Distance to `best` after a step of length gamma from `start` in the worse direction."""
    return max(abs(float(start - best) - gamma * s) for s in (1, -1))


def measure_distance(L: float, mu: float, n: float, M: float, gamma: float) -> float:
    """Forgotten losses L w, kept ones (a/2) w^2 with a = mu n/(n - M): exact minimisers."""
    pull, count, deletions = Fraction(L), int(n), int(M)
    curvature = Fraction(mu) * count / (count - deletions)
    return _step(-deletions * pull / (curvature * (count - deletions)), Fraction(0), gamma)


def measure_ridge(L: float, mu: float, n: float, M: float, gamma: float) -> float:
    """Kept losses (mu/2) w^2 - L w, forgotten ones (mu/2) w^2 + L w: exact minimisers."""
    pull, count, deletions = Fraction(L), int(n), int(M)
    return _step(
        pull * (count - 2 * deletions) / (Fraction(mu) * count), pull / Fraction(mu), gamma
    )


def check_distance(ctx: Context) -> Findings:
    """Distance of SAFE's point from the optimum on random quadratics."""
    rng = ctx.rng()
    size = ctx.pick(2000, 50_000)
    n, some = 12, rng.integers(1, 12, size)
    x = rng.normal(size=(size, n)) * 3
    a = np.exp(rng.normal(size=(size, n)))
    deletion_mask = np.arange(n) < some[:, None]
    start, best = (np.sum(a * x * w, axis=1) / np.sum(a * w, axis=1) for w in (1.0, ~deletion_mask))
    steep = np.max(a * np.abs(best[:, None] - x) * deletion_mask, axis=1)
    step = rng.exponential(size=size) * 0.1
    distance = np.abs(start - step * rng.choice((-1, 1), size) - best)
    inputs = {"L": steep, "mu": a.mean(axis=1), "n": n, "M": some, "gamma": step}
    at = "random quadratics, L the steepest forgotten gradient at w_t*"
    yield ctx.compare("literal", "corrected", distance, inputs, at)


def check_ridge(ctx: Context) -> Findings:
    """The same on random ridge-logistic problems on a line, L the largest slope."""
    rng = ctx.rng()
    size = ctx.pick(2000, 50_000)
    n, some = 12, rng.integers(1, 12, size)
    x = rng.normal(size=(size, n))
    bend = np.exp(rng.normal(size=size))
    mask = np.arange(n) >= some[:, None]
    start, best = (_logistic(x, bend, w) for w in (np.ones_like(mask), mask))
    step = rng.exponential(size=size) * 0.1
    distance = np.abs(start - step * rng.choice((-1, 1), size) - best)
    inputs = {"L": np.abs(x).max(axis=1), "mu": bend, "n": n, "M": some, "gamma": step}
    bound = ctx.claim("tight", **inputs) + 1e-12
    at = "random ridge-logistic problems on a line"
    yield ctx.compare("literal", "tight", distance, inputs, at, bound=bound)


def _logistic(x: np.ndarray, mu: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Minimisers of the mean over w of log(1 + exp(-x v)) + (mu/2) v^2, by bisection."""
    radius = np.abs(x).max(axis=1) / mu
    low, high = -radius, radius
    for _ in range(80):
        v = (low + high) / 2
        slope = -x / (1 + np.exp(np.minimum(x * v[:, None], 700)))
        up = (slope * w).sum(axis=1) / w.sum(axis=1) + mu * v > 0
        low, high = np.where(up, low, v), np.where(up, v, high)
    return np.asarray((low + high) / 2)


ATTAINED = Instances(
    "exact minimisers in rational numbers",
    case_table(
        "L mu n M gamma",
        *((1, 0.25, 64, M, 0) for M in (1, 5, 31)),
        *((2, 1.5, 64, M, 0.3) for M in (1, 5, 31)),
    ),
    draws=(20, 200),
    within={"n": (2, 60)},
    relations={"corrected": "==", "tight": "=="},
)
CHECKS = (
    Check("safe.thm2iii.distance", check_distance, measure_distance, (ATTAINED,))
    .measured_by(
        "safe",
        "published_distance",
        symbols={"L": "L_path"},
        where=("public constants", "no noise"),
    )
    .beside("softmax on one row with both labels, strong regularisation"),
    Check("safe.thm2iii.ridge", check_ridge, measure_ridge, (ATTAINED,))
    .measured_by(
        "safe", "published_distance", symbols={"L": "L_h"}, where=("public constants", "no noise")
    )
    .beside("softmax on one row with both labels, strong regularisation"),
)
