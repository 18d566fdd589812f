"""The accountants of noisy SGD on sampled batches up to a largest size, at one delta.

Mixtures: with Q the law without the rows and P_b the law given the pattern b of batches with them,
T(Q, P_b) >= G_{mu(b)} for all b gives T(Q, sum p_b P_b) >= T(N(0, 1), sum p_b N(mu(b), 1)), mu(b)
what is paid inclusion by inclusion or by a policy that pays as shifts come.  Where draws decide,
losses do not know the pattern either: tests have the power that linear losses give, but for a
factor that is hardly above 1 once there is some unlearning (`_linear_losses`), and for less of it
what the recursion of that proof gives step by step (`_recursion`).  The least of all is taken.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from accounting.curves.discrete_sums import Law, OneLaw, cumulant, resolvable, saddle, times
from accounting.curves.gaussian import epsilon_gdp
from accounting.curves.gaussian_mixtures import epsilon as mixture_epsilon
from accounting.curves.gaussian_mixtures import solve
from accounting.sampled._blocks import Inclusions
from accounting.sampled._draws import Draws
from accounting.sampled._exchanged_row import Additive, ByPolicy, least_epsilon
from accounting.sampled._inclusions import exchanges, inclusions, transported
from accounting.sampled._linear_instances import instances
from accounting.sampled._linear_losses import SPARES, deepest, surplus
from accounting.sampled._patterns_of_many import many_patterns_epsilon
from accounting.sampled._policies import Spent, spent
from accounting.sampled._recursion import MOST_OUTCOMES, recursion_epsilon
from accounting.sampled._remembered import coarse, remembered
from accounting.sampled._same_batches import lengths_mu, linear_mu, same_batches_mu
from accounting.sampled._unlike_rates import Sides, direction, together
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.changed_data import shortened
from accounting.sampled.patterns import eagerness, patterns_epsilon, policy_epsilon
from accounting.sampled.schedules import RESIZING
from accounting.sampled.training_alone import training_epsilon

_CLOSE = 1 + 1e-6  # of what a bound cannot be below: nothing is left to gain
_WORTH = 1.03  # of the same: what is left is not worth another bound
_NEAR = 1.1  # of the same: nor is it worth a policy beside the recursion
_HOPELESS = 10.0  # times what linear losses need: where steps expand, forgetting pays too much
_HUGE = 700.0  # of exponents: e to more leaves the floats
_RAREST = 1e-300  # of delta: a smaller share of it is no longer a float
_SPACING, _FINE = 0.04, 0.01  # of sigma: how finely a policy sees the shift
_MOST_ARRIVALS = 30_000  # of rows at steps, for a policy: it takes a millisecond for each
_MOST_OUTCOMES = 60_000  # of all steps, for an average over their sum
_LEAST = 1e-6  # of sigma; below, epsilon is in the thousands


class Accounts:
    """The accountants of one setting at one delta, for every sigma.

    counted: the largest batch that is counted on, and the chance of a larger one.
    """

    def __init__(
        self, setting: SampledSGD, delta: float, counted: tuple[int, float] | None = None
    ) -> None:
        self.setting, self.delta = setting, delta
        rows, self.owed = setting.most_rows(delta) if counted is None else counted
        with np.errstate(over="ignore", invalid="ignore"):
            contraction = setting.contraction(rows)
            self.steps = transported(setting, contraction)
        self.expands = bool(contraction.max() > 1)
        # Where steps expand, S_k may overflow over a long chain: no answer then.
        usable = np.isfinite(self.steps.clock).all() and math.isfinite(self.steps.start)
        self.usable = bool(usable) and self.steps.clock[-1] > 0
        # The steps that are compared: those before are not in the chain.
        chain = slice(self.steps.first, self.steps.first + self.steps.clock.size)
        self.unlike = bool((setting.rates[chain] != setting.rates_without[chain]).any())
        self.same = setting.sampling in ("cyclic", "full") or shortened(setting)
        # Where the other run has a row in the place, its law depends on the place.
        self.exchanged = setting.sampling == "fixed" and setting.adjacency == "replace"
        in_place = setting.sampling in ("fixed", "shuffled") and setting.adjacency not in RESIZING
        self.covered = not in_place
        self.both = setting.sampling == "poisson" and setting.adjacency == "replace"
        self.known: dict[tuple[str, float], float] = {}
        self.costs: dict[tuple[float, float], Spent] = {}

    @cached_property
    def all_blocks(self) -> Inclusions | Draws:
        """Inclusions as the mixture of one of the two laws sees them."""
        if self.exchanged:
            return exchanges(self.setting, self.steps)
        return inclusions(self.setting, self.steps, self.setting.exchange)

    @property
    def blocks(self) -> Inclusions | Draws:
        """The same where early steps that can hardly matter are due from the start."""
        return self.all_blocks.recent

    @cached_property
    def sides(self) -> Sides:
        """Inclusions as either law sees them, where common rows have two rates."""
        return Sides(self.setting, self.steps, self.delta)

    @cached_property
    def together(self) -> tuple[Inclusions, float]:
        """All that moves one run against the other, where common rows have two rates."""
        return together(self.setting, self.steps, self.delta)

    @cached_property
    def some(self) -> float:
        """The chance that anything shifts at all."""
        if self.unlike:
            blocks, rare = self.together
            return blocks.some + rare
        return self.all_blocks.some

    @cached_property
    def mu(self) -> float:
        """Of the single pattern, at sigma = 1."""
        kappa = 2.0 if self.setting.adjacency == "replace" else 1.0
        return same_batches_mu(self.setting, self.steps, kappa)

    @cached_property
    def seldom(self) -> bool:
        """Whether the runs are the same but for a part of the inclusions of less than delta."""
        return self.usable and not self.same and self.some <= self.delta

    @remembered
    def mixture(self, sigma: float) -> float:
        """The least bound by a common level; inf where the reference depends on the pattern."""
        if self.seldom:
            return 0.0
        # Batches larger than counted on are paid out of delta.
        delta = self.delta - self.owed
        known = self.covered or self.exchanged
        if not (self.usable and known and delta > 0 and sigma >= _LEAST):
            return math.inf
        if self.same:
            return float(epsilon_gdp(self.mu / sigma, delta))
        if self.unlike:
            budget = delta - self.sides.owed
            return self.sides.epsilon(sigma, budget) if budget > 0 else math.inf
        paid = self.blocks.additive.times(1 / sigma)
        additive = (paid,)
        if not resolvable(additive):
            return math.inf
        straight = (self.blocks.straight.times(1 / sigma),)
        if self.exchanged:
            return self._exchanged(straight, paid, delta, sigma)
        # `surplus` is proved for steps.
        if not self.blocks.stepwise:
            return self._epochs(straight, additive, delta, sigma)
        # What linear losses need: no bound of this module gets below it.
        hope, epsilon = self._certified(straight, additive, delta), math.inf
        if self.expands:
            each_paid = self._certified(additive, additive, delta)
            if each_paid > _HOPELESS * hope:
                return each_paid
        # First without nearer x_0, then with them from the largest spare on, while it still helps.
        for share, near in SPARES:
            spare = share * delta
            if spare < _RAREST:
                continue
            more = surplus(self.blocks, sigma, deepest(additive, spare), spare, near=near)
            value = self._certified(straight, additive, delta, more, spare)
            if value > epsilon or (value == math.inf and near):
                break
            epsilon = value
            if epsilon <= hope * _CLOSE:
                return epsilon
        if epsilon <= hope * _WORTH:
            return epsilon
        epsilon = min(epsilon, self._certified(additive, additive, delta))
        epsilon = min(epsilon, self._followed(sigma, delta, hope))
        if epsilon <= hope * _NEAR:
            return epsilon
        # The policy is for one direction; in the other the payment of each inclusion has to do.
        _, z = solve(straight, None, delta)
        # Where both sides are mixtures, the bound for one against N(0, 1) is of no use.
        if self.both or not math.isfinite(z) or self._too_many:
            return epsilon
        back = mixture_epsilon(None, times(additive, -1), delta)
        return min(epsilon, max(back, self._policy(straight, z, sigma).epsilon(sigma, delta)))

    def _exchanged(self, straight: Law, paid: OneLaw, delta: float, sigma: float) -> float:
        """The least bound where no law is common to all patterns (`_exchanged_row`)."""
        hope, z = solve(straight, None, delta)
        epsilon = least_epsilon(delta, Additive(paid))
        if epsilon > hope * _WORTH and math.isfinite(z):
            policy = ByPolicy(self._policy(straight, z, sigma), sigma)
            epsilon = min(epsilon, least_epsilon(delta, policy))
        return epsilon

    def _epochs(self, straight: Law, additive: Law, delta: float, sigma: float) -> float:
        """The least bound where a block is an epoch, of which one place is drawn."""
        epsilon = self._certified(additive, additive, delta)
        hope, z = solve(straight, None, delta)
        if epsilon <= hope * _WORTH or not math.isfinite(z):
            return epsilon
        policy = self._policy(straight, z, sigma)
        # The other direction is that of N(m, 1), m^2 >= E mu^2, for gamma >= e^(m^2/2) (`_joint`).
        square = policy.mean / sigma**2
        back = max(float(epsilon_gdp(math.sqrt(square), delta)), square / 2)
        back = min(back, mixture_epsilon(None, times(additive, -1), delta))
        return min(epsilon, max(policy.epsilon(sigma, delta), back))

    def _followed(self, sigma: float, delta: float, hope: float) -> float:
        """epsilon by the recursion; inf where it would be too long."""
        blocks = self.blocks
        if isinstance(blocks, Draws) and blocks.rows.max(initial=0.0) > MOST_OUTCOMES:
            return math.inf
        return recursion_epsilon(blocks.outcomes, sigma, delta, hope, both=self.both)

    def hope(self, sigma: float) -> float:
        """What `mixture` cannot be below, or 0."""
        delta = self.delta - self.owed
        plain = self.usable and self.covered and not (self.same or self.unlike or self.seldom)
        if not (plain and delta > 0 and sigma >= _LEAST and self.blocks.stepwise):
            return 0.0
        straight, additive = (
            (term.times(1 / sigma),) for term in (self.blocks.straight, self.blocks.additive)
        )
        return self._certified(straight, additive, delta) if resolvable(additive) else math.inf

    def _certified(
        self, law: Law, additive: Law, delta: float, more: float = 0.0, spare: float = 0.0
    ) -> float:
        """epsilon where power at the level Phi(z) is at most (1 + more) E Phi(z + mu) + spare."""
        if not (more < math.inf and spare < delta):
            return math.inf
        # (1 + more) a + spare is above a by no more, as a <= 1.
        debt = more + spare
        if self.both:
            return direction(law, law, additive, delta - spare, more, debt)
        # (1 + more) a + spare <= e^epsilon b + delta divided by 1 + more; its logarithm adds to
        # epsilon.
        rest = (delta - spare) / (1 + more)
        epsilon = mixture_epsilon(law, None, rest) + math.log1p(more) if rest > 0 else math.inf
        # On the other side the power of a no is at least what it is there, less what is owed.
        # Times e^epsilon, as it is owed on the side that gamma multiplies.
        due = debt * math.exp(min(epsilon, _HUGE))
        budget = delta - due
        back = mixture_epsilon(None, times(law, -1), budget) if budget > 0 else math.inf
        # What every inclusion pays for itself needs no surplus, so that nothing is owed.
        if back > epsilon and debt:
            back = mixture_epsilon(None, times(additive, -1), delta)
        return max(epsilon, back)

    @property
    def _too_many(self) -> bool:
        """Whether a policy would have to follow too many arrivals."""
        blocks = self.blocks
        return isinstance(blocks, Draws) and blocks.unit.size * blocks.told_apart > _MOST_ARRIVALS

    def _policy(self, law: Law, z: float, sigma: float) -> Spent:
        """A policy for the cost whose exponential the power looks like at z."""
        s = max(saddle(law, -z), 0.1)
        mean = max(cumulant(law, s)[1] - s, 0.05)
        # On a coarse scale, so that neighbouring sigmas share it.
        eagerness = coarse(0.5 * s / mean / sigma**2)
        spacing = coarse(sigma) * _SPACING
        if (eagerness, spacing) not in self.costs:
            self.costs[eagerness, spacing] = spent(self.blocks.outcomes, eagerness, spacing)
        return self.costs[eagerness, spacing]

    @remembered
    def patterns(self, sigma: float) -> float:
        """The average of delta."""
        if self.seldom:
            return 0.0
        delta = self.delta - self.owed
        if not (self.usable and delta > 0 and sigma >= _LEAST):
            return math.inf
        if self.same:
            return self.mixture(sigma)
        if self.unlike:
            blocks, rare = self.together
            return self._averaged(blocks, sigma, delta - rare) if delta > rare else math.inf
        kappa = 2.0 if self.setting.adjacency == "replace" else self.setting.exchange
        draws = inclusions(self.setting, self.steps, kappa)
        epsilon = self._averaged(draws, sigma, delta)
        # Elsewhere `mixture` does better.
        exchanged = self.exchanged and float(self.setting.share.min()) == 1
        if self.covered or exchanged or not 0 < epsilon < math.inf:
            return epsilon
        return self._by_policy(draws.outcomes, sigma, delta, epsilon)

    @staticmethod
    def _averaged(blocks: Inclusions | Draws, sigma: float, delta: float) -> float:
        """The average of delta where every inclusion pays for itself."""
        if isinstance(blocks, Draws):
            many = blocks.unit.size * blocks.told_apart
        else:
            many = blocks.shift.size
        if many > _MOST_OUTCOMES:
            return many_patterns_epsilon(blocks.recent.additive.times(1 / sigma), delta)
        return patterns_epsilon(blocks.outcomes, sigma, delta)

    def _by_policy(self, blocks: Inclusions, sigma: float, delta: float, epsilon: float) -> float:
        """The average of delta where a policy pays, if that may be less."""
        eager = coarse(eagerness(blocks, sigma, epsilon))
        spacing = coarse(sigma) * _FINE
        if (eager, spacing) not in self.costs:
            self.costs[eager, spacing] = spent(blocks, eager, spacing)
        return policy_epsilon(self.costs[eager, spacing], sigma, delta, epsilon)

    def training(self, sigma: float) -> float:
        """The composition of the training steps."""
        return training_epsilon(self.setting, sigma, self.delta) if sigma >= _LEAST else math.inf

    @remembered
    def lower(self, sigma: float) -> float:
        """What the linear instance needs; 0 where none is known."""
        setting = self.setting
        # The contraction of linear losses: the ridge alone.
        plain = 1 - setting.eta * setting.ridge
        if setting.reference != "T+K" or not (plain >= 0).all() or sigma < _LEAST:
            return 0.0
        steps = transported(setting, plain)
        if not np.isfinite(steps.clock).all():
            return 0.0
        bound = 0.0
        if shortened(setting):
            mu = lengths_mu(setting, steps) / sigma
            bound = float(epsilon_gdp(mu, self.delta)) * (1 - 1e-12)
        if setting.sampling in ("cyclic", "full"):
            mu = linear_mu(setting, steps, 2.0 if setting.adjacency == "replace" else 1.0)
            return max(bound, float(epsilon_gdp(mu / sigma, self.delta)) * (1 - 1e-12))
        if setting.adjacency == "add" and self.unlike:
            late = slice(setting.steps, None)
            if (setting.rates[late] != setting.rates_without[late]).any():
                return bound  # the row that joined is not sampled alike
        for sides in instances(setting, steps):
            first, second = (side and times(side, 1 / sigma) for side in sides)
            if not all(resolvable(side) for side in (first, second) if side):
                continue
            bound = max(bound, mixture_epsilon(first, second, self.delta, up=False))
        return bound
