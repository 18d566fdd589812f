"""Linear Renyi curves D_alpha <= rho alpha to (epsilon, delta) and back, in closed form.

With L = log(1/delta) and the least over alpha > 1 (u = alpha - 1):
mironov (Mironov 2017, Prop. 3; sglu Prop. K.2)  rho alpha + L/u,
cks (Canonne, Kamath and Steinke 2020, Prop. 12; Balle et al. 2020, Thm 21)
    rho alpha + log(u/alpha) + (L - log alpha)/u, least at rho u^2 + log(1 + u) = L,
weak triangle (sglu Thm 3.2)  2 rho alpha (alpha - 1/2)/u + L/u.
These hold for any process with that curve.  `epsilon_gaussian` is smaller but asks for more: the
process must be sqrt(2 rho)-Gaussian-DP; a Renyi bound alone does not give that.

epsilon_* take rho in [0, inf) and delta in (0, 1), broadcast, and round up; rho_* take epsilon in
[0, inf) and round down, so that epsilon_* of the result is at most epsilon.  All raise ValueError
out of range.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from accounting.numerics.monotone import solve_increasing, step_until
from accounting.numerics.validation import broadcastable, real

Array = NDArray[np.float64]
Index = NDArray[np.intp]
_LARGEST = float(np.finfo(np.float64).max)
_UP, _DOWN = 1 + 2.0**-48, 1 - 2.0**-46  # epsilon grows at least like sqrt(rho)


def _rho_and_log(rho: ArrayLike, delta: ArrayLike) -> tuple[Array, Array]:
    r = real("rho", rho, low=0.0, high_open=True)
    d = real("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    broadcastable(rho=r, delta=d)
    return r, -np.log(d)


def _epsilon_and_log(epsilon: ArrayLike, delta: ArrayLike) -> tuple[Array, Array]:
    e = real("epsilon", epsilon, low=0.0, high_open=True)
    d = real("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    broadcastable(epsilon=e, delta=d)
    return e, -np.log(d)


def _certified(
    forward: Callable[[Array, Array], Array], rho: Array, epsilon: Array, delta: ArrayLike
) -> Array:
    """rho, moved down until forward(rho, delta) <= epsilon."""
    d = np.asarray(delta, dtype=np.float64)
    shape = np.broadcast_shapes(rho.shape, epsilon.shape, d.shape)
    ee, dd = np.broadcast_to(epsilon, shape).ravel(), np.broadcast_to(d, shape).ravel()

    def certifies(rho: Array, i: Index) -> NDArray[np.bool_]:
        return np.asarray(forward(rho, dd[i]) <= ee[i])

    # inf is no rho that could be certified; the largest float is the place to step down from.
    start = np.minimum(np.broadcast_to(rho, shape).ravel(), _LARGEST)
    return step_until(certifies, start, up=False).reshape(shape)


def epsilon_mironov(rho: ArrayLike, delta: ArrayLike) -> Array:
    """Return rho + 2 sqrt(rho L), the least over alpha of rho alpha + L/(alpha - 1)."""
    r, log = _rho_and_log(rho, delta)
    with np.errstate(over="ignore"):
        epsilon: Array = (r + 2 * np.sqrt(r) * np.sqrt(log)) * _UP
    return epsilon[()]


def rho_mironov(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """Return (sqrt(L + epsilon) - sqrt L)^2, the largest rho `epsilon_mironov` admits."""
    e, log = _epsilon_and_log(epsilon, delta)
    with np.errstate(over="ignore", under="ignore"):
        # sqrt(L + epsilon) - sqrt L without its cancellation at small epsilon.
        root = e / (np.sqrt(log + e) + np.sqrt(log))
        rho = np.square(root) * _DOWN
    return _certified(epsilon_mironov, rho, e, delta)[()]


def epsilon_weak_triangle(rho: ArrayLike, delta: ArrayLike) -> Array:
    """Return 3 rho + 2 sqrt(2 rho (rho + L)), for the curve 2 alpha rho (alpha-1/2)/(alpha-1)."""
    r, log = _rho_and_log(rho, delta)
    with np.errstate(over="ignore"):
        epsilon: Array = (3 * r + 2 * np.sqrt(2 * r) * np.sqrt(r + log)) * _UP
    return epsilon[()]


def rho_weak_triangle(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """Return epsilon^2/(B + sqrt(B^2 - epsilon^2)), B = 3 epsilon + 4 L: the inverse."""
    e, log = _epsilon_and_log(epsilon, delta)
    size = np.maximum(e, 1.0)  # divided out, lest B overflow
    b, x = 3 * (e / size) + 4 * (log / size), e / size
    with np.errstate(under="ignore"):
        # The smaller root of a quadratic in its stable form; B^2 - x^2 by its factors.
        rho: Array = e * (x / (b + np.sqrt(b - x) * np.sqrt(b + x))) * _DOWN
    return _certified(epsilon_weak_triangle, rho, e, delta)[()]


def epsilon_cks(rho: ArrayLike, delta: ArrayLike) -> Array:
    """Return max(0, min over alpha of rho alpha + log(1 - 1/alpha) + (L - log alpha)/(alpha-1))."""
    r, log = _rho_and_log(rho, delta)
    shape = np.broadcast_shapes(r.shape, log.shape)
    rr, ll = np.broadcast_to(r, shape).ravel(), np.broadcast_to(log, shape).ravel()
    out = np.zeros(rr.shape)
    some = np.flatnonzero(rr > 0)
    out[some] = cks_least(rr[some], ll[some])[0]
    return out.reshape(shape)[()]


def cks_least(rho: Array, log: Array) -> tuple[Array, Array]:
    """`epsilon_cks` for rho > 0 and log(1/delta), arrays of one dimension; and its alpha - 1."""
    u = _cks_order(rho, log)
    return _cks_value(rho, log, u), u


def _cks_order(r1: Array, l1: Array) -> Array:
    """The u with rho u^2 + log(1 + u) = log(1/delta)."""
    with np.errstate(over="ignore"):
        # Each of the two terms alone is at most L: rho u^2 <= L and log(1 + u) <= L.
        high = np.minimum(np.sqrt(l1) / np.sqrt(r1), np.expm1(np.minimum(l1, 700.0)))

    def excess(u: Array, i: NDArray[np.intp]) -> tuple[Array, Array]:
        with np.errstate(over="ignore"):
            return r1[i] * u * u + np.log1p(u) - l1[i], 2 * r1[i] * u + 1 / (1 + u)

    def any_order(u: Array, i: NDArray[np.intp]) -> NDArray[np.bool_]:
        # Every order gives a valid bound, so that no root has to be on a certain side.
        return np.ones(u.shape, dtype=bool)

    return solve_increasing(excess, any_order, np.zeros(high.shape), high, up=True)


def _cks_value(rho: Array, log: Array, u: Array) -> Array:
    # Terms of both signs: raised by the ulps of their sizes rather than of their sum.
    terms = np.stack([rho * (1 + u), -np.log1p(1 / u), log / u, -np.log1p(u) / u])
    value: Array = terms.sum(axis=0) + 2.0**-51 * np.abs(terms).sum(axis=0)
    return np.maximum(value, 0.0)


def rho_cks(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """Return the largest rho with epsilon_cks(rho, delta) <= epsilon.

    At the best order rho = (L - log(1+u))/u^2 and epsilon = (2u + 1) rho - log(1 + 1/u), which
    decreases in u.
    """
    e, log = _epsilon_and_log(epsilon, delta)
    shape = np.broadcast_shapes(e.shape, log.shape)
    ee, ll = np.broadcast_to(e, shape).ravel(), np.broadcast_to(log, shape).ravel()
    # rho_cks >= rho_mironov, so u^2 <= L/rho_mironov.
    with np.errstate(divide="ignore", over="ignore"):
        top = (np.sqrt(ll + ee) + np.sqrt(ll)) * np.sqrt(ll) / ee
    top = np.minimum(top, np.expm1(np.minimum(ll, 700.0)))

    def rho_at(u: Array, i: NDArray[np.intp]) -> Array:
        with np.errstate(over="ignore", under="ignore"):
            # Divided by u twice, as u^2 may overflow where the quotient does not.
            return np.maximum(ll[i] - np.log1p(u), 0.0) / u / u * _DOWN

    def excess(u: Array, i: NDArray[np.intp]) -> tuple[Array, Array]:
        rho = rho_at(u, i)
        with np.errstate(over="ignore"):
            slope = (1 + u) / u * (1 / (u + u * u) + 2 * rho)
            return ee[i] - ((2 * u + 1) * rho - np.log1p(1 / u)), slope

    def certifies(u: Array, i: NDArray[np.intp]) -> NDArray[np.bool_]:
        rho = rho_at(u, i)
        good: NDArray[np.bool_] = _cks_value(rho, ll[i], u) <= ee[i]
        return good

    # At this order rho >= L/(2 u^2), which makes epsilon(u) exceed epsilon.
    low = np.minimum(top, np.minimum(0.25, ll / 4) / (1 + ee)) * 0.25
    u = solve_increasing(excess, certifies, low, top, up=True)
    # Down once more for the rounding of rho_at; `_certified` then decides.
    rho = (rho_at(u, np.arange(u.size)) * _DOWN).reshape(shape)
    return _certified(epsilon_cks, rho, e, delta)[()]


def epsilon_gaussian(rho: ArrayLike, delta: ArrayLike) -> Array:
    """Return the least epsilon of a process that is sqrt(2 rho)-Gaussian-DP.

    Not valid for a process of which only D_alpha <= rho alpha is known.
    """
    r, _ = _rho_and_log(rho, delta)
    return epsilon_gdp(np.sqrt(2.0) * np.sqrt(r) * _UP, delta)


def rho_gaussian(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """Return mu^2/2 for the largest mu whose mu-Gaussian-DP gives (epsilon, delta)."""
    e, _ = _epsilon_and_log(epsilon, delta)
    mu = np.asarray(mu_gdp(e, delta))
    with np.errstate(under="ignore"):
        rho = mu * (mu / 2) * _DOWN
    return _certified(epsilon_gaussian, rho, e, delta)[()]
