"""Patterns of many segments: shifts paid as they come, by a policy that does not see ahead.

zeta is what is outstanding, c the cost so far, both in the clock of the end of the chain.  Let
E*(zeta; b) be the least energy of what is left under the pattern b: convex in zeta, as the least
value of a convex problem.  For F convex and increasing W(zeta, c) = E F(c + E*(zeta; b)) is convex
in both, and for every payment a <= zeta over a stretch of the clock D, before or after arrivals,

    W_before(zeta, c) <= E W_after(zeta + arrivals - a, c + a^2/D).

So any rule a(zeta) may be followed, and zeta and c may be moved at random onto a lattice as long as
their means stay: W only grows.  At the end that gives E F(mu^2) <= E F(c).

F has to be above Phi(z + sqrt(c)), z <= 0: that is concave, convex and concave in c, and turns at
the two roots of mu^2 + z mu + 1 = 0.  Tangents there make it convex.  The power of a test is
concave in its level, and 0 at 0; this bounds it between the z where it is computed.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from accounting.curves.discrete_sums import Array
from accounting.sampled._inclusions import Inclusions

_LEVELS, _PIECES, _STRETCHES = 160, 6, 60
_UP = 1 + 2.0**-40
_DEEPEST = -37.0  # of z: Phi is a float there


@dataclass(frozen=True, eq=False)
class Spent:
    """A law of costs c = mu^2 above that of all patterns in the sense above; `lost` has no end."""

    cost: Array
    chance: Array
    lost: float

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


def spent(blocks: Inclusions, eagerness: float, spacing: float) -> Spent:
    """The law of the cost under the policy that is best for E e^(eagerness c), sigma = 1.

    spacing is that of the lattice of mu.  The blocks are steps.
    """
    plan = _Plan(blocks, eagerness)
    return plan.follow(spacing)


class _Plan:
    def __init__(self, blocks: Inclusions, eagerness: float) -> None:
        self.blocks, self.eagerness = blocks, eagerness
        self.size = blocks.zero.size
        self.tail = float(blocks.clock[self.size :].sum())
        self.arrival = blocks.shift * (1 + 2 * blocks.error)
        mean = float((blocks.chance * self.arrival).sum()) + blocks.start
        spread = math.sqrt(float((blocks.chance * self.arrival**2).sum()))
        top = mean + 5 * spread + float(self.arrival.max())
        # Of what is outstanding: denser near 0, where most of the law is.
        self.levels = top * np.linspace(0, 1, _LEVELS) ** 1.5
        # Between two levels _PIECES candidates for the debt that a payment leaves.
        self.fine = np.interp(
            np.arange(_PIECES * (_LEVELS - 1) + 1) / _PIECES, np.arange(_LEVELS), self.levels
        )
        self.each, self.around = np.arange(_LEVELS), np.arange(-_PIECES, _PIECES + 1)
        self.first = self._stretches()
        self.rule = self._rule()

    def _stretches(self) -> list[int]:
        """The steps at which a payment is decided, each for the clock until the next."""
        most = self.blocks.total / _STRETCHES
        first, run = [0], 0.0
        for k in range(self.size):
            # Without a clock after it the last step pays all that is left, and does so by itself.
            alone = self.tail == 0 and k == self.size - 1
            if k > first[-1] and (alone or run + self.blocks.clock[k] > most):
                first.append(k)
                run = 0.0
            run += float(self.blocks.clock[k])
        return first

    def _outcomes(self, k: int) -> list[tuple[float, float]]:
        """Arrivals at a step with their chances."""
        pairs = zip(self.arrival[k], self.blocks.chance[k], strict=True)
        return [(0.0, float(self.blocks.zero[k])), *((float(a), float(p)) for a, p in pairs)]

    def _rule(self) -> list[list[tuple[Array, Array]]]:
        """For each stretch and first arrival: what is outstanding after the payment, its cost."""
        levels, fine, scale = self.levels, self.fine, self.eagerness
        ends = [*self.first[1:], self.size]
        # At the end what is outstanding is paid evenly over the tail; without a tail it never is.
        log = np.where(levels > 0, 1e9, 0.0) if self.tail == 0 else scale * levels**2 / self.tail
        rules: list[list[tuple[Array, Array]]] = []
        for begin, end in zip(self.first[::-1], ends[::-1], strict=True):
            # Backwards, as in dynamic programming; within a stretch nothing is decided.
            for k in range(end - 1, begin, -1):
                debts = [levels + arrival for arrival, _ in self._outcomes(k)]
                log = self._arrived(k, [self._beyond(each, log) for each in debts])
            # Rounded down, so that payments cost more.
            clock = float(self.blocks.clock[begin:end].sum()) / _UP
            after = np.interp(fine, levels, log)
            rule, values = [], []
            for arrival, _ in self._outcomes(begin):
                due = levels + arrival
                # The best level, and then what is around it.
                near = np.argmin(self._worth(due, levels, log, clock), axis=1)
                some = np.clip(_PIECES * near[:, None] + self.around, 0, fine.size - 1)
                worth = self._worth(due, fine[some], after[some], clock)
                best = np.argmin(worth, axis=1)
                debts = fine[some[self.each, best]]
                rule.append((debts, (due - debts) ** 2 / clock))
                values.append(worth[self.each, best])
            log = self._arrived(begin, values)
            rules.append(rule)
        return rules[::-1]

    def _worth(self, due: Array, owed: Array, log: Array, clock: float) -> Array:
        """The log of what follows when what is due is paid but for `owed`."""
        paid = due[:, None] - owed
        worth: Array = np.where(paid >= 0, self.eagerness / clock * paid**2 + log, np.inf)
        return worth

    def _beyond(self, owed: Array, log: Array) -> Array:
        levels = self.levels
        # Beyond the top level by the last slope: only the choice of the rule depends on it.
        steep = (log[-1] - log[-2]) / (levels[-1] - levels[-2])
        values: Array = np.interp(owed, levels, log) + np.maximum(owed - levels[-1], 0) * steep
        return values

    def _arrived(self, k: int, values: list[Array]) -> Array:
        with np.errstate(divide="ignore"):
            logs = [v + np.log(p) for v, (_, p) in zip(values, self._outcomes(k), strict=True)]
        log_sum: Array = np.logaddexp.reduce(logs)
        return log_sum

    def _spread(self, targets: Array) -> Array:
        """Weights of the levels around each target that keep its mean; none above the top."""
        levels = self.levels
        j = np.clip(np.searchsorted(levels, targets, side="right") - 1, 0, levels.size - 2)
        share = (targets - levels[j]) / (levels[j + 1] - levels[j])
        weights = np.zeros((targets.size, levels.size))
        rows = np.arange(targets.size)
        inside = share <= 1
        weights[rows, j] = np.where(inside, 1 - share, 0.0)
        weights[rows, j + 1] += np.where(inside, share, 0.0)
        return weights

    def _without_payment(self, begin: int, end: int) -> Array:
        """Chances (level after, level before) of what arrives at these steps, nothing being paid.

        One small matrix for all of them, as the law is far wider than it has levels.
        """
        levels, size = self.levels, self.levels.size
        whole: Array = np.eye(size)
        for k in range(begin, end):
            outcomes = np.array(self._outcomes(k))
            targets = levels + outcomes[:, :1]
            j = np.clip(np.searchsorted(levels, targets, side="right") - 1, 0, size - 2)
            share = (targets - levels[j]) / (levels[j + 1] - levels[j])
            # What passes the top level is lost.
            weights = np.where(share <= 1, outcomes[:, 1:], 0.0)
            place = (j * size + np.arange(size)).ravel()
            entries = np.bincount(place, (weights * (1 - share)).ravel(), size * size)
            # The level above is the next row.
            entries[size:] += np.bincount(place, (weights * share).ravel(), size * size)[:-size]
            whole = entries.reshape(size, size) @ whole
        return whole

    def follow(self, spacing: float) -> Spent:
        blocks, levels = self.blocks, self.levels
        paid = blocks.paid * (1 + blocks.error)
        high = float((blocks.chance * paid).sum()) + blocks.start / math.sqrt(blocks.total)
        high += 8 * math.sqrt(float((blocks.chance * paid**2).sum())) + 2 * float(paid.max())
        # A lattice of mu, whose squares are the costs; what passes its end is lost.
        points = np.arange(min(math.ceil(high / spacing), 1200) + 2, dtype=np.float64)
        cost: Array = (points * spacing) ** 2
        # The joint law of what is outstanding (rows) and of the cost so far (columns).
        law: Array = np.zeros((levels.size, cost.size))
        law[:, 0] = self._spread(np.array([blocks.start * _UP]))[0]
        for begin, end, rule in zip(
            self.first, [*self.first[1:], self.size], self.rule, strict=True
        ):
            new: Array = np.zeros(law.shape)
            for (debt, price), (_, chance) in zip(rule, self._outcomes(begin), strict=True):
                new += self._spread(debt).T @ _pay(chance * law, price, cost)
            law = self._without_payment(begin + 1, end) @ new if end > begin + 1 else new
        if self.tail > 0:
            law = _pay(law, levels**2 * _UP / self.tail, cost)
        else:
            # Nothing is left to pay from: that mass is lost.
            law[1:] = 0.0
        chance = law.sum(axis=0)
        # What fell off either grid, and the rounding of all these sums.
        return Spent(cost, chance, max(1 - float(chance.sum()), 0.0) + 2.0**-46)


def _pay(law: Array, price: Array, cost: Array) -> Array:
    """The law after each level has paid its price; what costs more than the last is dropped."""
    if not price.any():
        return law
    row, column = np.nonzero(law)
    total = cost[column] + price[row] * _UP
    j = np.clip(np.searchsorted(cost, total, side="right") - 1, 0, cost.size - 2)
    # Onto two neighbours with the mean kept, as W is convex in the cost too.
    share = (total - cost[j]) / (cost[j + 1] - cost[j])
    weights = np.where(share <= 1, law[row, column], 0.0)
    up = weights * share
    place = j + row * cost.size
    totals: Array = np.asarray(np.bincount(place, weights - up, law.size))
    # The upper neighbour is the next entry of the same row: j stops one before the end.
    totals[1:] += np.bincount(place, up, law.size)[:-1]
    spread: Array = totals.reshape(law.shape)
    return spread
