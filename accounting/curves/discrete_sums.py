"""Tails and densities of mu + N(0, 1), where mu is a sum of independent discrete terms.

Y = mu + G has the moment generating function M(u) = e^(u^2/2) E e^(u mu), entire in u.  On the line
Re u = s > 0

    P(Y > y) = (1/2 pi) int M(s + it) e^(-(s + it) y)/(s + it) dt,

and without the denominator it is the density.  The integral is replaced by the sum over
t = (j + 1/2) h.  With L = 2 pi/h Poisson's formula gives its error exactly: the same function at
y + kL times e^(skL), k != 0, which Chernoff's bound at s + d and s - d encloses.
|M(s + it)| <= M(s) e^(-t^2/2) encloses what lies beyond the last node, so all is relative to
M(s) e^(-sy), and a tail of 1e-300 has as many digits as one of 1/2.  Rounding errors are added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accounting.curves.bernoulli_sums import BernoulliSum

Array = NDArray[np.float64]
_LAST = 9.0  # of t: e^(-t^2/2) is 3e-18 there
_FAR = 42.0  # -log of the periodisation error, relative
_UNIT = 2.0**-53
_FARTHEST = 1e4  # of mu and its variance
_CHUNK = 2_000_000


@dataclass(frozen=True, eq=False)
class Term:
    """factor times the law of a sum over blocks: 0 with `zero`, values[b, o] with chances[b, o].

    A block need not have mass 1, so that a single one may hold any atoms.
    """

    values: Array
    chances: Array
    zero: Array
    factor: float = 1.0

    def times(self, scale: float) -> Term:
        """The law of a multiple."""
        return Term(self.values * scale, self.chances, self.zero, self.factor)

    @property
    def mass(self) -> float:
        """Total mass, without its sign."""
        return abs(self.factor) * float(np.prod(self.zero + self.chances.sum(axis=1)))

    def ulps(self, s: float, last: float, log: float) -> float:
        """The relative error of `along` for |t| <= last, and of e^log, in units of 2^-53."""
        # Blocks and outcomes are what errors grow with; the angle t v errs by its own ulps.
        length = self.values.shape[0] + self.values.shape[1]
        widest = float(np.abs(self.values).max(initial=0.0))
        return float(length * (16 + (last + s) * widest) + 8 * abs(log))

    @cached_property
    def _cells(self) -> tuple[Array, Array]:
        """Values and logs of their chances, one row an outcome, none first."""
        chances = np.vstack((self.zero, self.chances.T))
        with np.errstate(divide="ignore"):
            logs: Array = np.log(chances)
        return np.vstack((np.zeros(self.zero.size), self.values.T)), logs

    def tilted(self, s: float) -> tuple[Array, Array]:
        """Logs of the blocks' moment generating functions at s, and chances tilted by s."""
        values, logs = self._cells
        grown = logs + s * values
        # The largest exponent is taken out, so that no s, however large, overflows.
        top = grown.max(axis=0)
        grown -= top
        np.exp(grown, out=grown)
        total = grown.sum(axis=0)
        grown /= total
        return top + np.log(total), grown

    def moments(self, s: float) -> tuple[float, float, float]:
        """log E e^(s mu) and its first two derivatives, without the factor."""
        blocks, weight = self.tilted(s)
        values = self._cells[0]
        part = weight * values
        mean = part.sum(axis=0)
        part *= values
        square = part.sum(axis=0)
        return float(blocks.sum()), float(mean.sum()), float((square - mean * mean).sum())

    def along(self, s: float, t: Array) -> tuple[float, NDArray[np.complex128]]:
        """log E e^(s mu), and E e^((s + it) mu) over it, without the factor."""
        blocks, weight = self.tilted(s)
        product = np.ones(t.size, dtype=np.complex128)
        # Blocks by the chunk: the angles are an array of blocks, outcomes and nodes, (b, o, t).
        rows = max(1, _CHUNK // (t.size * self.values.shape[1]))
        for first in range(0, blocks.size, rows):
            part = slice(first, first + rows)
            angle = self.values[part, :, None] * t
            w = weight[1:, part].T[:, :, None]
            real = (w * np.cos(angle)).sum(axis=1) + weight[0, part, None]
            # Independent blocks: the transform of the sum is the product of theirs.
            product *= np.prod(real + 1j * (w * np.sin(angle)).sum(axis=1), axis=0)
        return float(blocks.sum()), product


@dataclass(frozen=True, eq=False)
class Joined:
    """The law of the sum of two independent ones."""

    first: OneLaw
    second: OneLaw

    def times(self, scale: float) -> Joined:
        """The law of a multiple."""
        return Joined(self.first.times(scale), self.second.times(scale))

    @property
    def factor(self) -> float:
        """That of both."""
        return self.first.factor * self.second.factor

    @property
    def mass(self) -> float:
        """Total mass, without its sign."""
        return self.first.mass * self.second.mass

    def ulps(self, s: float, last: float, log: float) -> float:
        """The relative error of `along` for |t| <= last, and of e^log, in units of 2^-53."""
        parts = (self.first, self.second)
        return sum(part.ulps(s, last, part.moments(s)[0]) for part in parts) + 8 * abs(log)

    def moments(self, s: float) -> tuple[float, float, float]:
        """log E e^(s mu) and its first two derivatives, without the factor."""
        log, mean, variance = (
            a + b for a, b in zip(self.first.moments(s), self.second.moments(s), strict=True)
        )
        return log, mean, variance

    def along(self, s: float, t: Array) -> tuple[float, NDArray[np.complex128]]:
        """log E e^(s mu), and E e^((s + it) mu) over it, without the factor."""
        (log, one), (more, other) = self.first.along(s, t), self.second.along(s, t)
        return log + more, one * other


OneLaw: TypeAlias = Term | Joined | BernoulliSum
Law = Sequence[OneLaw]
"""A positive measure on mu: the sum of its terms, some of which may be subtracted."""


def times(law: Law, scale: float) -> Law:
    """The law of a multiple of mu."""
    return tuple(term.times(scale) for term in law)


def cumulant(law: Law, s: float) -> tuple[float, float, float]:
    """log M(s) and two derivatives in s."""
    # e^(s^2/2) of the normal part adds s^2/2 to the log, s to the mean and 1 to the variance.
    if len(law) == 1 and law[0].factor > 0:
        log, mean, variance = law[0].moments(s)
        return log + math.log(law[0].factor) + s * s / 2, mean + s, max(variance, 0.0) + 1
    logs, means, squares, signs = [], [], [], []
    for term in law:
        if term.factor == 0:
            continue
        log, mean, variance = term.moments(s)
        logs.append(log + math.log(abs(term.factor)))
        means.append(mean)
        squares.append(variance + mean**2)
        signs.append(math.copysign(1.0, term.factor))
    top = max(logs)
    # Cumulants of a signed mixture: moments are averaged with weights, then centred again.
    weight = np.array(signs) * np.exp(np.array(logs) - top)
    total = float(weight.sum())
    mean = float(weight @ np.array(means)) / total
    variance = float(weight @ np.array(squares)) / total - mean**2
    return top + math.log(total) + s * s / 2, mean + s, max(variance, 0.0) + 1


def resolvable(law: Law) -> bool:
    """Whether the law's mu can be resolved; beyond, epsilon is in the thousands."""
    _, mean, variance = cumulant(law, 0.0)
    return mean < _FARTHEST and variance < _FARTHEST


class Value(NamedTuple):
    """value e^log, wrong by at most error e^log."""

    log: float
    value: float
    error: float

    @property
    def up(self) -> float:
        return self.value + self.error

    @property
    def down(self) -> float:
        return max(self.value - self.error, 0.0)


class Contour:
    """The line Re u = s > 0 with its nodes: precise for y near the saddle, valid for every y."""

    def __init__(self, law: Law, s: float) -> None:
        self.law, self.s = law, s
        self.log, self.centre, variance = cumulant(law, s)
        self.width = math.sqrt(variance)
        # The distance d of Chernoff's lines from s: log M is then some 9^2/2 above its tangent.
        self.aside = 9 / self.width
        self.mass = sum(term.mass for term in law)
        # log M(s +- d) - log M(s), what the aliases on either side are bounded by.
        self.beside = [cumulant(law, s + side * self.aside)[0] - self.log for side in (1, -1)]
        ends = [self.centre - 2 * self.width, -self.centre - 2 * self.width]
        spans = [
            (_FAR + out) / self.aside - end for out, end in zip(self.beside, ends, strict=True)
        ]
        # log of the tail at the centre, roughly: the alias mass e^(-s L) is to be e^-_FAR of it.
        tail = self.log - s * self.centre - math.log(3 * s * self.width + 2)
        self.period = max(*spans, (_FAR - min(tail, 0.0) + math.log(self.mass)) / s)
        # Nodes at half steps of h, so that none is 0; by symmetry only t > 0 is needed.
        h = 2 * math.pi / self.period
        self.t: Array = (np.arange(math.ceil(_LAST / h) + 1, dtype=np.float64) + 0.5) * h
        self.weight: Array = 2 / self.period * np.exp(-(self.t**2) / 2)

    @cached_property
    def _along(self) -> tuple[NDArray[np.complex128], float, float]:
        """M(s + it)/M(s) e^(t^2/2) at the nodes, a bound on its modulus, the error in ulps."""
        total = np.zeros(self.t.size, dtype=np.complex128)
        most, ulps = 0.0, 0.0
        for term in self.law:
            if term.factor == 0:
                continue
            log, along = term.along(self.s, self.t)
            size = math.exp(log + math.log(abs(term.factor)) + self.s**2 / 2 - self.log)
            total += math.copysign(size, term.factor) * along
            ulps += size * term.ulps(self.s, float(self.t[-1]), log)
            most += size
        return total * np.exp(1j * self.s * self.t), most, ulps

    @cached_property
    def _kernels(self) -> tuple[Array, Array, list[float]]:
        """Real and imaginary parts of what e^(-ity) multiplies, and sums of their moduli.

        Of the tail, and of the density.
        """
        along = self._along[0]
        kernels = self.weight * np.stack((1 / (self.s + 1j * self.t), np.ones(self.t.size)))
        products = along * kernels
        return products.real.copy(), products.imag.copy(), np.abs(kernels).sum(axis=1).tolist()

    def at(self, y: float) -> tuple[Value, Value]:
        """P(Y > y), and the density of Y."""
        real, imaginary, sizes = self._kernels
        _, most, ulps = self._along
        angle = y * self.t
        sums = (real * np.cos(angle) + imaginary * np.sin(angle)).sum(axis=1).tolist()
        # The angle y t, and the sum over the nodes.
        ulps += most * (64 + 8 * (_LAST + self.s) * (abs(y) + self.s))
        # Aliases at y + kL, by Chernoff at s + d above and at s - d below; 1.01 is for k = 2, 3,
        # ...
        error = self._beyond + 1.01 * (
            _exp(self.beside[0] - self.aside * (y + self.period))
            + _exp(self.beside[1] - self.aside * (self.period - y))
        )
        # The tail does not vanish at y - kL, where it is at most the mass: a geometric series in k.
        alias = self.mass * _exp(self.s * (y - self.period) - self.log)
        alias *= 1.01 / -math.expm1(-self.s * self.period)
        log = self.log - self.s * y
        return (
            Value(log, sums[0], _UNIT * ulps * sizes[0] + error + alias),
            Value(log, sums[1], _UNIT * ulps * sizes[1] + error),
        )

    @cached_property
    def _beyond(self) -> float:
        """A bound on the integral beyond the last node."""
        return self._along[1] * math.exp(-(float(self.t[-1]) ** 2) / 2)


def _exp(x: float) -> float:
    return math.exp(x) if x < 700 else math.inf


def saddle(law: Law, y: float) -> float:
    """s with K'(s) = y, to a few digits; the line through it is the best for y."""
    s = y - cumulant(law, 0.0)[1]
    for _ in range(60):
        _, mean, variance = cumulant(law, s)
        move = (y - mean) / variance
        # Where K'' is small for now, a whole Newton step would leave the region of the root.
        s += max(min(move, 2.0), -2.0)
        if abs(move) < 1e-2:
            break
    return s
