"""Noise for deletions: the least, the paper's allocation, and online.

See `accounting.deletions.schedule` for the mathematics.
"""

import math
from bisect import bisect
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from accounting.deletions._capped import capped_noise
from accounting.deletions._products import ULP, Products, Wide, carried
from accounting.deletions.online_descent import OnlineDescent
from accounting.deletions.privacy import ROUNDING, Events
from accounting.deletions.schedule import (
    Array,
    DeletionSchedule,
    log_arrivals,
    noise_rounds,
    shift_rounds,
)
from accounting.numerics.validation import LONGEST, count, real, scalar


def least_deletion_noise(descent: OnlineDescent, schedule: DeletionSchedule, rho: float) -> Array:
    """Return sigma (k,): the least noise that gives D_alpha <= alpha rho at every request.

    sigma_i^2 = a_i (a_i + 2 Gamma_i S_{i-1})/(2 rho), rounded up; 0 exactly where nothing is left
    to hide.  The schedule is then sqrt(2 rho)-Gaussian-DP: rho = epsilon for the paper's
    (alpha, alpha epsilon)-guarantee, rho = mu_gdp(epsilon, delta)^2/2 for (epsilon, delta).
    The cumulative variance V_i = S_i^2/(2 rho) is the least for every i at once, for convex losses
    and whenever every u_i < tau_1; the projection must follow the noise.  Where the shifts could
    exceed the descent's diameter, each sigma_i is instead the least given the ones before.
    Source: shifted interpolation with the best allocation (own.opt).
    """
    return least_of(Events(descent, schedule), rho)


def least_of(events: Events, rho: float) -> Array:
    """`least_deletion_noise` of a schedule that has been transported already."""
    budget = _budget(rho)
    shifts, k = events.moved, events.noise_at.size
    # The requests before the shifts could pass the diameter, for which the closed form holds.
    first = bisect(range(k), False, key=lambda n: not events.free(n + 1)) if events.capped else k
    free = np.zeros(0)
    if first:
        free = minimal_noise(shifts.log_shifts[:first], shifts.log_factors[:first], budget)
        # More than S_i may err upwards in `deletion_mus`, which checks it.
        free *= 1 + 8 * (events.rounding(k) if events.capped else shifts.error)
    return capped_noise(events, free, k, math.sqrt(2.0 * budget))


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
    budget = _budget(rho)
    # log Gamma_i S_{i-1}; nothing precedes the first request.
    before = np.concatenate(([-np.inf], g[1:] + carried(a, g)[:-1]))
    squares = _square(a.astype(np.longdouble), before)
    return _up("log_shifts", 0.5 * (squares - math.log(2.0 * budget)))


def _square(log_shift: Wide, log_before: Wide) -> Wide:
    """log of a_i (a_i + 2 Gamma_i S_{i-1})."""
    square: Wide = log_shift + np.logaddexp(log_shift, math.log(2.0) + log_before)
    return square


def allocated_noise(log_shifts: ArrayLike, rho: float, omega: float = 1.2) -> Array:
    """Return sigma (k,) of the paper's allocation: variances omega i^omega a_i^2/(2 (omega-1) rho).

    Source: olu Algorithm 1, line 5.  Valid, and loose, when `log_shifts` are the logarithms of
    the true a_i (`transport`), since sum_i i^-omega < omega/(omega - 1); the paper puts
    gamma^(tau-u) eta_u L in their place.  omega > 1.
    """
    logs = np.atleast_1d(real("log_shifts", log_shifts, high_open=True))
    if logs.ndim != 1:
        raise ValueError(f"log_shifts must be one-dimensional, got shape {logs.shape}")
    budget = _budget(rho)
    w = scalar("omega", omega, low=1.0, low_open=True, high_open=True)
    i = np.arange(1, logs.size + 1, dtype=np.float64)
    log_weight = math.log(w / (w - 1.0)) + w * np.log(i) - math.log(2.0 * budget)
    return _up("log_shifts", logs + 0.5 * log_weight)


def _budget(rho: float) -> float:
    return scalar("rho", rho, low=0.0, low_open=True, high=1e300)


