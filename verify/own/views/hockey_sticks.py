"""Hockey-stick divergences of laws on a line: what a replaced row does to a mean is on one."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from accounting.contraction.noisy_contraction import pabi_mu
from accounting.curves.gaussian import delta_gdp
from simulators.exact import line_divergence
from simulators.exact.line import LineLaw
from simulators.exact.transfer import Atoms, Grid, Step, evolve
from simulators.experiment import NotMeasured, Observable, View, observable
from simulators.experiments.langevin_run import LangevinRun
from verify.sglu.views.exact import of_law

STEPS, CHANCE = 5, 0.4
"""Steps in whose batch the row is by a coin, and its chance."""
LEVELS = (0.0, 0.5, 1.0)
"""Epsilons at which hockey-stick divergences are measured."""
COMMON = 9
"""Steps in common of two runs from the ends of an interval."""
IMAGE = 2.0
"""The image of the interval over the noise of a step."""


class HockeySticks(View, of=LangevinRun):
    """Divergences at epsilon = 0, 1/2 and 1 of runs on means."""

    run: LangevinRun

    @observable
    def coin_divergence(self) -> Observable:
        """Hockey-stick divergences, both directions, where the row is in a batch by a coin.

        mixed: those of the Gaussian mixture of all patterns, each with its mu, from N(0, 1).
        """
        c, shift, s, _ = self.run.line
        after = c ** np.arange(STEPS - 1, -1, -1.0)
        spread = s * math.sqrt((after**2).sum())
        shift = min(shift, s)  # so that it neither hides nor shouts
        patterns = np.array(list(itertools.product((0.0, 1.0), repeat=STEPS)))
        chance = np.where(patterns > 0, CHANCE, 1 - CHANCE).prod(axis=1)
        unit = np.ones(len(chance))
        without = LineLaw(np.ones(1), np.zeros(1), np.full(1, spread))
        with_coins = LineLaw(chance, patterns @ after * shift, spread * unit)
        # The theorem's side: each pattern's own mu, mixed.
        factors, noises = np.full(STEPS, c), np.full(STEPS, s)
        mus = np.array([pabi_mu(factors, row * shift, noises) for row in patterns])
        normal = LineLaw(np.ones(1), np.zeros(1), np.ones(1))
        mixed = _sticks(LineLaw(chance, mus, unit), normal)
        return of_law(_sticks(with_coins, without), mixed=mixed)

    @observable
    def published_divergence(self) -> Observable:
        """Hockey-stick divergences of the models after T and after T + K epochs together.

        joined: from the mu of both intervals alone.
        """
        c, shift, s, _ = self.run.line
        (T, K), J = self.run.epochs, self.run.constants["J"]
        if not (self.run.hypotheses["full batch"] and T and K):
            raise NotMeasured("the row is not in every batch of both intervals")

        def interval(steps: int) -> tuple[float, float]:
            """How far apart the means of an interval move, and its variance."""
            powers = c ** np.arange(float(steps))
            return shift * powers.sum(), s**2 * (powers**2).sum()

        (g1, v1), (g2, v2) = interval(T), interval(K)
        # The second model contracts what the first one had.
        factor = c ** (K * J)
        gap = np.array([g1, factor * g1 + g2])
        cov = np.array([[v1, factor * v1], [factor * v1, factor**2 * v1 + v2]])
        mu = math.sqrt(gap @ np.linalg.solve(cov, gap))
        parts = [pabi_mu(np.full(n, c), np.full(n, shift), np.full(n, s)) for n in (T, K)]
        return of_law(_gaussian_sticks(mu), joined=_gaussian_sticks(math.hypot(*parts)))

    @observable
    def common_divergence(self) -> Observable:
        """Hockey-stick divergence after steps in common on the widest column, from its two ends.

        The noise of a step is half of the image.
        """
        c, features = self.run.line.factor, self.run.data.features
        column = features[:, np.argmax(np.ptp(features, axis=0))]
        middle, radius = (column.max() + column.min()) / 2, float(np.ptp(column)) / 2
        target = float(column.mean() - middle)
        image = 2 * c * radius
        step = Step.make(Grid.make(radius), lambda x: c * x + (1 - c) * target, image / IMAGE)
        divergences = []
        for K in range(1, COMMON + 1):
            p, q = (evolve(Atoms.at(x * radius), [step], K) for x in (1.0, -1.0))
            divergences.append([line_divergence.hockey_stick(p, q, e) for e in LEVELS])
        epsilon, count = np.meshgrid(LEVELS, np.arange(1, COMMON + 1))
        return of_law(np.array(divergences), epsilon=epsilon, K=count, mu=IMAGE)


def _gaussian_sticks(mu: float) -> np.ndarray:
    """Hockey-stick divergences of N(0, 1) and N(mu, 1)."""
    return np.array([float(delta_gdp(mu, epsilon)) for epsilon in LEVELS])


def _sticks(p: Any, q: Any) -> np.ndarray:
    """Hockey-stick divergences of two laws on a line, both directions."""
    pairs = ((p, q), (q, p))
    return np.array([line_divergence.hockey_stick(*x, e) for x in pairs for e in LEVELS])
