"""A claimed Renyi curve as a bound on events: data processing onto two-point laws, over all its
orders.

D_alpha(P || Q) <= D(alpha) both ways bounds the divergences of the two-point laws (P(S), Q(S)).
For a fixed order the admitted pairs are a convex set (exp((alpha - 1) D_alpha) is jointly convex),
and so is their intersection over the orders.  Leaving orders out admits more, so that a search over
the orders errs on the side of the claim.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from accounting.renyi.curve import RenyiCurve, to_epsilon
from verify.audit.curves import SLACK, Claim

Array = NDArray[np.float64]
_LOW, _HIGH = math.log(1e-4), math.log(1e6)  # of alpha - 1
_COARSE, _FINE, _HALVINGS = 41, 9, 42


def two_point_divergence(alpha: ArrayLike, p: ArrayLike, q: ArrayLike) -> Array:
    """(alpha - 1) D_alpha of a two-point law q against a two-point law p, both in (0, 1), alpha >
    1; broadcasts."""
    a, lp, lq = np.asarray(alpha), np.log(p), np.log(q)
    kp = np.log1p(-np.asarray(p))
    kq = np.log1p(-np.asarray(q))
    return np.asarray(np.logaddexp(a * lq + (1 - a) * lp, a * kq + (1 - a) * kp))


@typed
@dataclass(frozen=True)
class RenyiDP(Claim):
    """D_alpha <= curve(alpha) in both directions, at every order where the curve is defined."""

    curve: RenyiCurve

    def __post_init__(self) -> None:
        if not isinstance(self.curve, RenyiCurve):
            raise ValueError(f"curve must be a RenyiCurve, got {self.curve!r}")
        low, high = self._range()
        if not low < high:
            raise ValueError(
                "renyi curve must be defined for some order in (1 + 1e-4, 1 + 1e6), "
                f"got ({self.curve.low}, {self.curve.high})"
            )

    def _range(self) -> tuple[float, float]:
        # The curve is defined on an open interval; a relative 1e-9 stays inside its ends.
        low = math.log(self.curve.low - 1) if self.curve.low > 1 else -math.inf
        high = math.log(self.curve.high - 1) if self.curve.high < math.inf else math.inf
        return max(low, _LOW) + 1e-9, min(high, _HIGH) - 1e-9

    def _at(self, alpha: Array, p: Array) -> Array:
        """The largest q >= p admitted by single orders, rounded up; p in (0, 1).

        Of the two divergences that of q against p is the larger one exactly where p + q <= 1, as
        sinh((2 alpha - 1) t)/sinh(t) grows with t: which one binds is seen at q = 1 - p.
        """
        allowance = np.reshape(self.curve(alpha.ravel()), alpha.shape) * (alpha - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Above 1/2 the reverse divergence binds at every q >= p; below, it does where 1 - p is
            # still admitted.
            back = (p >= 0.5) | (two_point_divergence(alpha, p, 1 - p) <= allowance)
            of_q = np.where(back, 1 - alpha, alpha)
            of_p = np.where(back, alpha, 1 - alpha)
            heads, tails = of_p * np.log(p), of_p * np.log1p(-p)
            # 42 halvings, relative to 1; `high` is never admitted, so the answer is rounded up.
            low = np.broadcast_to(p, alpha.shape).copy()
            high = np.ones(alpha.shape)
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                worst = np.logaddexp(
                    of_q * np.log(middle) + heads, of_q * np.log1p(-middle) + tails
                )
                inside = worst <= allowance
                np.copyto(low, middle, where=inside)
                np.copyto(high, middle, where=~inside)
        return high

    def _best(self, p: Array) -> tuple[Array, Array]:
        """most(p) and the order that gives it, for a 1-D array of p in (0, 1)."""
        ends = self._range()
        logs = np.broadcast_to(np.linspace(*ends, _COARSE), (p.size, _COARSE))
        rows = np.arange(p.size)
        # From 41 orders over ten decades to the neighbours of the best, twice more with 9 between
        # them.
        for _ in range(3):
            values = self._at(1 + np.exp(logs), p[:, None])
            index = np.argmin(values, axis=1)
            best, at = values[rows, index], logs[rows, index]
            last = logs.shape[1] - 1
            left_end = logs[rows, np.maximum(index - 1, 0)]
            right = logs[rows, np.minimum(index + 1, last)]
            logs = np.linspace(left_end, right, _FINE, axis=1)
        return best, 1 + np.exp(at)

    def most(self, p: ArrayLike) -> Array:
        """The least over the orders, by a search refined three times."""
        x = validation.real("p", p, low=0.0, high=1.0)
        # p = 0 is taken a hair above 0 (its limit, up to rounding); p = 1 admits all.
        inner = np.clip(x.ravel(), 1e-300, 1 - 2.0**-53)
        return np.where(x.ravel() < 1, self._best(inner)[0], 1.0).reshape(x.shape)

    @typed
    def support(self, p: ArrayLike) -> tuple[Array, Array]:
        """The tangent of the best order's set at (p, most(p)), in closed form.

        With r = p (1 - q)/(q (1 - p)): slope ((alpha - 1)/alpha) (q/p) (1 - r^alpha)/
        (1 - r^(alpha-1)) where D_alpha(q || p) binds, (alpha/(alpha - 1)) ((1 - q)/(1 - p))
        (1 - r^(alpha-1))/(1 - r^alpha) where the reverse does.
        """
        x = validation.real("p", p, low=0.0, high=1.0, low_open=True, high_open=True)
        flat = x.ravel()
        q, a = self._best(flat)
        # The curve is 1 or p there up to rounding, a tangent has no digits: q <= 1 holds for any
        # claim.
        trivial = (q >= 1 - 1e-13) | (q <= flat * (1 + 1e-9))
        y = np.where(trivial, (1 + flat) / 2, q)
        ratio = np.log(flat) - np.log(y) + np.log1p(-y) - np.log1p(-flat)
        # (1 - r^alpha)/(1 - r^(alpha - 1)) by expm1: r is near 1 where q is near p.
        quotient = np.expm1(a * ratio) / np.expm1((a - 1) * ratio) * (a - 1) / a
        forth = two_point_divergence(a, flat, y) >= two_point_divergence(a, y, flat)
        slope = np.where(forth, quotient * y / flat, (1 - y) / (1 - flat) / quotient)
        slope = np.where(trivial, 0.0, slope)
        # The line is raised by the rounding of its slope and of `most`, on the claim's side.
        cut = np.where(trivial, 1.0, y - slope * flat + 1e-9 * (1 + slope))
        return slope.reshape(x.shape), cut.reshape(x.shape)

    def forbids(self, p: ArrayLike, q: ArrayLike) -> NDArray[np.bool_]:
        """Whether the two-point laws' divergence exceeds the curve at some of 121 orders: no
        inversion."""
        x = validation.real("p", p, low=0.0, high=1.0)
        y = validation.real("q", q, low=0.0, high=1.0)
        shape = validation.broadcastable(p=x, q=y)
        apart = np.broadcast_to(y > x + SLACK, shape)
        a = np.clip(np.broadcast_to(x, shape).ravel()[:, None], 1e-300, 1 - 2.0**-53)
        b = np.clip(np.broadcast_to(y, shape).ravel()[:, None], 1e-300, 1 - 2.0**-53)
        orders = 1 + np.exp(np.linspace(*self._range(), 121))
        allowance = np.asarray(self.curve(orders)) * (orders - 1)
        # Sides of the claim: allowance widened, and logarithms kept finite at p, q = 0 and 1.
        divergences = np.maximum(
            two_point_divergence(orders, a, b), two_point_divergence(orders, b, a)
        )
        beyond = (divergences > allowance * (1 + 1e-9) + SLACK).any(axis=1)
        return np.asarray(apart & beyond.reshape(shape))

    def epsilon(self, delta: float) -> float:
        """By the optimal conversion for linear curves, that of Canonne et al. otherwise."""
        d = validation.scalar("delta", delta, low=0.0, high=1.0, high_open=True)
        # At delta 0 a Renyi curve bounds nothing, unless the laws are equal.
        if d == 0:
            return 0.0 if self.curve.kind == "linear" and self.curve.rho == 0 else math.inf
        return to_epsilon(self.curve, d, "optimal" if self.curve.kind == "linear" else "cks")

    def describe(self) -> dict[str, Any]:
        """The kind, the coefficient if it has one, and some values."""
        low, high = self._range()
        orders = [a for a in (1.5, 2.0, 4.0, 8.0, 32.0) if low < math.log(a - 1) < high]
        divergences = {f"{a:g}": float(self.curve(a)) for a in orders}
        rho = {} if self.curve.kind == "general" else {"rho": self.curve.rho}
        return {"kind": f"renyi, {self.curve.kind}", **rho, "divergence": divergences}