def _up(name: str, logs: Array | Wide) -> Array:
    """exp, raised by more than checking forwards costs; 0 at -inf. ValueError beyond the floats."""
    zero = np.isneginf(logs)
    finite = np.where(zero, 0.0, logs).astype(np.float64)
    with np.errstate(over="ignore"):
        values = np.exp(finite + 4 * ROUNDING + 4 * ULP * np.abs(finite))
    if np.isinf(values).any():
        raise ValueError(
            f"{name} must make every sigma a float, got one of exp({float(finite.max()):g})"
        )
    # A positive noise that underflows is raised to a normal float.
    return np.where(zero, 0.0, np.maximum(values, np.finfo(float).tiny))


@dataclass
class DeletionAccountant:
    """Requests as they come: each sigma_i from what is known at tau_i.

    `delete(index, time)` returns the noise of `least_deletion_noise` for the requests so far;
    what was returned before never changes, and no step size after the last published iterate is
    asked for.

    Attributes:
        descent: the learner.
        rho: D_alpha <= alpha rho is kept at every request.
        convention: of indices and times, as in `DeletionSchedule`.
    """

    descent: OnlineDescent
    rho: float
    convention: str = "C"
    indices: list[int] = field(default_factory=list, init=False)
    times: list[int] = field(default_factory=list, init=False)
    sigmas: list[float] = field(default_factory=list, init=False)
    _seen: set[int] = field(default_factory=set, init=False, repr=False)
    _log_total: Wide = field(init=False, repr=False)  # log S, one entry

    def __post_init__(self) -> None:
        if not isinstance(self.descent, OnlineDescent):
            raise ValueError(f"descent must be an OnlineDescent, got {self.descent!r}")
        self.rho = _budget(self.rho)
        # Refuses an unknown convention now rather than at the first request.
        DeletionSchedule(np.array([1]), np.array([2]), self.convention)
        self._products = Products(self.descent)
        self._log_total = np.array([-np.inf], dtype=np.longdouble)

    def delete(self, index: int, time: int) -> float:
        """Return sigma for removing the loss of round `index` at `time`, and remember it.

        Raises ValueError for an index that is not over by `time`, or a time before the last
        request; nothing is remembered then.  An index removed before needs no noise: 0.
        """
        tau = count("time", time, low=1, high=LONGEST)
        u = count("index", index, low=1)
        if not u <= tau - (self.convention != "A"):
            raise ValueError(
                f"time must be >= {u + (self.convention != 'A')} for index {u} in convention "
                f"{self.convention}, got {tau}"
            )
        one = DeletionSchedule(np.array([u]), np.array([tau]), self.convention)
        last = self.times[-1] if self.times else 1
        if tau < last:
            raise ValueError(f"time must be >= {last}, the last request's, got {tau}")
        # All that may raise comes before anything is remembered.
        sigma, total = self._next(one, last)
        self._log_total = total
        self._seen.add(u)
        self.indices.append(u)
        self.times.append(tau)
        self.sigmas.append(sigma)
        return sigma

    def _next(self, one: DeletionSchedule, last: int) -> tuple[float, Wide]:
        """sigma of the next request, and log S after it."""
        end = noise_rounds(one)
        products = self._products.upto(int(end[0]))
        before = self._log_total
        if self.times:
            before = before + products.log(np.array([last + (self.convention != "C")]), end)
        # An index that was removed before shifts nothing.
        shift = np.array([-np.inf], dtype=np.longdouble)
        if int(one.indices[0]) not in self._seen:
            arrival = log_arrivals(self.descent, one).astype(np.longdouble)
            shift = arrival + products.log(shift_rounds(one) + 1, end)
        total = np.logaddexp(shift, before)
        if math.isfinite(self.descent.diameter):
            return self._capped(one), total
        logs = 0.5 * (_square(shift, before) - math.log(2.0 * self.rho))
        return float(_up("rho", logs)[0]) * (1 + 8 * products.error()), total

    def _capped(self, one: DeletionSchedule) -> float:
        """The same with a diameter, from all the requests so far."""
        indices = np.array([*self.indices, *one.indices.tolist()])
        times = np.array([*self.times, *one.times.tolist()])
        schedule = DeletionSchedule(indices, times, self.convention)
        events = Events(self.descent, schedule)
        if not events.capped:
            return float(least_deletion_noise(self.descent, schedule, self.rho)[-1])
        mu = math.sqrt(2.0 * self.rho)
        return float(capped_noise(events, np.array(self.sigmas), len(schedule), mu)[-1])
