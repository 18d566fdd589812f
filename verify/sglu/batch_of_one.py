"""Section 4 of sglu: batches of one cost accuracy; by how much is a matter of the data."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from simulators.data.sklearn_sets import digits
from simulators.statistics import binomial_limits
from verify.checks import Check, Context, Findings

Array = NDArray[np.float64]
ROWS = 1536
SIGMA = 0.03
RIDGE = 1e-6 * 1536
RADIUS = 100.0
# At b = 1 two epochs forget the start by a factor (1 - eta m)^3072 = 1e-8.
EPOCHS = {32: 10, 1: 2}


@cache
def data() -> tuple[Array, Array]:
    """(rows to learn from, rows to test on), of norm 1 and times their label."""
    images = digits(None)
    labels = np.where(np.asarray(images.targets) % 2 == 1, 1.0, -1.0)
    rows = np.asarray(images.normalised().features) * labels[:, None]
    return rows[:ROWS], rows[ROWS:]


def accuracies(batch: int, trials: int, rng: np.random.Generator) -> Array:
    """Accuracy on the test rows after Algorithm 1 of sglu, in independent trials."""
    rows, tests = data()
    eta = 1 / (0.25 + RIDGE)
    noise = np.sqrt(2 * eta) * SIGMA
    w = np.zeros((trials, rows.shape[1]))
    for _ in range(EPOCHS[batch]):
        for start in range(0, ROWS, batch):
            here = rows[start : start + batch]
            slope = -1 / (1 + np.exp(w @ here.T))
            w = w - eta * (slope @ here / batch + RIDGE * w) + noise * rng.normal(size=w.shape)
            length = np.linalg.norm(w, axis=1, keepdims=True)
            w *= np.minimum(1.0, RADIUS / np.maximum(length, RADIUS))
    return np.asarray((w @ tests.T > 0).mean(axis=1))


def check(ctx: Context) -> Findings:
    """How often batches of one are less accurate than batches of 32, over pairs of noisy runs."""
    reason = "neither the features and splits nor the epochs at b = 1 are given"
    yield ctx.declare("literal", "printed", "not checkable", reason)
    trials = ctx.pick(60, 400)
    large, small = (accuracies(b, trials, ctx.rng(i)) for i, b in enumerate((32, 1)))
    worse = int((small < large).sum())
    low, _ = binomial_limits(np.array([worse]), trials, ctx.level)
    inputs = {"n": ROWS, "sigma": SIGMA, "at 32": float(large.mean()), "at 1": float(small.mean())}
    instance = f"{worse} of {trials} pairs of runs"
    options = {"relation": ">=", "tight": np.nan}
    options |= {"bound": 0.5, "basis": "statistical"}
    yield ctx.compare("direction", "printed", low[0], inputs, instance, **options)


CHECKS = (Check("sglu.sec4.batch1", evidence=check),)
