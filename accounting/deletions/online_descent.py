"""Projected online gradient descent, as the accountants of deletions see it: constants and steps.

w_{t+1} = P[w_t - eta_t grad f_t(w_t)], t = 1, 2, ..., for losses that are mu-strongly convex,
beta-smooth, and L-Lipschitz on the domain.  Gradients of a mu-strongly convex loss at distance D
differ by at least mu D, so that one of them has norm mu D/2: L >= mu D/2 on a domain of diameter
D, and on R^d with mu > 0 no L exists.  There L means less: the caller vouches that the gradients
of the deleted losses, where their steps are taken, have norms of at most L in every run.  Other
relations between mu <= beta, L and D are not necessary (L <= beta D asks for a minimiser inside).
The map of step t has the Lipschitz constant
c_t = max(|1 - eta_t mu|, |1 - eta_t beta|), attained by quadratics; leaving the step out moves
the iterate by at most eta_t L.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import integer, real, scalar, shortest

Array = NDArray[np.float64]
StepSize = float | ArrayLike | Callable[[Array], ArrayLike]
_ROUNDED = 1 - 2.0**-40  # a bound that was computed in floats may fall short by so much


def inverse_time(strong_convexity: float) -> Callable[[Array], Array]:
    """eta_t = 1/(mu t), the paper's steps for strongly convex losses (olu Theorem 2)."""
    mu = scalar("strong_convexity", strong_convexity, low=0.0, low_open=True, high_open=True)
    return partial(_inverse_time, mu)


def inverse_root(diameter: float, lipschitz: float) -> Callable[[Array], Array]:
    """eta_t = D/(L sqrt t), the paper's steps for convex losses (olu Theorem 3)."""
    D = scalar("diameter", diameter, low=0.0, low_open=True, high_open=True)
    L = scalar("lipschitz", lipschitz, low=0.0, low_open=True, high_open=True)
    return partial(_inverse_root, D, L)


# Functions of the module, and no closures, so that what holds a schedule can be pickled.
def _inverse_time(mu: float, t: Array) -> Array:
    return 1.0 / (mu * t)


def _inverse_root(D: float, L: float, t: Array) -> Array:
    return D / (L * np.sqrt(t))


@dataclass(frozen=True, eq=False)
class OnlineDescent:
    """Online gradient descent on a class of losses.

    Attributes:
        strong_convexity: mu >= 0.
        smoothness: beta >= mu, finite.
        lipschitz: L >= mu D/2, the largest gradient norm on the domain; without one and with
            mu > 0 the largest of the deleted losses where their steps are taken (see above).
        step_size: eta_t > 0: a number, a function of an array of t = 1, 2, ..., or an array whose
            first entry is eta_1.
        diameter: D of the domain, inf for R^d.

    Raises:
        ValueError: a parameter is out of range, smoothness < strong_convexity, or
            lipschitz < strong_convexity*diameter/2 with a finite diameter.
    """

    strong_convexity: float
    smoothness: float
    lipschitz: float
    step_size: StepSize
    diameter: float = math.inf

    def __post_init__(self) -> None:
        mu = scalar("strong_convexity", self.strong_convexity, low=0.0, high_open=True)
        beta = scalar("smoothness", self.smoothness, low=0.0, high_open=True)
        if not beta >= mu:
            raise ValueError(
                f"smoothness must be >= strong_convexity = {shortest(mu)}, got {shortest(beta)}"
            )
        object.__setattr__(self, "strong_convexity", mu)
        object.__setattr__(self, "smoothness", beta)
        L = scalar("lipschitz", self.lipschitz, low=0.0, high_open=True)
        object.__setattr__(self, "lipschitz", L)
        D = scalar("diameter", self.diameter, low=0.0, low_open=True)
        object.__setattr__(self, "diameter", D)
        # In this order, as mu D may overflow where its half does not.
        least = mu * (D / 2)
        if math.isfinite(D) and not least * _ROUNDED <= L:
            raise ValueError(
                f"lipschitz must be >= strong_convexity * diameter/2 = {shortest(least)}, "
                f"got {shortest(L)}"
            )
        if not callable(self.step_size):
            step_sizes = real("step_size", self.step_size, low=0.0, low_open=True, high_open=True)
            if step_sizes.ndim > 1:
                raise ValueError(
                    f"step_size must be a number, a function, or one-dimensional, got shape "
                    f"{step_sizes.shape}"
                )
            object.__setattr__(self, "step_size", step_sizes)

    def steps(self, rounds: ArrayLike) -> Array:
        """eta_t at the rounds t >= 1 (any shape). ValueError where it is not a number > 0."""
        t = integer("rounds", rounds, low=1)
        if callable(self.step_size):
            with np.errstate(all="ignore"):
                sizes = self.step_size(t.astype(np.float64))
            eta = np.broadcast_to(
                real("step_size", sizes, low=0.0, low_open=True, high_open=True), t.shape
            )
        else:
            step_sizes = np.asarray(self.step_size)
            if step_sizes.ndim and t.max() > step_sizes.size:
                raise ValueError(
                    f"step_size must have an entry for every round up to {t.max()}, "
                    f"got {step_sizes.size}"
                )
            eta = step_sizes[t - 1] if step_sizes.ndim else np.broadcast_to(step_sizes, t.shape)
        return np.array(eta, dtype=np.float64)

    def contraction(self, rounds: ArrayLike) -> Array:
        """c_t = max(|1 - eta_t mu|, |1 - eta_t beta|) at the rounds t >= 1 (olu Lemma D)."""
        eta = self.steps(rounds)
        return np.maximum(
            np.abs(1.0 - eta * self.strong_convexity), np.abs(1.0 - eta * self.smoothness)
        )
