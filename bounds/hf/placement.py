"""Certified error before the run when it is not known in which batches the forgotten samples sit.

Every epoch visits each of the m samples once, in batches that a shuffle decides.  The recursions of
`drift` and `certificates` increase with what came before, so the worst split of every epoch is
found step by step over how many of the m have been visited so far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from accounting.validation import choice, count, integer, real, scalar
from bounds.formula import Array
from bounds.hf.certificates import HESSIANS, hessian_change
from bounds.hf.drift import curvatures, factors

LARGEST = 10**9  # splits looked at


def batch_sizes(n: int, batch_size: int) -> Array:
    """Sizes of an epoch's batches; the last one may be shorter."""
    size = count("n", n, low=1)
    b = count("batch_size", batch_size, low=1, high=size)
    full, rest = divmod(size, b)
    return np.array([b] * full + [rest] * (rest > 0), dtype=np.int64)


def error_anywhere(
    steps: ArrayLike,
    epoch: ArrayLike,
    deletions: int,
    C: float,
    lam: float,
    M: float,
    Lam: float,
    hessian: str = "kept",
) -> float:
    """A bound on |v_T - w_T - a| for every set of `deletions` samples and every shuffle.

    steps: eta_0..eta_{T-1}; epoch: the batch sizes of one epoch, whose number divides T.  No less
    than `error_apriori` of any placement, and equal to the largest where one placement makes both
    drift and error largest.
    Source: hf, Theorem 4.3, forms (A) and (B), maximised.  Raises ValueError on bad input.
    """
    eta = real("steps", steps, low=0.0, low_open=True, high_open=True)
    sizes = integer("epoch", epoch, low=1)
    if eta.ndim != 1 or sizes.ndim != 1 or eta.size % sizes.size:
        raise ValueError(
            f"steps must be a whole number of epochs of {sizes.size} batches, got {eta.size}"
        )
    m = count("deletions", deletions, low=0, high=int(sizes.sum()))
    own = choice("hessian", hessian, HESSIANS) == "batch"
    bound, rate = scalar("C", C, low=0.0, high_open=True), scalar("Lam", Lam, low=0.0)
    low, high = (float(x[0]) for x in curvatures(lam, M))
    widest = min(m, int(sizes.max())) + 1
    if (m + 1) * widest * eta.size > LARGEST:
        raise ValueError(f"deletions must be fewer for {eta.size} steps, got {m}")
    drift, error = np.full((2, m + 1), -np.inf)
    drift[0] = error[0] = 0.0
    for t, step in enumerate(eta):
        b = int(sizes[t % sizes.size])
        share = np.arange(min(m, b) + 1) / b
        r, rho = factors(step, 1.0 - share, low, high)
        reached = drift >= 0
        d, e = np.where(reached, drift, 0.0)[:, None], np.where(reached, error, 0.0)[:, None]
        with np.errstate(over="ignore", invalid="ignore"):
            change = d * hessian_change(d, np.array(high - low), np.array(rate))
            more = np.minimum(r, rho) * d + step * share * bound
            if own:
                pull = share * max(abs(low), high) * d
                worse = rho * e + step * ((1.0 - share) * change + pull)
            else:
                worse = r * e + step * (1.0 - share) * change
        if not (np.isfinite(more).all() and np.isfinite(worse).all()):
            raise ValueError(f"steps must be smaller for a finite bound; step {t} overflows")
        drift = _largest(np.where(reached[:, None], more, -np.inf))
        error = _largest(np.where(reached[:, None], worse, -np.inf))
        if (t + 1) % sizes.size == 0:
            drift[0], error[0] = drift[m], error[m]
            drift[1:] = error[1:] = -np.inf
    return float(error[0])


def _largest(table: Array) -> Array:
    """max over j + k = i of table[j, k], for i = 0..m."""
    found = np.full(len(table), -np.inf)
    for k in range(table.shape[1]):
        np.maximum(found[k:], table[: len(table) - k, k], out=found[k:])
    return found
