"""Divergences between two Gaussian laws, from densities and quadrature.

No closed Gaussian privacy curve is used here: the hockey-stick divergence is an integral of a
positive function, so it is an independent route to such curves and has no cancellation at any size.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solve_triangular
from scipy.special import ndtr, ndtri

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.exact.gaussian import Gaussian
from simulators.exact.quadrature import graded_panels

Array = NDArray[np.float64]
_FAR = 15.0
_BEYOND = 1e150


def _whitened(p: Gaussian, q: Gaussian) -> tuple[Array, Array]:
    """Eigenvalues of cov_q^{-1/2} cov_p cov_q^{-1/2} minus 1, and the mean shift in that basis."""
    if p.mean.size != q.mean.size:
        raise ValueError(f"p and q must share a dimension, got {p.mean.size} and {q.mean.size}")
    if p.mean.size == 1 and p.cov[0, 0] > 0 and q.cov[0, 0] > 0:
        # The difference of the variances before any quotient: a ratio minus 1 cancels for close
        # laws.
        scale = np.sqrt(q.cov[0, 0])
        return (p.cov - q.cov)[0] / scale / scale, (p.mean - q.mean) / scale
    try:
        root = np.linalg.cholesky(q.cov)
        np.linalg.cholesky(p.cov)
    except np.linalg.LinAlgError:
        raise ValueError("p and q must have positive definite covariances, got singular") from None
    # L^{-1} (cov_p - cov_q) L^{-T} with cov_q = L L', an orthogonal change of basis away from the
    # docstring's matrix: eigenvalues and the norm of the shift are the same.
    half = solve_triangular(root, p.cov - q.cov, lower=True)
    excess, basis = np.linalg.eigh(solve_triangular(root, half.T, lower=True))
    return excess, basis.T @ solve_triangular(root, p.mean - q.mean, lower=True)


def _spread(excess: Array, order: Array) -> Array:
    """D_order(N(0, 1 + excess) || N(0, 1)), inf where 1 - (order - 1) excess <= 0."""
    removed = (order - 1) * excess
    finite = removed < 1
    # 0.5 stands in where the quotient below is not used.
    safe = np.where(finite & (removed != 0), removed, 0.5)
    # -log(1 - x)/x tends to 1 with x, so that the order may tend to 1.
    scaled = np.where(removed == 0, 1.0, -np.log1p(-safe) / safe)
    return np.where(finite, (excess * scaled - np.log1p(excess)) / 2, math.inf)


@typed
def renyi(p: Gaussian, q: Gaussian, alpha: float) -> float:
    """D_alpha(p || q), alpha >= 1 (1 is Kullback-Leibler), inf where infinite (sglu Def. 2.1).

    Infinite exactly when alpha cov_q + (1 - alpha) cov_p is not positive definite.
    """
    order = validation.scalar("alpha", alpha, low=1.0, high_open=True)
    excess, shift = _whitened(p, q)
    spread = _spread(excess, np.asarray(order))
    if not np.isfinite(spread).all():
        return math.inf
    # (alpha cov_q + (1 - alpha) cov_p) / cov_q on each axis; positive, as every spread is finite.
    inner = 1 + (1 - order) * excess
    return float(np.sum(order / 2 * shift**2 / inner + spread))


@typed
def renyi_gauss(
    mean0: ArrayLike, var0: ArrayLike, mean1: ArrayLike, var1: ArrayLike, alpha: ArrayLike
) -> Array:
    """D_alpha(N(mean0, var0) || N(mean1, var1)) on the line, broadcasting; alpha >= 1.

    alpha m^2/(2 v) + log(var0^(1-alpha) var1^alpha / v) / (2 (alpha - 1)) with
    v = alpha var1 + (1 - alpha) var0, and inf where v <= 0 (sglu Def. 2.1).
    """
    order = validation.real("alpha", alpha, low=1.0, high_open=True)
    v0 = validation.real("var0", var0, low=0.0, low_open=True, high_open=True)
    v1 = validation.real("var1", var1, low=0.0, low_open=True, high_open=True)
    m0 = validation.real("mean0", mean0, low_open=True, high_open=True)
    m1 = validation.real("mean1", mean1, low_open=True, high_open=True)
    order, v0, v1, gap = np.broadcast_arrays(order, v0, v1, m0 - m1)
    excess = (v0 - v1) / v1
    inner = 1 + (1 - order) * excess
    # Where the form is not positive `_spread` is inf already, and 1 keeps the quotient finite.
    safe = np.where(inner > 0, inner, 1.0)
    return np.asarray(order * gap**2 / (2 * v1 * safe) + _spread(excess, order))


@typed
def separation(p: Gaussian, q: Gaussian, rtol: float = 1e-12) -> float:
    """mu = |cov^{-1/2}(mean_p - mean_q)|, the Gaussian-DP parameter of two equal-covariance laws.

    Raises ValueError when the covariances differ by more than `rtol` (whitened).
    """
    slack = validation.scalar("rtol", rtol, low=0.0, high_open=True)
    excess, shift = _whitened(p, q)
    if not np.abs(excess).max() <= slack:
        raise ValueError(f"p and q must have equal covariances, got excess {np.abs(excess).max()}")
    # By hypot, as squares of a shift below 1e-154 would leave the floats.
    return math.hypot(*shift.tolist())


@typed
def winf(p: Gaussian, q: Gaussian, rtol: float = 1e-12) -> float:
    """W_inf(p, q): the means' distance for equal covariances, inf otherwise (sglu Def. 2.4)."""
    slack = validation.scalar("rtol", rtol, low=0.0, high_open=True)
    if p.mean.size != q.mean.size:
        raise ValueError(f"p and q must share a dimension, got {p.mean.size} and {q.mean.size}")
    scale = max(float(np.abs(p.cov).max()), float(np.abs(q.cov).max()))
    if not np.abs(p.cov - q.cov).max() <= slack * scale:
        return math.inf
    return math.hypot(*(p.mean - q.mean).tolist())


