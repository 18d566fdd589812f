"""Models published on the way, seen together: what each interval between them adds.

A published model is the common start of all that follows, and batches and noise are drawn anew.
Given the pattern b of all batches that have the rows, the interval i is therefore a Gaussian step
of at most mu_i(b_i) from what was published before it, whatever that was: Gaussian curves composed
adaptively give T(Q, P_b) >= G_mu(b), mu(b)^2 = sum mu_i(b_i)^2, for the joint laws.  The inclusions
of the rows are independent of Q, so the average over b at a common level holds as it does for one
model.  Requests may be any functions of what was published: they are the same functions in both
runs.  Once the rows have left, later models are made from published ones by steps that are the same
in both runs, and cost nothing; nor do they take anything back.

Bounds on E Phi(z + mu):
    additive    mu <= sum of what every inclusion pays for itself until the next publication
    costs       E F(sum mu_i^2) <= E F(sum c_i), F convex and increasing, the c_i independent, each
                from the policy that pays shifts as they come (`_policies`)
    mean        the other direction is that of N(m, 1), m^2 >= E mu^2, for gamma >= exp(m^2/2).
                For h(z) = Phi(-z) - gamma (1 - E Phi(z + mu)) rises and then falls, the likelihood
                ratio being monotone; h'(0) >= 0 as gamma E exp(-mu^2/2) >= 1; and for z >= 0
                E Phi(z + mu) <= Phi(z + m), as Phi(z + sqrt c) is concave.
For the mean let every inclusion be paid evenly over the clock that is left, X_l: the energy is the
integral over the clock of (sum_{l <= t} b_l w_l/X_l)^2, so its mean is that of the mean shifts and
sum Var(b_l w_l)/X_l.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from accounting.curves.discrete_sums import Array, Joined, Law, OneLaw, Term, resolvable, times
from accounting.curves.gaussian import epsilon_gdp
from accounting.curves.gaussian_mixtures import epsilon as mixture_epsilon
from accounting.curves.gaussian_mixtures import solve
from accounting.sampled._blocks import Inclusions
from accounting.sampled._inclusions import inclusions, transported
from accounting.sampled._linear_instances import instances
from accounting.sampled._policies import Spent
from accounting.sampled._same_batches import linear_mu
from accounting.sampled.patterns import patterns_epsilon
from accounting.sampled.training_alone import training_epsilon

if TYPE_CHECKING:
    from accounting.sampled._largest_batch import Accounts
    from accounting.sampled.algorithm import SampledSGD

_MOST_POINTS = 1200
_NEGLIGIBLE = 1e-12  # of delta
_UP = 1 + 2.0**-40


class Joint:
    """The accountants of a setting that publishes several models, from those of its intervals."""

    def __init__(
        self,
        setting: SampledSGD,
        delta: float,
        make: Callable[[SampledSGD, float, tuple[int, float]], Accounts],
        counted: tuple[int, float],
    ) -> None:
        self.setting, self.delta = setting, delta
        intervals = setting.intervals()
        # What larger batches cost is owed once for all steps.
        # Equal intervals share their accountants, and so what these have computed.
        accounts = {each: make(each, delta, (counted[0], 0.0)) for each in set(intervals)}
        self.parts = [accounts[each] for each in intervals]
        self.first = self.parts[0]
        self.left = delta - counted[1]
        self.only = make(intervals[0], delta, counted)
        self.unlike = any(part.unlike for part in self.parts)
        self.usable = self.left > 0 and all(part.usable for part in self.parts)
        self.sums: dict[tuple[Spent, ...], Spent] = {}

    @property
    def seldom(self) -> bool:
        """Whether the runs are the same but for a part of the inclusions of less than delta."""
        if not self.usable or self.first.same or self.unlike:
            return False
        return sum(part.some for part in self.parts) <= self.delta

    def mixture(self, sigma: float) -> float:
        """The average of trade-off functions; inf where the reference depends on the pattern."""
        if len(self.parts) == 1:
            return self.only.mixture(sigma)
        if self.seldom:
            return 0.0
        if not (self.usable and self.first.covered):
            return math.inf
        if self.first.same:
            mu = math.sqrt(sum(part.mu**2 for part in self.parts)) * _UP
            return float(epsilon_gdp(mu / sigma, self.left))
        if self.unlike:
            return self._sides(sigma)
        terms = [part.blocks.additive for part in self.parts]
        additive: Law = (_added(terms, [1 / sigma] * len(terms)),)
        if not resolvable(additive):
            return math.inf
        if self.first.both:
            return mixture_epsilon(additive, times(additive, -1), self.left)
        back = mixture_epsilon(None, times(additive, -1), self.left)
        away = mixture_epsilon(additive, None, self.left)
        # The two other bounds are for blocks that are single steps, one for each direction.
        if self.first.blocks.stepwise:
            back, away = min(back, self._mean(sigma)), min(away, self._costs(sigma))
        return max(back, away)

    def _sides(self, sigma: float) -> float:
        """Where common rows have two rates: every inclusion pays for itself, in either run."""
        # What is rare is owed once for each interval.
        budget = self.left - sum(part.sides.owed for part in self.parts)
        laws: list[Law] = []
        for side in (0, 1):
            terms = [part.sides.both[side].additive for part in self.parts]
            laws.append((_added(terms, [1 / sigma] * len(terms)),))
        if not (budget > 0 and all(map(resolvable, laws))):
            return math.inf
        here, there = laws
        return max(
            mixture_epsilon(here, times(there, -1), budget),
            mixture_epsilon(there, times(here, -1), budget),
        )

    def _mean(self, sigma: float) -> float:
        square = sum(_mean_square(part.blocks.outcomes) for part in self.parts) / sigma**2
        # The bound holds for gamma >= exp(m^2/2) only, so no epsilon below m^2/2 is answered.
        return max(float(epsilon_gdp(math.sqrt(square), self.left)), square / 2 * _UP)

    def _costs(self, sigma: float) -> float:
        """From the sum of what the policies of all intervals spend."""
        # Where the test of the linear instance lies: policies are chosen for this z, and valid for
        # any.
        law = (self._linear([part.blocks.linear for part in self.parts], sigma),)
        _, z = solve(law, None, self.left)
        if not math.isfinite(z):
            return math.inf
        # Equal policies are summed by repeated squaring.
        many = Counter(part._policy(law, z, sigma) for part in self.parts)
        key = tuple(many)
        if key not in self.sums:
            total = None
            for one, count in many.items():
                power = _power(one, count, _NEGLIGIBLE * self.delta)
                total = power if total is None else _sum(total, power, _NEGLIGIBLE * self.delta)
            assert total is not None
            self.sums[key] = total
        return self.sums[key].epsilon(sigma, self.left)

    @staticmethod
    def _linear(
        terms: Sequence[OneLaw], sigma: float, by: Sequence[OneLaw] | None = None
    ) -> OneLaw:
        """The law of a weighted sum of the intervals' linear instances, of variance 1.

        The weights are the means, or those of other laws: both runs are seen by one statistic.
        """
        means = [abs(term.moments(0.0)[1]) for term in by or terms]
        weights = np.array(means) / max(float(np.linalg.norm(means)), 1e-300)
        return _added(terms, weights / (1 + 2.0**-50) / sigma)

    def patterns(self, sigma: float) -> float:
        """The average of delta."""
        if len(self.parts) == 1 or self.first.same:
            return self.only.patterns(sigma) if len(self.parts) == 1 else self.mixture(sigma)
        if self.seldom:
            return 0.0
        if not self.usable:
            return math.inf
        # Given its pattern a replaced row is exchanged in its place: two gradients move the step.
        kappa = 2.0 if self.setting.adjacency == "replace" else self.setting.exchange
        blocks, budget = [], self.left
        for part in self.parts:
            if part.unlike:
                both, rare = part.together
                budget -= rare
            else:
                both = inclusions(part.setting, part.steps, kappa).outcomes
            blocks.append(both)
        if not budget > 0:
            return math.inf
        terms = [Term(each.paid, each.chance, each.zero) for each in blocks]
        whole = _stacked(terms)
        clock = np.concatenate([each.clock for each in blocks])
        error = max(each.error for each in blocks)
        paid, chance, zero = whole.values, whole.chances, whole.zero
        # Every outcome's own payment in place of its shift: the order in the clock no longer
        # matters.
        return patterns_epsilon(
            Inclusions(paid, chance, zero, paid, clock, 0.0, False, error), sigma, budget
        )

    def training(self, sigma: float) -> float:
        """The composition of all steps that see the rows."""
        return training_epsilon(self.setting, sigma, self.delta)

    def lower(self, sigma: float) -> float:
        """What a linear statistic of the linear instance tells, or a single interval."""
        bound = max(part.lower(sigma) for part in set(self.parts))
        if len(self.parts) == 1 or bound == 0:
            return bound
        chains = [
            (part.setting, transported(part.setting, 1 - part.setting.eta * part.setting.ridge))
            for part in self.parts
        ]
        if self.setting.sampling == "full":
            kappa = 2.0 if self.setting.adjacency == "replace" else 1.0
            mu = math.sqrt(sum(linear_mu(*chain, kappa) ** 2 for chain in chains)) / _UP
            return float(epsilon_gdp(mu / sigma, self.delta)) * (1 - 1e-12)
        if self.first.same:
            return bound
        for several in zip(*(instances(*chain) for chain in chains), strict=True):
            sides = [[law[0] for law in side if law] for side in zip(*several, strict=True)]
            # An interval without a law on this side cannot be stacked with those that have one.
            if any(len(side) not in (0, len(chains)) for side in sides):
                continue
            by = sides[0] or sides[1]
            # Both runs are looked at through one statistic, so both take the weights of one side.
            first, second = ((self._linear(side, sigma, by),) if side else None for side in sides)
            bound = max(bound, mixture_epsilon(first, second, self.delta, up=False))
        return bound

    def hope(self, sigma: float) -> float:
        """What `mixture` cannot be below, where that is known at little cost."""
        return self.only.hope(sigma) if len(self.parts) == 1 else 0.0

    @property
    def covered(self) -> bool:
        """Whether the reference does not depend on the pattern."""
        return self.first.covered

    @property
    def exchanged(self) -> bool:
        """Whether the bound for one exchanged row is known; of several models it is not."""
        return len(self.parts) == 1 and self.first.exchanged


def _added(terms: Sequence[OneLaw], scales: Sequence[float] | Array) -> OneLaw:
    """The law of a weighted sum of independent values."""
    first, *others = (term.times(float(s)) for term, s in zip(terms, scales, strict=True))
    return reduce(Joined, others, first)


def _stacked(terms: Sequence[Term]) -> Term:
    """The law of a sum of independent values, as blocks of one."""
    width = max(term.values.shape[1] for term in terms)

    def padded(array: np.ndarray) -> np.ndarray:
        return np.pad(array, ((0, 0), (0, width - array.shape[1])))

    values = [padded(term.values) for term in terms]
    chances = [padded(term.chances) for term in terms]
    return Term(np.vstack(values), np.vstack(chances), np.concatenate([t.zero for t in terms]))


def _mean_square(blocks: Inclusions) -> float:
    """A bound on E mu^2, sigma = 1, for blocks that are steps."""
    tail_sums = np.cumsum(blocks.clock[::-1])[::-1][: blocks.zero.size]
    mean = (blocks.chance * blocks.shift).sum(axis=1)
    spread = (blocks.chance * blocks.shift**2).sum(axis=1) - mean**2
    # Even payment: what arrives at step l is paid at the rate w_l/X_l from there to the end.
    rate = np.zeros(blocks.clock.size)
    rate[: mean.size] = mean / tail_sums
    steady = float((np.cumsum(rate) ** 2 * blocks.clock).sum())
    return (
        (steady + float((np.maximum(spread, 0.0) / tail_sums).sum())) * (1 + 4 * blocks.error) * _UP
    )


def _power(one: Spent, count: int, spare: float) -> Spent:
    """The law of the sum of so many independent costs."""
    total = None
    while count:
        if count % 2:
            total = one if total is None else _sum(total, one, spare)
        count //= 2
        one = _sum(one, one, spare) if count else one
    assert total is not None
    return total


def _sum(first: Spent, second: Spent, spare: float) -> Spent:
    """The law of the sum of two independent costs, moved onto a lattice that keeps means.

    The lattice ends where costs are rarer than `spare`; what is beyond goes to its end and far off.
    """
    cost = (first.cost[:, None] + second.cost).ravel()
    chance = (first.chance[:, None] * second.chance).ravel()
    end = float(first.cost[first.lattice - 1] + second.cost[second.lattice - 1])
    spacing = max(math.sqrt(first.cost[1]), math.sqrt(second.cost[1]))
    spacing = max(spacing, math.sqrt(end) / _MOST_POINTS)
    # Even in mu = sqrt c, in which the law of costs is smooth near 0.
    lattice = (spacing * np.arange(math.ceil(math.sqrt(end) / spacing) + 2.0)) ** 2
    near = cost <= lattice[-1]
    some = cost[near]
    j = np.clip(np.searchsorted(lattice, some, side="right") - 1, 0, lattice.size - 2)
    # Weights that keep the mean; a little more above, which only adds to a convex increasing F.
    share = np.clip((some - lattice[j]) / (lattice[j + 1] - lattice[j]) * _UP, 0.0, 1.0)
    law: Array = np.bincount(j, chance[near] * (1 - share), lattice.size).astype(np.float64)
    law += np.bincount(j + 1, chance[near] * share, lattice.size)
    # Two points at least, as the spacing is read off the first two.
    size = max(int((np.cumsum(law[::-1])[::-1] > spare).sum()), 2)
    beyond = np.append(cost[~near], lattice[size:])
    rare = np.append(chance[~near], law[size:])
    last, far = float(lattice[size - 1]), float(first.cost[-1] + second.cost[-1])
    far = max(far, 2 * float(lattice[-1]))
    share = (beyond - last) / (far - last)
    law[size - 1] += float(rare @ (1 - share))
    chances = np.append(law[:size], float(rare @ share))
    return Spent(np.append(lattice[:size], far), chances, (first.lost + second.lost) * _UP, size)
