"""The worst pair of two-point laws under D_alpha <= rho alpha, and a certificate for each order.

An event of probability p under P and q under Q has the likelihood ratios
t2 = q/p and t1 = (1-q)/(1-p); write t1 = e^-x, t2 = e^(d-x), u = alpha - 1, a = alpha.

Certificate.  For u > 0 and t1 < t2 put lambda = 1/(a (t2^u - t1^u)) and gamma =
(u/a) (t2^a - t1^a)/(t2^u - t1^u).  Then (t - gamma)_+ <= lambda (t^a - a t1^u t + u t1^a) for
t >= 0: the right side is convex and touches 0 at t1 and t - gamma at t2.  Its mean under P, with
E t = 1 and E t^a <= B = exp(u a rho), gives delta <= lambda (B - g), g = a t1^u - u t1^a.  Given
delta this fixes t2; so every (u, x) yields a valid epsilon = log gamma, and t1 = 0 yields the
conversion of Canonne, Kamath and Steinke.  At one order the least is where the two points are a
two-point law with E t^a = B (then the bound is attained, if that is the only constraint); over the
orders it is where D_alpha/alpha of that law is stationary, KL(Q_u||Q) = u^2 rho for Q_u ~ t^u Q,
and at the limit alpha = 1 when there is no such order.

No terms of different sign are added: all is made of k(z) = e^-z - 1 + z and
h(z) = 1 - (1 + z) e^-z.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from accounting.numerics.monotone import solve_crossing, solve_increasing

Array = NDArray[np.float64]
Index = NDArray[np.intp]
_LEAST_ORDER = 2.0**-46  # of alpha - 1, in place of the limit
_FAINT = 1e-290
_STEP = 1e-4  # of a difference for a derivative
# For the integral of s A''(s), which does not cancel where s is small.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)


def k(z: Array) -> Array:
    """e^-z - 1 + z for z >= 0."""
    # The terms z and e^-z - 1 cancel to z^2/2 for small z: a series there.
    far: Array = z + np.expm1(-z)
    few = z < 0.5
    if z.size == 1:
        return np.full(z.shape, _series(z.item())) if few.all() else far
    if few.any():
        far[few] = _series(z[few])
    return far


def _series(z: Any) -> Any:
    """k(z) for small z, numbers and arrays alike."""
    # z^2/2 (1 - z/3 (1 - z/4 (...))), Horner's scheme from the sixteenth term on.
    total = 1.0
    for n in range(16, 2, -1):
        total = total * z * (-1 / n) + 1
    return 0.5 * z * z * total


def h(z: Array) -> Array:
    """1 - (1 + z) e^-z for z >= 0, which is e^-z k(-z)."""
    # The chance that a Gamma(2) variable is at most z, to full relative precision.
    value: Array = scipy.special.gammainc(2.0, z)
    return value


def log_expm1(z: Array) -> Array:
    """log(e^z - 1) for z > 0."""
    # In this form neither e^z overflows nor a small z cancels.
    value: Array = z + np.log(-np.expm1(-z))
    return value


@dataclass(frozen=True)
class TwoPointLaws:
    """Two-point laws (one per entry) and how far each is from attaining the bound at the order 1 +
    u."""

    u: Array
    x: Array
    d: Array
    log_p: Array
    log_excess: Array  # log(B - g)
    residual: Array  # log((E t^a - 1)/(B - 1))
    slope: Array  # of the residual in log x


def laws_at(rho: Array, log: Array, u: Array, log_x: Array) -> TwoPointLaws:
    """The points t1, t2 that spend all of delta = e^-log, as a two-point law (p from E t = 1)."""
    a, x = 1 + u, np.exp(log_x)
    # log(B - 1); B - g = (B - 1) + (1 - g), both positive, 1 - g made of h and k.
    log_b = log_expm1(u * a * rho)
    log_excess = np.logaddexp(log_b, np.log(h(u * x) + u * np.exp(-u * x) * k(x)))
    # delta = lambda (B - g) solved for t2: (t2/t1)^u - 1 = e^w.
    w = log_excess + log - np.log(a) + u * x
    d = np.logaddexp(0, w) / u
    # log t2 > 0; at the edge of the range rounding may leave 0.
    top = np.maximum(d - x, 1e-300)
    log_p = np.where(x < 1e-8, log_x + 0.5 * x, log_expm1(x)) - log_expm1(d)
    log_p = np.minimum(log_p, -1e-300)
    log_1p = np.log(-np.expm1(log_p))
    # E t^a - 1 = (1 - p) low + p t2^a high
    low = np.exp(-x) * k(u * x) + u * h(x)
    high = h(u * top) + u * np.exp(-u * top) * k(top)
    log_low, log_high = log_1p + np.log(low), log_p + a * top + np.log(high)
    log_f = np.logaddexp(log_low, log_high)
    # d(d)/dx and d(log p)/dx, then the chain rule through both parts of E t^a - 1.
    slope_d = np.exp(-np.logaddexp(0, -w)) * (1 - a * np.exp(-u * x - log_excess) * np.expm1(-x))
    slope_p = 1 / -np.expm1(-x) - slope_d / -np.expm1(-d)
    part_low, part_high = np.exp(log_low - log_f), np.exp(log_high - log_f)
    slope = slope_p * (part_high - part_low * np.exp(log_p - log_1p))
    slope += a * np.exp(log_1p - x + np.log(-np.expm1(-u * x)) - log_f)
    slope += part_high * a * (-np.expm1(-u * top) / high) * (slope_d - 1)
    # Where x is hardly a float, log p rises as log x does.
    slope = np.where(x < _FAINT, 1.0, slope * x)
    return TwoPointLaws(u, x, d, log_p, log_excess, log_f - log_b, slope)


def best_at_order(rho: Array, log: Array, u: Array, top: Array, start: Array) -> TwoPointLaws:
    """The two-point laws that attain the bound at the order 1 + u, with log x in [-log - 1,
    top]."""

    def excess(log_x: Array, i: Index) -> tuple[Array, Array]:
        laws = laws_at(rho[i], log[i], u[i], log_x)
        return laws.residual, laws.slope

    def any_point(log_x: Array, i: Index) -> NDArray[np.bool_]:
        return np.ones(log_x.shape, dtype=bool)

    log_x = solve_increasing(excess, any_point, -log - 1, top, up=True, tolerance=1e-9, start=start)
    return laws_at(rho, log, u, log_x)


def tilted_divergence(q: TwoPointLaws) -> Array:
    """log KL(Q_u||Q) of the two-point law: s A'(s) - A(s) with A = log(1 - q + q e^s), s = u d."""
    s = q.u * q.d
    log_q = np.minimum(q.log_p + q.d - q.x, 0.0)
    log_1q = np.log(-np.expm1(q.log_p)) - q.x
    # s A' - A is the integral of r A''(r) over [0, s]: by quadrature for s < 1, directly beyond.
    near = np.minimum(s, 1.0)
    total = np.zeros_like(s)
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        point = 0.5 * near * (1 + node)
        logit = log_q - log_1q + point
        # A'' = q_r (1 - q_r), the variance of the tilted law.
        share = np.exp(-np.logaddexp(0, logit)) * np.exp(-np.logaddexp(0, -logit))
        total += 0.5 * weight * near * point * share
    logit = log_q - log_1q + s
    far = s * np.exp(-np.logaddexp(0, -logit)) - np.logaddexp(0, log_q + log_expm1(s))
    value: Array = np.log(np.maximum(np.where(s < 1, total, far), 0.0))
    return value


