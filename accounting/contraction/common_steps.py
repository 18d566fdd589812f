"""What steps that two runs have in common leave of a divergence, on a bounded domain.

Let a be H_gamma(X||X') = sup_A P(A) - gamma Q(A), gamma = e^epsilon, before a step x -> psi(x) +
s N(0, I) that both runs make, and d a bound on |psi(x) - psi(y)| over the domain.  Afterwards it is
at most a delta(log(1 + (gamma - 1)/a), d/s), delta the Gaussian profile: P - gamma Q = a mu - b nu
with probability laws mu, nu and b = a + gamma - 1 (Jordan), and each pair of their points is moved
to Gaussians at most d apart (joint convexity).  No map has to contract, and the step counts in full
whatever came before.  At epsilon = 0 it is Dobrushin's coefficient.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.curves.gaussian import log_delta_gdp
from accounting.numerics.arguments import typed
from accounting.numerics.validation import broadcastable, real

Array = NDArray[np.float64]
MOST_STEPS = 1024
"""Of steps in common that are counted; it is valid to leave some out."""
_ROOM = 2.0**-49  # twice what log delta errs
_LEAST = -1e300  # of a logarithm; a bound may be raised
_POINTS, _ROUNDS = 64, 24


@typed
def log_delta_after(log_deltas: ArrayLike, step_mu: ArrayLike, epsilon: ArrayLike) -> Array:
    """Return log H_gamma at the end, rounded up, of k = 0, 1, ... steps in common.

    log_deltas (k + 1, ...): what is known at the start and after each step by other arguments
    (log of a bound, 0 where nothing is); the least is gone on with.  step_mu d/s >= 0 of every
    step; epsilon >= 0.  They broadcast against log_deltas[0].  Raises ValueError out of range.
    """
    values = np.atleast_1d(real("log_deltas", log_deltas, high=0.0))
    mu, e = real("step_mu", step_mu, low=0.0), real("epsilon", epsilon, low=0.0, high_open=True)
    shape = broadcastable(log_deltas=values[0], step_mu=mu, epsilon=e)
    log_delta = np.broadcast_to(values[0], shape)
    with np.errstate(divide="ignore"):
        # log(gamma - 1), rounded down: its own error is of its size.
        log_excess = e + np.log(-np.expm1(-e)) * (1 + 2.0**-51) - 2.0**-51 * e
    for other in values[1:]:
        # -inf would make the next line inf - inf; a bound may be raised.
        log_delta = np.maximum(log_delta, _LEAST)
        # log(1 + (gamma - 1)/a), the epsilon of the step, rounded down: delta falls in it.
        inner = np.logaddexp(0.0, log_excess - log_delta) * (1 - _ROOM) - _ROOM
        less = log_delta + np.maximum(log_delta_gdp(mu, np.maximum(inner, 0.0)), _LEAST)
        # A step in common never adds (data processing), and another argument may know better.
        log_delta = np.minimum(np.minimum(less + _ROOM * (1 + np.abs(less)), log_delta), other)
    return np.asarray(log_delta, dtype=np.float64)[()]


def least_certified(
    certifies: Callable[[Array], NDArray[np.bool_]], low: float, high: float
) -> float:
    """The least x in [low, high] that certifies, to 1e-13 of it where `low` does not.

    `certifies` takes many points at once, and holds from some point on; `high` is taken as holding.
    """
    if certifies(np.array([low]))[0]:
        return low
    for _ in range(_ROUNDS):
        points = np.linspace(low, high, _POINTS + 1)
        # One call for 63 inner points: a round divides the bracket by 64.
        good = np.append(certifies(points[1:-1]), True)
        first = int(np.argmax(good))
        low, high = float(points[first]), float(points[first + 1])
        if high - low <= 1e-13 * high:
            break
    return high
