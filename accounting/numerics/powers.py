"""Powers and geometric sums of a contraction factor c, stable as c -> 1 and for huge exponents."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import broadcastable, real

Array = NDArray[np.float64]
_TINIEST = 5e-324


def whole(name: str, value: object, *, low: int = 0, infinite: bool = False) -> Array:
    """Whole numbers >= low as floats (numbers of steps or epochs; inf only where allowed)."""
    array = real(name, value, low=low, high_open=not infinite)
    if not (np.floor(array) == array).all():
        bad = float(array[np.floor(array) != array].flat[0])
        raise ValueError(f"{name} must be a whole number >= {low}, got {bad}")
    return array


def gap_of(contraction: ArrayLike, gap: ArrayLike | None) -> Array:
    """1 - c for c in [0, 1]; `gap` gives it more exactly where c = 1 - gap was rounded."""
    c = real("contraction", contraction, low=0.0, high=1.0)
    if gap is None:
        return 1 - c
    g = real("gap", gap, low=0.0, high=1.0)
    broadcastable(contraction=c, gap=g)
    if not np.all(np.abs((1 - c) - g) <= 1e-15):
        raise ValueError(
            f"gap must be 1 - contraction, got {gap!r} for contraction {contraction!r}"
        )
    return np.broadcast_to(g, np.broadcast_shapes(c.shape, g.shape))


def log_power(gap: Array, steps: Array) -> Array:
    """log c^steps, with 0^0 = 1 and 1^inf = 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = steps * np.log1p(-gap)
    # 0 * inf and inf * 0 above are NaN.
    return np.where((steps == 0) | (gap == 0), 0.0, logs)


def power(gap: Array, steps: Array) -> Array:
    """c^steps."""
    with np.errstate(under="ignore"):
        value: Array = np.exp(log_power(gap, steps))
    return value


def ratio(gap: Array, stride: Array, terms: Array) -> Array:
    """sum_{i < terms} c^(stride i) = (1 - c^(stride terms))/(1 - c^stride); terms may be inf."""
    with np.errstate(divide="ignore", invalid="ignore", under="ignore", over="ignore"):
        # Both differences from 1 by expm1: as c -> 1 the plain ones would cancel.
        value = np.expm1(log_power(gap, stride * terms)) / np.expm1(log_power(gap, stride))
    return np.where(terms == 0, 0.0, np.where(gap == 0, terms, value))


def raise_safely(value: Array, exponent: Array) -> Array:
    """Raise `value`, computed from exp(exponent), by its rounding error; never positive to 0.

    The caller passes positive values only where they are positive in exact arithmetic.
    """
    size = np.where(np.isfinite(exponent), np.abs(exponent), 0.0)
    with np.errstate(under="ignore", over="ignore"):
        raised: Array = np.maximum(value * (1 + 2.0**-52 * (16 + 2 * size)), _TINIEST)
    return raised


def scaled_exponential(factor: Array, exponent: Array) -> Array:
    """factor * exp(exponent), rounded up; 0 only for factor = 0 or exponent = -inf."""
    with np.errstate(under="ignore", over="ignore", invalid="ignore", divide="ignore"):
        direct = factor * np.exp(exponent)
        logs = np.exp(np.log(factor) + exponent)
    # Where the exponential alone underflows, a large factor may still make it a float.
    usable = np.exp(np.maximum(exponent, -800.0)) > 1e-300
    value = np.where(usable, direct, logs)
    zero = (factor == 0) | np.isneginf(exponent)
    return np.where(zero, 0.0, raise_safely(value, exponent))