@typed
def tradeoff(p: Gaussian, q: Gaussian, level: ArrayLike) -> Array:
    """Least type-II error of a test of p against q at type-I error `level`, equal covariances."""
    size = validation.real("level", level, low=0.0, high=1.0)
    return np.asarray(ndtr(-ndtri(size) - separation(p, q)))


def _positive_set(a: float, b: float, c: float) -> list[tuple[float, float]]:
    """Where a z^2 + b z + c > 0, as open intervals."""
    # Equal variances: the log ratio is affine.
    if a == 0:
        if b == 0:
            return [(-math.inf, math.inf)] if c > 0 else []
        return [(-c / b, math.inf)] if b > 0 else [(-math.inf, -c / b)]
    discriminant = b * b - 4 * a * c
    if discriminant <= 0:
        return [(-math.inf, math.inf)] if a > 0 else []
    # The larger root by magnitude first: no cancellation, and a root near infinity stays exact.
    far = -(b + math.copysign(math.sqrt(discriminant), b)) / 2
    low, high = sorted((far / a, c / far))
    return [(-math.inf, low), (high, math.inf)] if a > 0 else [(low, high)]


def _effective(low: float, high: float) -> tuple[float, float]:
    """The part of (low, high) that holds all but about e^-100 of its standard normal mass."""
    # At hypot(low, _FAR) the density is e^{-_FAR^2/2} times that at low.
    if low > 0:
        return low, min(high, math.hypot(low, _FAR))
    if high < 0:
        return max(low, -math.hypot(high, _FAR)), high
    return max(low, -_FAR), min(high, _FAR)


def _finite(name: str, value: float, low: float = -math.inf) -> float:
    return validation.scalar(name, value, low=low, low_open=True, high_open=True)


@typed
def log_hockey_stick_gauss(
    mean0: float, var0: float, mean1: float, var1: float, epsilon: float
) -> float:
    """log of sup_A P(A) - e^epsilon Q(A) for P = N(mean0, var0), Q = N(mean1, var1), any epsilon.

    Integrates p (1 - e^(epsilon - L))_+ with L = log p/q over panels graded towards its zeros.
    Relative accuracy of the divergence about 1e-13, also far below 1e-300; -inf where it is 0.
    """
    eps = _finite("epsilon", epsilon)
    v0 = _finite("var0", var0, low=0.0)
    v1 = _finite("var1", var1, low=0.0)
    gap = _finite("mean1", mean1) - _finite("mean0", mean0)
    shift, excess = gap / math.sqrt(v0), (v0 - v1) / v1
    # In units of P: L(z) - epsilon = a z^2 + b z + c.
    a, b = excess / 2, -shift * v0 / v1
    c = shift * shift * v0 / v1 / 2 - math.log1p(excess) / 2 - eps
    terms = []
    for low, high in _positive_set(a, b, c):
        span = _effective(low, high)
        # Past _BEYOND the logarithm itself leaves the floats.
        if not (span[0] < span[1] and span[0] < _BEYOND and span[1] > -_BEYOND):
            continue
        points, weights, offsets = graded_panels(*span, longest=1.0)
        # Factored at the nearer end of the interval, where the polynomial would cancel.
        end = np.where(offsets > 0, span[0], span[1])
        at_end = np.where(np.isin(end, [low, high]), 0.0, (a * end + b) * end + c)
        ratio = at_end + offsets * (a * (end + points) + b)
        # log(1 - e^{epsilon - L}) by expm1, which keeps its digits where L is close to epsilon.
        with np.errstate(divide="ignore"):
            logs = np.log(weights) + np.log(-np.expm1(-np.maximum(ratio, 0.0)))
        # -z^2/2 at z = end + offset, expanded: near the end the offset keeps digits that z has
        # lost.
        terms.append(logs - end**2 / 2 - offsets * (end + offsets / 2))
    if not terms:
        return -math.inf
    joined = np.concatenate(terms)
    top = float(joined.max())
    if top == -math.inf:
        return -math.inf
    # The largest term is factored out: the sum itself may be far below the least float.
    return top + math.log(float(np.exp(joined - top).sum())) - math.log(2 * math.pi) / 2


@typed
def hockey_stick_gauss(
    mean0: float, var0: float, mean1: float, var1: float, epsilon: float
) -> float:
    """delta(epsilon) = sup_A P(A) - e^epsilon Q(A); see `log_hockey_stick_gauss`."""
    return math.exp(log_hockey_stick_gauss(mean0, var0, mean1, var1, epsilon))


@typed
def hockey_stick(p: Gaussian, q: Gaussian, epsilon: float) -> float:
    """delta(epsilon) of two Gaussian laws that are one-dimensional or share their covariance."""
    if p.mean.size == 1 and q.mean.size == 1:
        return hockey_stick_gauss(
            float(p.mean[0]), float(p.cov[0, 0]), float(q.mean[0]), float(q.cov[0, 0]), epsilon
        )
    return hockey_stick_gauss(separation(p, q), 1.0, 0.0, 1.0, epsilon)
