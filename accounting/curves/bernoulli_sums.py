"""The law of a sum of independent two-point values, at a cost that need not grow with their number.

    mu = due + sum over k of w_k independent draws,  each a_k with chance q_k and 0 otherwise.

Its transform is a sum, log E e^(u mu) = u due + sum w_k g_k(u a_k), g(v) = log(1 - q + q e^v): many
rows of one step are a weight and no outcomes.  The sum is linear in the measure sum w_k delta(a_k),
which `compression` replaces by fewer points, whose weights may be negative, with an error that is
told; `Contour` adds it, and the rounding below, to what it encloses.

Rounding, in units u = 2^-53.  v = s a is off by u |v|, so the tilted chance p = q e^v/(1 - q + q
e^v) is off by a part of 2 |v| + 8, and e^(iat) - 1 by 8 a |t|; 1 + p (e^(iat) - 1) is off by
u p a |t| (16 + 2 |v|) in all.  As it is at most 1, each of its w powers adds no more than that to a
product, also where it is near 0.  Sums are pairwise: n terms err by (16 + log2 n) of their sizes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accounting.curves.compression import Compressed, Points

Array = NDArray[np.float64]
_CHUNK = 500_000  # of points times nodes
_UNIT = 2.0**-53
_STEEP, _MOST = 30.0, 700.0  # of v: where e^v is all, and where it leaves the floats


@dataclass(frozen=True, eq=False)
class BernoulliSum:
    """The law above, of `scale` times the values; a probability law."""

    law: Compressed
    due: float = 0.0
    scale: float = 1.0
    factor: float = 1.0

    def times(self, scale: float) -> BernoulliSum:
        """The law of a multiple."""
        return BernoulliSum(self.law, self.due * scale, self.scale * scale, self.factor)

    @property
    def mass(self) -> float:
        """Total mass, without its sign."""
        return abs(self.factor)

    def moments(self, s: float) -> tuple[float, float, float]:
        """log E e^(s mu) and its first two derivatives, without the factor."""
        points = self._points(s, 0.0)
        values = self.scale * points.values
        logs, chance, other = _tilted(s * values, points.rates)
        mean = points.weights * chance * values
        variance = float((mean * other * values).sum())
        return (
            float((points.weights * logs).sum()) + s * self.due,
            float(mean.sum()) + self.due,
            max(variance, 0.0),
        )

    def along(self, s: float, t: Array) -> tuple[float, NDArray[np.complex128]]:
        """log E e^(s mu), and E e^((s + it) mu) over it, without the factor."""
        points = self._points(s, float(np.abs(t).max(initial=0.0)))
        values = self.scale * points.values
        logs, chance, _ = _tilted(s * values, points.rates)
        total = np.zeros(t.size, dtype=np.complex128)
        # A part of the points at a time, with the nodes first: rows are summed pairwise.
        rows = max(1, _CHUNK // max(t.size, 1))
        for first in range(0, values.size, rows):
            part = slice(first, first + rows)
            total += _log_turned(t[:, None] * values[part], chance[part], points.weights[part])
        log = float((points.weights * logs).sum()) + s * self.due
        return log, np.exp(total + 1j * (t * self.due))

    def ulps(self, s: float, last: float, log: float) -> float:
        """The relative error of `along` for |t| <= last, and of e^log, in units of 2^-53."""
        points = self._points(s, last)
        values = self.scale * points.values
        logs, chance, _ = _tilted(s * values, points.rates)
        weights = np.abs(points.weights)
        sums = 16 + math.log2(values.size + 1)
        widest = float(np.abs(values).max(initial=0.0))
        # Of the angles and the logarithms along the line, each at most p a |t| and some ulps of it.
        turned = last * float((weights * chance * np.abs(values)).sum())
        error = turned * (32 + 4 * abs(s) * widest + 2 * sums)
        error += (8 + sums) * float((weights * np.abs(logs)).sum()) + 8 * abs(log)
        error += 4 * (last + abs(s)) * abs(self.due)
        # Twice: of `moments`, by which it is divided, as well.
        return 2 * (error + points.error / _UNIT)

    def _points(self, s: float, last: float) -> Points:
        """What stands for the law at u = s + it, |t| <= last."""
        return self.law.points(abs(s * self.scale), abs(last * self.scale))


def _tilted(v: Array, q: Array) -> tuple[Array, Array, Array]:
    """log(1 - q + q e^v), the tilted chance of a draw, and that of none."""
    with np.errstate(over="ignore", divide="ignore", under="ignore"):
        odds = (1 - q) / q
        chance = 1 / (1 + odds * np.exp(np.minimum(-v, _MOST)))
        other = 1 / (1 + np.exp(np.minimum(v, _MOST)) / odds)
        # As q e^v - q where that is no loss, and otherwise with the larger of both taken out.
        near = np.log1p(q * np.expm1(np.clip(v, -_STEEP, _STEEP)))
        above = v + np.log(q) + np.log1p(odds * np.exp(-np.maximum(v, _STEEP)))
        low = np.clip(v, -_STEEP, 0.0)
        below = low + np.log1p((1 - q) * np.expm1(-low))
        far = np.log((1 - q) + q * np.exp(np.minimum(v, 0.0)))
    below = np.where(v < -_STEEP, far, below)
    logs = np.where(v > _STEEP, above, np.where((v < 0) & (q > 0.5), below, near))
    return np.where((v < -_STEEP) & (q <= 0.5), far, logs), chance, other


def _log_turned(angle: Array, chance: Array, weights: Array) -> NDArray[np.complex128]:
    """Sums over the points of weight times log(1 + p (e^(i angle) - 1)), one for every node."""
    half = np.sin(angle / 2)
    real, imaginary = -2 * chance * half * half, chance * np.sin(angle)
    # |1 + p (e^(ix) - 1)|^2 - 1, which is small for most; near -1 the modulus keeps its digits.
    square = real * (2 + real) + imaginary * imaginary
    with np.errstate(divide="ignore"):
        size = np.where(
            square > -0.75,
            0.5 * np.log1p(np.maximum(square, -0.75)),
            np.log(np.hypot(1 + real, imaginary)),
        )
    turn = np.arctan2(imaginary, 1 + real)
    total: NDArray[np.complex128] = (weights * size).sum(axis=1) + 1j * (weights * turn).sum(axis=1)
    return total
