"""A replaced row that may be in any batch: a mixture on the line along which it moves the mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from simulators.exact import line_divergence
from simulators.exact.line import LineLaw
from simulators.runs.experiment import Observable, View, observable
from simulators.runs.langevin_run import LangevinRun
from verify.sglu.views.exact import ALPHA, divergence_of_law


class PlacedRow(View, of=LangevinRun):
    """Unlearning the mean where the replaced row may be in any batch alike."""

    run: LangevinRun

    @property
    def _place(self) -> int:
        """The row that is replaced."""
        differs = (self.run.data.features != self.run.last.features).any(axis=1)
        return int(np.flatnonzero(differs)[0])

    def _batches_with_row_in(self, j: int) -> np.ndarray:
        """The batches (J, b), where the replaced row and the first of batch j change places."""
        place, batches = self._place, self.run.batches.copy()
        own, column = (int(where[0]) for where in np.nonzero(batches == place))
        batches[own, column] = batches[j, 0]
        batches[j, 0] = place
        return batches

    def _end(self, phases: Sequence[tuple[np.ndarray, int]], batches: np.ndarray) -> float:
        """Where the mean ends along the line, from 0; phases: values of the rows (n,), epochs."""
        c, eta = self.run.line.factor, self.run.constants["eta"]
        w = 0.0
        for values, epochs in phases:
            for mean in list(values[batches].mean(axis=1)) * epochs:
                w = c * w + eta * mean
        return w

    @observable
    def placed_renyi(self) -> Observable:
        """D_2 where the row may be in any batch alike; D for each of them, along the direction."""
        c, _, s, direction = self.run.line
        (T, K), J = self.run.epochs, self.run.constants["J"]
        before = self.run.data.features @ direction
        after = self.run.last.features @ direction
        # Where unlearning and retraining end, for every place of the row: (J,) each.
        unlearned, anew = np.zeros(J), np.zeros(J)
        for j in range(J):
            batches = self._batches_with_row_in(j)
            unlearned[j] = self._end([(before, T), (after, K)], batches)
            anew[j] = self._end([(after, T), (after, K)], batches)
        # The noise of every step, contracted by those that follow.
        powers = c ** np.arange((T + K) * J)
        spread = s * math.sqrt((powers**2).sum())
        pairs = ALPHA * ((anew - unlearned) / spread) ** 2 / 2
        # Both laws are mixtures over the places, of Gaussian laws of one variance.
        w, spreads = np.full(J, 1 / J), np.full(J, spread)
        first = LineLaw(w, unlearned, spreads)
        second = LineLaw(w, anew, spreads)
        return divergence_of_law(line_divergence.renyi(first, second, ALPHA), w=w, D=pairs)
