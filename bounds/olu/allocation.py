"""The paper's allocation of noise: variances in proportion to i^omega, and what they sum to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bounds.olu.series import precise_power

Array = NDArray[np.float64]
_DIRECT = 64


def power_sum(i: ArrayLike, omega: ArrayLike) -> Array:
    """sum_{j <= i} j^-omega for whole i >= 1 and omega > 0, broadcasting.

    64 terms one by one, the others by Euler-Maclaurin, whose error is below the rounding of the
    sum for every omega.
    """
    n = np.asarray(i, dtype=np.float64)[..., None]
    w = np.asarray(omega, dtype=np.float64)[..., None]
    j = np.arange(1.0, _DIRECT + 1)
    head = np.where(j <= n, j**-w, 0.0).sum(axis=-1)
    n, w = n[..., 0], w[..., 0]
    last = np.maximum(n, _DIRECT)
    flat = w == 1
    step = np.where(flat, 1.0, 1 - w)
    grown = np.log(last / _DIRECT)
    integral = np.where(flat, grown, _DIRECT**step * np.expm1(step * grown) / step)
    ends = (last**-w - float(_DIRECT) ** -w) / 2
    # Derivatives of odd order at both ends, with the coefficients B_2k/(2k)!.
    rising, odd = w, np.zeros_like(integral)
    for order, coefficient in ((1, 1 / 12), (3, -1 / 720), (5, 1 / 30240)):
        fall = float(_DIRECT) ** (-w - order) - last ** (-w - order)
        odd = odd + coefficient * rising * fall
        rising = rising * (w + order) * (w + order + 1)
    return np.asarray(head + integral + ends + odd)


def line_5(i: ArrayLike, epsilon: ArrayLike, omega: ArrayLike, shift: ArrayLike) -> Array:
    """sigma_i of olu Algorithm 1, line 5, when the deleted step has become `shift` at tau_i.

    sqrt(omega i^omega/(2 (omega - 1) epsilon)) times the shift; broadcasting.
    """
    w = np.asarray(omega, dtype=np.float64)
    half = np.asarray(i, dtype=np.float64) ** (w / 2)
    budget, moved = (np.asarray(x, dtype=np.float64) for x in (epsilon, shift))
    return np.asarray(np.sqrt(w / (2 * (w - 1)) / budget) * half * moved)


def line_5_expression(sp: Any, i: Any, epsilon: Any, omega: Any, shift: Any) -> Any:
    """`line_5` in sympy."""
    return sp.sqrt(omega * precise_power(sp, i, omega) / (2 * (omega - 1) * epsilon)) * shift
