"""Excess risk over a population: the rows of the data are the law, of which samples are drawn.

hf Theorem 4.5 and eqs (56), (60), (64), in closed form for h/2 |w - c|^2 of rows with one Hessian
h I, whatever their law: w_T and the recursion's vector are linear in two independent means.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.path_run import PathRun


@dataclass(frozen=True, eq=False)
class SampleLaw:
    """Samples of n rows, m of them forgotten, and the moments of the centres that are drawn.

    Attributes:
        h: curvature.  n, m, d: rows of a sample, rows to forget, dimension.
        unlearned: w_T plus its vector, as parts of the means of the remaining and removed rows.
        error: what the vector leaves of v_T, as parts of the same two means.
        shortfall: by how much v_T misses the mean of the remaining rows, as a part of it.
        mean: squared norm of the mean centre.  spread: variance of a centre.
        farthest: the largest norm of a centre.
    """

    h: float
    n: int
    m: int
    d: int
    unlearned: np.ndarray
    error: np.ndarray
    shortfall: float
    mean: float
    spread: float
    farthest: float

    def square(self, remaining: float, removed: float, bias: float, sigma: float) -> float:
        """Mean square of so much of both means' deviations, of bias times the mean, and noise."""
        spread = self.spread * (remaining**2 / (self.n - self.m) + removed**2 / self.m)
        return float(bias**2 * self.mean + spread + self.d * sigma**2)


class PopulationRisk(View, of=PathRun):
    """Expected excess of the unlearned model over samples of the rows.

    Attributes:
        sample_size: rows in a sample; None for as many as there are.
    """

    run: PathRun
    sample_size: int | None = None

    @cached_property
    def _law(self) -> SampleLaw:
        k, hypotheses = self.run.constants, self.run.hypotheses
        if not (hypotheses["equal Hessians"] and hypotheses["whole batches"]):
            raise NotMeasured("it needs equal Hessians and whole batches")
        n = self.sample_size or int(k["n"])
        m = max(1, round(k["m"] / k["n"] * n))
        unlearned, error, retrained = self._weights(k["lam"], m / n)
        centres = self.run.task.data.features / k["lam"]
        mean = centres.mean(axis=0)
        return SampleLaw(
            h=k["lam"],
            n=n,
            m=m,
            d=centres.shape[1],
            unlearned=unlearned,
            error=error,
            shortfall=abs(1 - retrained),
            mean=float(mean @ mean),
            spread=float(((centres - mean) ** 2).sum(axis=1).mean()),
            farthest=float(np.linalg.norm(centres, axis=1).max()),
        )

    def _weights(self, h: float, part: float) -> tuple[np.ndarray, np.ndarray, float]:
        """How w_T plus its vector, v_T less that, and v_T come of the two means.

        They are those of the remaining rows, of which alone v_T comes, and of the removed ones.
        part: the share of a sample that is removed.
        """
        w, vector, v = np.zeros(2), np.zeros(2), 0.0
        whole = np.array([1 - part, part])
        forgotten = np.array([0.0, 1.0])
        for step in self.run.task.training.steps:
            rate = float(step) * h
            vector = (1 - rate) * vector + rate * part * (w - forgotten)
            w = w - rate * (w - whole)
            v = v - rate * (1 - part) * (v - 1)
        return w + vector, np.array([v, 0.0]) - w - vector, v

    def _excess(self, sigma: float) -> float:
        """E F(w_T + a + noise) - F(w*): both means are independent, of moments that are known."""
        law, (remaining, removed) = self._law, self._law.unlearned
        return float(law.h / 2 * law.square(remaining, removed, remaining + removed - 1, sigma))

    def _distance(self, sigma: float) -> float:
        """Root mean square distance to the kept minimiser, at least the mean distance."""
        law, (remaining, removed) = self._law, self._law.unlearned
        return math.sqrt(law.square(remaining - 1, removed, remaining + removed - 1, sigma))

    def _certified(self, sigma: float, **at: Any) -> Observable:
        """With bounds on the error and the distance that hold for every sample and every set.

        The losses' gradients h (w - c) are at most L = 2 h max|c| on the ball that holds all
        centres, w_T and w_T + a.
        """
        law = self._law
        if not np.abs(law.unlearned).sum() <= 1:
            raise NotMeasured("w_T + a may leave the ball")
        L = 2 * law.h * law.farthest
        bounds = {
            "L": L,
            "C": L,
            "lam": law.h,
            "M": law.h,
            "d": law.d,
            "n": law.n,
            "m": law.m,
            "sigma": sigma,
            "error": float(np.abs(law.error).sum() * law.farthest),
            "distance": law.shortfall * law.farthest,
            "epsilon": 1.0,
            "delta": 1e-5,
        }
        excess = self._excess(sigma)
        return Observable(excess, at={**bounds, **at}, basis="law", rounding=1e-13, unit="loss")

    @observable
    def excess_risk(self) -> Observable:
        """Expected excess of the unlearned model before its noise, which only adds to it."""
        return self._certified(0.0)

    @observable
    def noisy_excess_risk(self) -> Observable:
        """The same with noise of a hundredth of the ball's radius."""
        return self._certified(0.01 * self._law.farthest)

    @observable
    def far_excess_risk(self) -> Observable:
        """The same with noise that leads far out of the ball."""
        sigma = 10 * self._law.farthest / math.sqrt(self._law.d)
        return self._certified(sigma, distance=self._distance(sigma))

    @observable
    def near_excess_risk(self) -> Observable:
        """The same, with the mean distance to the kept minimiser before the noise."""
        return self._certified(0.01 * self._law.farthest, distance=self._distance(0.0))
