"""Products and ratios of long chains as mantissa * 2^exponent, so that none under- or overflows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.int64]
BLOCK = 512  # products of 512 mantissas in [1/2, 1) stay above 2^-512


@dataclass(frozen=True)
class Scaled:
    """An array of nonnegative numbers mantissa * 2^exponent, mantissas 0 or in [1/2, 1)."""

    mantissa: Array
    exponent: Index

    @staticmethod
    def of(values: Array, exponent: Index | int = 0) -> Scaled:
        mantissa, shift = np.frexp(values)
        return Scaled(mantissa, np.asarray(shift, dtype=np.int64) + exponent)

    def __getitem__(self, key: slice | Index) -> Scaled:
        return Scaled(self.mantissa[key], self.exponent[key])

    def __mul__(self, other: Scaled) -> Scaled:
        return Scaled.of(self.mantissa * other.mantissa, self.exponent + other.exponent)

    def followed_by(self, other: Scaled) -> Scaled:
        return Scaled(
            np.concatenate((self.mantissa, other.mantissa)),
            np.concatenate((self.exponent, other.exponent)),
        )

    def top(self) -> int:
        """The largest exponent among the nonzero entries (0 if there are none)."""
        nonzero = self.mantissa > 0
        return int(self.exponent[nonzero].max()) if nonzero.any() else 0

    def over(self, exponent: int) -> Array:
        """The values divided by 2^exponent, as floats."""
        with np.errstate(under="ignore", over="ignore"):
            # ldexp takes 32-bit exponents; 5000 is beyond the float range either way.
            shift = np.clip(self.exponent - exponent, -5000, 5000).astype(np.int32)
            values: Array = np.ldexp(self.mantissa, shift)
        return values

    def log(self) -> Array:
        with np.errstate(divide="ignore"):
            logs: Array = np.log(self.mantissa) + self.exponent * math.log(2.0)
        return logs


def segment_sums(values: Scaled, first: Index) -> Scaled:
    """Sums of the segments that begin at `first`, each on its own scale."""
    # A zero must not set the scale of its segment; half the least integer leaves room to subtract.
    exponent = np.where(values.mantissa > 0, values.exponent, np.iinfo(np.int64).min // 2)
    top = np.maximum.reduceat(exponent, first)
    sizes = np.diff(first, append=values.mantissa.size)
    shift = np.clip(exponent - np.repeat(top, sizes), -5000, 0).astype(np.int32)
    sums = np.add.reduceat(np.ldexp(values.mantissa, shift), first)
    return Scaled.of(sums, np.where(sums > 0, top, 0))


def cumulative_products(factors: Scaled) -> Scaled:
    """Cumulative products of positive factors, with relative error below `product_error(n)`."""
    n = factors.mantissa.size
    if n <= BLOCK:
        return Scaled.of(np.multiply.accumulate(factors.mantissa), np.cumsum(factors.exponent))
    rows = -(-n // BLOCK)
    mantissa = np.ones(rows * BLOCK)
    exponent = np.zeros(rows * BLOCK, dtype=np.int64)
    mantissa[:n], exponent[:n] = factors.mantissa, factors.exponent
    within = Scaled.of(
        np.multiply.accumulate(mantissa.reshape(rows, BLOCK), axis=1),
        np.cumsum(exponent.reshape(rows, BLOCK), axis=1),
    )
    # The last entry of each row is its product; rows before it multiply a row as a whole.
    before = cumulative_products(Scaled(within.mantissa[:-1, -1], within.exponent[:-1, -1]))
    within.mantissa[1:] *= before.mantissa[:, None]
    within.exponent[1:] += before.exponent[:, None]
    return Scaled.of(within.mantissa.ravel()[:n], within.exponent.ravel()[:n])


def product_error(n: int) -> float:
    """A bound on the relative error of `cumulative_products` of n factors."""
    # One rounding a factor: BLOCK within a row at each level, and the rest at the top.
    depth = 1
    while n > BLOCK:
        depth, n = depth + BLOCK, -(-n // BLOCK)
    return (depth + n + 2) * 2.0**-53


def suffix_products(contraction: Array) -> Scaled:
    """S_k = prod_{j > k} c_j for k = 0..N, all c_j > 0."""
    reverse = cumulative_products(Scaled.of(contraction[::-1]))
    # S_N = 1 as 0.5 * 2^1, then all is turned round into increasing k.
    mantissa = np.concatenate(([0.5], reverse.mantissa))[::-1]
    exponent = np.concatenate(([1], reverse.exponent))[::-1]
    return Scaled(np.ascontiguousarray(mantissa), np.ascontiguousarray(exponent))


def round_up(mantissa: float, exponent: int, error: float) -> float:
    """mantissa * 2^exponent, raised by the relative `error`; never a positive number to 0."""
    if mantissa == 0:
        return 0.0
    raised = mantissa * (1 + error)
    try:
        value = math.ldexp(raised, exponent)
    except OverflowError:
        return math.inf
    # Among the smallest floats the relative error is below an ulp: the next float is sure.
    return max(value, 5e-324) if value > 1e-300 else math.nextafter(value, math.inf)
