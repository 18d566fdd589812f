"""A stream of deletions: what its public constants say of retraining and of two ways to follow it.

Both ways publish a model after every round. One returns to w_0 and makes one step of length gamma
(SAFE), so that its distance from retraining is at most D_t + gamma with D_t = 2 L_h M_t/(mu n_0).
The other makes J gradient steps from where it was (tracking), and is at most Dbar_t away.
Source: safe, Theorem 2, as corrected.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accounting.numerics.validation import count, integer, scalar
from accounting.publications.tracking import (
    best_step,
    finite,
    gradient_contraction,
    path_bounds,
    tracking_errors,
)

Array = NDArray[np.float64]
_UP = 1 + 2.0**-51


@dataclass(frozen=True, eq=False)
class DeletionStream:
    """Losses h + (mu/2)|w|^2 with convex L_h-Lipschitz h, L-smooth in all, as rows leave.

    n: rows before the first round.  sizes (T,): m_t >= 0 rows leave in round t, one stays.
    lipschitz, strong_convexity, smoothness: L_h > 0, 0 < mu <= L.
    constant: K > 0 of the step length gamma = sqrt(W)/(K sqrt T) of SAFE, as printed; `gamma` >= 0
    replaces it.  steps: J >= 1 gradient steps of tracking in every round, of length 2/(mu + L).
    initial: a bound on |u_0 - w_0*|.  radius: W, which bounds every minimiser; L_h/mu if None.

    Raises ValueError out of range.
    """

    n: int
    sizes: Array
    lipschitz: float
    strong_convexity: float
    smoothness: float
    constant: float = 1.0
    gamma: float | None = None
    steps: int = 1
    initial: float = 0.0
    radius: float | None = None

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "n", count("n", self.n, low=2))
        sizes = integer("sizes", self.sizes, low=0)
        if sizes.ndim != 1 or not sizes.size:
            raise ValueError(f"sizes must be a list with one entry per round, got {self.sizes!r}")
        # In Python's integers, which do not wrap.
        total = sum(sizes.tolist())
        if not total < self.n:
            raise ValueError(f"sizes must have a sum below n = {self.n}, got {total}")
        set_(self, "sizes", sizes)
        mu = scalar(
            "strong_convexity", self.strong_convexity, low=0.0, low_open=True, high_open=True
        )
        set_(self, "strong_convexity", mu)
        set_(self, "smoothness", scalar("smoothness", self.smoothness, low=mu, high_open=True))
        for name in ("lipschitz", "constant"):
            value = getattr(self, name)
            set_(self, name, scalar(name, value, low=0.0, low_open=True, high_open=True))
        set_(self, "steps", count("steps", self.steps, low=1))
        set_(self, "initial", scalar("initial", self.initial, low=0.0, high_open=True))
        radius = self.lipschitz / mu if self.radius is None else self.radius
        set_(self, "radius", scalar("radius", radius, low=0.0, low_open=True, high_open=True))
        if self.gamma is None:
            length = math.sqrt(radius) / (self.constant * math.sqrt(self.rounds))
            set_(self, "gamma", length)
        set_(self, "gamma", scalar("gamma", self.gamma, low=0.0, high_open=True))

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.sizes)

    @property
    def contraction(self) -> float:
        """rho of one gradient step of length 2/(mu + L)."""
        step = best_step(self.strong_convexity, self.smoothness)
        return gradient_contraction(step, self.strong_convexity, self.smoothness)

    @property
    def path(self) -> Array:
        """v_t >= |w_t* - w_{t-1}*| (T,)."""
        return path_bounds(self.lipschitz, self.strong_convexity, self.sizes, self.n, ridge=True)

    @property
    def step_distances(self) -> Array:
        """Bounds (T,) on the distance from retraining of one step of length gamma from w_0."""
        assert self.gamma is not None
        # SAFE returns to w_0 each time: all rows that have left so far leave at once.
        total = np.cumsum(self.sizes)[:, None]
        path = path_bounds(self.lipschitz, self.strong_convexity, total, self.n, ridge=True)
        return finite("gamma", (path[:, 0] + self.gamma) * _UP) + self.initial

    @property
    def tracking_distances(self) -> Array:
        """Bounds (T,) on the distance from retraining of J gradient steps in every round."""
        return tracking_errors(self.path, self.contraction, self.steps, initial=self.initial)
