"""Exact laws over a random, secret batch order: mixtures over the replaced point's position."""

from __future__ import annotations

import math

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.exact.line import LineLaw


@typed
def random_position(
    c: float,
    q: float,
    s: float,
    batches: int,
    unlearning: int,
    *,
    before: float = 1.0,
    after: float = -1.0,
) -> tuple[LineLaw, LineLaw]:
    """Laws of (unlearned, retrained) in the linear convergent case, j0 uniform (sglu Cor. 3.9).

    One point is `before` M in D and `after` M in D', all others 0; q = 2 eta M/b, 0 <= c < 1.
    Unlearned: K epochs on D' from the stationary law of D; retrained: the stationary law of D'.
    """
    rate = validation.scalar("c", c, low=0.0, high=1.0, high_open=True)
    jump = validation.scalar("q", q, low=0.0, high_open=True)
    noise = validation.scalar("s", s, low=0.0, low_open=True, high_open=True)
    total = validation.count("batches", batches, low=1)
    epochs = validation.count("unlearning", unlearning, low=0)
    old = validation.scalar("before", before, low_open=True, high_open=True)
    new = validation.scalar("after", after, low_open=True, high_open=True)
    # Entry i is the stationary mean for one M in batch j0 = J - 1 - i (Lemma 3.5); q/2 = eta M/b.
    unit = jump / 2 * rate ** np.arange(total, dtype=float) / (1 - rate**total)
    weights = np.full(total, 1 / total)
    # s^2/(1 - c^2), factored: 1 - c c would cancel for c near 1.
    scale = np.array(noise / math.sqrt((1 - rate) * (1 + rate)))
    target = LineLaw(weights, np.asarray(new * unit), scale)
    # K epochs of J steps contract the distance of the means by c^(K J).
    remaining = (old - new) * rate ** (epochs * total)
    return LineLaw(weights, np.asarray((new + remaining) * unit), scale), target