def certified_epsilon(q: TwoPointLaws, log: Array) -> Array:
    """log gamma, raised by a bound on its rounding error."""
    u, x, d, a = q.u, q.x, q.d, 1 + q.u
    decay = np.exp(-u * d)
    shrink = -np.expm1(-u * d)
    # log gamma in two forms: for d < 1 the correction to d - x is written without cancellation.
    near = np.log1p(-(h(u * d) + u * decay * k(d)) / (a * shrink))
    far = np.log1p(-np.expm1(-d) * decay / shrink) - np.log1p(1 / u)
    value = d - x + np.where(d < 1, near, far)
    size = np.abs(q.log_excess) + log + np.log(a) + u * x + 4
    error = shrink * size / u + d + x + np.where(d < 1, np.abs(near), 2 + np.log1p(1 / u))
    raised: Array = value + 2.0**-50 * error
    return raised


def best_laws(rho: Array, log: Array, top: Array, start: Array) -> TwoPointLaws:
    """The two-point laws at the best order (rho > 0), sought from the order 1 + e^start on.

    That of Canonne, Kamath and Steinke is a good start: it is the best one where t1 = 0.
    """
    v, log_x, lost = _settled(rho, log, top, start)
    if lost.size:
        sought = _searched(rho[lost], log[lost], top[lost])
        v[lost], log_x[lost] = np.log(sought.u), np.log(sought.x)
    return laws_at(rho, log, np.exp(v), log_x)


