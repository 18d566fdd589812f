"""What an instance of the class that a mechanism declares needs: no accountant can answer less.

All instances are of linear losses, so they belong to every class of losses.  Every number is
rounded down, by more than the arithmetic loses.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import scipy

from accounting.compositions.epsilons import composition_epsilon
from accounting.problems.answer import Array
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.training_alone import drawn_rows

_LEAST = 0.03  # noise multiplier; below, epsilon is in the thousands
_DOWN = 1 - 1e-9
_POINTS = 4001
_MOST_PARTS = 32


def poisson_lower(sampled: SampledSGD, sigma: float, delta: float) -> float:
    """epsilon that the states of all steps need, when every row is drawn by itself.

    All other rows have no gradient, those in question one and the same: every step shows
    N(number of those drawn, s^2) against N(0, s^2); of a row that is exchanged for one with the
    opposite gradient N(1, s^2) against N(-1, s^2) where it is drawn.
    """
    there = sampled.present > 0
    noise = sigma * sampled.profile[there] / sampled.share[there]
    keys = zip(
        noise.tolist(), sampled.rates[there].tolist(), sampled.present[there].tolist(), strict=True
    )
    steps: dict[tuple[float, float, int], int] = {}
    for key in keys:
        steps[key] = steps.get(key, 0) + 1
    if not steps or len(steps) > _MOST_PARTS or min(s for s, _, _ in steps) < _LEAST:
        return 0.0
    kinds = drawn_rows(steps.items())
    replaced = sampled.adjacency == "replace"
    return composition_epsilon(kinds, delta, exchanged=replaced, up=False) * _DOWN


def epoch_lower(
    steps: int, batches: float, sigma: float, delta: float, pairs: Iterable[tuple[float, float]]
) -> float:
    """epsilon that the states of one shuffled epoch need: tests of the largest of its sums.

    The row is in one of the `batches` (n over their size) at random; `steps` of them are seen.
    pairs: by how much the sum of that batch moves in the one run and in the other, in clips.
    sigma: the noise in clips.
    """
    # The chance that the batch of the row is among those that are seen.
    share = min(steps / batches, 1.0)
    return max(_largest(steps, share, sigma, delta, *pair) for pair in pairs)


def _largest(steps: int, share: float, sigma: float, delta: float, one: float, two: float) -> float:
    """The larger direction of: one of the sums is at `one`, against: at `two`; all others at 0."""
    points = np.linspace(-4.0, max(one, two) / sigma + 12.0, _POINTS)
    rest = (steps - 1) * scipy.special.log_ndtr(points)

    absent = math.log1p(-share) if share < 1 else -math.inf

    def below(moved: float) -> Array:
        """log P(all sums are at most t), whether the batch of the row is seen or not."""
        there = rest + scipy.special.log_ndtr(points - moved / sigma)
        plain = rest + scipy.special.log_ndtr(points)
        mixed: Array = np.logaddexp(math.log(share) + there, absent + plain)
        return mixed

    first, second = below(one), below(two)
    best = 0.0
    for mine, other in ((first, second), (second, first)):
        # Yes where some sum is above t, and yes where all are below it.
        above = -np.expm1(mine), -np.expm1(other)
        under = np.exp(mine), np.exp(other)
        for p, q in (above, under):
            clear = (p - delta > 1e-3 * delta) & (q > 1e-290)
            if clear.any():
                best = max(best, float(np.max(np.log((p[clear] - delta) / q[clear]))))
    return best * _DOWN
