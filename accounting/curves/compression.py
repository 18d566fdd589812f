"""Fewer points, with signed weights, for a sum of log(1 - q + q e^(u a)) over many a; its error.

With g(v) = log(1 - q + q e^v) the sum S(u) = sum w_k g(u a_k) is linear in the measure of the a_k.
On a cell [b, 2b] of a the measure is replaced by P Chebyshev points x_i with the weights sum w_k
l_i(a_k), l_i the basis polynomials: each g(u a_k) is replaced by the polynomial that interpolates
a -> g(u a), which is off by at most 4 M rho^-(P-1)/(rho - 1), M a bound of |g(u a)| for a in the
ellipse with foci b, 2b and sum rho of semi-axes (Chebyshev coefficients are at most 2 M rho^-k, and
from k = P on each is counted with the wrong polynomial, so at most twice).

Here rho = 3 + 2 sqrt 2, so that the ellipse is within 0 <= Re a <= 3b, |Im a| <= b sqrt 2.  Let
u = s + it, |t| <= T, with 2b (1.5 T + .71 |s|) <= 1.  Then |Im u a| <= 1 < pi/2, and

    |1 - q + q e^v|^2 >= (1 - q)^2 + q^2 e^(2 Re v) >= (1 - q + q e^(Re v))^2/2

for |Im v| <= pi/2, so that g is analytic there.  Its derivative is at most sqrt 2 p(Re v), p(x) =
q e^x/(1 - q + q e^x) <= q e^(max(x, 0)), and g(0) = 0: integrated along the straight line from 0,

    |g(u a)| <= sqrt 2 |u a| q e^max(Re u a, 0) <= sqrt 2 (|s| + T) 3.4 b q e^2.6,

as |a| <= 3.4 b and Re(u a) <= 3b |s| + 1.42 b T <= 2.2 + .4.  So a cell errs by at most

    4 rho^-(P-1)/(rho - 1) 65 (|s| + T) b q sum w_k.

Cells with larger a keep their points: there 1 - q + q e^(ua) may have a zero, where a T = pi.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_POINTS = 24  # of a cell
_RHO = 3 + 2 * np.sqrt(2.0)
_ERROR = 4 * _RHO ** (1 - _POINTS) / (_RHO - 1) * 65
_FEW = 4 * _POINTS  # values that are not worth a cell
_MOST_RATES = 64  # chances that are told apart
_PART = 65_536
_ANGLES = np.pi * (np.arange(_POINTS) + 0.5) / _POINTS
_NODES = np.cos(_ANGLES)
_BARYCENTRIC = (-1.0) ** np.arange(_POINTS) * np.sin(_ANGLES)


@dataclass(frozen=True, eq=False)
class Points:
    """Values a > 0, weights and chances q; `error` of the sum, for u as asked."""

    values: Array
    weights: Array
    rates: Array
    error: float


@dataclass(frozen=True, eq=False)
class _Cell:
    """Values in [top/2, top] of one chance, and what stands for them."""

    top: float
    whole: Points
    fewer: Points | None


class Compressed:
    """A measure of values and chances, whole and compressed."""

    def __init__(self, values: Array, weights: Array, rates: Array) -> None:
        """values >= 0, weights >= 0 (whole numbers of draws), 0 <= rates < 1; one shape."""
        there = (values > 0) & (weights > 0) & (rates > 0)
        whole = Points(values[there], weights[there], rates[there], 0.0)
        self.mean = float((whole.values * whole.weights * whole.rates).sum())
        # The largest first, so that a bound on u keeps the first cells whole.
        self._cells = sorted(_cells(whole), key=lambda cell: -cell.top)
        self._known: dict[int, Points] = {}

    def points(self, s: float, last: float) -> Points:
        """What stands for the measure at u = s + it, s and |t| <= last from 0 on."""
        steep = 1.5 * last + 0.71 * s
        # How many cells are kept whole.
        number = sum(cell.top * steep > 1 for cell in self._cells)
        if number not in self._known:
            self._known[number] = self._joined(number)
        joined = self._known[number]
        return Points(joined.values, joined.weights, joined.rates, joined.error * (s + last))

    def _joined(self, number: int) -> Points:
        """The first cells whole, the others compressed; the error for |s| + T = 1."""
        parts = [cell.whole for cell in self._cells[:number]]
        parts += [cell.fewer or cell.whole for cell in self._cells[number:]]
        nothing = Points(np.zeros(0), np.zeros(0), np.zeros(0), 0.0)
        return Points(
            np.concatenate([part.values for part in (nothing, *parts)]),
            np.concatenate([part.weights for part in (nothing, *parts)]),
            np.concatenate([part.rates for part in (nothing, *parts)]),
            float(sum(part.error for part in parts)),
        )


def _cells(whole: Points) -> list[_Cell]:
    """The measure by cells, of one chance each; as one cell where that is no gain."""
    every = whole.values.size
    if every == 0:
        return []
    rates = np.unique(whole.rates) if every > _FEW else whole.rates
    if every <= _FEW or rates.size > _MOST_RATES:
        return [_Cell(float(whole.values.max()), whole, None)]
    cells = []
    for rate in rates.tolist():
        at = whole.rates == rate
        values, weights = whole.values[at], whole.weights[at]
        top = float(values.max())
        # Cell j holds top/2^(j + 1) < a <= top/2^j.
        place = np.ceil(np.log2(top / values) - 1).astype(np.int64)
        order = np.argsort(place, kind="stable")
        values, weights, place = values[order], weights[order], place[order]
        ends = np.flatnonzero(np.diff(place, append=-2)) + 1
        for first, end in zip(np.append(0, ends[:-1]).tolist(), ends.tolist(), strict=True):
            part = values[first:end], weights[first:end]
            cells.append(_cell(top * 2.0 ** -int(place[first]), *part, rate))
    return cells


def _cell(top: float, values: Array, weights: Array, rate: float) -> _Cell:
    whole = Points(values, weights, np.full(values.size, rate), 0.0)
    if values.size <= _FEW:
        return _Cell(top, whole, None)
    middle, half = 0.75 * top, 0.25 * top
    sums = np.zeros(_POINTS)
    for first in range(0, values.size, _PART):
        part = slice(first, first + _PART)
        # Summed pairwise along the last axis, so that rounding does not grow with their number.
        sums += (_basis((values[part] - middle) / half) * weights[part]).sum(axis=1)
    error = _ERROR * top / 2 * rate * float(weights.sum())
    return _Cell(top, whole, Points(middle + half * _NODES, sums, np.full(_POINTS, rate), error))


def _basis(x: Array) -> Array:
    """The values of the basis polynomials at points of [-1, 1], shape (P, points)."""
    apart = x - _NODES[:, None]
    # At a node the polynomial of that node is 1, which the quotient below gives for any difference.
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = _BARYCENTRIC[:, None] / np.where(apart == 0, 1e-300, apart)
        basis: Array = parts / parts.sum(axis=0)
    return basis
