"""Certified error before the run when it is not known in which batches the forgotten samples sit.

Every epoch visits each of the m samples once, in batches that a shuffle decides.  The recursions of
`drift` and `certificates` increase with what came before, so the worst split of every epoch is
found step by step over how many of the m have been visited so far.
"""

from heapq import heappop, heappush

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics.validation import choice, count, integer, real, scalar
from bounds.forms import Array
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
    placements = _Placements(steps, epoch, deletions, C, lam, M, Lam, hessian)
    return _finite(placements.worst(placements.most, placements.most))


def error_up_to(
    steps: ArrayLike,
    epoch: ArrayLike,
    deletions: int,
    C: float,
    lam: float,
    M: float,
    Lam: float,
    hessian: str = "kept",
) -> float:
    """The largest `error_anywhere` of 0, 1, .., `deletions` samples: fewer may be worse than more.

    Best first over intervals of how many are deleted.  Whoever may choose anew in every epoch does
    no less than any fixed number in the interval, so that the first single number to come out on
    top is the largest.  Arguments and errors as for `error_anywhere`.
    """
    placements = _Placements(steps, epoch, deletions, C, lam, M, Lam, hessian)
    # Of equal ones the narrowest interval first, then the most deletions.
    heap = [(-placements.worst(0, placements.most), placements.most, 0)]
    while True:
        value, width, low = heappop(heap)
        if width == 0:
            return _finite(-value)
        half = width // 2
        for first, last in ((low, low + half), (low + half + 1, low + width)):
            heappush(heap, (-placements.worst(first, last), last - first, first))


class _Placements:
    """The recursion over how many of the deleted an epoch has visited, for checked arguments."""

    def __init__(
        self,
        steps: ArrayLike,
        epoch: ArrayLike,
        deletions: int,
        C: float,
        lam: float,
        M: float,
        Lam: float,
        hessian: str,
    ) -> None:
        self.steps = real("steps", steps, low=0.0, low_open=True, high_open=True)
        self.sizes = integer("epoch", epoch, low=1)
        if self.steps.ndim != 1 or self.sizes.ndim != 1 or self.steps.size % self.sizes.size:
            raise ValueError(
                f"steps must be a whole number of epochs of {self.sizes.size} batches, "
                f"got {self.steps.size}"
            )
        self.most = count("deletions", deletions, low=0, high=int(self.sizes.sum()))
        self.own = choice("hessian", hessian, HESSIANS) == "batch"
        self.C = scalar("C", C, low=0.0, high_open=True)
        self.rate = np.array(scalar("Lam", Lam, low=0.0))
        self.low, self.high = (float(x[0]) for x in curvatures(lam, M))
        self.left = LARGEST

    def worst(self, least: int, most: int) -> float:
        """The largest error where every epoch visits from `least` to `most`; inf on overflow."""
        low, high = self.low, self.high
        # Before each batch of an epoch, how many can have been visited, and one more.
        visited = np.minimum(most, np.cumsum(self.sizes) - self.sizes) + 1
        splits = int((visited * (np.minimum(most, self.sizes) + 1)).sum())
        self.left -= splits * (self.steps.size // self.sizes.size)
        if self.left < 0:
            raise ValueError(
                f"deletions must be fewer for {self.steps.size} steps, got {self.most}"
            )
        drift, error = np.full((2, most + 1), -np.inf)
        drift[0] = error[0] = 0.0
        for t, step in enumerate(self.steps):
            b, top = (int(x[t % self.sizes.size]) for x in (self.sizes, visited))
            share = np.arange(min(most, b) + 1) / b
            r, rho = factors(step, 1.0 - share, low, high)
            d, e = drift[:top, None], error[:top, None]
            with np.errstate(over="ignore", invalid="ignore"):
                change = d * hessian_change(d, np.array(high - low), self.rate)
                more = np.minimum(r, rho) * d + step * share * self.C
                if self.own:
                    pull = share * max(abs(low), high) * d
                    worse = rho * e + step * ((1.0 - share) * change + pull)
                else:
                    worse = r * e + step * (1.0 - share) * change
            if not (np.isfinite(more).all() and np.isfinite(worse).all()):
                return np.inf
            drift, error = _largest(more, most), _largest(worse, most)
            if (t + 1) % self.sizes.size == 0:
                drift[0], error[0] = drift[least:].max(), error[least:].max()
                drift[1:] = error[1:] = -np.inf
        return float(error[0])


def _finite(error: float) -> float:
    if not error < np.inf:
        raise ValueError("steps must be smaller for a finite bound, got one that overflows")
    return error


def _largest(table: Array, most: int) -> Array:
    """max over j + k = i of table[j, k], for i = 0..most; -inf where there is none."""
    maxima = np.full(most + 1, -np.inf)
    lines = table if len(table) < table.shape[1] else table.T
    for i, line in enumerate(lines):
        n = min(len(line), most + 1 - i)
        np.maximum(maxima[i : i + n], line[:n], out=maxima[i : i + n])
    return maxima
