"""Renyi curves alpha -> D_alpha as values: composition, group privacy, weak triangle, conversion.

A curve bounds D_alpha in both directions over a range of orders.  One function composes, one
joins a chain of laws, one converts; no mechanism does it for itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import choice, count, real, scalar, shortest
from accounting.renyi.linear import epsilon_cks as epsilon_cks
from accounting.renyi.linear import epsilon_mironov as epsilon_mironov
from accounting.renyi.linear import epsilon_weak_triangle as epsilon_weak_triangle
from accounting.renyi.linear import rho_cks as rho_cks
from accounting.renyi.linear import rho_mironov as rho_mironov
from accounting.renyi.linear import rho_weak_triangle as rho_weak_triangle
from accounting.renyi.optimal import epsilon_optimal as epsilon_optimal

Array = NDArray[np.float64]
Kind = Literal["linear", "weak_triangle", "general"]
_UP = 1 + 2.0**-48
_LINEAR = {"mironov": epsilon_mironov, "cks": epsilon_cks, "optimal": epsilon_optimal}


@dataclass(frozen=True)
class RenyiCurve:
    """A bound on D_alpha for the orders low < alpha < high (low >= 1; high may be inf).

    kind "linear": rho alpha.  "weak_triangle": 2 alpha rho (alpha - 1/2)/(alpha - 1), what the
    weak triangle inequality with p = q = 2 makes of a linear curve (sglu Theorem 3.2).  "general":
    `function`, called with an array of orders.  Use the constructors `linear`, `weak` and `of`.
    """

    kind: Kind
    rho: float = 0.0
    function: Callable[[Array], ArrayLike] | None = None
    low: float = 1.0
    high: float = math.inf

    def __post_init__(self) -> None:
        choice("kind", self.kind, ("linear", "weak_triangle", "general"))
        scalar("rho", self.rho, low=0.0, high_open=True)
        low = scalar("low", self.low, low=1.0, high_open=True)
        high = scalar("high", self.high, low=1.0)
        if not low < high:
            raise ValueError(f"high must be > low = {low}, got {high}")
        consistent = callable(self.function) if self.kind == "general" else self.function is None
        if not consistent:
            raise ValueError(
                f"function must be a callable exactly for the kind 'general', got {self.function!r}"
            )

    @staticmethod
    def linear(rho: float) -> RenyiCurve:
        """rho alpha for every alpha > 1."""
        return RenyiCurve("linear", rho)

    @staticmethod
    def weak(rho: float) -> RenyiCurve:
        """2 alpha rho (alpha - 1/2)/(alpha - 1) for every alpha > 1."""
        return RenyiCurve("weak_triangle", rho)

    @staticmethod
    def of(
        function: Callable[[Array], ArrayLike], low: float = 1.0, high: float = math.inf
    ) -> RenyiCurve:
        """Any function of the order, on (low, high)."""
        return RenyiCurve("general", 0.0, function, low, high)

    def __call__(self, alpha: ArrayLike) -> Array:
        """The bound at the orders alpha; ValueError outside the range, or if it is not >= 0."""
        a = real("alpha", alpha, low=self.low, high=self.high, low_open=True, high_open=True)
        if self.kind == "linear":
            return (self.rho * a)[()]
        if self.kind == "weak_triangle":
            return (2 * a * self.rho * ((a - 0.5) / (a - 1)))[()]
        assert self.function is not None
        return real("curve(alpha)", self.function(a), low=0.0)[()]


def _curves(curves: tuple[object, ...], *names: str) -> list[RenyiCurve]:
    """The curves, which the caller calls by these names ("curve" each by default)."""
    if not curves:
        raise ValueError("curves must be at least one RenyiCurve, got none")
    for curve, name in zip(curves, names or len(curves) * ("curve",), strict=True):
        if not isinstance(curve, RenyiCurve):
            raise ValueError(f"{name} must be a RenyiCurve, got {curve!r}")
    return [curve for curve in curves if isinstance(curve, RenyiCurve)]


def compose(*curves: RenyiCurve) -> RenyiCurve:
    """Return the curve of all the mechanisms together: the sum, where all are defined."""
    parts = _curves(curves)
    if len({part.kind for part in parts}) == 1 and parts[0].kind != "general":
        return RenyiCurve(parts[0].kind, math.fsum(part.rho for part in parts))

    def total(alpha: Array) -> Array:
        summed: Array = np.sum([part(alpha) for part in parts], axis=0) * _UP
        return summed

    # Orders for which every part has a bound.
    low, high = max(part.low for part in parts), min(part.high for part in parts)
    if not low < high:
        raise ValueError(f"curves must have a common range of orders, got ({low}, {high})")
    return RenyiCurve.of(total, low, high)


def group(curve: RenyiCurve, k: int) -> RenyiCurve:
    """Return the curve of the ends of a chain of k + 1 laws, neighbours being `curve` apart.

    D_alpha <= sum_{i<k} (k alpha/(k alpha - i)) D_(k alpha - i): the weak triangle inequality
    (Mironov 2017, Cor. 4) k - 1 times, each with the split that is optimal for Gaussians.  For a
    linear curve this is k^2 rho alpha, exact for Gaussians on a line.
    """
    (part,) = _curves((curve,))
    n = count("k", k, low=1)
    if part.kind == "linear":
        return RenyiCurve.linear(n * n * part.rho)

    def total(alpha: Array) -> Array:
        # The orders k alpha - i, i < k, along a new last axis.
        orders = n * np.asarray(alpha)[..., None] - np.arange(n)
        weights = n * np.asarray(alpha)[..., None] / orders
        summed: Array = np.sum(weights * part(orders), axis=-1) * _UP
        return summed

    # The least order used is k alpha - (k - 1).
    low = (part.low + n - 1) / n
    return RenyiCurve.of(total, low, part.high / n)


def weak_triangle(
    curve1: RenyiCurve, curve2: RenyiCurve, alpha: float, p: float | None = None
) -> float:
    """Return a bound on D_alpha(P||R) from D(P||Q) <= curve1 and D(Q||R) <= curve2.

    ((alpha - 1/p)/(alpha - 1)) D_(p alpha)(P||Q) + D_((p alpha - 1)/(p - 1))(Q||R) for p > 1
    (Mironov 2017, Cor. 4; sglu Prop. D.3).  p None takes the best split: p = 1 +
    (alpha - 1) sqrt(rho2)/(alpha sqrt(rho1)) for linear curves, where the bound becomes
    alpha (sqrt rho1 + sqrt rho2)^2, exact for Gaussians on a line; a numerical search otherwise
    (any split is valid).  Raises ValueError when an order leaves a curve's range.
    """
    first, second = _curves((curve1, curve2), "curve1", "curve2")
    a = scalar("alpha", alpha, low=1.0, low_open=True, high_open=True)
    if p is not None:
        split = scalar("p", p, low=1.0, low_open=True, high_open=True)
        if not split * a <= np.finfo(np.float64).max:
            raise ValueError(
                f"p must leave p*alpha a float, got {shortest(split)} with alpha {shortest(a)}"
            )
        # By log(p - 1), as the search below uses it.
        return _split(first, second, a, math.log(split - 1))
    if first.kind == second.kind == "linear":
        return a * (math.sqrt(first.rho) + math.sqrt(second.rho)) ** 2 * _UP
    # p alpha in curve1's range and (p alpha - 1)/(p - 1) in curve2's, in v = log(p - 1).
    low = max(first.low / a - 1, (a - 1) / (second.high - a) if second.high > a else math.inf)
    # p alpha < first.high.
    high = first.high / a - 1
    # (p alpha - 1)/(p - 1) falls to alpha as p grows, which only then is too low an order.
    if second.low > a:
        high = min(high, (a - 1) / (second.low - a))
    if not max(low, 0.0) < high:
        raise ValueError(f"alpha must leave a split within both curves' ranges, got {a}")
    return _least(lambda v: _split(first, second, a, v), _log(low), _log(high))


def _split(first: RenyiCurve, second: RenyiCurve, a: float, v: float) -> float:
    r = math.exp(v)
    # p = 1 + r, and (p alpha - 1)/(p - 1) = alpha + (alpha - 1)/r without cancellation.
    return float((a - 1 / (1 + r)) / (a - 1) * first((1 + r) * a) + second(a + (a - 1) / r)) * _UP


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


def to_epsilon(
    curve: RenyiCurve, delta: float, conversion: Literal["mironov", "cks", "optimal"] = "mironov"
) -> float:
    """Return the least epsilon >= 0 that the conversion gives at delta, over the curve's orders.

    "mironov": D_alpha + log(1/delta)/(alpha - 1); "cks": D_alpha + log(1 - 1/alpha) +
    (log(1/delta) - log alpha)/(alpha - 1) (see `accounting.renyi.linear`), closed forms where
    there are any; "optimal", for linear curves only: the least that the curve implies (see
    `accounting.renyi.optimal`).  Elsewhere, since (alpha - 1) D_alpha is convex in alpha, the
    objective is quasi-convex and its minimum is bracketed in log(alpha - 1); every order is valid,
    so the result never is too small.
    """
    (part,) = _curves((curve,))
    d = scalar("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    word = choice("conversion", conversion, tuple(_LINEAR))
    if part.kind == "linear":
        return float(_LINEAR[word](part.rho, d))
    if word == "optimal":
        raise ValueError(
            f"conversion must be 'mironov' or 'cks' for a {part.kind} curve, got {word!r}"
        )
    if part.kind == "weak_triangle" and word == "mironov":
        return float(epsilon_weak_triangle(part.rho, d))
    log = -math.log(d)

    def objective(v: float) -> float:
        u = math.exp(v)
        value = float(part(1 + u)) + log / u
        if word == "cks":
            value -= math.log1p(1 / u) + math.log1p(u) / u
        # Terms of both signs: what rounding may have taken is a part of their sizes.
        return value + 2.0**-48 * (abs(value) + log / u)

    return max(0.0, _least(objective, _log(part.low - 1), _log(part.high - 1)))


def _least(objective: Callable[[float], float], low: float, high: float) -> float:
    """The least value of a quasi-convex function of v in (low, high), to full precision."""

    start, end = max(low, -34.0), min(high, 60.0)  # orders 1 + 2e-15 to 1e26
    # The range is open: its ends are moved in by more than rounding.
    inner = 2.0**-48 * (1 + abs(start) + abs(end))
    grid = np.linspace(start + inner, end - inner, 65)
    values = [objective(float(v)) for v in grid]
    best = int(np.argmin(values))
    # Every order has an infinite bound.
    if not math.isfinite(values[best]):
        return math.inf
    bounds = (float(grid[max(best - 1, 0)]), float(grid[min(best + 1, 64)]))
    minimum = scipy.optimize.minimize_scalar(
        objective, bounds=bounds, method="bounded", options={"xatol": 1e-9}
    )
    return float(min(minimum.fun, values[best]))
