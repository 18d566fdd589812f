"""The accountants of noisy SGD on sampled batches, for one setting at one delta.

Batches of all sizes are averaged over (`_batch_sizes`); each largest size that is counted on has
accountants of its own (`_largest_batch`), of one model or of several (`_joint`).
"""

from __future__ import annotations

import math
from functools import lru_cache, partial

from accounting.curves.discrete_sums import Array
from accounting.curves.gaussian import mu_gdp
from accounting.numerics.attempt import attempt, least
from accounting.sampled._batch_sizes import Sizes, sizes
from accounting.sampled._joint import Joint
from accounting.sampled._largest_batch import Accounts
from accounting.sampled._remembered import MOST, coarse, remembered
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.training_alone import training_at_least

_FARTHEST = 1e4  # of epsilon: what a guess says beyond divides nothing


class Averaged:
    """The accountants of one setting at one delta, with batches of all sizes (`_batch_sizes`)."""

    def __init__(self, setting: SampledSGD, delta: float) -> None:
        self.setting, self.delta = setting, delta
        # The last is the one that counts on the largest batch that is not rare.
        self.ways = sizes(setting, delta)
        self.made: dict[tuple[int, float, float], Accounts | Joint] = {}
        self.plain = self._at(self.ways[-1].rows, self.ways[-1].lost, delta)
        self.known: dict[tuple[str, float], float] = {}
        self.guesses: dict[tuple[int, float], Array | None] = {}

    def _at(self, rows: int, owed: float, delta: float) -> Accounts | Joint:
        """The accountants where so many rows are counted on, and so much is owed."""
        key = rows, owed, delta
        if key not in self.made:
            if len(self.made) > MOST:
                self.made.clear()
            counts = rows, owed
            several = len(self.setting.published) > 0
            self.made[key] = (
                Joint(self.setting, delta, Accounts, counts)
                if several
                else Accounts(self.setting, delta, counts)
            )
        return self.made[key]

    @remembered
    def mixture(self, sigma: float) -> float:
        """The least bound by a common level; inf where the reference depends on the pattern."""
        if self.plain.unlike:  # what else is rare is owed given the sizes
            return min(each.mixture(sigma) for each in self._failing)
        epsilon = math.inf
        for way in self.ways[:-1]:
            epsilon = min(epsilon, self._averaged(way, sigma, epsilon))
        if epsilon < math.inf and self.plain.hope(sigma) >= epsilon:
            return epsilon
        return min(epsilon, self.plain.mixture(sigma))

    def _averaged(self, way: Sizes, sigma: float, least: float) -> float:
        """epsilon by an average over sizes, inf where it is not below what is known."""
        budgets = self._budgets(way, sigma)
        if budgets is None:
            return math.inf
        epsilon = 0.0
        for scale, delta in zip(way.scales.tolist(), budgets.tolist(), strict=True):
            # A share of 1 certifies itself; and once above what is known, no share can help.
            if delta < 1 and epsilon < least:
                at = self._at(way.rows, 0.0, delta)
                # The cheap bound from below first: it may rule this way out alone.
                hope = at.hope(sigma / scale) if least < math.inf else 0.0
                epsilon = max(epsilon, hope if hope >= least else at.mixture(sigma / scale))
        return epsilon if epsilon < least else math.inf

    def _budgets(self, way: Sizes, sigma: float) -> Array | None:
        """How delta is divided: for a Gaussian curve that is right where R is least."""
        near = coarse(sigma)
        # Half of delta for the least R, as a guess: it only decides how delta is divided.
        budget = (self.delta - way.lost) / 2
        if not budget > 0:
            return None
        key = way.rows, near
        if key not in self.guesses:
            first = self._at(way.rows, 0.0, budget).mixture(near / float(way.scales[0]))
            if first < _FARTHEST:
                mu = float(mu_gdp(first, budget)) / float(way.scales[0])
                self.guesses[key] = way.budgets(mu, self.delta)
            else:
                self.guesses[key] = None
        return self.guesses[key]

    @remembered
    def patterns(self, sigma: float) -> float:
        """The average of delta; a larger batch is a failure."""
        return min(each.patterns(sigma) for each in self._failing)

    @property
    def _failing(self) -> list[Accounts | Joint]:
        """Those for which a batch larger than counted on is a failure."""
        ways = [way for way in self.ways if way.larger < self.delta]
        return [self._at(way.rows, way.larger, self.delta) for way in ways]

    def training(self, sigma: float) -> float:
        """The composition of the training steps."""
        return self.plain.training(sigma)

    def lower(self, sigma: float) -> float:
        """What the linear instance needs; 0 where none is known."""
        return self.plain.lower(sigma)

    def exact(self, sigma: float) -> tuple[float, str]:
        """The least upper bound, and whose it is."""
        epsilon, name = self._patterned(sigma)
        # Training costs at least what the linear instance needs before any unlearning.
        if not len(self.setting.published):
            alone = accounts(self.setting.training_alone(), self.delta)
            if epsilon <= attempt(lambda: alone.lower(sigma), 0.0)[0]:
                return epsilon, name
        # Nor is it below one test of all that its steps put out.
        if epsilon <= training_at_least(self.setting, sigma, self.delta):
            return epsilon, name
        return least([(name, lambda: epsilon), ("training", lambda: self.training(sigma))])

    def _patterned(self, sigma: float) -> tuple[float, str]:
        """The least of the bounds by patterns, and whose it is."""
        names = ["mixture"] if self.plain.covered else ["patterns"]
        if self.plain.exchanged:
            names = ["mixture", "patterns"]
        return least([(name, partial(getattr(self, name), sigma)) for name in names])


@lru_cache(maxsize=16)
def accounts(setting: SampledSGD, delta: float) -> Averaged:
    """The accountants of a setting at one delta; what they share is computed once."""
    return Averaged(setting, delta)
