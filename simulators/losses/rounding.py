"""Upward rounding for certified constants: never below the truth, inf beyond the floats."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

_LEAST = 5e-324
_NORMAL = float(np.finfo(np.float64).tiny)


def power_up(base: float, exponent: int) -> float:
    """base^exponent for base >= 0 and a whole exponent >= 1, rounded up; positive for base > 0."""
    if base == 0 or math.isinf(base):
        return base
    return _up(Fraction(base) ** exponent)


def product_up(*factors: float) -> float:
    """The product of factors >= 0, rounded up; 0 if one of them is 0, positive otherwise."""
    if 0.0 in factors:
        return 0.0
    if math.inf in factors:
        return math.inf
    return _up(math.prod(map(Fraction, factors), start=Fraction(1)))


def no_underflow(x: np.ndarray, y: np.ndarray | float) -> np.ndarray:
    """x y for x, y >= 0, to the nearest float, but not below the truth under the normal ones.

    0 inf is 0.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        product = x * y
    some = (x > 0) & (np.asarray(y) > 0)
    return np.where(
        some & (product < _NORMAL), np.nextafter(product, np.inf), np.where(some, product, 0)
    )


def sum_up(*terms: float) -> float:
    """The sum of terms >= 0, rounded up."""
    return math.inf if math.inf in terms else _up(sum(map(Fraction, terms), Fraction(0)))


def _up(exact: Fraction) -> float:
    """The least float >= exact >= 0."""
    try:
        nearest = float(exact)
    except OverflowError:
        return math.inf
    return nearest if Fraction(nearest) >= exact else max(math.nextafter(nearest, math.inf), _LEAST)
