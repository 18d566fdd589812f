"""Deletions from an online learner: when a point is deleted, noise; how much, from the schedule.

Request i asks at time tau_i to remove the loss f_{u_i}; the learner adds sigma_i N(0, I) to its
iterate, and projects.  Against the run that skips u_1..u_i (and adds the same noise) this is a
noisy contraction: shift eta_u L at step u, factor c_t at every step, noise at the tau's.  In the
causal index convention (C: w_{t+1} is made from f_t, and w_tau is published at tau) the shift of
u_i has become a_i = eta_{u_i} L prod_{u_i < t < tau_i} c_t at time tau_i, and between the
requests i-1 and i distances change by Gamma_i = prod_{tau_{i-1} <= t < tau_i} c_t.  With
S_i = a_i + Gamma_i S_{i-1} and V_i = sigma_i^2 + Gamma_i^2 V_{i-1} the guarantee of request i is
mu_i = S_i/sqrt(V_i) for a chain whose noise was calibrated this way, so that

    sigma_i^2 = a_i (a_i + 2 Gamma_i S_{i-1})/(2 rho)

gives D_alpha <= alpha rho for every alpha and i, with equality for linear losses: the least
cumulative noise variance V_i for every i at once, known at time tau_i and without knowing how
many requests follow.  Conventions A and B (both occur in the paper) have their own exponents.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accounting.online_descent import LONGEST, OnlineDescent
from accounting.validation import choice, integer

Array = NDArray[np.float64]
Index = NDArray[np.int64]
CONVENTIONS = ("A", "B", "C")
_ULP = 2.0**-52


@dataclass(frozen=True, eq=False)
class DeletionSchedule:
    """Requests in the order they arrive: remove the loss of round indices[i] at times[i].

    Attributes:
        indices: u_i >= 1. An index asked for again has been removed already: it shifts nothing.
        times: tau_i, nondecreasing (several requests may share a time, and are served in order).
        convention: "C" (causal, default): w_{t+1} is made from f_t, so u_i <= tau_i - 1.
            "A": z_t is made from f_t, so u_i <= tau_i.  "B": z_t is made from f_{t-1} with
            eta_t, so u_i <= tau_i - 1.

    Raises:
        ValueError: not two lists of whole numbers of one length, or a time that is too early.
    """

    indices: Index
    times: Index
    convention: str = "C"

    def __post_init__(self) -> None:
        u = np.atleast_1d(integer("indices", self.indices, low=1))
        tau = np.atleast_1d(integer("times", self.times, low=1, high=LONGEST))
        choice("convention", self.convention, CONVENTIONS)
        if u.ndim != 1 or u.shape != tau.shape:
            raise ValueError(
                f"indices and times must be lists of one length, got {u.shape} and {tau.shape}"
            )
        if (np.diff(tau) < 0).any():
            i = int(np.flatnonzero(np.diff(tau) < 0)[0]) + 1
            raise ValueError(f"times must not decrease, got {tau[i]} after {tau[i - 1]}")
        late = u > tau - (self.convention != "A")
        if late.any():
            i = int(np.flatnonzero(late)[0])
            least = u[i] + (self.convention != "A")
            raise ValueError(
                f"times must be >= {least} for index {u[i]} in convention {self.convention}, "
                f"got {tau[i]}"
            )
        object.__setattr__(self, "indices", u)
        object.__setattr__(self, "times", tau)

    def __len__(self) -> int:
        return int(self.indices.size)

    @property
    def repeated(self) -> NDArray[np.bool_]:
        """Which requests ask for an index that was asked for before."""
        again = np.ones(len(self), dtype=bool)
        again[np.unique(self.indices, return_index=True)[1]] = False
        return again


@dataclass(frozen=True, eq=False)
class Transport:
    """What `transport` returns, as natural logarithms (arrays (k,)): a_i, Gamma_i, S_i."""

    log_shifts: Array
    log_factors: Array
    log_totals: Array

    @property
    def shifts(self) -> Array:
        """a_i, how far apart deleting u_i alone leaves the two runs at tau_i."""
        return np.exp(self.log_shifts)

    @property
    def factors(self) -> Array:
        """Gamma_i, the contraction between the requests i - 1 and i (0 for i = 1, S_0 = 0)."""
        return np.exp(self.log_factors)

    @property
    def totals(self) -> Array:
        """S_i = a_i + Gamma_i S_{i-1}, the distance of the runs with and without u_1..u_i."""
        return np.exp(self.log_totals)


class Products:
    """Logs of products of c_t over ranges within [first, last], rounded up."""

    def __init__(self, descent: OnlineDescent, first: int, last: int) -> None:
        self._first = first
        c = descent.contraction(np.arange(first, max(first, last) + 1))
        # Zeros are counted apart: prefix sums of their logarithms could not be subtracted.
        nonzero = np.where(c > 0, c, 1.0).astype(np.longdouble)
        self._logs = np.concatenate(([0.0], np.cumsum(np.log(nonzero))))
        self._zeros = np.concatenate(([0], np.cumsum(c == 0)))

    def log(self, first: Index, last: Index) -> Array:
        """log prod_{first <= t <= last} c_t; 0 for an empty range."""
        start = np.asarray(first) - self._first
        end = np.maximum(np.asarray(last) - self._first + 1, start)
        total = (self._logs[end] - self._logs[start]).astype(np.float64)
        total = total + _ULP * (end - start + np.abs(total))
        return np.where(self._zeros[end] > self._zeros[start], -np.inf, total)


def transport(descent: OnlineDescent, schedule: DeletionSchedule) -> Transport:
    """Return shifts, factors and totals of the schedule at the times of its requests.

    Exact up to rounding, which goes up.  Shift and exponent by convention (olu.index):
    A: eta_u L prod_{u < t <= tau} c_t;  B: eta_{u+1} L prod_{u+1 < t <= tau} c_t;
    C: eta_u L prod_{u < t < tau} c_t.
    """
    if not isinstance(descent, OnlineDescent):
        raise ValueError(f"descent must be an OnlineDescent, got {descent!r}")
    if not isinstance(schedule, DeletionSchedule):
        raise ValueError(f"schedule must be a DeletionSchedule, got {schedule!r}")
    u, tau = schedule.indices, schedule.times
    start = u + (schedule.convention == "B")
    end = tau - (schedule.convention == "C")
    products = Products(descent, int(min(start.min() + 1, end.min() + 1)), int(end.max()))
    with np.errstate(divide="ignore"):
        eta = descent.steps(start)
        arrival = np.log(eta) + np.log(descent.lipschitz)
    shifts = arrival + products.log(start + 1, end) + 4 * _ULP * (1 + np.abs(np.log(eta)))
    shifts = np.where(schedule.repeated, -np.inf, shifts)
    factors = np.concatenate(([-np.inf], products.log(end[:-1] + 1, end[1:])))
    totals = np.empty_like(shifts)
    total = -math.inf
    for i, (shift, factor) in enumerate(zip(shifts.tolist(), factors.tolist(), strict=True)):
        total = float(np.logaddexp(shift, factor + total))
        totals[i] = total
    return Transport(shifts, factors, totals)
