"""Shifts and factors of the active unlearners, in the form that `minimal_noise` takes.

At request i the learner has seen m_i = tau_i - 1 losses (causal indices) and moves its iterate by
I1 projected gradient steps on the average of them all, and I2 on the average of those it keeps,
before it adds noise and projects.  Steps of 2/(beta + mu) contract by
rho = (beta - mu)/(beta + mu), and averages over sets that differ in n of m losses have gradients
at most 2nL/m apart.  With `first_order(...)` or `second_order(...)` as `moved`, the least noise is

    minimal_noise(moved.log_shifts, moved.log_factors, rho)    (accounting.deletions.noise).
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.deletions._products import Products
from accounting.deletions.online_descent import OnlineDescent
from accounting.deletions.schedule import DeletionSchedule, Transport
from accounting.numerics.validation import choice, integer, scalar, shortest

Array = NDArray[np.float64]
_ULP = 2.0**-52
_ERROR = 2.0**-40  # of any logarithm; what is returned has been raised already


def first_order(
    descent: OnlineDescent,
    schedule: DeletionSchedule,
    steps: ArrayLike,
    warm_up: ArrayLike = 0,
    rate: float | None = None,
) -> Transport:
    """Return a_i, Gamma_i and S_i of Algorithm 2 with steps 2/(beta + mu), projected after noise.

    Against the run that skips u_1..u_i and never uses them at requests 1..i, the distance left at
    request i is at most S_i, for every schedule: where u_i is asked for after request j > it was
    seen by, both phases of request j already differed, which a_i contains (the paper assumes
    tau_{i-1} <= u_i to avoid it).  In that ordered case, with step sizes 1/(mu t),
    a_i = rho^I2 (L/(mu m_i)) [2i (1 - rho^I1) + rho^I1] and Gamma_i = rho^(I1+I2) m_{i-1}/m_i.

    Args:
        descent: the learner; mu > 0, and L is finite on its domain.
        schedule: convention C; after every request a loss must be left.
        steps: I2 >= 0, one number or (k,).
        warm_up: I1 >= 0, likewise; 0 needs the least noise.
        rate: the step on the averages; None is 2/(beta + mu).  It has to contract: any step below
            2/beta, with max(|1 - rate mu|, |1 - rate beta|) in place of rho.

    Raises:
        ValueError: anything outside these ranges.
    """
    loss_counts, deleted = _counts(descent, schedule)
    k, u, tau = len(schedule), schedule.indices, schedule.times
    log_rho, log_sum = _rate(descent, rate)
    second = _power(log_rho, _per_request("steps", steps, k))
    first = _power(log_rho, _per_request("warm_up", warm_up, k))
    log_lipschitz = math.log(descent.lipschitz) if descent.lipschitz > 0 else -math.inf
    # 2 L rate (1 + c + c^2 + ...), of which I steps leave the part 1 - rho^I.
    far = math.log(2.0) + log_lipschitz + log_sum
    # One loss more in the difference of the averages: what phases 1 and 2 of request j then add.
    warm = far + _log_rest(first) + second - np.log(loss_counts)
    final = far + _log_rest(second) - np.log(loss_counts - deleted)
    products = Products(descent).upto(int(tau[-1]))
    arrival = np.log(descent.steps(u)) + log_lipschitz
    # The factor of the first request is set to 0 below: nothing came before it.
    before = np.concatenate(([1], tau[:-1]))
    factors = products.log(before, tau - 1) + first + second
    shifts, totals = np.empty(k), np.empty(k)
    carried, total = np.empty(k), -math.inf
    for i in range(k):
        # carried[j]: log of the factors of the requests after j up to i.
        carried[:i] += factors[i]
        carried[i] = 0.0
        # All losses deleted so far are in the average of the first phase, in one run only.
        terms = [warm[i] + math.log(deleted[i])]
        if not schedule.repeated[i]:
            j = int(np.searchsorted(tau, u[i], side="right"))  # the first request that saw u_i
            # The step of u_i itself, carried to request j and through its two phases, then on to i.
            log_product = products.log(u[i] + 1, tau[j] - 1)
            terms.append(arrival[i] + float(log_product) + first[j] + second[j] + carried[j])
            # Requests j..i-1 had u_i among the kept losses: both of their phases differed by it.
            terms.extend(np.logaddexp(warm[j:i], final[j:i]) + carried[j:i])
        shifts[i] = _up(float(np.logaddexp.reduce(terms)))
        total = float(np.logaddexp(shifts[i], factors[i] + total))
        totals[i] = total
    # S_0 = 0: nothing is carried into the first request.
    factors[0] = -math.inf
    return Transport(shifts, factors, totals, _ERROR)


def second_order(
    descent: OnlineDescent,
    schedule: DeletionSchedule,
    warm_up: ArrayLike,
    hessian_lipschitz: float,
    gradient: str = "deleted",
) -> Transport:
    """Return a_i, Gamma_i = 0 and S_i = a_i of Algorithm 3 with the step's sign corrected.

    After I1 steps on all losses seen, zhat, one Newton step on those kept; the run that never
    used u_1..u_i makes its I1 steps on the kept ones.  Both end within a_i of each other wherever
    they began, so nothing is carried over from earlier requests.  With r = rho^I1 D:
    "deleted": zhat + H^-1 sum_U grad f_u(zhat)/(m - i), and the other run makes no Newton step:
        a_i = (M_H/(2 mu)) (r + iL/(mu m))^2 + (m/(m - i)) (beta/mu) r + r.
    "retained": zhat - H^-1 (average gradient of the kept losses), in both runs:
        a_i = (M_H/(2 mu)) [(r + iL/(mu m))^2 + r^2].
    Never more than D.  Minimisers of the averages must have gradient 0.

    Args:
        descent: the learner; mu > 0 and D finite.
        schedule: convention C; after every request a loss must be left.
        warm_up: I1 >= 0, one number or (k,).
        hessian_lipschitz: M_H >= 0.
        gradient: "deleted" or "retained".

    Raises:
        ValueError: anything outside these ranges.
    """
    loss_counts, deleted = _counts(descent, schedule)
    M = scalar("hessian_lipschitz", hessian_lipschitz, low=0.0, high_open=True)
    choice("gradient", gradient, ("deleted", "retained"))
    D = scalar("diameter", descent.diameter, low=0.0, low_open=True, high_open=True)
    mu, beta, L = descent.strong_convexity, descent.smoothness, descent.lipschitz
    r = D * np.exp(_power(_log_rho(descent), _per_request("warm_up", warm_up, len(schedule))))
    newton = M / (2 * mu) * (r + deleted * L / (mu * loss_counts)) ** 2
    # "retained": the other run makes a Newton step too, with its own error.
    rest = M / (2 * mu) * r**2
    if gradient == "deleted":
        rest = loss_counts / (loss_counts - deleted) * (beta / mu) * r + r
    with np.errstate(divide="ignore"):
        # Both iterates are in the domain; its diameter is a bound whatever the Newton step does.
        shifts = np.log(np.minimum(newton + rest, D))
    shifts = shifts + 16 * _ULP * (1 + np.where(np.isinf(shifts), 0.0, np.abs(shifts)))
    return Transport(shifts, np.full(len(schedule), -np.inf), shifts.copy(), _ERROR)


def _counts(descent: OnlineDescent, schedule: DeletionSchedule) -> tuple[Array, Array]:
    """Losses seen at each request, and how many of them are deleted by then."""
    if not isinstance(descent, OnlineDescent):
        raise ValueError(f"descent must be an OnlineDescent, got {descent!r}")
    if not isinstance(schedule, DeletionSchedule):
        raise ValueError(f"schedule must be a DeletionSchedule, got {schedule!r}")
    scalar("strong_convexity", descent.strong_convexity, low=0.0, low_open=True)
    choice("convention", schedule.convention, ("C",))
    loss_counts = np.asarray(schedule.times - 1.0, dtype=np.float64)
    deleted = np.asarray(np.cumsum(~schedule.repeated), dtype=np.float64)
    short = np.flatnonzero(deleted >= loss_counts)
    if short.size:
        i = int(short[0])
        raise ValueError(
            f"times must leave a loss after every request, got {schedule.times[i]} with "
            f"{int(deleted[i])} of {int(loss_counts[i])} losses deleted"
        )
    return loss_counts, deleted


def _per_request(name: str, value: ArrayLike, k: int) -> Array:
    values = integer(name, value, low=0)
    if values.ndim > 1 or (values.ndim == 1 and values.size != k):
        raise ValueError(f"{name} must be one number or {k} numbers, got shape {values.shape}")
    return np.broadcast_to(values, k).astype(np.float64)


def _log_rho(descent: OnlineDescent) -> float:
    mu, beta = descent.strong_convexity, descent.smoothness
    return math.log((beta - mu) / (beta + mu)) if beta > mu else -math.inf


def _rate(descent: OnlineDescent, rate: float | None) -> tuple[float, float]:
    """log of a step's contraction c, and of rate (1 + c + c^2 + ...) = rate/(1 - c)."""
    mu, beta = descent.strong_convexity, descent.smoothness
    if rate is None:
        return _log_rho(descent), -math.log(mu)
    step = scalar("rate", rate, low=0.0, low_open=True, high=2.0 / beta, high_open=True)
    c = max(abs(1.0 - step * mu), abs(1.0 - step * beta))
    if not c < 1.0:
        raise ValueError(f"rate must contract, got {shortest(step)} with factor {shortest(c)}")
    return math.log(c) if c > 0 else -math.inf, math.log(step) - math.log1p(-c)


def _power(log_rho: float, steps: Array) -> Array:
    """log rho^steps, with rho^0 = 1 also at rho = 0."""
    return np.where(steps > 0, log_rho * np.maximum(steps, 1.0), 0.0)


def _log_rest(log_power: Array) -> Array:
    """log(1 - rho^I), -inf at I = 0."""
    with np.errstate(divide="ignore"):
        return np.log(-np.expm1(log_power))


def _up(value: float) -> float:
    return value + 32 * _ULP * (1 + abs(value)) if math.isfinite(value) else value
