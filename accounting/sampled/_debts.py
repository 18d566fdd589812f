"""The joint law of what is outstanding and of the cost so far, on a lattice that keeps means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from accounting.curves.discrete_sums import Array
from accounting.sampled._arrivals import Arrival

_UP = 1 + 2.0**-40
_FAR = 2.0**40  # times the last cost of the lattice: the place of what is beyond it


@dataclass(frozen=True)
class Worst:
    """The most that may be to pay: what is outstanding over a root of the clock, and mu beside.

    root: 0 where no clock is left; then nothing may be outstanding.
    """

    root: float
    later: float

    def energy(self, debts: Array) -> Array:
        """Of all that may still come, with these debts; inf where they cannot be paid."""
        if self.root == 0:
            return np.where(debts > 0, np.inf, 0.0)
        energy: Array = (debts / self.root + self.later) ** 2 * _UP
        return energy


class DebtsAndCosts:
    """A law on phases, levels of debt and costs; what leaves it pays the worst at once.

    levels: of debt, from 0; the highest is not exceeded.  cost: from 0, rising.
    """

    def __init__(self, levels: Array, cost: Array, phases: int, start: float) -> None:
        self.levels, self.cost = levels, cost
        self.law: Array = np.zeros((phases, levels.size, cost.size))
        self.law[0, :, 0] = self._spread(np.array([start]))[0]
        self.far = _FAR * float(cost[-1])
        # Of what has left: the chances of the last cost of the lattice, and of the far one.
        self.near = self.distant = 0.0

    def arrived(self, step: list[Arrival], worst: Worst) -> None:
        """After the arrivals of a step."""
        new = np.zeros(self.law.shape)
        for each in step:
            mass, debts = each.chance * self.law[each.first], self.levels + each.shift
            new[each.then] += self._moved(mass, debts, worst)
        self.law = new

    def arrived_together(self, steps: list[list[Arrival]], worst: Worst) -> None:
        """After the arrivals of several steps in one phase, without a payment between them.

        One small matrix for all of them, as the law is far wider than it has levels.  What passes
        the top level on the way has at most the top level and the largest shift outstanding.
        """
        size, before = self.levels.size, np.arange(self.levels.size)
        # The row after the levels holds what has left; another one takes the weights beyond it.
        whole: Array = np.eye(size + 1)[:, :size]
        for step in steps:
            matrix = np.zeros((size + 2, size + 1))
            matrix[size, size] = 1.0
            for each in step:
                place, weight, next_weight = self._neighbours(self.levels + each.shift)
                # Every column is met once, so that an indexed sum loses nothing.
                matrix[place, before] += each.chance * weight
                matrix[place + 1, before] += each.chance * next_weight
            whole = matrix[: size + 1] @ whole
        left = whole[size] @ self.law[0]
        if left.any():
            largest = max(each.shift for step in steps for each in step)
            most = worst.energy(np.array([self.levels[-1] + largest]))
            self._leave(self.cost + most, left)
        self.law = (whole[:size] @ self.law[0])[None]

    def _neighbours(self, targets: Array) -> tuple[Array, Array, Array]:
        """The level below each target, its weight, and that of the next one; the means are kept.

        A target above the top has all its weight at the place after the levels.
        """
        levels = self.levels
        j = np.clip(np.searchsorted(levels, targets, side="right") - 1, 0, levels.size - 2)
        share = (targets - levels[j]) / (levels[j + 1] - levels[j])
        inside = share <= 1
        place = np.where(inside, j, levels.size)
        return place, np.where(inside, 1 - share, 1.0), np.where(inside, share, 0.0)

    def paid(self, step: list[Arrival], rule: list[tuple[Array, Array]], worst: Worst) -> None:
        """After the arrivals of a step, each paid but for some debts, at a price."""
        new = np.zeros(self.law.shape)
        for each, (debts, price) in zip(step, rule, strict=True):
            mass = self._priced(each.chance * self.law[each.first], price, worst.energy(debts))
            new[each.then] += self._moved(mass, debts, worst)
        self.law = new

    def costs(self, tail: float) -> tuple[Array, Array]:
        """Costs and chances when debts are paid over the tail; without one what is owed is lost."""
        law = self.law.sum(axis=0)
        if tail > 0:
            law = self._priced(law, self.levels**2 * _UP / tail, np.zeros(self.levels.size))
        else:
            law[1:] = 0.0
        chance = np.append(law.sum(axis=0), self.distant)
        chance[-2] += self.near
        return np.append(self.cost, self.far), chance

    def _spread(self, targets: Array) -> Array:
        """Weights of the levels around each target that keep its mean; none above the top."""
        levels = self.levels
        j = np.clip(np.searchsorted(levels, targets, side="right") - 1, 0, levels.size - 2)
        share = (targets - levels[j]) / (levels[j + 1] - levels[j])
        weights = np.zeros((targets.size, levels.size))
        rows, inside = np.arange(targets.size), share <= 1
        weights[rows, j] = np.where(inside, 1 - share, 0.0)
        weights[rows, j + 1] += np.where(inside, share, 0.0)
        return weights

    def _moved(self, mass: Array, debts: Array, worst: Worst) -> Array:
        """With these debts in place of the levels."""
        over = np.flatnonzero((debts > self.levels[-1]) & mass.any(axis=1))
        if over.size:
            total = self.cost + worst.energy(debts[over])[:, None]
            self._leave(total.ravel(), mass[over].ravel())
        # Two weights a level: a dense matrix would take most of the time.
        place, weight, next_weight = self._neighbours(debts)
        size, before = self.levels.size, np.arange(self.levels.size)
        inside = place < size
        rows = np.concatenate([place[inside], place[inside] + 1])
        columns = np.concatenate([before[inside], before[inside]])
        weights = np.concatenate([weight[inside], next_weight[inside]])
        matrix = scipy.sparse.csr_array((weights, (rows, columns)), shape=(size, size))
        moved: Array = matrix @ mass
        return moved

    def _priced(self, mass: Array, price: Array, still: Array) -> Array:
        """After each level has paid its price; what passes the last cost has `still` to pay."""
        if not price.any():
            return mass
        cost = self.cost
        place = np.flatnonzero(mass)
        row = place // cost.size
        total, weight = cost[place - row * cost.size] + price[row] * _UP, mass.ravel()[place]
        over = total > cost[-1]
        if over.any():
            self._leave((total + still[row])[over], weight[over])
            row, total, weight = row[~over], total[~over], weight[~over]
        j = np.clip(np.searchsorted(cost, total, side="right") - 1, 0, cost.size - 2)
        # Onto two neighbours with the mean kept, as W is convex in the cost too.
        up = weight * (total - cost[j]) / (cost[j + 1] - cost[j])
        place = j + row * cost.size
        totals: Array = np.bincount(place, weight - up, mass.size).astype(np.float64)
        # The upper neighbour is the next entry of the same row: j stops one before the end.
        totals[1:] += np.bincount(place, up, mass.size)[:-1]
        return totals.reshape(mass.shape)

    def _leave(self, total: Array, weight: Array) -> None:
        """With a cost that is final: at the last cost of the lattice and far beyond, mean kept."""
        last = float(self.cost[-1])
        share = np.maximum(total - last, 0.0) / (self.far - last)
        inside = share <= 1
        share = np.where(inside, share, 0.0)
        kept = np.where(inside, weight, 0.0)
        self.near += float((kept * (1 - share)).sum())
        self.distant += float((kept * share).sum())
