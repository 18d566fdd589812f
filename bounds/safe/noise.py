"""Noise for a stream of deletions: what Theorem 2 of safe prints, and what each method needs.

Two methods publish a model after every round. SAFE returns to w_0 and makes one step of length
gamma, so that its distance from retraining is at most D_t + gamma with D_t = 2 L_h M_t/(mu n_0).
Tracking makes J gradient steps from where it was, and is at most Dbar_t away. In both the law to
compare with is "retrain, then the same noise"; against a deterministic reference no noise serves.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics.validation import choice, count, integer, real, scalar
from accounting.publications.privacy import publication_epsilon, publication_noise
from accounting.publications.tracking import (
    best_step,
    finite,
    gradient_contraction,
    path_bounds,
    tracking_errors,
)
from bounds.forms import Array

_UP = 1 + 2.0**-51
ACCOUNTANTS = ("printed", "corrected", "exact", "tracking")


@dataclass(frozen=True, eq=False)
class Stream:
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

    def distances(self, accountant: str) -> Array:
        """Bounds (T,) on the distance from retraining of what the accountant's method publishes."""
        if choice("accountant", accountant, ACCOUNTANTS) == "tracking":
            return tracking_errors(self.path, self.contraction, self.steps, initial=self.initial)
        assert self.gamma is not None
        # SAFE returns to w_0 each time: all rows that have left so far leave at once.
        gone = np.cumsum(self.sizes)[:, None]
        moved = path_bounds(self.lipschitz, self.strong_convexity, gone, self.n, ridge=True)
        return finite("gamma", (moved[:, 0] + self.gamma) * _UP) + self.initial


def noise(
    accountant: str, stream: Stream, epsilon: float, delta: float, releases: int = 1
) -> Array:
    """Standard deviations sigma_t (T,) of the perturbation of each published model.

    printed: sqrt(phi), phi = W sqrt(2 ln(1.25/delta))/epsilon being called a variance (Theorem 2 of
    safe), the same in every round and for any number of releases.
    corrected: the classical formula at the distance of SAFE, proved for epsilon < 1.  Both divide
    by epsilon: inf at epsilon 0.
    exact: the least noise for SAFE at that distance.  tracking: the least noise for tracking.
    releases: how many of the models one observer sees.

    Raises ValueError out of range.
    """
    k = count("releases", releases, low=1, high=stream.rounds)
    if choice("accountant", accountant, ACCOUNTANTS) in ("exact", "tracking"):
        return publication_noise(stream.distances(accountant), epsilon, delta, releases=k)
    e = scalar("epsilon", epsilon, low=0.0, high_open=True)
    d = scalar("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    if e == 0:
        return np.full(stream.rounds, np.inf)
    with np.errstate(over="ignore"):
        classical = finite("epsilon", np.asarray(np.sqrt(2 * np.log(1.25 / d)) / np.float64(e)))
        if accountant == "printed":
            assert stream.radius is not None
            return finite("radius", np.full(stream.rounds, np.sqrt(stream.radius * classical)))
        return finite("gamma", np.sqrt(k) * stream.distances(accountant) * classical)


def certified(
    accountant: str, stream: Stream, sigma: ArrayLike, delta: float, releases: int = 1
) -> Array:
    """The epsilons (T,) that noise sigma_t really gives the method, `releases` of them together.

    0 for infinite noise.  Raises ValueError out of range.
    """
    k = count("releases", releases, low=1, high=stream.rounds)
    s = real("sigma", sigma, low=0.0)
    distances = np.sqrt(k) * stream.distances(accountant)
    found = publication_epsilon(distances, np.where(np.isinf(s), 1.0, s), delta)
    return np.where(np.isinf(s), 0.0, found)
