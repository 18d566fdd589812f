"""Excess risk over draws of signs: (w - z)^2/2 of the labels -1 and +1 on [-1, 1].

hf Lemma A.4 and Theorem C.3: labels of the data are the law, of which as many are drawn.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.path_run import PathRun

GAMMA = 0.25  # of a capacity


class SignDraws:
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
        rest, goal = self.n - m, 2 * self.share - 1
        # Of the signs that stay, most are +1 where -1 are deleted, and least where +1 are.
        most = np.minimum(self.ups, rest)
        least = np.maximum(self.ups - m, 0)
        gaps = [np.abs((2 * ups - rest) / rest - goal) for ups in (most, least)]
        return float(self.chance @ (np.maximum(*gaps) ** 2 / 2))

    def capacity(self, gamma: float) -> int:
        """The largest m whose worst sets, and all smaller ones, cost at most gamma."""
        low, high = 0, self.n
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.worst(middle) <= gamma else (low, middle)
        return low


class LabelRisk(View, of=PathRun):
    """What deletions of labels cost their mean, blind ones and those that hurt most."""

    run: PathRun

    @cached_property
    def _draws(self) -> SignDraws:
        targets = self.run.task.data.targets
        if targets is None or set(np.unique(targets)) != {-1.0, 1.0}:
            raise NotMeasured("the labels are not -1 and +1")
        return SignDraws(len(targets), float((targets > 0).mean()))

    def _of_labels(self, values: Any, **at: Any) -> Observable:
        """By sums over all counts of +1, of a loss that is 2-Lipschitz and 1-convex on [-1, 1]."""
        constants = {"L": 2.0, "lam": 1.0, "M": 1.0, "n": self._draws.n}
        return Observable(values, at={**constants, **at}, basis="rows", rounding=1e-13)

    @observable
    def label_excess(self) -> Observable:
        """Expected excess of the mean of the labels that blind deletions leave."""
        n = self._draws.n
        sizes = np.array([1, n // 10, n // 2, n - 1])
        excess = np.array([self._draws.blind(int(m)) for m in sizes])
        return self._of_labels(excess, m=sizes)

    @observable
    def worst_label_excess(self) -> Observable:
        """The same where those labels are deleted that hurt most."""
        n = self._draws.n
        sizes = np.array([1, n // 10, n // 3, n // 2])
        excess = np.array([self._draws.worst(int(m)) for m in sizes])
        without_noise = {"error": 0.0, "sigma": 0.0, "distance": 0.0, "d": 1}
        return self._of_labels(excess, m=sizes, **without_noise)

    @observable
    def label_capacity(self) -> Observable:
        """How many labels may be deleted, chosen to hurt, at an excess of gamma."""
        return self._of_labels(self._draws.capacity(GAMMA), gamma=GAMMA)

    @observable
    def blind_label_capacity(self) -> Observable:
        """How many labels may be deleted blindly at an excess of gamma."""
        n = self._draws.n
        # The excess falls as 1/(labels that stay): so many must stay.
        fewest = max(1, math.ceil(self._draws.blind(n - 1) / GAMMA))
        return self._of_labels(n - fewest, gamma=GAMMA)
