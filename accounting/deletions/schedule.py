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

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accounting.deletions._products import ULP, Products, carried
from accounting.deletions.online_descent import OnlineDescent
from accounting.numerics.validation import LONGEST, choice, integer

Array = NDArray[np.float64]
Index = NDArray[np.int64]
CONVENTIONS = ("A", "B", "C")


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
        # `unique` gives the first place of every index.
        again[np.unique(self.indices, return_index=True)[1]] = False
        return again


@dataclass(frozen=True, eq=False)
class Transport:
    """What `transport` returns, as natural logarithms (arrays (k,)): a_i, Gamma_i, S_i.

    `error` bounds what rounding may have done to any of them.
    """

    log_shifts: Array
    log_factors: Array
    log_totals: Array
    error: float

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


def transport(descent: OnlineDescent, schedule: DeletionSchedule) -> Transport:
    """Return shifts, factors and totals of the schedule at the times of its requests.

    Exact up to rounding, which goes up; O(k + largest time).  Shift and exponent by convention:
    A: eta_u L prod_{u < t <= tau} c_t;  B: eta_{u+1} L prod_{u+1 < t <= tau} c_t;
    C: eta_u L prod_{u < t < tau} c_t.
    """
    return transported(descent, schedule)[0]


def transported(descent: OnlineDescent, schedule: DeletionSchedule) -> tuple[Transport, Products]:
    """`transport`, and the products of contraction factors up to the last noise."""
    if not isinstance(descent, OnlineDescent):
        raise ValueError(f"descent must be an OnlineDescent, got {descent!r}")
    if not isinstance(schedule, DeletionSchedule):
        raise ValueError(f"schedule must be a DeletionSchedule, got {schedule!r}")
    start, end = shift_rounds(schedule), noise_rounds(schedule)
    products = Products(descent).upto(int(end.max()))
    factors = np.concatenate(([-np.inf], products.log(end[:-1] + 1, end[1:])))
    shifts = log_arrivals(descent, schedule) + products.log(start + 1, end)
    totals = carried(shifts, factors).astype(np.float64)
    # Up by the rounding of becoming a float.
    totals = totals + ULP * (1 + np.abs(np.where(np.isneginf(totals), 0.0, totals)))
    return Transport(shifts, factors, totals, products.error()), products


def shift_rounds(schedule: DeletionSchedule) -> Index:
    """The step that makes the runs differ: u_i, or u_i + 1 in convention B."""
    return schedule.indices + (schedule.convention == "B")


def noise_rounds(schedule: DeletionSchedule) -> Index:
    """The last step before the noise: tau_i - 1 in convention C, else tau_i."""
    return schedule.times - (schedule.convention == "C")


def log_arrivals(descent: OnlineDescent, schedule: DeletionSchedule) -> Array:
    """log of the shift at its own step, eta L, rounded up; -inf for an index asked for again."""
    eta = np.log(descent.steps(shift_rounds(schedule)))
    if descent.lipschitz == 0:
        return np.full(eta.shape, -np.inf)
    largest = math.log(descent.lipschitz)
    total = eta + largest + 2 * ULP * (1 + np.abs(eta) + abs(largest))
    return np.where(schedule.repeated, -np.inf, total)
