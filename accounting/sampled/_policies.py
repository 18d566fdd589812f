"""What a policy spends, and what is certified by it.

Its costs c have E F(mu^2) <= E F(c) for every convex increasing F (`_payments`).

F has to be above Phi(z + sqrt(c)), z <= 0: that is concave, convex and concave in c, and turns at
the two roots of mu^2 + z mu + 1 = 0.  Tangents there make it convex.  The power of a test is
concave in its level, and 0 at 0; this bounds it between the z where it is computed.

Or above delta(epsilon, sqrt(c)), which is convex up to c = 2 (sqrt(1 + epsilon^2) - 1) and then
concave: there the tangent goes on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from accounting.curves.discrete_sums import Array
from accounting.curves.gaussian import delta_gdp
from accounting.sampled._blocks import Inclusions
from accounting.sampled._payments import payments

_UP = 1 + 2.0**-40
_DEEPEST = -37.0  # of z: Phi is a float there


@dataclass(frozen=True, eq=False)
class Spent:
    """A law of costs c = mu^2 above that of all patterns in the sense above; `lost` has no end.

    lattice: how many of the costs are near each other; others are far beyond.
    """

    cost: Array
    chance: Array
    lost: float
    lattice: int

    @property
    def mean(self) -> float:
        """At least E mu^2, sigma = 1; inf where some has no end."""
        return float(self.cost @ self.chance) * _UP if self.lost == 0 else math.inf

    def epsilon(self, sigma: float, delta: float) -> float:
        """Least epsilon with E Phi(z + mu/sigma) <= e^epsilon Phi(z) + delta for all z <= 0."""
        spare = delta - self.lost
        if not spare > 0:
            return math.inf
        some = self.chance > 0
        cost, chance = self.cost[some] / sigma**2, self.chance[some]
        # Levels up to 1/2; the cells that may hold the maximum are refined, at most three times.
        z = np.linspace(_DEEPEST, 0.0, 801)
        best = 0.0
        for _ in range(4):
            level = scipy.special.ndtr(z)
            power = np.minimum(convex_power(z, cost) @ chance * _UP, 1.0)  # summed upwards
            # Below the deepest level nothing is known, and the spare does not cover it.
            if z[0] == _DEEPEST and power[0] > spare:
                return math.inf
            with np.errstate(divide="ignore", over="ignore"):
                # Power is concave in the level: in a cell power/level is largest at its left end,
                # power at its right.
                steepest = power[:-1] / level[:-1] * (1 - spare / power[1:])
            steepest = np.where(power[1:] > spare, steepest, 0.0)
            best = float(steepest.max())
            # The ratio is attained at the nodes: the answer is no less.
            least_ratio = float(((power - spare) / level)[power > spare].max(initial=1.0))
            cells = np.flatnonzero(steepest > max(least_ratio, 1.0))
            if best <= 1 or cells.size == 0 or best < least_ratio * (1 + 1e-7):
                break
            # What is outside the cells is below `reached`, which is below the answer.
            z = np.linspace(z[cells[0]], z[cells[-1] + 1], 801)
        return math.log(best) * _UP if best > 1 else 0.0


def convex_power(z: Array, cost: Array) -> Array:
    """F: the least bound of Phi(z + sqrt(c)) that is convex in c and leaves it where it is."""
    line = z[:, None]
    root = np.sqrt(cost)
    values = scipy.special.ndtr(line + root)
    width = np.sqrt(np.maximum(z * z - 4, 0.0))
    bends = z <= -2
    # The turns have the product 1. For z > -2 there is none, and F is the tangent at mu = 1.
    high = np.where(bends, (width - z) / 2, 1.0)
    low = 1 / high
    for turn, outside in ((low, root < low[:, None]), (high, root > high[:, None])):
        # d Phi(z + sqrt c)/dc = phi(z + mu)/(2 mu).
        rise = np.exp(-((z + turn) ** 2) / 2) / math.sqrt(2 * math.pi) / (2 * turn)
        tangent = scipy.special.ndtr(z + turn)[:, None] + rise[:, None] * (
            cost - turn[:, None] ** 2
        )
        values = np.where(outside, tangent, values)
    bounded: Array = values
    return bounded


def convex_delta(epsilon: float, cost: Array) -> Array:
    """F: the least bound of delta(epsilon, sqrt(c)) that is convex in c, for epsilon > 0."""
    # The slope in mu is phi(epsilon/mu - mu/2); in c it is that over 2 mu.
    turn = 2 * (math.sqrt(1 + epsilon**2) - 1)
    mu = math.sqrt(turn)
    rise = math.exp(-((epsilon / mu - mu / 2) ** 2) / 2) / math.sqrt(2 * math.pi) / (2 * mu)
    before = delta_gdp(np.sqrt(np.minimum(cost, turn)), epsilon)
    values: Array = before + rise * np.maximum(cost - turn, 0.0)
    return values


def spent(blocks: Inclusions, eagerness: float, spacing: float) -> Spent:
    """The law of the cost under the policy that is best for E e^(eagerness c), sigma = 1.

    spacing is that of the lattice of mu.
    """
    cost, chance = payments(blocks, eagerness, spacing)
    # Sums of positive products keep their digits; only what no clock is left for is lost.
    return Spent(cost, chance, max(1 - float(chance.sum()) * _UP, 0.0), cost.size - 1)
