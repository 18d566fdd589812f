"""One step: N(0, 1) mixed by a random shift, against N(0, 1), and the loss of telling them apart.

With rho the likelihood ratio of the mixture to N(0, 1),

    log rho(x) = log((1 - sum p_k) + sum p_k e^(b_k x - b_k^2/2)),   b_k > 0,

which rises and is convex in x.  The privacy loss L = log dP/dQ of a step is
    remove    log rho(x) under the mixture P, against Q = N(0, 1);
    add       -log rho(x) under P = N(0, 1), against the mixture;
    replace   log rho(x) - log rho(-x) under the mixture, against its mirror image,
so that E_P e^(uL) = E rho(x)^v rho(-x)^w over x ~ N(0, 1), (v, w) = (1 + u, 0), (-u, 0), (1 + u,
-u).  L is monotone in x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
RELATIONS = ("remove", "add", "replace")
_CHUNK = 1_000_000  # of points times shifts
_LARGE, _MOST = 30.0, 700.0  # of exponents: where rho is far above 1, and of floats


class LogRatio(NamedTuple):
    """log rho, its slope in x, and its rounding error in units of 2^-53."""

    log: Array
    slope: Array
    error: Array


@dataclass(frozen=True, eq=False)
class MixtureStep:
    """Shifts b_k > 0 in standard deviations, their chances p_k > 0, and the relation of the laws.

    What is left of 1 is the chance of no shift.
    """

    shifts: Array
    chances: Array
    relation: str

    @property
    def widest(self) -> float:
        """The largest shift."""
        return float(self.shifts.max())

    @property
    def sign(self) -> float:
        """Whether the loss rises with x (1) or falls (-1)."""
        return -1.0 if self.relation == "add" else 1.0

    def powers(self, c: float) -> tuple[float, float]:
        """v and w at u = c."""
        return {"remove": (1 + c, 0.0), "add": (-c, 0.0), "replace": (1 + c, -c)}[self.relation]

    def ratio(self, x: Array) -> LogRatio:
        """log rho at x, shape (n,)."""
        parts = [self._ratio(part) for part in np.array_split(x, self._pieces(x.size))]
        return LogRatio(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def mirrored(self, x: Array) -> LogRatio:
        """log rho at -x as a function of x, and 0 where the relation does not ask for it."""
        if self.relation != "replace":
            return LogRatio(*np.zeros((3, x.size)))
        log, slope, error = self.ratio(-x)
        return LogRatio(log, -slope, error)

    def _pieces(self, size: int) -> int:
        return 1 + size * self.shifts.size // _CHUNK

    def _ratio(self, x: Array) -> LogRatio:
        b, p = self.shifts, self.chances
        exponent = b * x[:, None] - b * b / 2
        # Where rho is near 1, log rho keeps its relative digits: it may be of the size of p.
        change = p * np.expm1(np.minimum(exponent, _LARGE))
        excess = change.sum(axis=1)
        none = max(1 - float(p.sum()), 0.0)
        # The largest term is taken out, so that no x overflows and no sum is 0.
        logs = exponent + np.log(p)
        top = np.maximum(logs.max(axis=1), math.log(none) if none > 0 else -math.inf)
        grown = np.exp(logs - top[:, None])
        total = grown.sum(axis=1) + none * np.exp(np.minimum(-top, _MOST))
        near = np.abs(excess) < 0.5
        log = np.where(near, np.log1p(np.where(near, excess, 0.0)), top + np.log(total))
        posterior = grown / total[:, None]
        # Exponents err by their ulps, which count by the posterior.  Near 1 the excess errs by
        # those of its terms; elsewhere log rho is at least 0.4, and rounding a part of it.
        size = np.abs(b * x[:, None]) + b * b
        error = 4 * (posterior * size).sum(axis=1) + 64 * np.abs(log)
        error += np.where(near, 64 * np.abs(change).sum(axis=1), 0.0)
        return LogRatio(log, (posterior * b).sum(axis=1), error)
