"""Shifts paid as they come, by a policy that does not see ahead; the law of what it pays.

zeta is what is outstanding, c the cost so far, both in the clock of the end of the chain.  Let
E*(zeta; b) be the least energy of what is left under the pattern b: convex in zeta, as the least
value of a convex problem.  For F convex and increasing W(zeta, c) = E F(c + E*(zeta; b)) is convex
in both, in every phase (`_arrivals`), and for every payment a <= zeta over a stretch of the clock
D, before or after arrivals,

    W_before(zeta, c) <= E W_after(zeta + arrivals - a, c + a^2/D).

So any rule a(zeta) may be followed, and zeta and c may be moved at random onto a lattice as long as
their means stay: W only grows.  At the end that gives E F(mu^2) <= E F(c).

What leaves the lattice is paid at once by the worst that there is: every later inclusion, and what
is outstanding, evenly over the clock from where it is.  No pattern has a larger energy.
"""

from __future__ import annotations

import math

import numpy as np

from accounting.curves.discrete_sums import Array
from accounting.sampled._arrivals import arrivals
from accounting.sampled._blocks import Inclusions
from accounting.sampled._debts import DebtsAndCosts, Worst

_LEVELS, _PIECES, _STRETCHES = 160, 6, 120
_MOST_COSTS = 1200
_UP = 1 + 2.0**-40


def payments(blocks: Inclusions, eagerness: float, spacing: float) -> tuple[Array, Array]:
    """Costs and their chances under the policy that is best for E e^(eagerness c), sigma = 1.

    spacing is that of the lattice of mu; the last of the costs is far from it.
    """
    return _Plan(blocks, eagerness).follow(spacing)


class _Plan:
    def __init__(self, blocks: Inclusions, eagerness: float) -> None:
        self.blocks, self.eagerness = blocks, eagerness
        self.arrivals = arrivals(blocks)
        self.size = len(self.arrivals)
        self.phases = 1 + max(each.first for step in self.arrivals for each in step)
        self.tail = float(blocks.clock[self.size :].sum())
        # Of what is outstanding: denser near 0, where most of the law is.
        self.levels = self.top() * np.linspace(0, 1, _LEVELS) ** 1.5
        # Between two levels _PIECES candidates for the debt that a payment leaves.
        self.fine = np.interp(
            np.arange(_PIECES * (_LEVELS - 1) + 1) / _PIECES, np.arange(_LEVELS), self.levels
        )
        self.each, self.around = np.arange(_LEVELS), np.arange(-_PIECES, _PIECES + 1)
        self.first = self._stretches()
        self.ends = [*self.first[1:], self.size]
        self.rule = self._rule()
        # Clock from just before each step on, and all that may arrive, each paying for itself.
        self.left = np.cumsum(blocks.clock[::-1])[::-1]
        paid = blocks.paid * (1 + blocks.error)
        self.later = float(paid.max(axis=1).sum())

    def top(self) -> float:
        """More is hardly ever outstanding."""
        blocks = self.blocks
        # Outcomes of one block exclude each other, blocks are independent.
        means = (blocks.chance * blocks.shift).sum(axis=1)
        squares = (blocks.chance * blocks.shift**2).sum(axis=1)
        spread = math.sqrt(float(np.maximum(squares - means**2, 0.0).sum()))
        return float(means.sum()) + blocks.start + 5 * spread + float(blocks.shift.max())

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

    def _rule(self) -> list[list[tuple[Array, Array]]]:
        """For each stretch and first arrival: what is outstanding after the payment, its cost."""
        levels, fine, scale = self.levels, self.fine, self.eagerness
        # At the end what is outstanding is paid evenly over the tail; without a tail it never is.
        end = np.where(levels > 0, 1e9, 0.0) if self.tail == 0 else scale * levels**2 / self.tail
        logs = [end] * self.phases
        rules: list[list[tuple[Array, Array]]] = []
        for begin, stop in zip(self.first[::-1], self.ends[::-1], strict=True):
            # Backwards, as in dynamic programming; within a stretch nothing is decided.
            for k in range(stop - 1, begin, -1):
                after = [
                    self._beyond(levels + each.shift, logs[each.then]) for each in self.arrivals[k]
                ]
                logs = self._arrived(k, after)
            # Rounded down, so that payments cost more.
            clock = float(self.blocks.clock[begin:stop].sum()) / _UP
            rule, values = [], []
            for each in self.arrivals[begin]:
                due, log = levels + each.shift, logs[each.then]
                # The best level, and then what is around it.
                near = np.argmin(self._worth(due, levels, log, clock), axis=1)
                some = np.clip(_PIECES * near[:, None] + self.around, 0, fine.size - 1)
                worth = self._worth(due, fine[some], np.interp(fine, levels, log)[some], clock)
                best = np.argmin(worth, axis=1)
                debts = fine[some[self.each, best]]
                rule.append((debts, (due - debts) ** 2 / clock))
                values.append(worth[self.each, best])
            logs = self._arrived(begin, values)
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

    def _arrived(self, k: int, values: list[Array]) -> list[Array]:
        """Before the arrivals of a step, in every phase, from what follows each of them."""
        logs = [np.full(self.levels.size, -np.inf) for _ in range(self.phases)]
        with np.errstate(divide="ignore"):
            for value, each in zip(values, self.arrivals[k], strict=True):
                logs[each.first] = np.logaddexp(logs[each.first], value + np.log(each.chance))
        return logs

    def follow(self, spacing: float) -> tuple[Array, Array]:
        """Costs and their chances."""
        blocks = self.blocks
        paid = blocks.paid * (1 + blocks.error)
        means = (blocks.chance * paid).sum(axis=1)
        high = float(means.sum()) + blocks.start / math.sqrt(blocks.total)
        high += 8 * math.sqrt(float((blocks.chance * paid**2).sum())) + 2 * float(paid.max())
        points = np.arange(min(math.ceil(high / spacing), _MOST_COSTS) + 2, dtype=np.float64)
        law = DebtsAndCosts(self.levels, (points * spacing) ** 2, self.phases, blocks.start * _UP)
        for begin, stop, rule in zip(self.first, self.ends, self.rule, strict=True):
            worst = self._worst(begin, stop)
            law.paid(self.arrivals[begin], rule, worst)
            between = self.arrivals[begin + 1 : stop]
            if self.phases == 1 and len(between) > 1:
                law.arrived_together(between, worst)
                continue
            for step in between:
                law.arrived(step, worst)
        return law.costs(self.tail)

    def _worst(self, begin: int, stop: int) -> Worst:
        """In a stretch, whose own clock is spent: all is paid over what is left after it."""
        left = float(self.left[stop]) if stop < self.left.size else 0.0
        if left == 0:
            # The last step has a stretch of its own: nothing arrives after it.
            return Worst(0.0, 0.0)
        # Over the clock after the stretch, what arrives in it costs no more than this much more.
        return Worst(math.sqrt(left), self.later * math.sqrt(float(self.left[begin]) / left))
