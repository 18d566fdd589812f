"""Clipped steps on a loss that is not convex, with a fifth of the noise that they need.

Nine records lose -x^2 and one, to be forgotten, loses -x: training from just below 0 ends at the
right end of [-1, 1] with it and at the left end without.  A noisy step on the others, clipped and
projected, should forget that; nothing is known of it but |psi(x) - psi(y)| <= c |x - y| + 2 eta C,
and here the clipped gradients at the two ends are opposite.
"""

import numpy as np
from numpy.typing import NDArray

from accounting.problems import Clipped, Target
from verify.audit.problem import Problem

Array = NDArray[np.float64]
ETA, DECAY, CLIP, RADIUS, RECORDS, LEARN = 0.5, 0.1, 1.0, 1.0, 10, 30
CLAIM = {"epsilon": 1.0, "delta": 1e-5}
NEEDED = Clipped(n=RECORDS, clip=CLIP, step_size=ETA, weight_decay=DECAY, radius=RADIUS)
DEVIATION = float(NEEDED.noise("least", Target(**CLAIM)).deviation)


def step(x: Array, data: Array, noise: Array | float = 0.0) -> Array:
    """One clipped step on the records' losses -x^2 (0) and -x (1), in a sum over 10 places."""
    gradients = np.where(data == 1, -1.0, -2 * x[:, None])
    clipped = np.clip(gradients, -CLIP, CLIP).sum(axis=1) / RECORDS
    next_point: Array = np.clip(x - ETA * clipped - ETA * DECAY * x + noise, -RADIUS, RADIUS)
    return next_point


def example(share: float) -> Problem:
    """The audit of an algorithm with this share of the noise that it needs."""

    def learn(data: Array, rng: np.random.Generator, trials: int) -> Array:
        x = np.full(trials, -1e-3)
        for _ in range(LEARN):
            x = step(x, data)
        return x

    def unlearn(x: Array, data: Array, request: int, rng: np.random.Generator) -> Array:
        noise = share * DEVIATION * rng.normal(size=x.shape)
        return step(x, np.delete(data, request), noise)

    def retrain(data: Array, request: int, rng: np.random.Generator, trials: int) -> Array:
        rest = np.delete(data, request)
        return unlearn(learn(rest, rng, trials), data, request, rng)

    data = np.zeros(RECORDS)
    data[4] = 1.0
    return Problem(learn, unlearn, retrain, data, 4, batched=True, claim=CLAIM)


EXAMPLE = example(0.2)
