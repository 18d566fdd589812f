"""The best (epsilon, delta) that a linear Renyi curve alone implies.

Of P and Q only D_alpha(P||Q) <= alpha rho and D_alpha(Q||P) <= alpha rho are known, for all
alpha > 1.  An event S turns them into two-point laws, (p, q) = (P(S), Q(S)), which satisfies the
same bounds (data processing) and is a member of the class itself.  So the least delta is the
largest q - e^epsilon p over such pairs: a linear function on a convex set.

Two cases.  Let l tanh(l/2) = rho and s = 1/(1 + e^-l).
- e^epsilon <= sinh(l)/l: the two-point law (1-s, s) is the worst, delta = s - e^epsilon (1-s).
  Proof: it satisfies every bound, log(cosh((u + 1/2) l)/cosh(l/2)) being concave in (u + 1/2)^2
  with slope rho at u = 0; and the tangents of the two Kullback-Leibler constraints there have the
  slopes sinh(l)/l and its inverse, between which e^epsilon lies.
- Otherwise the one-order bound of Asoodeh et al. (2021), D_alpha(Q||P) <= alpha rho for a single
  alpha, at its best alpha (`accounting.renyi.two_point_laws`). Each order gives a valid bound
  (proved there); that the two-point law of the best order satisfies all the other constraints, so
  that nothing smaller is true, was found at every point tried and is not proved.

The answers lie between those for Gaussians (which ask for more than a Renyi curve) and those of
Canonne, Kamath and Steinke, and differ from the latter by O(delta): much when delta is of the
order of sqrt(rho), nothing that matters when it is 1e-5 of that.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.curves.gaussian import log_delta_gdp, log_target, mu_gdp
from accounting.numerics.monotone import solve_increasing
from accounting.numerics.validation import broadcastable, real
from accounting.renyi.linear import cks_least
from accounting.renyi.two_point_laws import best_laws, certified_epsilon, k

Array = NDArray[np.float64]
Index = NDArray[np.intp]
_LARGEST = float(np.finfo(np.float64).max)
_UP = 1 + 2.0**-48
_ROOM = 2.0**-40  # of epsilon and of log(1/delta): more than the tolerance moves the inverses
_BLOCK = 8192  # entries: the arrays of one block stay in the cache
_TOLERANCE = 1e-12  # of delta and rho; a step back to the safe side ends the search


def symmetric_law(rho: Array) -> tuple[Array, Array]:
    """l (here `spread`), rounded up, and log(1/delta) where the second case begins."""

    def excess(spread: Array, i: Index) -> tuple[Array, Array]:
        # d(l tanh(l/2))/dl = tanh + (l/2) sech^2, with sech^2 = (1 - tanh)(1 + tanh).
        tanh = np.tanh(spread / 2)
        return spread * tanh - rho[i], tanh + spread / 2 * (1 - tanh) * (1 + tanh)

    def any_point(spread: Array, i: Index) -> NDArray[np.bool_]:
        return np.ones(spread.shape, dtype=bool)

    # tanh(l/2) >= (l/2)/(1 + l/2), so l^2 <= rho (2 + l); and l >= rho, which a large rho attains
    # in floats: the end lies a little below, so that a step to it stays inside.
    low, high = rho / _UP, (rho + np.sqrt(2 * rho)) * _UP
    spread = solve_increasing(excess, any_point, low, high, up=True) * _UP
    double = 2 * spread
    # Two forms of one logarithm: the first cancels for large l, the second for small l.
    near, far = np.log(k(double)) - np.log(double), np.log1p(np.expm1(-double) / double)
    return spread, np.log1p(np.exp(-spread)) - np.where(spread < 1, near, far)


def _symmetric(spread: Array, log: Array) -> tuple[Array, Array, Array]:
    """epsilon of the symmetric law, and its slopes in log(1/delta) and in rho."""
    delta, complement, decay = np.exp(-log), -np.expm1(-log), np.exp(-spread)
    # 2 s - 1 - delta or 1 - delta - 2 (1 - s): whichever does not cancel.
    gap = np.where(spread < 1, np.tanh(spread / 2) - delta, complement - 2 * decay / (1 + decay))
    # e^epsilon (1 - s) = s - delta, so e^epsilon = 1 + e^l gap; gap is raised by its rounding.
    gap = gap * (1 + decay) + 2.0**-50 * (np.tanh(spread / 2) + delta)
    epsilon = np.where(gap > 0, np.logaddexp(0, spread + np.log(np.maximum(gap, 0.0))), 0.0)
    tanh = np.tanh(spread / 2)
    slope_rho = (
        complement * np.exp(spread - epsilon) / (tanh + spread / 2 * (1 - tanh) * (1 + tanh))
    )
    return epsilon * _UP, delta * (np.exp(spread - epsilon) + np.exp(-epsilon)), slope_rho


def _optimal(rho: Array, log: Array) -> tuple[Array, Array, Array]:
    """epsilon and its slopes in log(1/delta) and in rho, for one-dimensional arrays, rho > 0."""
    with np.errstate(all="ignore"):
        spread, edge = symmetric_law(rho)
        epsilon, slope_log, slope_rho = _symmetric(spread, log)
        cks, order = cks_least(rho, log)
        some = np.flatnonzero(log > edge)
        if some.size:
            r, g = rho[some], log[some]
            q = best_laws(r, g, np.log(spread[some]) + 0.5, np.log(order[some]))
            epsilons = certified_epsilon(q, g)
            # The logs of p beyond this have hardly a digit after the point: no slope is known.
            power = np.where(q.log_p > -1e13, -g - epsilons - q.log_p, math.nan)
            size = np.log(q.u) + np.log1p(q.u) - q.log_excess
            slope_log[some] = np.exp(power)
            slope_rho[some] = np.exp(power + size + q.u * (1 + q.u) * r)
            epsilon[some] = np.maximum(epsilons, 0.0)
        # Where the search lost its digits (far outside of use), so did the slopes.
        # NaN slopes send the solver to bisection; the value of `cks_least` remains valid.
        lost = ~(epsilon <= cks * (1 + 1e-9))
        slope_log[lost] = slope_rho[lost] = math.nan
        return np.fmin(epsilon, cks), slope_log, slope_rho


def _raised(rho: Array, log: Array) -> Array:
    """What `epsilon_optimal` answers: `_optimal` for less delta, and a little more of it.

    So `log_delta_optimal` at that epsilon, which rounds up, finds no more delta.
    """
    # L goes up by a part of min(L, 1) + L: a share of 1 - delta where delta is near 1.
    epsilon, _, _ = _optimal(rho, log + _ROOM * (np.minimum(log, 1.0) + log) / 4)
    with np.errstate(over="ignore"):
        raised: Array = epsilon * (1 + _ROOM)
    return raised


def epsilon_optimal(
    rho: ArrayLike, delta: ArrayLike | None = None, *, log_delta: ArrayLike | None = None
) -> Array:
    """Return the least epsilon that D_alpha <= rho alpha (all alpha > 1, both ways) implies.

    Rounded up so that it certifies when `delta_optimal` is evaluated.  rho in [0, inf); delta in
    (0, 1), or log_delta < 0.  Raises ValueError out of range.
    """
    r = real("rho", rho, low=0.0, high_open=True)
    ld, _ = log_target(delta, log_delta)
    shape = broadcastable(rho=r, delta=ld)
    rr, ll = np.broadcast_to(r, shape).ravel(), np.broadcast_to(-ld, shape).ravel()
    out = np.zeros(rr.shape)
    some = np.flatnonzero(rr > 0)
    for start in range(0, some.size, _BLOCK):
        block = some[start : start + _BLOCK]
        out[block] = _raised(rr[block], ll[block])
    return out.reshape(shape)[()]


def log_delta_optimal(rho: ArrayLike, epsilon: ArrayLike) -> Array:
    """Return log(delta_optimal(rho, epsilon)), also where that underflows; -inf for delta = 0.

    Rounded up.  rho in [0, inf), epsilon in [0, inf].
    Raises ValueError out of range.
    """
    r, e = real("rho", rho, low=0.0, high_open=True), real("epsilon", epsilon, low=0.0)
    shape = broadcastable(rho=r, epsilon=e)
    rr, ee = np.broadcast_to(r, shape).ravel(), np.broadcast_to(e, shape).ravel()
    out = np.full(rr.shape, -math.inf)
    some = np.flatnonzero((rr > 0) & np.isfinite(ee))
    if some.size:
        r1, e1 = rr[some], ee[some]

        def excess(log: Array, i: Index) -> tuple[Array, Array]:
            value, slope, _ = _optimal(r1[i], log)
            return value - e1[i], slope

        def certifies(log: Array, i: Index) -> NDArray[np.bool_]:
            good: NDArray[np.bool_] = _optimal(r1[i], log)[0] <= e1[i]
            return good

        with np.errstate(all="ignore"):
            spread, _ = symmetric_law(r1)
            # tanh(l/2) = 2 s - 1 is delta at epsilon = 0, the largest there is.
            least = np.log(np.tanh(spread / 2)) * (1 - 2.0**-50)  # epsilon = 0
            gaussian = log_delta_gdp(math.sqrt(2.0) * np.sqrt(r1), e1)
            # A sqrt(2 rho)-Gaussian-DP process has this curve, so the least delta is no smaller
            # than its own.
            high = np.minimum(-np.asarray(gaussian) * _UP, _LARGEST)
        low = np.minimum(-least, high)
        root = solve_increasing(excess, certifies, low, high, up=False, tolerance=_TOLERANCE)
        out[some] = 0.0 - root
    return out.reshape(shape)[()]


def delta_optimal(rho: ArrayLike, epsilon: ArrayLike) -> Array:
    """Return the least delta that D_alpha <= rho alpha (all alpha > 1, both ways) implies.

    Rounded up; a positive delta below the smallest float is returned as that float.  Ranges and
    errors: `log_delta_optimal`.
    """
    log = log_delta_optimal(rho, epsilon)
    with np.errstate(under="ignore"):
        low, rest = np.exp(log), -np.expm1(log)
        # Where 1 - delta has digits left to tell, delta goes up only if it is too small.
        near = 1 - rest
        high = np.where(1 - near > rest * (1 - 2.0**-50), np.nextafter(near, 2.0), near)
        delta = np.minimum(np.where(log > -0.5, high, np.nextafter(low, 2.0)), 1.0)
    return np.where(np.isneginf(log), 0.0, delta)[()]


def rho_optimal(
    epsilon: ArrayLike, delta: ArrayLike | None = None, *, log_delta: ArrayLike | None = None
) -> Array:
    """Return the largest rho for which D_alpha <= rho alpha implies (epsilon, delta).

    Rounded down so that `epsilon_optimal` certifies it; delta log((1+delta)/(1-delta)) at
    epsilon = 0.  epsilon in [0, inf); delta in (0, 1), or log_delta < 0.  Raises ValueError out of
    range.
    """
    e = real("epsilon", epsilon, low=0.0, high_open=True)
    ld, _ = log_target(delta, log_delta)
    shape = broadcastable(epsilon=e, delta=ld)
    ee, ll = np.broadcast_to(e, shape).ravel(), np.broadcast_to(-ld, shape).ravel()

    def excess(rho: Array, i: Index) -> tuple[Array, Array]:
        value, _, slope = _optimal(rho, ll[i])
        return value - ee[i] * (1 - 2 * _ROOM), slope

    def certifies(rho: Array, i: Index) -> NDArray[np.bool_]:
        good: NDArray[np.bool_] = _raised(rho, ll[i]) <= ee[i]
        return good

    with np.errstate(all="ignore"):
        delta_ = np.exp(-ll)
        # rho at epsilon = 0 (docstring), and Mironov's closed form: both are below the answer.
        none = delta_ * (np.log1p(delta_) - np.log(-np.expm1(-ll)))
        mironov = np.square(ee / (np.sqrt(ll + ee) + np.sqrt(ll)))
        low = np.maximum(none, mironov) * (1 - 2.0**-38)
        mu = np.asarray(mu_gdp(ee, log_delta=-ll))
        # Gaussian-DP asks for more than the curve, so its rho is above the answer.
        high = np.minimum(mu * (mu / 2) * (1 + 2.0**-38), _LARGEST)
    out = np.zeros(ee.shape)
    some = np.flatnonzero(low > 0)
    if some.size:
        ee, ll, low, high = ee[some], ll[some], low[some], np.maximum(high, low)[some]
        out[some] = solve_increasing(excess, certifies, low, high, up=False, tolerance=_TOLERANCE)
    return out.reshape(shape)[()]
