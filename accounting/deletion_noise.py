"""Noise for deletions: the least, the paper's allocation, and what given noise certifies.

See `accounting.deletions` for the mathematics.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from accounting.contraction import pabi_mu
from accounting.deletions import Array, DeletionSchedule, Products, Transport, transport
from accounting.online_descent import OnlineDescent
from accounting.validation import real, scalar

_ULP = 2.0**-52


def least_deletion_noise(descent: OnlineDescent, schedule: DeletionSchedule, rho: float) -> Array:
    """Return sigma (k,): the least noise that gives D_alpha <= alpha rho at every request.

    sigma_i^2 = a_i (a_i + 2 Gamma_i S_{i-1})/(2 rho), rounded up; 0 exactly where nothing is left
    to hide.  The schedule is then sqrt(2 rho)-Gaussian-DP: rho = epsilon for the paper's
    (alpha, alpha epsilon)-guarantee, rho = mu_gdp(epsilon, delta)^2/2 for (epsilon, delta).
    Least among all valid noise for convex losses and whenever every u_i < tau_1; the projection
    must follow the noise.  Source: shifted interpolation with the best allocation (olu.opt).
    """
    moved = transport(descent, schedule)
    return minimal_noise(moved.log_shifts, moved.log_factors, rho)


def minimal_noise(log_shifts: ArrayLike, log_factors: ArrayLike, rho: float) -> Array:
    """Return sigma (k,) from the logarithms of any shifts a_i and factors Gamma_i (k,).

    `least_deletion_noise` for chains that are not plain online descent, such as the active
    unlearners (olu Algorithms 2 and 3).  Gamma_1 is not used.  -inf stands for 0.
    """
    a = np.atleast_1d(real("log_shifts", log_shifts, high_open=True))
    g = np.atleast_1d(real("log_factors", log_factors, high_open=True))
    if a.ndim != 1 or a.shape != g.shape:
        raise ValueError(
            f"log_shifts and log_factors must be lists of one length, got {a.shape}, {g.shape}"
        )
    budget = scalar("rho", rho, low=0.0, low_open=True, high_open=True)
    squares = np.empty_like(a)
    total = -math.inf
    for i, (shift, factor) in enumerate(zip(a.tolist(), g.tolist(), strict=True)):
        squares[i], total = _next(shift, factor, total)
    return _up(0.5 * (squares - math.log(2.0 * budget)))


def _next(log_shift: float, log_factor: float, log_total: float) -> tuple[float, float]:
    """log of a_i (a_i + 2 Gamma_i S_{i-1}), and of S_i."""
    carried = log_factor + log_total if log_total > -math.inf else -math.inf
    square = log_shift + float(np.logaddexp(log_shift, math.log(2.0) + carried))
    return square, float(np.logaddexp(log_shift, carried))


def allocated_noise(log_shifts: ArrayLike, rho: float, omega: float = 1.2) -> Array:
    """Return sigma (k,) of the paper's allocation: variances omega i^omega a_i^2/(2 (omega-1) rho).

    Source: olu Algorithm 1, line 5.  Valid, and loose, when `log_shifts` are the logarithms of
    the true a_i (`transport`), since sum_i i^-omega < omega/(omega - 1); the paper puts
    gamma^(tau-u) eta_u L in their place.  omega > 1.
    """
    logs = np.atleast_1d(real("log_shifts", log_shifts, high_open=True))
    if logs.ndim != 1:
        raise ValueError(f"log_shifts must be one-dimensional, got shape {logs.shape}")
    budget = scalar("rho", rho, low=0.0, low_open=True, high_open=True)
    w = scalar("omega", omega, low=1.0, low_open=True, high_open=True)
    i = np.arange(1, logs.size + 1, dtype=np.float64)
    log_weight = math.log(w / (w - 1.0)) + w * np.log(i) - math.log(2.0 * budget)
    return _up(logs + 0.5 * log_weight)


def _up(logs: Array) -> Array:
    """exp, raised by the error of its argument; 0 at -inf. ValueError beyond the floats."""
    finite = np.where(np.isneginf(logs), 0.0, logs)
    with np.errstate(over="ignore"):
        values = np.exp(finite + 4 * _ULP * (1 + np.abs(finite)))
    if np.isinf(values).any():
        raise ValueError(f"sigma must be a float, got exp({float(logs.max()):g})")
    return np.where(np.isneginf(logs), 0.0, np.maximum(values, np.finfo(float).tiny))


def deletion_mus(descent: OnlineDescent, schedule: DeletionSchedule, sigma: ArrayLike) -> Array:
    """Return mu (k,): what noise sigma_i at request i certifies, for each i the best possible.

    mu_i compares the runs with and without u_1..u_i, both with the noise of requests 1..i
    (`pabi_mu`, with the descent's diameter); the guarantee of the schedule is the largest.  sigma
    is one number or (k,), >= 0.  inf where a shift meets no noise.
    """
    moved = transport(descent, schedule)
    s = real("sigma", sigma, low=0.0, high_open=True)
    if s.ndim > 1 or (s.ndim == 1 and s.size != len(schedule)):
        raise ValueError(f"sigma must be one number or {len(schedule)} numbers, got {s.shape}")
    noise = np.broadcast_to(s, len(schedule))
    events = _Events(descent, schedule)
    return np.array([events.mu(i, noise, moved) for i in range(len(schedule))])


class _Events:
    """The schedule with its quiet steps gathered: one link per shift or noise, in causal order."""

    def __init__(self, descent: OnlineDescent, schedule: DeletionSchedule) -> None:
        B, C = schedule.convention == "B", schedule.convention == "C"
        self.diameter = descent.diameter
        self.shift_at = schedule.indices + B
        self.noise_at = schedule.times - C
        self.repeated = schedule.repeated
        self.arrivals = descent.steps(self.shift_at) * descent.lipschitz
        self.products = Products(descent, 1, int(self.noise_at.max()))

    def mu(self, i: int, noise: Array, moved: Transport) -> float:
        if not moved.log_totals[i] > -np.inf:
            return 0.0
        removed = np.flatnonzero(~self.repeated[: i + 1])
        at = np.concatenate((self.shift_at[removed], self.noise_at[: i + 1]))
        shift = np.concatenate((self.arrivals[removed], np.zeros(i + 1)))
        added = np.concatenate((np.zeros(removed.size), noise[: i + 1]))
        order = np.argsort(at, kind="stable")
        at, shift, added = at[order], shift[order], added[order]
        # A shift enters after its own step's contraction, so both fit "contract, shift, noise".
        before = np.concatenate(([0], at[:-1]))
        factors = np.exp(self.products.log(before + 1, at))
        return pabi_mu(factors, shift, added, diameter=self.diameter)


@dataclass
class DeletionAccountant:
    """Requests as they come: each sigma_i from what is known at tau_i.

    `delete(index, time)` returns the noise of `least_deletion_noise` for the requests so far;
    what was returned before never changes.

    Attributes:
        descent: the learner.
        rho: D_alpha <= alpha rho is kept at every request.
    """

    descent: OnlineDescent
    rho: float
    indices: list[int] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    sigmas: list[float] = field(default_factory=list)
    _log_total: float = field(default=-math.inf, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.indices or self.times or self.sigmas:
            raise ValueError("indices, times and sigmas must be empty at the start")
        self.rho = scalar("rho", self.rho, low=0.0, low_open=True, high_open=True)

    def delete(self, index: int, time: int) -> float:
        """Return sigma for removing the loss of round `index` at `time`, and remember it.

        Raises ValueError for an index that is not over by `time`, or a time before the last
        request; nothing is remembered then.  An index removed before needs no noise: 0.
        """
        one = DeletionSchedule(np.asarray(index), np.asarray(time))
        u, tau = int(one.indices[0]), int(one.times[0])
        last = self.times[-1] if self.times else tau
        if tau < last:
            raise ValueError(f"time must be >= {last}, the last request's, got {tau}")
        log_shift = -math.inf
        if u not in self.indices:
            log_shift = float(transport(self.descent, one).log_shifts[0])
        log_factor = 0.0
        if last < tau:
            between = Products(self.descent, last, tau - 1)
            log_factor = float(between.log(np.asarray(last), np.asarray(tau - 1)))
        square, total = _next(log_shift, log_factor, self._log_total)
        sigma = float(_up(np.array([0.5 * (square - math.log(2.0 * self.rho))]))[0])
        self._log_total = total
        self.indices.append(u)
        self.times.append(tau)
        self.sigmas.append(sigma)
        return sigma
