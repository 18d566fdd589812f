"""Laws of learning and unlearning where gradients are affine: Gaussian."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured


class Laws:
    """Gaussian laws: of learning, of unlearning, and stationary ones, from kernels of an epoch.

    kernels: for the data, and after each request.  T, K: epochs.
    """

    def __init__(self, kernels: list[Any], T: int, K: int) -> None:
        from simulators.exact.gaussian import Gaussian

        self.kernels, self.T, self.K = kernels, T, K
        self.origin = Gaussian.point(np.zeros(len(kernels[0].offset)))

    @cached_property
    def stationary(self) -> list[Any]:
        """Of every data set."""
        try:
            return [kernel.stationary() for kernel in self.kernels]
        except ValueError as error:
            raise NotMeasured(str(error)) from error

    @cached_property
    def sequence(self) -> list[Any]:
        """The law after each request, from the stationary one."""
        law, found = self.stationary[0], []
        for kernel in self.kernels[1:]:
            law = kernel.power(self.K).apply(law)
            found.append(law)
        return found

    def between(self, first: Any, second: Any, alpha: float) -> float:
        """D_alpha, the larger of both directions."""
        from simulators.exact.gaussian_divergence import renyi

        return max(renyi(first, second, alpha), renyi(second, first, alpha))

    def mu(self, first: Any, second: Any) -> float:
        """mu of two laws of one covariance. Raises NotMeasured for others."""
        from simulators.exact.gaussian_divergence import separation

        try:
            return separation(first, second, 1e-8)
        except ValueError as error:
            raise NotMeasured(str(error)) from error

    @property
    def _aligned(self) -> tuple[Any, Any]:
        before, after = self.kernels[0], self.kernels[-1]
        learned = before.power(self.T).apply(self.origin)
        anew = after.power(self.T + self.K).apply(self.origin)
        return after.power(self.K).apply(learned), anew

    def aligned_renyi(self, alpha: float) -> float:
        """Unlearned, to T + K epochs on the replaced data."""
        self._insist_on_steps()
        return self.between(*self._aligned, alpha)

    def aligned_mu(self) -> float:
        """Unlearned, to T + K epochs on the replaced data."""
        self._insist_on_steps()
        return self.mu(*self._aligned)

    def _insist_on_steps(self) -> None:
        if not self.T + self.K:
            raise NotMeasured("no epoch was run")

    def _stationary_pair(self, K: int | None = None) -> tuple[Any, Any]:
        epochs = self.K if K is None else K
        return self.kernels[-1].power(epochs).apply(self.stationary[0]), self.stationary[-1]

    def stationary_renyi(self, alpha: float) -> float:
        """From the stationary law through K epochs on the replaced data, to their own."""
        return self.between(*self._stationary_pair(), alpha)

    def stationary_mu(self, K: int | None = None) -> float:
        """From the stationary law through K epochs on the replaced data, to their own."""
        return self.mu(*self._stationary_pair(K))

    def same_maps_mu(self, T: int) -> float:
        """After T epochs on the same data from two points 1 apart."""
        kernel = self.kernels[0].power(T)
        direction = np.linalg.svd(kernel.matrix)[2][0]
        start = self.origin
        return self.mu(kernel.apply(start), kernel.apply(start.shifted(direction)))

    def learned_renyi(self, variance: float, alpha: float) -> float:
        """T epochs on both data sets from N(0, variance I)."""
        from simulators.exact.gaussian import Gaussian

        start = Gaussian(self.origin.mean, variance * np.eye(len(self.origin.mean)))
        first, second = (k.power(self.T).apply(start) for k in (self.kernels[0], self.kernels[-1]))
        return self.between(first, second, alpha)

    def _from_zero(self, kernel: Any, law: Any, epochs: int) -> Any:
        """Epochs from the stationary covariance around 0."""
        from simulators.exact.gaussian import Gaussian

        return kernel.power(epochs).apply(Gaussian(self.origin.mean, law.cov))

    @property
    def start_apart(self) -> float:
        """|x_0 - stationary mean| on the replaced data."""
        return float(np.linalg.norm(self.stationary[-1].mean))

    def learning_renyi(self, alpha: float) -> tuple[float, float]:
        """T epochs on the replaced data to their stationary law; how far apart they started."""
        target = self.stationary[-1]
        learned = self._from_zero(self.kernels[-1], target, self.T)
        return self.between(learned, target, alpha), self.start_apart

    def triangle(self, alpha: float) -> tuple[float, float, float]:
        """D_alpha(P, R), mu(P, Q), mu(Q, R); see `LangevinRun.triangle_renyi`."""
        target = self.stationary[-1]
        first = self.kernels[-1].power(self.K).apply(self.stationary[0])
        middle = self._from_zero(self.kernels[-1], target, self.T + self.K)
        x, y = self.mu(first, middle), self.mu(middle, target)
        return self.between(first, target, alpha), x, y

    def request_distances(self) -> np.ndarray:
        """|mean of what is published - next stationary mean| before request 1, 2, ..."""
        published = [self.stationary[0], *self.sequence[:-1]]
        pairs = zip(published, self.stationary[1:], strict=True)
        return np.array([float(np.linalg.norm(p.mean - q.mean)) for p, q in pairs])

    def epochs_to(self, distance: float) -> tuple[int, int]:
        """Epochs on the replaced data after which the mean is so near: from 0, and from learned."""
        target, found = self.stationary[-1].mean, []
        for start in (self.origin.mean, self.stationary[0].mean):
            gap, count = start - target, 0
            while np.linalg.norm(gap) > distance:
                gap, count = self.kernels[-1].matrix @ gap, count + 1
                if count == 10**4:
                    raise NotMeasured("ten thousand epochs are not enough")
            found.append(count)
        return found[0], found[1]
