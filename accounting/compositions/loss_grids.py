"""epsilon of a few steps by laws of the loss on a grid: where a contour needs too many nodes.

The line of one step is cut into intervals.  Bounds from above move what each interval has of P and
of Q to the two points of the grid around its losses, so that both are kept: as (p - e^eps q)_+ is
convex in the likelihood ratio, delta only grows (V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P.
Manurangsi, "Connect the dots", PoPETs 2022), and by the square of the spacing alone.  Bounds from
below lower each loss to a point of the grid.

Laws are convolved on a circle of M points after a tilt by e^(cL), by which all that matters lies in
a window around the saddle point.  Above it lies, by Chernoff's bound, at most M(t)^N e^(-t top) of
P, which is added, as is what a single loss may have there; what comes round only adds.  Entries add
up to 1, so transforms are at most 1; in the Euclidean norm one of length M errs by a part of at
most 8 log2(M) 2^-53 (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, theorem
24.2), and N of them and the way back by N + 1 of these, which no entry exceeds.  Every entry is
moved by more than that to the safe side.  Nothing here grows with N.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from accounting.compositions.mixture_steps import Array, MixtureStep

_ENTRIES, _INTERVALS = 2**20, 2**20  # of the window, and of the line of a step at most
_FEWEST = 2**16  # of the latter, where shifts are many
_HIGHEST = 700.0  # of losses, for floats
_UNIT = 2.0**-53
_LEFT_OUT = 28.0  # -log of the chance beyond the line, as a part of delta
_MOVED, _DIGITS = 2.0**-22, 2.0**-40  # of an interval's chance; what its chances err by, at most
_SUMS = 1e-9  # relative, of sums of all entries


@dataclass(frozen=True)
class LossWindow:
    """Where the sum of all losses matters.

    tilt: c > 0.  line: of Chernoff's bound of what is above, > c for a bound from below.
    """

    tilt: float
    line: float
    low: float
    high: float


def grid_epsilon(
    steps: Sequence[tuple[MixtureStep, int]], delta: float, window: LossWindow, *, up: bool
) -> float:
    """epsilon >= 0 of all steps together at delta in (0, 1), rounded up, or down.

    inf (or 0) where the losses that count are above 700 or the window.
    """
    total = sum(often for _, often in steps)
    farthest = math.sqrt(2 * (math.log(total / delta) + _LEFT_OUT))
    spacing = (window.high - window.low) / _ENTRIES
    tilt, spectrum = window.tilt, np.ones(_ENTRIES // 2 + 1, dtype=np.complex128)
    cumulant = chernoff = beyond = 0.0
    start = math.ceil(window.low / spacing)
    losses = _losses(start - _ENTRIES, 2 * _ENTRIES, spacing)
    for step, often in steps:
        chances, away = IntervalLosses(step, step.widest + farthest).on_grid(spacing, start, up=up)
        # One loss above the window is more than enough; of the rest the tilted law has no far part.
        beyond += often * away
        log = _cumulant(chances, tilt * losses)
        tilted = np.exp(np.log(np.maximum(chances, 5e-324)) + tilt * losses - log)
        # On the circle, from the loss `start`.
        spectrum *= np.fft.rfft(tilted[:_ENTRIES] + tilted[_ENTRIES:]) ** often
        cumulant += often * log
        chernoff += often * _cumulant(chances, window.line * losses)
    entries = np.fft.irfft(spectrum, _ENTRIES)
    rounding = 16 * (total + 1) * math.log2(_ENTRIES) * _UNIT
    entries = np.maximum(entries + (rounding if up else -rounding), 0.0)
    losses = losses[_ENTRIES:]
    top = float(losses[-1])
    if up:
        beyond += math.exp(min(chernoff - window.line * top, 0.0))
    else:
        # What comes round, on the tilted scale: from above, and from below with P at most 1.
        above = chernoff - cumulant - (window.line - tilt) * top
        below = tilt * window.low - cumulant
        entries = np.maximum(entries - math.exp(min(above, 0.0)) - math.exp(min(below, 0.0)), 0.0)
    # Each step counts from `start`, and so must their sum.
    entries = np.roll(entries, (total - 1) * start % _ENTRIES)
    rest = beyond if up else 0.0
    low = float(losses[0])
    return _least(entries, losses, tilt, cumulant, rest, delta, low=low, up=up)


def _losses(first: int, number: int, spacing: float) -> Array:
    return np.arange(first, first + number, dtype=np.float64) * spacing


def _cumulant(chances: Array, exponents: Array) -> float:
    """log of the sum of chances times e^exponent."""
    logs = np.log(np.maximum(chances, 5e-324)) + exponents
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).sum()))


def _least(
    entries: Array,
    losses: Array,
    tilt: float,
    cumulant: float,
    beyond: float,
    delta: float,
    *,
    low: float,
    up: bool,
) -> float:
    """The least epsilon >= 0 with beyond + sum of P (1 - e^(eps - loss))_+ <= delta.

    low: the least loss of the window.
    """
    if up and low >= _HIGHEST:
        return math.inf
    finite = (losses > 0) & (losses < _HIGHEST)
    # All in parts of delta.
    exponents = np.minimum(cumulant - tilt * losses - math.log(delta), 700.0)
    chances = entries * np.exp(exponents)
    rest = beyond / delta
    if up:
        rest += float(chances[losses >= _HIGHEST].sum())
    chances, losses = chances[finite], losses[finite]
    # From the largest loss on: A = P(L >= loss), B = Q of the same.
    above = np.cumsum(chances[::-1])[::-1] + rest
    beside = np.cumsum((chances * np.exp(-losses))[::-1])[::-1]
    target = 1 - _SUMS if up else 1 + _SUMS
    # At each loss, where it and what lies above it count.
    missing = above - np.exp(losses) * beside > target
    if not missing.any():
        if not losses.size or (up and low > 0):
            # What lies below the window is not counted.
            return low if up else 0.0
        most = above[0] - target
        return math.log(most / beside[0]) if most > beside[0] else 0.0
    place = int(np.flatnonzero(missing)[-1]) + 1
    if place == losses.size:
        return math.inf if up else float(losses[-1])
    return math.log((above[place] - target) / beside[place])


class IntervalLosses:
    """Intervals of the line of a step: their chances by P and Q, and losses at their ends.

    beyond: the chance by P of losses above them.
    """

    def __init__(self, step: MixtureStep, last: float) -> None:
        number = max(_INTERVALS // step.shifts.size, _FEWEST)
        x = np.linspace(-last, last, number + 1)
        here, there = step.ratio(x), step.mirrored(x)
        losses = step.sign * (here.log - there.log)
        error = _UNIT * (here.error + there.error) + 8 * _UNIT * np.abs(losses)
        mixture = _chances(step.shifts, step.chances, x)
        normal = _chances(np.zeros(1), np.ones(1), x)
        if step.relation == "add":
            self.p, self.q = normal, mixture
        else:
            self.p = mixture
            self.q = mixture[::-1] if step.relation == "replace" else normal
        ends = losses[:-1] - error[:-1], losses[1:] - error[1:]
        tops = losses[:-1] + error[:-1], losses[1:] + error[1:]
        self.low, self.high = np.minimum(*ends), np.maximum(*tops)
        # Of a shift and of none the tail beyond `last` is at most that beyond `last` - shift.
        self.beyond = float(ndtr(step.widest - last))

    def on_grid(self, spacing: float, start: int, *, up: bool) -> tuple[Array, float]:
        """Chances by P of losses above or below the step's, and of what is above the window.

        Entry i is of the loss (start - M + i) spacing, i < 2 M: the window is the second half.
        """
        least, end = start - _ENTRIES, start + _ENTRIES
        below = np.floor(self.low / spacing)
        if not up:
            # What is below is left out, and what is above is lowered.
            there = below >= least
            places = np.minimum(below[there], end - 1).astype(np.int64) - least
            weights = self.p[there] * (1 - _MOVED)
            return np.bincount(places, weights, 2 * _ENTRIES).astype(np.float64), 0.0
        above = np.ceil(self.high / spacing)
        there = above < end
        p, q = self.p[there], self.q[there]
        below = np.maximum(below[there], least)
        above = np.maximum(above[there], below + 1)
        # a + b = p and a e^-lower + b e^-upper = q, and more of b than rounding takes from it.
        width = (above - below) * spacing
        lower = (
            q * np.exp(np.minimum(below * spacing, _HIGHEST)) - p * np.exp(-width)
        ) / -np.expm1(-width)
        lower = np.clip(lower - (_MOVED + _DIGITS / spacing) * p, 0.0, p)
        size = 2 * _ENTRIES + 1
        chances = np.bincount(below.astype(np.int64) - least, lower, size).astype(np.float64)
        chances += np.bincount(above.astype(np.int64) - least, p - lower, size)
        # Losses below all intervals are raised to the first of the grid.
        chances[0] += self.beyond
        return chances[:-1], self.beyond + float(self.p[~there].sum() + chances[-1])


def _chances(shifts: Array, weights: Array, x: Array) -> Array:
    """Of the intervals between x by N(0, 1) mixed by shifts; what is left of 1 has no shift."""
    none = max(1 - float(weights.sum()), 0.0)
    pairs = [(0.0, none), *zip(shifts.tolist(), weights.tolist(), strict=True)]
    total = np.zeros(x.size - 1)
    for shift, weight in pairs:
        # From the nearer tail, so that small chances keep their digits.
        tails = ndtr(-np.abs(x - shift))
        between = np.abs(np.diff(tails))
        crossing = (x[:-1] < shift) & (x[1:] > shift)
        between[crossing] = 1 - tails[:-1][crossing] - tails[1:][crossing]
        total += weight * between
    return total
