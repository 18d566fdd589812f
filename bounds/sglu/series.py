"""Powers and sums of the contraction factor c = 1 - eta m, in the symbols of sglu."""

from typing import Any

import numpy as np

from accounting import closed_forms
from bounds.forms import Array


def kick(eta: Array, M: Array, b: Array) -> Array:
    """q = 2 eta M / b: the largest shift of one step that one replaced point can cause."""
    shift: Array = 2 * eta * M / b
    return shift


def contracted(eta: Array, m: Array, steps: Array) -> Array:
    """c^steps for steps in [0, inf], with 0^0 = 1 and 1^inf = 1."""
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        logs = steps * np.log1p(-np.asarray(eta * m))
    return np.exp(np.where((steps == 0) | (eta * m == 0), 0.0, logs))


def spread(eta: Array, m: Array, steps: Array) -> Array:
    """G_c(N) = sum_{i < N} c^{2i}: variance after N steps in units of one step's."""
    return closed_forms.geometric_sum(1 - eta * m, steps, gap=eta * m)


def learned_distance(
    eta: Array, m: Array, M: Array, b: Array, J: Array, T: Array, j0: Array
) -> Array:
    """Z_T = q c^{J-1-j0} sum_{t<T} c^{tJ}, the W-infinity distance of two learning runs."""
    return closed_forms.distance_learning(
        1 - eta * m, kick(eta, M, b), J.astype(np.int64), T, j0.astype(np.int64), gap=eta * m
    )


def learned(ns, eta, m, M, b, J, T):
    """Z_T = q sum_{t<T} c^{tJ}, the W-infinity distance of two learning runs, last batch."""
    whole = ns.geometric(eta * m, T * J) / ns.geometric(eta * m, J)
    return 2 * eta * M / b * whole


def stationary_distance(eta: Array, m: Array, M: Array, b: Array, J: Array) -> Array:
    """Z = q/(1 - c^J): distance of two adjacent stationary laws, worst batch position."""
    forever = np.asarray(np.inf)
    return learned_distance(eta, m, M, b, J, forever, J - 1)


def precise_c(sp: Any, eta: Any, m: Any) -> Any:
    """c = 1 - eta m with 200 digits: its exact powers would have millions of them."""
    return sp.Float(1 - eta * m, 200)
