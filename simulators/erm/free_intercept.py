"""Objectives whose ridge leaves the intercept out: how far (w, b) is from the minimiser.

Let c be the best intercept at w, g the gradient of F in w at (w, c), m_i = <x_i, w* - w> + b* - c
the change of score i up to the minimiser, and V_i the mean of phi'' over it.  As the derivative in
b is 0 at both points, monotonicity of the gradient says

    lambda |w* - w|^2 + weight sum V_i m_i^2 <= |g| |w* - w|,

hence |w* - w| <= r = |g|/lambda, and the sum is at most E = |g|^2/(4 lambda weight).  With
|phi'''| <= nu phi'' and W_i = phi''(z_i), V_i >= W_i (1 - e^{-nu |m_i|})/(nu |m_i|), so that
sum W_i h(nu |m_i|) <= nu^2 E for h(t) = t(1 - e^{-t}).  h(t) is convex on [0, 1] and >= t - 1/e
beyond, with equality and slope 1 at 1; by Jensen's inequality the mean M of |m_i| with weights
W_i/sum W_i has nu M <= t where h(t) = nu^2 E/sum W_i (t <= 1), or nu^2 E/sum W_i + 1/e.  With x the
mean of the x_i by the same weights, b* - c = mean of m_i - <x, w* - w>, hence

    |(w, b) - (w*, b*)|^2 <= r^2 + (|b - c| + M + |x| r)^2.

For nu = 0 the weighted mean of the m_i itself is 0, and M falls away.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from simulators.data.dataset import Dataset
from simulators.erm.roots import length
from simulators.losses.linear_model import LinearModel

_FARTHEST = 2.0**40


def from_minimiser(
    loss: LinearModel, rows: Dataset, model: list[Any], weight: Any, ridge: Any
) -> tuple[Any, Any]:
    """Balls: the module's bound, and |g|; the last column of the rows are ones.

    model: balls of w, and of b last.

    Raises ValueError for losses that are flat somewhere, and where no intercept is best.
    """
    import flint  # type: ignore[import-not-found, import-untyped, unused-ignore]

    if loss.concordance is None:
        raise ValueError(
            f"intercept must be none or penalised for {type(loss).__name__}, got 'free'"
        )
    signed, offset = loss.signed(rows)
    a, signs = flint.arb_mat(signed[:, :-1].tolist()), signed[:, -1].tolist()
    w = flint.arb_mat(len(model) - 1, 1, model[:-1])
    # Scores without the intercept; s b is added, s the sign that the column of ones has in a row.
    start = (a * w).entries()
    if offset is not None:
        start = [z - t for z, t in zip(start, offset.tolist(), strict=True)]

    def slopes(b: Any) -> list[Any]:
        return [loss.slope_ball(z + s * b) for z, s in zip(start, signs, strict=True)]

    def slope(b: Any) -> Any:
        return _total(flint, [s * x for s, x in zip(signs, slopes(b), strict=True)])

    # c of the module: a ball, so that all that follows holds for every intercept in it.
    best = _root(flint, slope, float(model[-1].mid()))
    pulled = (a.transpose() * flint.arb_mat(len(signs), 1, slopes(best))).entries()
    components = [weight * p + ridge * x for p, x in zip(pulled, w.entries(), strict=True)]
    gradient = length(components)
    r = gradient / ridge
    curvatures = [loss.curvature_ball(z + s * best) for z, s in zip(start, signs, strict=True)]
    mass = _total(flint, curvatures)
    column = flint.arb_mat(len(curvatures), 1, curvatures)
    # sum W_i x_i of the unsigned rows: x of the module times the mass.
    mean = (flint.arb_mat(rows.features[:, :-1].T.tolist()) * column).entries()
    lever = length(mean) / mass
    turned = abs(model[-1] - best) + lever * r
    # nu = 0 is the module's last case.
    if loss.concordance > 0:
        energy = gradient * gradient / (4 * ridge * weight)
        turned += _mean_change(flint, loss.concordance**2 * energy / mass) / loss.concordance
    return length([r, turned]), gradient


def _total(flint: Any, terms: list[Any]) -> Any:
    return sum(terms, flint.arb(0))


def _root(flint: Any, slope: Callable[[float], Any], near: float) -> Any:
    """A ball around the root of an increasing function: its sign is certified at both ends."""
    from scipy.optimize import brentq

    # Midpoints only bring the search near: nothing rests on them.
    def value(b: float) -> float:
        return float(slope(flint.arb(b)).mid())

    radius = 1.0
    while not value(near - radius) < 0 < value(near + radius):
        radius *= 2
        if radius > _FARTHEST:
            raise ValueError(
                "intercept must be penalised where no intercept is best, as with one class alone"
            )
    # xtol never ends the search, so that a root near 0 is found to relative accuracy.
    centre = brentq(value, near - radius, near + radius, xtol=1e-300, rtol=1e-15)
    width = max(math.ulp(centre), 2.0**-60)
    # A comparison of balls holds only where it holds for every point of theirs. The ends are balls
    # too: a float nearest to centre - width may lie beyond it, and the root between the two.
    middle = flint.arb(centre)
    while not (slope(middle - flint.arb(width)) < 0 < slope(middle + flint.arb(width))):
        width *= 2
    return flint.arb(centre, width)


def _mean_change(flint: Any, level: Any) -> Any:
    """t with h(t) >= level, or level + 1/e where that is beyond 1."""
    level = level.upper()  # the t rises with it
    # h(1), where the convex part ends and the line begins.
    most = 1 - flint.arb(-1).exp()
    if not level < most:
        return level + flint.arb(-1).exp()
    # (1 - e^-t)/t falls, so that a t above the root gives one between.
    bound = (level / most).sqrt().upper()
    for _ in range(20):
        if not bound > 0:
            break
        bound = (level * bound / -(-bound).expm1()).sqrt().upper()
    return flint.arb(bound)
