"""Laws of learning and unlearning where gradients are affine: Gaussian."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from simulators.runs.experiment import NotMeasured

if TYPE_CHECKING:
    from simulators.exact.gaussian import AffineKernel, Gaussian


class AffineLaws:
    """Gaussian laws of learning, of unlearning, and stationary ones, from kernels of an epoch.

    Attributes:
        kernels: of an epoch on the data, and on those after each request: 1 + S of them on R^d.
        T, K: epochs of learning, and of unlearning at a request.
        origin: the point mass at 0, from which everything is learned.
    """

    def __init__(self, kernels: Sequence[AffineKernel], T: int, K: int) -> None:
        from simulators.exact.gaussian import Gaussian

        self.kernels, self.T, self.K = kernels, T, K
        self.origin = Gaussian.point(np.zeros(len(kernels[0].offset)))

    @cached_property
    def stationary(self) -> list[Gaussian]:
        """Of every data set, 1 + S of them. Raises NotMeasured where steps do not contract."""
        try:
            return [kernel.stationary() for kernel in self.kernels]
        except ValueError as error:
            raise NotMeasured(str(error)) from error

    @property
    def learned(self) -> Gaussian:
        """T epochs on the data, from 0."""
        return self.kernels[0].power(self.T).apply(self.origin)

    @property
    def unlearned(self) -> Gaussian:
        """K epochs more, on the data after all requests."""
        return self.kernels[-1].power(self.K).apply(self.learned)

    def retrained(self, epochs: int) -> Gaussian:
        """So many epochs on the data after all requests, from 0."""
        return self.kernels[-1].power(epochs).apply(self.origin)

    def adapted(self, epochs: int) -> Gaussian:
        """So many epochs on the data after all requests, from the stationary law before them."""
        return self.kernels[-1].power(epochs).apply(self.stationary[0])

    @cached_property
    def after_requests(self) -> list[Gaussian]:
        """K epochs after each request in turn, S laws, from the stationary law before them."""
        laws = [self.stationary[0]]
        for kernel in self.kernels[1:]:
            laws.append(kernel.power(self.K).apply(laws[-1]))
        return laws[1:]

    def on_both(self, start: Gaussian) -> tuple[Gaussian, Gaussian]:
        """T epochs from this law, on the data before and after all requests."""
        before, after = (kernel.power(self.T) for kernel in (self.kernels[0], self.kernels[-1]))
        return before.apply(start), after.apply(start)


def larger_renyi(first: Gaussian, second: Gaussian, alpha: float) -> float:
    """D_alpha, the larger of both directions (nats)."""
    from simulators.exact.gaussian_divergence import renyi

    return max(renyi(first, second, alpha), renyi(second, first, alpha))


def separation(first: Gaussian, second: Gaussian) -> float:
    """mu of two laws of one covariance. Raises NotMeasured for others."""
    from simulators.exact import gaussian_divergence

    try:
        return float(gaussian_divergence.separation(first, second, 1e-8))
    except ValueError as error:
        raise NotMeasured(str(error)) from error
