"""Excess risk over a population: the rows of the data are the law, of which samples are drawn.

Two losses have closed forms whatever the law: (h/2)|w - c|^2 of rows with one Hessian h I, and
(w - z)^2/2 of the labels -1 and +1 on [-1, 1].
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import gammaln, hyp1f1

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.path_optima import Optima

GAMMA = 0.25  # of a capacity


class Labels:
    """n draws of signs, of which `share` are +1, and the mean of what is kept of them."""

    def __init__(self, n: int, share: float) -> None:
        from scipy.stats import binom

        self.n, self.share = n, share
        self.ups = np.arange(n + 1)
        self.chance = binom.pmf(self.ups, n, share)

    def blind(self, m: int) -> float:
        """Expected excess of the mean without m of them that were chosen beforehand."""
        return 2 * self.share * (1 - self.share) / (self.n - m)

    def worst(self, m: int) -> float:
        """Expected excess of the mean without those m that hurt most."""
        kept, goal = self.n - m, 2 * self.share - 1
        most, least = np.minimum(self.ups, kept), np.maximum(self.ups - m, 0)
        away = [np.abs((2 * left - kept) / kept - goal) for left in (most, least)]
        return float(self.chance @ (np.maximum(*away) ** 2 / 2))

    def capacity(self, gamma: float) -> int:
        """The largest m whose worst sets, and all smaller ones, cost at most gamma."""
        low, high = 0, self.n
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.worst(middle) <= gamma else (low, middle)
        return low


class Population(Optima):
    """Observables of samples, each row of them drawn from all rows.

    drawn: rows in a sample; None for as many as there are.
    """

    drawn: int | None = None

    @cached_property
    def _labels(self) -> Labels:
        targets = self.world.data.targets
        if targets is None or set(np.unique(targets)) != {-1.0, 1.0}:
            raise NotMeasured("the labels are not -1 and +1")
        return Labels(len(targets), float((targets > 0).mean()))

    @staticmethod
    def _of_labels(values: Any, **at: Any) -> Observable:
        return Observable(
            values, at={"L": 2.0, "lam": 1.0, "M": 1.0, **at}, basis="rows", rounding=1e-13
        )

    @observable
    def label_excess(self) -> Observable:
        """Expected excess of the mean of the labels that blind deletions leave."""
        n = self._labels.n
        sizes = np.array([1, n // 10, n // 2, n - 1])
        return self._of_labels(np.array([self._labels.blind(int(m)) for m in sizes]), n=n, m=sizes)

    @observable
    def worst_label_excess(self) -> Observable:
        """The same where those labels are deleted that hurt most."""
        n = self._labels.n
        sizes = np.array([1, n // 10, n // 3, n // 2])
        found = np.array([self._labels.worst(int(m)) for m in sizes])
        exact = {"error": 0.0, "sigma": 0.0, "distance": 0.0, "d": 1}
        return self._of_labels(found, n=n, m=sizes, **exact)

    @observable
    def label_capacity(self) -> Observable:
        """How many labels may be deleted, chosen to hurt, at an excess of gamma."""
        return self._of_labels(self._labels.capacity(GAMMA), n=self._labels.n, gamma=GAMMA)

    @observable
    def blind_label_capacity(self) -> Observable:
        """How many labels may be deleted blindly at an excess of gamma."""
        labels = self._labels
        kept = max(1, math.ceil(labels.blind(labels.n - 1) / GAMMA))
        return self._of_labels(labels.n - kept, n=labels.n, gamma=GAMMA)

    @cached_property
    def _drawn(self) -> dict[str, Any]:
        """Of samples of rows, a share of them forgotten: how w_T, a and v_T come of the means
        of what is kept and of what is forgotten, and the moments of the law."""
        k = self.constants
        if not (self.hypotheses["equal Hessians"] and self.hypotheses["whole batches"]):
            raise NotMeasured("it needs equal Hessians and whole batches")
        h, n = k["lam"], self.drawn or int(k["n"])
        m = max(1, round(k["m"] / k["n"] * n))
        part = m / n
        w, a, v = np.zeros(2), np.zeros(2), 0.0
        whole = np.array([1 - part, part])
        for step in self.world.training.steps:
            rate = float(step) * h
            a = (1 - rate) * a + rate * part * (w - np.array([0.0, 1.0]))
            w = w - rate * (w - whole)
            v = v - rate * (1 - part) * (v - 1)
        centres = self.world.data.features / h
        mean = centres.mean(axis=0)
        return {
            "h": h,
            "m": m,
            "n": n,
            "kept": n - m,
            "parts": w + a,
            "left": np.array([v, 0.0]) - w - a,
            "short": abs(1 - v),
            "mean": float(mean @ mean),
            "spread": float(((centres - mean) ** 2).sum(axis=1).mean()),
            "farthest": float(np.linalg.norm(centres, axis=1).max()),
            "d": centres.shape[1],
        }

    def _excess(self, sigma: float) -> float:
        """E F(w_T + a + noise) - F(w*): both means are independent, of moments that are known."""
        at, (kept, gone) = self._drawn, self._drawn["parts"]
        spread = at["spread"] * (kept**2 / at["kept"] + gone**2 / at["m"])
        far = (kept + gone - 1) ** 2 * at["mean"] + spread + at["d"] * sigma**2
        return float(at["h"] / 2 * far)

    def _certified(self, sigma: float, **at: Any) -> Observable:
        """With bounds on the error and the distance that hold for every sample and every set.

        The losses' gradients h (w - c) are at most L = 2 h max|c| on the ball that holds all
        centres, w_T and w_T + a.
        """
        drawn = self._drawn
        if not np.abs(drawn["parts"]).sum() <= 1:
            raise NotMeasured("w_T + a may leave the ball")
        R, L = drawn["farthest"], 2 * drawn["h"] * drawn["farthest"]
        known = {"L": L, "C": L, "lam": drawn["h"], "M": drawn["h"], "d": drawn["d"]}
        known |= {"n": drawn["n"], "m": drawn["m"], "sigma": sigma}
        known |= {"error": float(np.abs(drawn["left"]).sum() * R), "distance": drawn["short"] * R}
        known |= {"epsilon": 1.0, "delta": 1e-5}
        return Observable(
            self._excess(sigma), at={**known, **at}, basis="law", rounding=1e-13, unit="loss"
        )

    @observable
    def excess_risk(self) -> Observable:
        """Expected excess of the unlearned model before its noise, which only adds to it."""
        return self._certified(0.0)

    @observable
    def noisy_excess_risk(self) -> Observable:
        """The same with noise of a hundredth of the ball's radius."""
        return self._certified(0.01 * self._drawn["farthest"])

    @observable
    def far_excess_risk(self) -> Observable:
        """The same with noise that leads far out of the ball."""
        sigma = 10 * self._drawn["farthest"] / math.sqrt(self._drawn["d"])
        return self._certified(sigma, distance=self._rms(sigma))

    @observable
    def near_excess_risk(self) -> Observable:
        """The same, with the mean distance to the kept minimiser before the noise."""
        return self._certified(0.01 * self._drawn["farthest"], distance=self._rms(0.0))

    def _rms(self, sigma: float) -> float:
        """Root mean square distance to the kept minimiser, at least the mean distance."""
        at, (kept, gone) = self._drawn, self._drawn["parts"]
        spread = at["spread"] * ((kept - 1) ** 2 / at["kept"] + gone**2 / at["m"])
        far = (kept + gone - 1) ** 2 * at["mean"] + spread + at["d"] * sigma**2
        return math.sqrt(far)

    @observable
    def noisy_distance(self) -> Observable:
        """Mean distance of the unlearned model with noise from the retrained one."""
        error, d = float(self._error("batch")), self.world.model.parameters
        sigma = error / np.array([1.0, math.sqrt(d), 10.0 * math.sqrt(d)])
        chi = math.sqrt(2) * math.exp(gammaln((d + 1) / 2) - gammaln(d / 2))
        found = sigma * chi * hyp1f1(-0.5, d / 2, -(error**2) / (2 * sigma**2))
        return self._length(found, error=error, sigma=sigma, d=d)

    @observable
    def triangle(self) -> Observable:
        """Distance of the unlearned model with noise from the kept minimiser, beside two ways."""
        d = self.learned.shape[1]
        noise = np.random.default_rng(self.experiment.seed).standard_normal(d)
        noise *= self.apart[-1] / math.sqrt(d)
        model = self.learned[-1] + self._vector("batch") + noise
        first, second = model - self.retrained[-1], self.retrained[-1] - self.minima[1]
        ways = float(np.linalg.norm(first) + np.linalg.norm(second))
        return self._near(float(np.linalg.norm(first + second)), ways=ways)

    def _vector(self, hessian: str) -> np.ndarray:
        """The recursion's vector of the set."""
        raise NotImplementedError

    def _error(self, hessian: str) -> float:
        """What it leaves of the difference."""
        error = float(np.linalg.norm(self.difference[-1] - self._vector(hessian)))
        if not error > self._length(0.0).rounding:
            raise NotMeasured("there is no error above rounding")
        return error
