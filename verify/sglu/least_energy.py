"""The optimal shifts of Theorem X2 by search over all polygons: another route to what the
accountant says."""

from collections.abc import Sequence

import numpy as np


def least_energy(
    contraction: Sequence[float], shift: Sequence[float], noise: Sequence[float], z0: float
) -> float:
    """Least sqrt(sum (a_k/s_k)^2) with z_k = c_k z_{k-1} + delta_k - a_k >= 0 and z_N = 0.

    In the clock x_k the cumulated shift is a path below the points y_k that ends at y_N; the least
    energy is attained by a polygon with vertices on those points. All of them are tried, by
    dynamic programming over the last vertex: O(N^3), no hull, no accountant.
    """
    c, delta, s = (np.asarray(v, dtype=float) for v in (contraction, shift, noise))
    products = np.append(np.cumprod(c[::-1])[::-1], 1.0)
    x = np.concatenate(([0.0], np.cumsum((s * products[1:]) ** 2)))
    y = z0 * products[0] + np.concatenate(([0.0], np.cumsum(delta * products[1:])))
    y[0] = 0.0
    best = np.full(x.size, np.inf)
    best[0] = 0.0
    for end in range(1, x.size):
        for start in range(end):
            slope = (y[end] - y[start]) / (x[end] - x[start])
            between = y[start] + slope * (x[start + 1 : end] - x[start])
            if np.all(between <= y[start + 1 : end] * (1 + 1e-12)):
                best[end] = min(best[end], best[start] + slope**2 * (x[end] - x[start]))
    return float(np.sqrt(best[-1]))
