"""What Langevin unlearning shows on a line: places and coins as mixtures, publications, samples.

With the mean loss all that a replaced row does lies along one direction.
"""

from __future__ import annotations

import itertools
import math
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtr

from accounting.contraction.noisy_contraction import pabi_mu
from accounting.curves.gaussian import delta_gdp
from simulators.exact import line_divergence
from simulators.exact.line import LineLaw
from simulators.exact.transfer import Atoms, Grid, Step, evolve
from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.langevin_laws import ALPHA, DELTA, EPSILON, LEVEL, LangevinRun

COINS, CHANCE = 5, 0.4
"""Steps in whose batch the row is by a coin, and its chance."""
LEVELS = (0.0, 0.5, 1.0)
"""Epsilons at which hockey-stick divergences are measured."""
COMMON = 9
"""Steps in common of two runs from the ends of an interval."""
IMAGE = 2.0
"""The image of the interval over the noise of a step."""


class LangevinMixtures(LangevinRun):
    """Langevin unlearning: paths, laws, and laws that are mixtures."""

    @cached_property
    def _line(self) -> tuple[float, float, float, np.ndarray]:
        """A step's factor, what the row moves it by, its noise; the direction (d,)."""
        from simulators.losses.quadratic import Quadratic

        k = self.constants
        whole = isinstance(self.loss, Quadratic) and self.loss.clip is None
        if not whole or np.ndim(self.loss.curvature) or math.isfinite(k["R"]):
            raise NotMeasured("only means on R^d move along a line")
        if not self.hypotheses["one row"] or not (k["s2"] > 0 and 0 < k["eta"] * k["m"] < 1):
            raise NotMeasured("one row is replaced, with noise and steps below 1/m")
        apart = (self.data.features - self.last.features).sum(axis=0)
        size = float(np.linalg.norm(apart))
        return 1 - k["eta"] * k["m"], k["eta"] * size / k["b"], math.sqrt(k["s2"]), apart / size

    @observable
    def law_off(self) -> Observable:
        """How far the unlearned sample's distribution function is from the exact law's."""
        asked: Any = self.experiment
        if asked.batch_order != "fixed":
            raise NotMeasured("the order of the batches is drawn")
        T, K = self.epochs
        first, *later = self._laws.kernels
        law = first.power(T).apply(self._laws.origin)
        for kernel in later:
            law = kernel.power(K).apply(law)
        around = np.asarray(self.result.unlearned).reshape(len(self.result.unlearned), -1)
        white = np.linalg.solve(np.linalg.cholesky(law.cov), (around - law.mean).T)
        z, n = np.sort(white.ravel()), white.size
        cdf, steps = ndtr(z), np.arange(n + 1) / n
        off = max(float((steps[1:] - cdf).max()), float((cdf - steps[:-1]).max()))
        # Dvoretzky, Kiefer and Wolfowitz with Massart's constant.
        allowed = math.sqrt(math.log(2 / LEVEL) / (2 * n))
        return Observable(off, {"allowed": allowed}, "mean", level=LEVEL)

    @observable
    def placed_renyi(self) -> Observable:
        """D_2 where the row may be in any batch alike; D for each of them, along the direction."""
        c, _, s, direction = self._line
        (T, K), J = self.epochs, self.constants["J"]
        rows = [data.features @ direction for data in (self.data, self.last)]
        place = int(np.flatnonzero((self.data.features != self.last.features).any(axis=1))[0])
        at = int(np.flatnonzero((self._batches == place).any(axis=1))[0])

        def end(first: np.ndarray, after: np.ndarray, batches: np.ndarray) -> float:
            w = 0.0
            for values, epochs in ((first, T), (after, K)):
                for mean in list(values[batches].mean(axis=1)) * epochs:
                    w = c * w + self.constants["eta"] * mean
            return w

        means = []
        for j in range(J):
            batches = self._batches.copy()
            here = np.flatnonzero(batches[at] == place)[0]
            batches[at, here], batches[j, 0] = batches[j, 0], place
            means.append([end(rows[0], rows[1], batches), end(rows[1], rows[1], batches)])
        spread = s * math.sqrt(((c ** np.arange((T + K) * J)) ** 2).sum())
        w = np.full(J, 1 / J)
        both = [LineLaw(w, np.array(side), np.full(J, spread)) for side in zip(*means, strict=True)]
        pairs = ALPHA * (np.diff(means, axis=1)[:, 0] / spread) ** 2 / 2
        found = line_divergence.renyi(both[0], both[1], ALPHA)
        return self._exact(found, unit="nat", alpha=ALPHA, w=w, D=pairs)

    @observable
    def coin_divergence(self) -> Observable:
        """Hockey-stick divergences, both directions, where the row is in a batch by a coin.

        mixed: those of the Gaussian mixture of all patterns, each with its mu, from N(0, 1).
        """
        c, shift, s, _ = self._line
        after = c ** np.arange(COINS - 1, -1, -1.0)
        spread = s * math.sqrt((after**2).sum())
        shift = min(shift, s)  # so that it neither hides nor shouts
        patterns = np.array(list(itertools.product((0.0, 1.0), repeat=COINS)))
        chance = np.where(patterns > 0, CHANCE, 1 - CHANCE).prod(axis=1)
        alone, unit = LineLaw(np.ones(1), np.zeros(1), np.full(1, spread)), np.ones(len(chance))
        ends = LineLaw(chance, patterns @ after * shift, spread * unit)
        factors, noises = np.full(COINS, c), np.full(COINS, s)
        mus = np.array([pabi_mu(factors, row * shift, noises) for row in patterns])
        mixed = LineLaw(chance, mus, unit), LineLaw(np.ones(1), np.zeros(1), np.ones(1))
        values, allowed = _sticks(ends, alone), _sticks(*mixed)
        return self._exact(values, mixed=allowed)

    @observable
    def published_divergence(self) -> Observable:
        """Hockey-stick divergences of the models after T and after T + K epochs together.

        joined: from the mu of both intervals alone.
        """
        c, shift, s, _ = self._line
        (T, K), k = self.epochs, self.constants
        if not (self.hypotheses["full batch"] and T and K):
            raise NotMeasured("the row is not in every batch of both intervals")

        def run(steps: int) -> tuple[float, float]:
            powers = c ** np.arange(float(steps))
            return shift * powers.sum(), s**2 * (powers**2).sum()

        (g1, v1), (g2, v2) = run(T), run(K)
        kept = c ** (K * k["J"])
        gap = np.array([g1, kept * g1 + g2])
        cov = np.array([[v1, kept * v1], [kept * v1, kept**2 * v1 + v2]])
        mu = math.sqrt(gap @ np.linalg.solve(cov, gap))
        parts = [pabi_mu(np.full(n, c), np.full(n, shift), np.full(n, s)) for n in (T, K)]
        values, joined = (
            np.array([float(delta_gdp(m, e)) for e in LEVELS]) for m in (mu, math.hypot(*parts))
        )
        return self._exact(values, joined=joined)

    @observable
    def common_divergence(self) -> Observable:
        """Hockey-stick divergence after steps in common on the widest column, from its two ends.

        The noise of a step is half of the image.
        """
        c = self._line[0]
        column = self.data.features[:, np.argmax(np.ptp(self.data.features, axis=0))]
        middle, radius = (column.max() + column.min()) / 2, float(np.ptp(column)) / 2
        target = float(column.mean() - middle)
        image = 2 * c * radius
        step = Step.make(Grid.make(radius), lambda x: c * x + (1 - c) * target, image / IMAGE)
        found = []
        for K in range(1, COMMON + 1):
            p, q = (evolve(Atoms.at(x * radius), [step], K) for x in (1.0, -1.0))
            found.append([line_divergence.hockey_stick(p, q, e) for e in LEVELS])
        epsilon, count = np.meshgrid(LEVELS, np.arange(1, COMMON + 1))
        return self._exact(np.array(found), epsilon=epsilon, K=count, mu=IMAGE)

    @observable
    def planned_epochs(self) -> Observable:
        """Least epochs in all for (1, 1e-5) at every request in turn, from the stationary law."""
        laws, total = self._laws, 0
        law = laws.stationary[0]
        for kernel, target in zip(laws.kernels[1:], laws.stationary[1:], strict=True):
            law, spent = kernel.apply(law), 1
            while float(delta_gdp(laws.mu(law, target), EPSILON)) > DELTA:
                law, spent = kernel.apply(law), spent + 1
                if spent == 1000:
                    raise NotMeasured("a thousand epochs are not enough")
            total += spent
        return self._exact(total, unit="epochs", epsilon=EPSILON, delta=DELTA)


def _sticks(p: Any, q: Any) -> np.ndarray:
    """Hockey-stick divergences of two laws on a line, both directions."""
    pairs = ((p, q), (q, p))
    return np.array([line_divergence.hockey_stick(*x, e) for x in pairs for e in LEVELS])
