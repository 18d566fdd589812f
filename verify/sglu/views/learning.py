"""Exact laws of learning alone, where gradients are affine."""

from __future__ import annotations

import numpy as np

from simulators.exact.gaussian import Gaussian
from simulators.runs.affine_laws import larger_renyi, separation
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.langevin_run import LangevinRun
from verify.sglu.views.exact import ALPHA, divergence_of_law


class LearnedLaws(View, of=LangevinRun):
    """Learning on the same data from two points, and on adjacent data from one law."""

    run: LangevinRun

    @property
    def same_maps(self) -> tuple[float, int]:
        """mu after T epochs from two points 1 apart, along the direction that lasts longest.

        And the number of their steps.
        """
        laws = self.run.laws
        if not laws.T:
            raise NotMeasured("no epoch was run")
        kernel = laws.kernels[0].power(laws.T)
        # The first right singular vector: the direction that T epochs shrink least.
        direction = np.linalg.svd(kernel.matrix)[2][0]
        first = kernel.apply(laws.origin)
        second = kernel.apply(laws.origin.shifted(direction))
        return separation(first, second), laws.T * self.run.constants["J"]

    @observable
    def same_maps_renyi(self) -> Observable:
        """D_2 after learning from two points 1 apart along the direction that lasts longest."""
        mu, steps = self.same_maps
        # Two Gaussian laws of one covariance have D_alpha = alpha mu^2/2.
        return divergence_of_law(ALPHA * mu**2 / 2, Z=1.0, K=steps)

    @observable
    def full_batch_renyi(self) -> Observable:
        """D_2 after T steps on adjacent data from N(0, 2 sigma^2/m)."""
        m = self.run.constants["m"]
        if not (self.run.hypotheses["full batch"] and m > 0):
            raise NotMeasured("that start is for full batches and strongly convex losses")
        variance = 2 * self.run.sigma**2 / m
        laws = self.run.laws
        zero = laws.origin.mean
        start = Gaussian(zero, variance * np.eye(len(zero)))
        return divergence_of_law(larger_renyi(*laws.on_both(start), ALPHA))
