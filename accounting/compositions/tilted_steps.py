"""The transform M(u) = E_P e^(uL) of a step's loss on the line Re u = c > 0, with its error.

With z = v log rho(x) + w log rho(-x), `mixture_steps`, M(c) = E e^z over x ~ N(0, 1), and the law
of x tilted by e^z/M(c) has phi(t) = E e^(it(L - m)) = M(c + it) e^(-itm)/M(c), m the mean of L.
All are sums over x = jh (trapezoidal rule).

The rule.  With B the largest shift, no zero of rho is in |Im x| < pi/B: for |Im x| = psi/B all
terms of rho lie in a wedge of the angle psi < pi.  There, against the real line,

    |rho(x)| <= rho(Re x),   |rho(x)| >= cos(psi/2) rho(Re x),   0 <= |arg rho| <= psi,

so the integrand of M(c + it)/M(c) on that line has the integral of at most
e^(a^2/2 + |t| psi j) cos(psi/2)^(-c), a = psi/B, with j = 1, or 2 for "replace", and cos to no
power for "remove".  A rule of step h then errs by at most twice that over e^(2 pi a/h) - 1
(L. N. Trefethen, J. A. C. Weideman, SIAM Review 56, 2014, theorem 5.1).

What is left out.  log rho is convex with a slope in [0, B], so beyond the last x = X the exponent
of the integrand is below its tangent, and z - x^2/2 falls at least as X - slope.

Digits of N log M(c).  As E rho = 1, log M(c) = log(1 + E f(z) - v E f(log rho(x)) - w E f(log
rho(-x))), f(z) = e^z - 1 - z: of the size of the loss's square, not of the loss.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accounting.compositions.mixture_steps import LogRatio, MixtureStep

Array = NDArray[np.float64]
_UNIT = 2.0**-53
_WIDE = 12.0  # standard deviations beyond where the tilted law can have its centre
_ANGLES = 2.0 / 1.5 ** np.arange(24)  # psi, of which the best is taken
_SERIES, _TERMS = 0.5, 18  # of z: where f(z) is a series, and of how many terms
_CHUNK = 1_000_000  # of t times x
_LOG_ROOT = 0.5 * math.log(2 * math.pi)
_FIRST = 8.0  # of t: transforms of smaller ones share their x


@dataclass(frozen=True, eq=False)
class TransformGrid:
    """x of one rule for |t| <= last, and what the rule leaves out, relative to M(c)."""

    x: Array
    h: float
    rule: float
    here: LogRatio
    there: LogRatio


class TiltedStep:
    """A step tilted by c > 0; `digits` is -log of the error that the rule may have."""

    def __init__(self, step: MixtureStep, c: float, digits: float) -> None:
        self.step, self.c, self.digits = step, c, digits
        self.powers = step.powers(c)
        grid = self._grid(0.0)
        z = self._exponent(grid)
        top = float((z - grid.x**2 / 2).max())
        plain = top + math.log(float(np.exp(z - grid.x**2 / 2 - top).sum()) * grid.h) - _LOG_ROOT
        self.log, self.log_error = self._logarithm(grid, z, plain)
        weight = self._weights(grid)
        loss = self._loss(grid)
        self.mean = float((weight * loss).sum())
        self.variance = float((weight * (loss - self.mean) ** 2).sum())

    def span(self, share: float) -> tuple[float, float]:
        """Between which x the tilted density is at least this share of its largest value."""
        weight = self._weights(self._start)
        there = self._start.x[weight >= share * weight.max()]
        return float(there[0]) - self._start.h, float(there[-1]) + self._start.h

    def transform(self, t: Array) -> tuple[NDArray[np.complex128], Array]:
        """phi - 1 at t >= 0, ascending, and bounds on its errors."""
        values, errors = np.empty(t.size, dtype=np.complex128), np.empty(t.size)
        first = 0
        while first < t.size:
            # t within a factor of 2 share their x.
            last = int(np.searchsorted(t, max(_FIRST, 2 * t[first]), side="right"))
            part = slice(first, last)
            values[part], errors[part] = self._transform(t[part])
            first = last
        return values, errors

    def _transform(self, t: Array) -> tuple[NDArray[np.complex128], Array]:
        grid = self._start if t[-1] <= _FIRST else self._grid(float(t[-1]))
        weight = self._weights(grid)
        away = self._loss(grid) - self.mean
        values = np.empty(t.size, dtype=np.complex128)
        for part in np.array_split(np.arange(t.size), 1 + t.size * away.size // _CHUNK):
            angle = t[part, None] * away
            # By the half angle, so that 1 - |phi| keeps its relative digits.
            real = -2 * (weight * np.sin(angle / 2) ** 2).sum(axis=1)
            values[part] = real + 1j * (weight * np.sin(angle)).sum(axis=1)
        v, w = self.powers
        slack = grid.here.error * (1 + abs(v)) + grid.there.error * (1 + abs(w))
        exponent = 64 + 4 * grid.x**2 + 4 * np.abs(self._exponent(grid)) + slack
        # Angles err by the loss's error, weights by their own part.
        rate = float((weight * (2 * slack + exponent * np.abs(away))).sum())
        # The rule and the ends count for phi and for the weights' sum, which stands for 1.
        rule = 2 * (grid.rule + self._beyond(grid)) + self.log_error
        return values, _UNIT * t * rate + rule

    @cached_property
    def _start(self) -> TransformGrid:
        return self._grid(_FIRST)

    def nodes(self, last: float) -> int:
        """How many x a transform at |t| <= last takes."""
        left, right = self._ends
        return math.ceil((left + right) / self._rule(last)[0]) + 1

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """How far x goes to the left and to the right."""
        v, w = self.powers
        shift = self.step.widest
        # log rho has a slope of at most that at -12 on the left of it, and of `shift` anywhere.
        slow = float(self.step.ratio(np.array([-_WIDE])).slope[0])
        left = _WIDE + slow * max(-v, 0.0) + (shift if w else 0.0)
        return left, _WIDE + shift * max(1.0, v) + slow * -w

    def _rule(self, last: float) -> tuple[float, float]:
        """The step h for |t| <= last, and how much the rule errs."""
        turns = 2.0 if self.powers[1] else 1.0
        small = self.c if self.step.relation != "remove" else 0.0
        aside = _ANGLES / self.step.widest
        growth = aside**2 / 2 + turns * last * _ANGLES - small * np.log(np.cos(_ANGLES / 2))
        spacing = 2 * math.pi * aside / (self.digits + growth)
        # 2 e^growth/(e^(2 pi a/h) - 1), where the exponents differ by the digits.
        return float(spacing.max()), 2.02 * math.exp(-self.digits)

    def _grid(self, last: float) -> TransformGrid:
        """The rule for |t| <= last."""
        (left, right), (h, error) = self._ends, self._rule(last)
        x = np.arange(-math.ceil(left / h), math.ceil(right / h) + 1, dtype=np.float64) * h
        return TransformGrid(x, h, error, self.step.ratio(x), self.step.mirrored(x))

    def _exponent(self, grid: TransformGrid) -> Array:
        v, w = self.powers
        return v * grid.here.log + w * grid.there.log

    def _loss(self, grid: TransformGrid) -> Array:
        return self.step.sign * grid.here.log - grid.there.log

    def _weights(self, grid: TransformGrid) -> Array:
        """The tilted law of the nodes."""
        log = self._exponent(grid) - grid.x**2 / 2 - self.log - _LOG_ROOT
        weights: Array = grid.h * np.exp(log)
        return weights

    def _logarithm(self, grid: TransformGrid, z: Array, plain: float) -> tuple[float, float]:
        """log M(c), and a bound on its error."""
        v, w = self.powers
        x, half = grid.x, grid.x**2 / 2 + _LOG_ROOT - math.log(grid.h)
        exponent = 64 + 4 * x**2 + 4 * np.abs(z)
        if plain > 1:
            weight = np.exp(z - half - plain)
            slack = abs(v) * grid.here.error + abs(w) * grid.there.error
            error = _UNIT * float((weight * (exponent + slack)).sum())
            return plain, error + self._left_out(grid, z, plain) + grid.rule * 2
        parts = [(1.0, z), (-v, grid.here.log), (-w, grid.there.log)]
        sums = [(factor, _remainder(each, half)) for factor, each in parts if factor]
        total = sum(factor * float(each.sum()) for factor, each in sums)
        error = sum(
            abs(factor) * float((np.abs(each) * 8 * exponent).sum()) for factor, each in sums
        )
        grown = np.exp(z - half)
        for power, ratio in ((v, grid.here), (w, grid.there)):
            turned = np.abs(grown - np.exp(ratio.log - half))
            error += abs(power) * float((turned * ratio.error).sum())
        log = math.log1p(total)
        # The rule errs for each of e^z, 1, rho(x) and rho(-x).
        scale = 2 + 2 * (1 + abs(v) + abs(w)) * math.exp(max(-log, 0.0))
        error = 2 * _UNIT * error * math.exp(-log)
        return log, error + grid.rule * scale + self._left_out(grid, z, log)

    def _beyond(self, grid: TransformGrid) -> float:
        return self._left_out(grid, self._exponent(grid), self.log)

    def _left_out(self, grid: TransformGrid, z: Array, log: float) -> float:
        """What lies beyond the first and the last x, relative to M(c)."""
        v, w = self.powers
        ends = np.maximum(np.maximum(z, grid.here.log), np.maximum(grid.there.log, 0.0))[[0, -1]]
        # Each of the terms falls from there as e^(-12 |x - X|), or faster.
        tails = np.exp(ends - grid.x[[0, -1]] ** 2 / 2 - log - _LOG_ROOT) / _WIDE
        return (2 + 2 * (abs(v) + abs(w))) * float(tails.sum())


def _remainder(z: Array, half: Array) -> Array:
    """(e^z - 1 - z) e^(-half)."""
    small = np.abs(z) < _SERIES
    inside = np.where(small, z, 0.0)
    series = np.ones_like(z)
    for k in range(_TERMS, 2, -1):
        series = 1 + inside / k * series
    beyond = np.exp(np.where(small, 0.0, z) - half) - (1 + z) * np.exp(-half)
    remainder: Array = np.where(small, inside**2 / 2 * series * np.exp(-half), beyond)
    return remainder
