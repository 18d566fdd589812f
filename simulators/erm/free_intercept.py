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
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from accounting.numerics.root import bracketed_root
from simulators.data.pairwise import PairwiseSum
from simulators.data.row_data import RowData
from simulators.erm.roots import length
from simulators.losses.linear_model import LinearModel

Array = NDArray[np.float64]
_NO_BEST = "intercept must be penalised where no intercept is best, as with one class alone"
_FARTHEST = 2.0**300
BLOCK = 2**18  # values of a block of rows
_NEWTON = 12  # steps in floats, at most
_SETTLED = 2.0**-40  # relative change that ends them: the balls' steps add digits
_DIGITS = 2.0**-90  # half the width of a root's ball, relative: below what is rounded to a float
_WIDER = 2**12


def from_minimiser(
    loss: LinearModel, rows: RowData, model: list[Any], weight: Any, ridge: Any
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
    w = flint.arb_mat(len(model) - 1, 1, model[:-1])
    scored = _ScoredRows(flint, loss, rows, w)
    # c of the module: a ball, so that all that follows holds for every intercept in it.
    best = _best_intercept(scored, float(model[-1].mid()))
    # Sums over the rows a = s x of phi' a and of W x = s W a, and of W, in one pass.
    sums, mass = flint.arb_mat(len(model) - 1, 2), flint.arb(0)
    for a, start, signs in scored.blocks():
        scores = [z + s * best for z, s in zip(start, signs, strict=True)]
        curvatures = [loss.curvature_ball(z) for z in scores]
        columns = [
            (loss.slope_ball(z), s * c) for z, s, c in zip(scores, signs, curvatures, strict=True)
        ]
        sums += a.transpose() * flint.arb_mat(columns)
        mass += _total(flint, curvatures)
    pulled, mean = ([sums[j, k] for j in range(sums.nrows())] for k in (0, 1))
    components = [weight * p + ridge * x for p, x in zip(pulled, w.entries(), strict=True)]
    gradient = length(components)
    r = gradient / ridge
    # |x| of the module.
    lever = length(mean) / mass
    turned = abs(model[-1] - best) + lever * r
    # nu = 0 is the module's last case.
    if loss.concordance > 0:
        energy = gradient * gradient / (4 * ridge * weight)
        turned += _mean_change(flint, loss.concordance**2 * energy / mass) / loss.concordance
    return length([r, turned]), gradient


class _ScoredRows:
    """The rows without their last column, and their scores without the intercept, in balls.

    Few rows are kept; more are read and scored anew in every pass.
    """

    def __init__(self, flint: Any, loss: LinearModel, rows: RowData, w: Any) -> None:
        self.flint, self.loss, self._rows, self._w = flint, loss, rows, w
        few = len(rows) * rows.dimension <= BLOCK
        self._kept = list(self._fresh()) if few else None

    def blocks(self) -> Iterable[tuple[Any, list[Any], list[float]]]:
        """Rows a = s x (m, d) and their scores; s b is added to one, s the sign of its row."""
        return self._fresh() if self._kept is None else self._kept

    def _fresh(self) -> Iterator[tuple[Any, list[Any], list[float]]]:
        for piece in self._rows.pieces(8 * BLOCK):
            signed, offset = self.loss.signed(piece)
            a = self.flint.arb_mat(signed[:, :-1].tolist())
            scores = (a * self._w).entries()
            if offset is not None:
                scores = [z - t for z, t in zip(scores, offset.tolist(), strict=True)]
            yield a, scores, signed[:, -1].tolist()

    def slopes(self, *intercepts: Any) -> list[Any]:
        """Balls of sum s phi'(z + s b) at each b, in one pass."""
        totals = [self.flint.arb(0) for _ in intercepts]
        for _, start, signs in self.blocks():
            for place, b in enumerate(intercepts):
                terms = zip(start, signs, strict=True)
                totals[place] += _total(
                    self.flint, [s * self.loss.slope_ball(z + s * b) for z, s in terms]
                )
        return totals

    def newton(self, b: Any) -> Any:
        """Newton's step of that sum from b."""
        slope, curvature = self.flint.arb(0), self.flint.arb(0)
        for _, start, signs in self.blocks():
            scores = [z + s * b for z, s in zip(start, signs, strict=True)]
            pulls = [s * self.loss.slope_ball(z) for z, s in zip(scores, signs, strict=True)]
            slope += _total(self.flint, pulls)
            curvature += _total(self.flint, [self.loss.curvature_ball(z) for z in scores])
        return slope / curvature

    def in_floats(self, b: float) -> tuple[float, float]:
        """That sum and its derivative, in floats."""
        w = np.array([float(x.mid()) for x in self._w.entries()])
        slope, curvature = PairwiseSum(), PairwiseSum()
        for piece in self._rows.pieces():
            signed, offset = self.loss.signed(piece)
            sign = signed[:, -1]
            scores = signed[:, :-1] @ w + sign * b
            scores = torch.from_numpy(scores if offset is None else scores - offset)
            curvature.add(float(self.loss.curvature(scores.clone()).numpy().sum()))
            slope.add(float(sign @ self.loss.slope_(scores).numpy()))
        return slope.total, curvature.total

    def has_one_sign(self) -> bool:
        """Whether every row has the same sign, as where one class is alone."""
        seen: set[float] = set()
        for piece in self._rows.pieces():
            seen.update(np.unique(self.loss.signed(piece)[0][:, -1]).tolist())
        return len(seen) == 1


def _total(flint: Any, terms: list[Any]) -> Any:
    return sum(terms, flint.arb(0))


def _best_intercept(scored: _ScoredRows, near: float) -> Any:
    """A ball around the root in b of sum s phi'(z + s b): its sign is certified at both ends."""
    flint = scored.flint
    # Nothing rests on where floats and the two steps after them, which add digits, end.
    centre = flint.arb(_root_in_floats(scored, near))
    for _ in range(2):
        moved = centre - scored.newton(centre)
        centre = moved.mid() if moved.is_finite() else centre
    width = abs(centre) * _DIGITS + _DIGITS
    while True:
        # A comparison of balls holds only where it holds for every point of theirs.
        low, high = scored.slopes(centre - width, centre + width)
        if low < 0 < high:
            return centre.union(centre - width).union(centre + width)
        width *= _WIDER
        if not width < _FARTHEST:
            # Too flat for floats to find it: nothing is said of where it is.
            return flint.arb(0, math.inf)


def _root_in_floats(scored: _ScoredRows, near: float) -> float:
    """Near the root of `_best_intercept`. Raises ValueError where the sum has one sign."""
    b = near
    # From a trained model a few passes of Newton's method are enough.
    for _ in range(_NEWTON):
        slope, curvature = scored.in_floats(b)
        change = slope / curvature if curvature > 0 else math.inf
        if not abs(change) < _FARTHEST:
            break
        b -= change
        if abs(change) <= _SETTLED * abs(b):
            return b

    def value(b: float) -> float:
        return scored.in_floats(b)[0]

    radius = 1.0
    while not value(near - radius) < 0 < value(near + radius):
        radius *= 2
        if radius > _FARTHEST:
            # Of two classes one pulls each way: floats that say else have lost what they pull.
            if not scored.has_one_sign():
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
