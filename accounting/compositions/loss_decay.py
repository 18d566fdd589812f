"""How fast the transform of a tilted step's loss falls off: a bound on |phi(t)| for every t.

Let nu be any positive measure below the tilted law of the loss, of the mass m, and f its transform.
All terms of 1 - |phi(t)|^2 = E (1 - cos t(L - L')), L and L' independent, are >= 0, hence

    1 - |phi(t)|^2 >= m^2 - |f(t)|^2,   and   |phi(t)| <= |f(t)| + 1 - m.

nu has a constant density on each of many cells of the loss: the least that the tilted law has there
is bounded by what is monotone in x (`mixture_steps`): the normal density, e^z, and the slope of the
loss.  Its transform is a finite sum, with which

    g(t) = m^2 - |f(t)|^2 = double integral of 1 - cos t(l - l').

|g'| is at most the double integral of min(|l - l'|, |t| (l - l')^2).  Pairs of which both are
within b of the mean count by the second, which is at most 2 m |t| V, V the integral of the squared
distances from the mean up to b; all others by the first, in all at most 2 (m F + m' A), F the
integral of the distances beyond b, m' the mass there, A that of all distances.  So g at the middle
of an interval bounds it on the whole; and |f(t)| <= TV/t, TV the total variation of the density.
"""

from __future__ import annotations

import math

import numpy as np

from accounting.compositions.tilted_steps import Array, TiltedStep

_SHARE = 1e-9  # of the largest density of x, to which cells go
_DOWN = 1 - 1e-6  # of densities, for their rounding and that of the cells' ends
_ROUNDING = 1e-13
_LEAST = 1e-280  # of slopes
_CHUNK = 1_000_000  # of t times cells
_LOG_ROOT = 0.5 * math.log(2 * math.pi)


class LossDecay:
    """The measure nu of a tilted step, of so many cells."""

    def __init__(self, tilted: TiltedStep, cells: int) -> None:
        step, (v, w) = tilted.step, tilted.powers
        low, high = tilted.span(_SHARE)
        x = np.linspace(low, high, cells + 1)
        here, there = step.ratio(x), step.mirrored(x)
        z = v * here.log + w * there.log
        loss = step.sign * here.log - there.log
        # log rho is convex: its slope is largest at the right end, and mirrored at the left one.
        steep = here.slope[1:] + np.abs(there.slope[:-1])
        flat = here.slope[:-1] + np.abs(there.slope[1:])
        least = np.minimum(z[1:], z[:-1]) - np.maximum(x[1:] ** 2, x[:-1] ** 2) / 2
        density = _DOWN * np.exp(least - tilted.log - _LOG_ROOT)
        width = np.abs(np.diff(loss))
        # The width is at least that in x times the least slope, where floats leave no more of it.
        share = np.maximum(flat * np.diff(x), width) / np.maximum(steep, _LEAST)
        self.weight = density * np.minimum(share, np.diff(x))
        self.half = width / 2
        middle = (loss[1:] + loss[:-1]) / 2
        self.mass = float(self.weight.sum())
        self.away = middle - float((self.weight * middle).sum()) / self.mass
        distance = np.abs(self.away) + self.half
        order = np.argsort(distance)
        self.distance, weight = distance[order], self.weight[order]
        # Sums up to each distance, the first of them 0.
        powers = np.stack([weight, weight * self.distance, weight * self.distance**2])
        self.sums = np.pad(np.cumsum(powers, axis=1), ((0, 0), (1, 0)))
        self.first = float(self.sums[1, -1])
        self.variation = float(
            np.abs(np.diff(density / np.maximum(steep, _LEAST), prepend=0.0, append=0.0)).sum()
        )

    def log_bound(self, start: Array, end: Array) -> Array:
        """An upper bound of log |phi(t)| for start <= t <= end, ascending and > 0."""
        far = np.minimum(self.variation / start, self.mass)
        gap = np.maximum(self._gap((start + end) / 2) - self._change(start, end), 0.0)
        gap = np.maximum(gap, self.mass**2 - far**2)
        inside = np.sqrt(np.maximum(self.mass**2 - gap, 0.0))
        one = 0.5 * np.log1p(-np.minimum(gap, 1 - _ROUNDING))
        other = np.log(inside + 1 - self.mass)
        bound: Array = np.minimum(np.minimum(one, other) + _ROUNDING * gap, 0.0)
        return bound

    def _change(self, start: Array, end: Array) -> Array:
        """How much g may change from the middle to an end."""
        near = np.searchsorted(self.distance, 1 / end, side="right")
        mass, first, second = self.sums[:, near]
        beyond = self.first - first + (self.mass - mass) * self.first / self.mass
        rate = np.minimum(end * second + beyond, self.first)
        change: Array = (end - start) * self.mass * rate * (2 - _DOWN)
        return change

    def _gap(self, t: Array) -> Array:
        """g(t), rounded down."""
        gap = np.empty(t.size)
        for part in np.array_split(np.arange(t.size), 1 + t.size * self.half.size // _CHUNK):
            s = t[part, None]
            flat = np.sinc(s * self.half / math.pi)
            angle = s * self.away
            # m - Re f as a sum of what is >= 0, so that a small g keeps its digits.
            rise = self.weight * ((1 - flat) + 2 * flat * np.sin(angle / 2) ** 2)
            lack = rise.sum(axis=1)
            turn = (self.weight * flat * np.sin(angle)).sum(axis=1)
            error = _ROUNDING * t[part] * self.first
            exact = 2 * self.mass * lack - lack**2 - turn**2
            gap[part] = exact * _DOWN - error * (2 * np.abs(turn) + error)
        return gap