def _settled(rho: Array, log: Array, top: Array, start: Array) -> tuple[Array, Array, Index]:
    """log u and log x by Newton's steps in both, with Broyden's derivatives, and what they lost.

    Both equations are stationarity of epsilon, so that a step left out costs its square.
    """
    # v = log u and y = log x.
    v, y = start, np.minimum(top, 2.0 - log)
    for _ in range(3):
        laws = laws_at(rho, log, np.exp(v), y)
        # Newton in x alone at the starting order, so that both equations start near their zeros.
        y = np.clip(y - laws.residual / laws.slope, -log - 1, top)

    def equations(v: Array, y: Array) -> tuple[Array, Array, Array]:
        laws = laws_at(rho, log, np.exp(v), y)
        return laws.residual, 2 * v + np.log(rho) - tilted_divergence(laws), laws.slope

    (f, g, f_y) = equations(v, y)
    (f_more, g_more, _), (_, g_beside, _) = equations(v + _STEP, y), equations(v, y + _STEP)
    f_v, g_v, g_y = (f_more - f) / _STEP, (g_more - g) / _STEP, (g_beside - g) / _STEP
    best_v, best_y, settled = v.copy(), y.copy(), np.zeros(v.shape, dtype=bool)
    active = np.arange(v.size)
    for _ in range(12):
        # Cramer's rule for the two unknowns.
        inverse = -1 / (f_v * g_y - f_y * g_v)
        dv, dy = (g_y * f - f_y * g) * inverse, (f_v * g - g_v * f) * inverse
        best_v[active], best_y[active] = v, y
        near = (np.abs(dv) < 3e-7) & (np.abs(dy) < 1e-5)
        settled[active[near]] = True
        # A step that leaves the region of the root gives the entry up: `_searched` takes it.
        more = ~near & (np.abs(dv) < 2) & np.isfinite(dy)
        if not more.any():
            break
        active = active[more]
        rho, log, v, y, dv, dy, f_v, f_y, g_v, g_y = (
            x[more] for x in (rho, log, v, y, dv, dy, f_v, f_y, g_v, g_y)
        )
        v, y, size = v + dv, y + dy, dv * dv + dy * dy
        f, g, _ = equations(v, y)
        # Broyden's update: the new residual is what the linear model missed along the step.
        f_v, f_y = f_v + f * dv / size, f_y + f * dy / size
        g_v, g_y = g_v + g * dv / size, g_y + g * dy / size
    return best_v, best_y, np.flatnonzero(~settled)


def _searched(rho: Array, log: Array, top: Array) -> TwoPointLaws:
    """The two-point laws at the best order, by a search for the order around one for the law."""
    latest = top.copy()

    def excess(v: Array, i: Index) -> Array:
        laws = best_at_order(rho[i], log[i], np.exp(v), top[i], latest[i])
        # The next order is near: its search for x starts where this one ended.
        latest[i] = np.log(laws.x)
        return 2 * v + np.log(rho[i]) - tilted_divergence(laws)

    # KL(Q_u||Q) <= -log q <= log, so u <= sqrt(log/rho).
    high = 0.5 * (np.log(log) - np.log(rho))
    low = np.minimum(np.log(_LEAST_ORDER), high - 1)
    v = solve_crossing(excess, low, high)
    return best_at_order(rho, log, np.exp(v), top, latest)
