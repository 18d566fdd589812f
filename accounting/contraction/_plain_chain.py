"""A noisy contraction without restarts whose products stay well inside the floats.

The numbers of `accounting.contraction._chain`, which carries exponents beside mantissas, in plain
floats: nothing over- or underflows while no product is 2^300 times another and shifts and noise,
where they are not 0, lie in 2^-80 .. 2^80. Arrays are worked on in blocks that stay in the cache.
"""

import math

import numpy as np

from accounting.contraction.pooling import segments
from accounting.numerics.scaled import BLOCK, Array, product_error, round_up

# One product is 1, so all lie in 2^-300 .. 2^300: squares of noise times product, the steps of the
# clock, within 2^-760 .. 2^760; slopes, a shift over such a square, and the energy of a rise, its
# square over that of the clock, within 2^-980 .. 2^980 even for 2^50 steps.
_ROOM = 2.0**300
_USUAL = 2.0**80
_CACHED = 1 << 14


def plain_products(contraction: Array) -> Array:
    """S_k = prod_{j > k} c_j for k = 0..N, with relative error below `product_error`."""
    n = contraction.size
    # Blocks of rows, padded with ones in front; products run from the right within each row.
    rows = -(-(n + 1) // BLOCK)
    products = np.ones(rows * BLOCK)
    products[-n - 1 : -1] = contraction
    table = products.reshape(rows, BLOCK)
    np.multiply.accumulate(table[:, ::-1], axis=1, out=table[:, ::-1])
    # Each row is multiplied by the product of all rows after it, found in the same way.
    if rows > 1:
        table *= plain_products(table[:, 0])[1:, None]
    return products[-n - 1 :]


def plain_mu(c: Array, shift: Array, noise: Array, distance: float) -> float | None:
    """mu of the whole chain, rounded up; None where it takes more care than is taken here."""
    if not (_usual(shift) and _usual(noise) and (distance == 0 or _usual(np.array([distance])))):
        return None
    with np.errstate(all="ignore"):
        products = plain_products(c)
    # Also False for NaN, and where a product has left the floats.
    if not products.max() < _ROOM * products.min():
        return None
    due, after = distance * float(products[0]), products[1:]
    rise, weight = _transported(shift, noise, after)
    rise[0] += due
    if noise.min() == 0:
        noisy = np.flatnonzero(noise)
        if noisy.size == 0 or shift[noisy[-1] + 1 :].any():
            return None
        # What arrives at a step without noise waits for the next step that has some.
        # Segments begin just after a noise.
        first = np.concatenate(([0], noisy[:-1] + 1))
        rise, weight = np.add.reduceat(rise[: noisy[-1] + 1], first), weight[noisy]
    return _root_energy(rise, weight, c.size)


def _usual(values: Array) -> bool:
    """Whether the entries other than 0 are of usual size."""
    for start in range(0, values.size, _CACHED):
        part = values[start : start + _CACHED]
        least = np.where(part > 0, part, 1.0).min()
        if not (least > 1 / _USUAL and part.max() < _USUAL):
            return False
    return True


def _transported(shift: Array, noise: Array, after: Array) -> tuple[Array, Array]:
    """The rises of the obstacle and of the clock; the latter in the place of `after`."""
    rise = np.empty(after.size)
    for start in range(0, after.size, _CACHED):
        part = slice(start, start + _CACHED)
        np.multiply(shift[part], after[part], out=rise[part])
        after[part] *= noise[part]
        after[part] *= after[part]
    return rise, after


def _root_energy(rise: Array, weight: Array, n: int) -> float:
    """sqrt of the energy of the greatest convex minorant (`convex_minorant`)."""
    first = segments(rise, weight)
    risen, run = np.add.reduceat(rise, first), np.add.reduceat(weight, first)
    energy = float(np.sum(risen / run * risen))
    return round_up(math.sqrt(energy), 0, 2 * product_error(n) + (min(n, 128) + 12) * 2.0**-53)
