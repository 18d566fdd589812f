"""Online gradient descent on quadratics with deletions: exact laws, comparators, and regret.

f_t(z) = (h_t/2)|z - x_t|^2 on R^d without projection, w_{t+1} = w_t - eta_t grad f_t(w_t), noise
sigma_i N(0, I) added to w_{tau_i} before it is played.  Every law is N(m_t, v_t I):
m <- (1 - eta h) m + eta h x, v <- (1 - eta h)^2 v, v <- v + sigma^2 at a request.  A round that is
skipped (the run that never saw its loss) leaves both as they are, so runs that skip a round after
the first noise differ in variance too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.rounds import rounds_of

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class QuadraticStream:
    """T losses and steps.

    Attributes:
        points: x_1..x_T, shape (T,) or (T, d).
        curvature: h_t >= 0, one number or (T,).
        steps: eta_t > 0, one number or (T,).
        start: w_1, a number or (d,).
    """

    points: Array
    curvature: ArrayLike
    steps: ArrayLike
    start: ArrayLike = 0.0

    def __post_init__(self) -> None:
        x = validation.real("points", self.points, low_open=True, high_open=True)
        x = x[:, None] if x.ndim == 1 else x
        if x.ndim != 2:
            raise ValueError(f"points must have shape (T,) or (T, d), got {x.shape}")
        h = validation.real("curvature", self.curvature, low=0.0, high_open=True)
        eta = validation.real("steps", self.steps, low=0.0, low_open=True, high_open=True)
        w = validation.real("start", self.start, low_open=True, high_open=True)
        for name, value in (("curvature", h), ("steps", eta)):
            if value.shape not in ((), (len(x),)):
                raise ValueError(f"{name} must be a number or {len(x)} numbers, got {value.shape}")
        if w.shape not in ((), (x.shape[1],)):
            raise ValueError(f"start must be a number or {x.shape[1]} numbers, got {w.shape}")
        object.__setattr__(self, "points", x)
        object.__setattr__(self, "curvature", np.broadcast_to(h, len(x)))
        object.__setattr__(self, "steps", np.broadcast_to(eta, len(x)))
        object.__setattr__(self, "start", np.broadcast_to(w, x.shape[1]))

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.points)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.points.shape[1])

    def _noise(self, times: ArrayLike, sigmas: ArrayLike) -> tuple[NDArray[np.int64], Array]:
        """tau_i and sigma_i, one for each request."""
        tau = rounds_of("times", times, self.rounds + 1)
        s = np.zeros(0)
        if np.size(sigmas):
            s = np.atleast_1d(validation.real("sigmas", sigmas, low=0.0, high_open=True))
        if s.shape != tau.shape:
            raise ValueError(f"sigmas must be one for each of times, got {s.shape}, {tau.shape}")
        return tau, s

    @typed
    def laws(
        self, times: ArrayLike = (), sigmas: ArrayLike = (), skipped: ArrayLike = ()
    ) -> tuple[Array, Array]:
        """Means (T + 1, d) and variances (T + 1,) of w_1..w_{T+1} as played.

        times and sigmas: tau_i (noise is added to w_{tau_i}, also at tau = T + 1) and sigma_i.
        skipped: rounds whose step is left out.
        """
        # By round, from 1 to T + 1; index 0 is not used. Several requests in one round add up.
        added = np.zeros(self.rounds + 2)
        for tau, sigma in zip(*self._noise(times, sigmas), strict=True):
            added[tau] += sigma**2
        left_out = set(rounds_of("skipped", skipped, self.rounds).tolist())
        h, eta = np.asarray(self.curvature), np.asarray(self.steps)
        means = np.empty((self.rounds + 1, self.dimension))
        variances = np.empty(self.rounds + 1)
        mean, variance = np.array(self.start, dtype=np.float64), 0.0
        for t in range(1, self.rounds + 2):
            variance += added[t]
            # Recorded after the noise and before the step: w_t as played.
            means[t - 1], variances[t - 1] = mean, variance
            if t <= self.rounds and t not in left_out:
                rate = eta[t - 1] * h[t - 1]
                mean = mean + rate * (self.points[t - 1] - mean)
                variance = (1.0 - rate) ** 2 * variance
        return means, variances

    @typed
    def comparators(self, indices: ArrayLike = ()) -> Array:
        """z_0*..z_k* (k + 1, d): minimisers of the sum of all losses without u_1..u_i (eq 5).

        Raises ValueError where nothing curved is left.
        """
        weight = np.array(self.curvature, dtype=np.float64)
        minimisers = []
        # 0 stands for no removal yet: z_0* is over all losses.
        for index in (0, *rounds_of("indices", indices, self.rounds).tolist()):
            if index:
                weight[index - 1] = 0.0
            if not weight.sum() > 0:
                raise ValueError("indices must leave a loss with curvature > 0, got all of them")
            minimisers.append(weight @ self.points / weight.sum())
        return np.array(minimisers)

    @typed
    def expected_regret(
        self,
        indices: ArrayLike = (),
        times: ArrayLike = (),
        sigmas: ArrayLike = (),
        moving: bool = True,
    ) -> float:
        """E sum_t [f_t(w_t) - f_t(z*_{i(t)})], i(t) = number of requests with tau_i < t (eq 5).

        moving False compares with z_0*, the minimiser of all losses, throughout.
        """
        if moving and np.size(indices) < np.size(times):
            raise ValueError(
                "indices must be one for each of times, "
                f"got {np.size(indices)} for {np.size(times)}"
            )
        if moving:
            # The comparator in force counts the requests before a round.
            rounds_of("times", times, self.rounds + 1, ordered=True)
        means, variances = self.laws(times, sigmas)
        stars = self.comparators(indices)
        t = np.arange(1, self.rounds + 1)
        request_counts = np.zeros(self.rounds, dtype=int)
        if moving and np.size(times):
            # Side left counts tau_i < t: the comparator changes in the round after the request.
            request_counts = np.searchsorted(np.atleast_1d(times), t, side="left")
        # E|w - x|^2 = |m - x|^2 + d v; w_{T+1} meets no loss.
        played = ((means[:-1] - self.points) ** 2).sum(axis=1) + self.dimension * variances[:-1]
        compared = ((stars[request_counts] - self.points) ** 2).sum(axis=1)
        return float(np.sum(np.asarray(self.curvature) / 2 * (played - compared)))

    @typed
    def pair(
        self, indices: ArrayLike, times: ArrayLike, sigmas: ArrayLike, request: int
    ) -> tuple[tuple[Array, float], tuple[Array, float]]:
        """The laws (mean, variance) published at tau_i, with and without u_1..u_i; i = `request`.

        Both runs add the noise of requests 1..i; feed them to
        `gaussian_divergence` for D_alpha in either direction.
        """
        u = rounds_of("indices", indices, self.rounds)
        tau, s = self._noise(times, sigmas)
        if len(u) != len(tau) or not len(tau):
            raise ValueError(
                f"indices and times must be equally many, one at least, got {len(u)}, {len(tau)}"
            )
        n = validation.count("request", request, low=1, high=len(tau))
        laws = [self.laws(tau[:n], s[:n], skipped) for skipped in (np.array([], dtype=int), u[:n])]
        at = int(tau[n - 1]) - 1
        (mean, variance), (other, else_) = ((m[at], float(v[at])) for m, v in laws)
        return (mean, variance), (other, else_)
