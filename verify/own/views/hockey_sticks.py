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
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.langevin_run import LangevinRun, LineStep
from verify.sglu.views.exact import of_law

STEPS, CHANCE = 5, 0.4
"""Steps in whose batch the row is by a draw, and its chance."""
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
    def inclusion_divergence(self) -> Observable:
        """Hockey-stick divergences, both directions, where the row is in a batch by a draw.

        mixed: those of the Gaussian mixture of all patterns, each with its mu, from N(0, 1).
        """
        c, shift, s, _ = self.run.line
        # A shift of the size of the noise neither hides nor shouts.
        shift = min(shift, s)
        # All patterns of presence in the batches (32, 5), and how likely each is (32,).
        patterns = np.array(list(itertools.product((0.0, 1.0), repeat=STEPS)))
        chances = np.where(patterns > 0, CHANCE, 1 - CHANCE).prod(axis=1)
        # How much of a shift in each step is left after the last one.
        after = c ** np.arange(STEPS - 1, -1, -1.0)
        spread = s * math.sqrt((after**2).sum())
        means = patterns @ after * shift
        with_row = LineLaw(chances, means, np.full(len(means), spread))
        divergences = _sticks(with_row, _gaussian(spread))
        # The theorem's side: the mixture of N(mu, 1), with the mu of each pattern.
        factors, noises = np.full(STEPS, c), np.full(STEPS, s)
        mus = np.array([pabi_mu(factors, row * shift, noises) for row in patterns])
        mixture = LineLaw(chances, mus, np.ones(len(mus)))
        return of_law(divergences, mixed=_sticks(mixture, _gaussian(1.0)))

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
        # The second model contracts what the first one had, and adds its own.
        factor = c ** (K * J)
        gap = np.array([g1, factor * g1 + g2])
        covariance = factor * v1
        second = factor**2 * v1 + v2
        cov = np.array([[v1, covariance], [covariance, second]])
        # Two Gaussian laws of one covariance: mu is the whitened length of the gap.
        mu = math.sqrt(gap @ np.linalg.solve(cov, gap))
        parts = [_interval_mu(self.run.line, steps) for steps in (T, K)]
        return of_law(_gaussian_sticks(mu), joined=_gaussian_sticks(math.hypot(*parts)))

    @observable
    def common_divergence(self) -> Observable:
        """Hockey-stick divergence after steps in common on the widest column, from its two ends.

        The noise of a step is half of the image.
        """
        c, features = self.run.line.factor, self.run.data.features
        column = features[:, np.argmax(np.ptp(features, axis=0))]
        # The column's interval, moved so that its middle is 0.
        middle = (column.max() + column.min()) / 2
        radius = float(np.ptp(column)) / 2
        target = float(column.mean() - middle)
        noise = 2 * c * radius / IMAGE
        step = Step.make(Grid.make(radius), lambda x: c * x + (1 - c) * target, noise)
        divergences = []
        for K in range(1, COMMON + 1):
            p, q = (evolve(Atoms.at(end), [step], K) for end in (radius, -radius))
            divergences.append([line_divergence.hockey_stick(p, q, e) for e in LEVELS])
        epsilon, count = np.meshgrid(LEVELS, np.arange(1, COMMON + 1))
        return of_law(np.array(divergences), epsilon=epsilon, K=count, mu=IMAGE)


def _gaussian(spread: float) -> LineLaw:
    """N(0, spread^2)."""
    return LineLaw(np.ones(1), np.zeros(1), np.full(1, spread))


def _interval_mu(line: LineStep, steps: int) -> float:
    """mu of so many steps, all with the replaced row, by the theorem."""
    factors = np.full(steps, line.factor)
    noises = np.full(steps, line.noise)
    return float(pabi_mu(factors, np.full(steps, line.shift), noises))


def _gaussian_sticks(mu: float) -> np.ndarray:
    """Hockey-stick divergences of N(0, 1) and N(mu, 1)."""
    return np.array([float(delta_gdp(mu, epsilon)) for epsilon in LEVELS])


def _sticks(p: Any, q: Any) -> np.ndarray:
    """Hockey-stick divergences of two laws on a line, both directions."""
    pairs = ((p, q), (q, p))
    return np.array([line_divergence.hockey_stick(*x, e) for x in pairs for e in LEVELS])
