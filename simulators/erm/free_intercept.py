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
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from accounting.numerics.root import bracketed_root
from simulators.data.dataset import Dataset
from simulators.erm.roots import length
from simulators.losses.linear_model import LinearModel

Array = NDArray[np.float64]
_NO_BEST = "intercept must be penalised where no intercept is best, as with one class alone"
_FARTHEST = 2.0**300
_BLOCK = 2**18  # values of a block of rows
_DIGITS = 2.0**-90  # half the width of a root's ball, relative: below what is rounded to a float
_WIDER = 2**12


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
    signs = signed[:, -1].tolist()
    w = flint.arb_mat(len(model) - 1, 1, model[:-1])
    # Scores without the intercept; s b is added, s the sign that the column of ones has in a row.
    start = [z for a in _blocks(flint, signed) for z in (a * w).entries()]
    if offset is not None:
        start = [z - t for z, t in zip(start, offset.tolist(), strict=True)]

    # c of the module: a ball, so that all that follows holds for every intercept in it.
    best = _best_intercept(flint, loss, start, signs, float(model[-1].mid()))
    scores = [z + s * best for z, s in zip(start, signs, strict=True)]
    slopes = [loss.slope_ball(z) for z in scores]
    curvatures = [loss.curvature_ball(z) for z in scores]
    # Sums over the rows a = s x of phi' a and of W x = s W a, in one pass.
    columns = [(p, s * c) for p, s, c in zip(slopes, signs, curvatures, strict=True)]
    sums, place = flint.arb_mat(len(model) - 1, 2), 0
    for a in _blocks(flint, signed):
        sums += a.transpose() * flint.arb_mat(columns[place : place + a.nrows()])
        place += a.nrows()
    pulled, mean = ([sums[j, k] for j in range(sums.nrows())] for k in (0, 1))
    components = [weight * p + ridge * x for p, x in zip(pulled, w.entries(), strict=True)]
    gradient = length(components)
    r = gradient / ridge
    mass = _total(flint, curvatures)
    # |x| of the module.
    lever = length(mean) / mass
    turned = abs(model[-1] - best) + lever * r
    # nu = 0 is the module's last case.
    if loss.concordance > 0:
        energy = gradient * gradient / (4 * ridge * weight)
        turned += _mean_change(flint, loss.concordance**2 * energy / mass) / loss.concordance
    return length([r, turned]), gradient


def _blocks(flint: Any, signed: Array) -> Iterator[Any]:
    """The rows (n, d + 1) without their last column, as matrices of balls of a few rows each."""
    size = max(1, _BLOCK // signed.shape[1])
    for start in range(0, len(signed), size):
        yield flint.arb_mat(signed[start : start + size, :-1].tolist())


def _total(flint: Any, terms: list[Any]) -> Any:
    return sum(terms, flint.arb(0))


def _best_intercept(
    flint: Any, loss: LinearModel, start: list[Any], signs: list[float], near: float
) -> Any:
    """A ball around the root in b of sum s phi'(z + s b): its sign is certified at both ends."""

    def slope(b: Any) -> Any:
        terms = zip(start, signs, strict=True)
        return _total(flint, [s * loss.slope_ball(z + s * b) for z, s in terms])

    def curvature(b: Any) -> Any:
        terms = zip(start, signs, strict=True)
        return _total(flint, [loss.curvature_ball(z + s * b) for z, s in terms])

    # Nothing rests on where floats and the two steps after them, which add digits, end.
    centre = flint.arb(_root_in_floats(loss, start, signs, near))
    for _ in range(2):
        moved = centre - slope(centre) / curvature(centre)
        centre = moved.mid() if moved.is_finite() else centre
    width = abs(centre) * _DIGITS + _DIGITS
    # A comparison of balls holds only where it holds for every point of theirs.
    while not (slope(centre - width) < 0 < slope(centre + width)):
        width *= _WIDER
        if not width < _FARTHEST:
            # Too flat for floats to find it: nothing is said of where it is.
            return flint.arb(0, math.inf)
    return centre.union(centre - width).union(centre + width)


def _root_in_floats(loss: LinearModel, start: list[Any], signs: list[float], near: float) -> float:
    """Near the root of `_best_intercept`. Raises ValueError where the sum has one sign."""
    scores, sign = np.array([float(z.mid()) for z in start]), np.array(signs)

    def value(b: float) -> float:
        slopes = loss.slope_(torch.from_numpy(scores + sign * b)).numpy()
        return float(sign @ slopes)

    radius = 1.0
    while not value(near - radius) < 0 < value(near + radius):
        radius *= 2
        if radius > _FARTHEST:
            # Of two classes one pulls each way: floats that say else have lost what they pull.
            if len(set(signs)) > 1:
                return near
            raise ValueError(_NO_BEST)
    ends = near - radius, near + radius
    return bracketed_root(value, *ends, absolute=1e-300, relative=1e-15)


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
