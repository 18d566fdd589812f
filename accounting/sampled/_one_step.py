"""One step back of the recursion of `_linear_losses`, for any mixture of normals: lines above it.

After the step the power of tests at the level Phi(z) is at most

    G(z) = sum_j p_j Phi(z + m_j),    m_j >= 0,    R(u) = G'/phi = sum_j p_j e^(-m_j u - m_j^2/2),

and before it at most the supremum T of E rho(W) G(u(W)) over all u that rise with a slope of at
most l and have E Phi(u(W)) = Phi(z).  T is concave in the level.  For any z let a be z sqrt(1+l^2)
and x_0 such that rho R(a + l x_0) is at most gamma, the mean of rho(x) R(a + l x) beyond x_0 for
the density proportional to phi(x) phi(a + l x).  log(rho R) is convex in x, so it falls below gamma
and then rises above it; therefore u = a + l x is best beyond x_0 for the multiplier gamma among all
u of slope l, wherever they start.  Before x_0 let every x have the u that is best for it.  (Where
there is no such x_0, let all have it, for any gamma.)  So at every level h

    T(h) <= L + gain + gamma (h - Phi(z)),
    gain = int_{x < x_0} phi(x) (sup_u [rho G(u) - gamma Phi(u)] - [rho G - gamma Phi](a + l x)) dx,

L = E rho G(a + l W) = sum_j p_j E_theta Phi(z + (m_j + l theta)/sqrt(1 + l^2)) what linear losses
tell.  The least x_0 that is allowed gives the line that touches T where forgetting pays before x_0.

The supremum is H(gamma/rho) rho with H the conjugate of G as a function of the level, convex: a
chord between values of a table is above it.  rho H(gamma/rho) is convex in rho: a chord in rho over
a cell of x is above it, and its integral is one of phi and phi rho.  What is subtracted is a chance
of two normals, int_{y < t} phi(y) Phi(sqrt(1 + l^2) x_0 + l y) dy, summed over the atoms.

From below, for a mixture that a test's power on no account is below, c(z) = sum_j p_j Phi(-z - m_j)
at the level Phi(-z): -c is G but for a constant, so that the same lines hold with all chances taken
from the other end, c >= L - gain + gamma (h - Phi(-z)); there no digits are lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from accounting.curves.discrete_sums import Array
from accounting.sampled._lattice import AtomGrid, Function, integral

_ENDS = -14.0, 6.0  # of x: between them a least x_0 is looked for
_DEEPEST = 37.0  # of u, either way: phi is a float there
_FARTHEST = 9.5  # normals beyond are below 1e-20
_CELLS = 64  # of x before x_0
_STARTS, _APART = 16, 0.25  # of x_0: how many at most, and how far apart
_SAMPLE = 32  # of z, for a first guess of x_0
_MARGIN = 1e-9  # relative, of what an x_0 has to satisfy
_ROOT = float(np.sqrt(2 * np.pi))


@dataclass(frozen=True, eq=False)
class SampledStep:
    """l, and the outcomes theta with their chances, no shift among them."""

    slope: float
    theta: Array
    chance: Array

    @property
    def width(self) -> float:
        """sqrt(1 + l^2)."""
        return float(np.sqrt(1 + self.slope**2))

    @property
    def offsets(self) -> Array:
        """By what the outcomes move z for linear losses."""
        moved: Array = self.slope * self.theta / self.width
        return moved

    def rho(self, x: Array) -> Array:
        """E e^(theta x - theta^2/2); at least 1e-300, so that it divides."""
        grown = np.exp(np.multiply.outer(x, self.theta) - self.theta**2 / 2)
        density: Array = np.maximum(grown @ self.chance, 1e-300)
        return density


@dataclass(frozen=True, eq=False)
class Lines:
    """values + slopes (h - levels): bounds for all levels h, one for each point of a grid."""

    levels: Array
    values: Array
    slopes: Array

    def corners(self) -> tuple[Array, Array]:
        """Levels and values where a line meets the next, the levels rising, in (0, 1).

        Lines that are sharper nowhere than those beside them are left out: any lines may be.
        """
        order = np.argsort(self.levels)
        slopes = self.slopes[order]
        at_zero = (self.values - self.slopes * self.levels)[order]
        # Slopes fall with the level above what is concave, and rise below what is convex.
        sign = 1.0 if slopes[0] > slopes[-1] else -1.0
        least = np.minimum.accumulate(sign * slopes)
        falling = np.append(True, sign * slopes[1:] < least[:-1])
        slopes, at_zero = slopes[falling], at_zero[falling]
        while True:
            h = np.diff(at_zero) / -np.diff(slopes)
            # Where the line meets the next before the one before it, it is left out.
            kept = np.concatenate(([True], np.diff(h) > 0, [True]))
            if h.size < 2 or kept.all():
                break
            slopes, at_zero = slopes[kept], at_zero[kept]
        inside = (h > 0) & (h < 1)
        return h[inside], (at_zero[:-1] + slopes[:-1] * h)[inside]


def normal(x: Array) -> Array:
    """phi."""
    density: Array = np.exp(-x * x / 2) / _ROOT
    return density


def chances(*, upper: bool) -> Function:
    """Phi, or its complement."""
    if upper:
        return scipy.special.ndtr  # type: ignore[no-any-return]
    return lambda x: scipy.special.ndtr(-x)


def lines(mass: Array, step: SampledStep, grid: AtomGrid, *, upper: bool) -> Lines:
    """Lines above the power before the step, or below it (`upper` false), for z on the grid.

    mass: of the atoms after the step, m_j = j sqrt(1 + l^2) times the distance of the grid.
    """
    return _StepBack(mass, step, grid, upper=upper).lines()


class _StepBack:
    def __init__(self, mass: Array, step: SampledStep, grid: AtomGrid, *, upper: bool) -> None:
        self.mass, self.step, self.grid, self.upper = mass, step, grid, upper
        self.sign = 1.0 if upper else -1.0
        self.chances = chances(upper=upper)
        # Of u: all that a + l x may be between the ends of x.
        distance = grid.distance * step.width
        low = float(grid.points[0]) * step.width + _ENDS[0] * step.slope
        high = float(grid.points[-1]) * step.width + _ENDS[1] * step.slope
        low, high = max(low, -_DEEPEST), min(high, _DEEPEST)
        table = AtomGrid(low, distance, int((high - low) / distance) + 2)
        self.u = table.points
        rise = table.sums(mass, normal) / normal(self.u)
        self.log_rise = np.log(rise)
        # The conjugate at the slopes R(u), in the order of rising slopes.
        level = self.chances(self.u)
        conjugate = self.sign * (table.sums(mass, self.chances) - rise * level)
        self.rise, self.conjugate = rise[::-1], conjugate[::-1]

    def lines(self) -> Lines:
        z, size = self.grid.points, self.grid.size
        linear = self._over_outcomes([self.chances] * self.step.theta.size, self.grid)
        slopes, gain = np.ones(size), np.full(size, np.inf)
        for x in self._starts():
            # The least x_0 that is allowed, so only where none was yet: it is larger for lower z.
            left = np.flatnonzero(np.isinf(gain))
            if left.size == 0:
                break
            part = slice(0, int(left[-1]) + 1)
            slope = self._slope(x, self.grid.part(part))
            allowed = slope >= self._at(z[part], x) * (1 + _MARGIN)
            here = np.flatnonzero(np.isinf(gain[part]) & allowed)
            if here.size:
                part = slice(int(here[0]), int(here[-1]) + 1)
                new = self._gain(x, slope[part], self.grid.part(part))
                slopes[here], gain[here] = slope[here], new[here - here[0]]
        left = np.flatnonzero(np.isinf(gain))
        if left.size:
            # Every x may have the u that is best for it; the slope is that of linear losses.
            part = slice(int(left[0]), int(left[-1]) + 1)
            slope = self._slope(-np.inf, self.grid.part(part))
            new = self._gain(np.inf, slope, self.grid.part(part))
            slopes[left], gain[left] = slope[left - left[0]], new[left - left[0]]
        return Lines(self.chances(z), linear + self.sign * gain, slopes)

    def _over_outcomes(self, functions: list[Function], grid: AtomGrid) -> Array:
        step = self.step
        parts = [
            chance * grid.sums(self.mass, f, offset)
            for f, chance, offset in zip(functions, step.chance, step.offsets, strict=True)
        ]
        total: Array = np.sum(parts, axis=0)
        return total

    def _at(self, z: Array, x: float) -> Array:
        """rho R(a + l x), rounded up: log R is convex, and a chord above it.

        It falls: beyond the table it is at most the last, and before it not known.
        """
        u = z * self.step.width + self.step.slope * x
        rise: Array = np.exp(np.interp(u, self.u, self.log_rise, left=np.inf))
        return rise * float(self.step.rho(np.array(x)))

    def _starts(self) -> Array:
        """x_0 between the least and the largest of where rho R is its mean beyond, roughly."""
        z = self.grid.points[:: max(self.grid.size // _SAMPLE, 1)]
        x = np.linspace(*_ENDS, 201)
        u = z[:, None] * self.step.width + self.step.slope * x
        log = np.interp(u, self.u, self.log_rise) + np.log(self.step.rho(x))
        top = log.max(axis=1, keepdims=True)
        weight = np.exp(-(x**2) / 2 - u**2 / 2 + z[:, None] ** 2 / 2)
        grown = (weight * np.exp(log - top))[:, ::-1].cumsum(axis=1)[:, ::-1]
        beyond = weight[:, ::-1].cumsum(axis=1)[:, ::-1]
        with np.errstate(divide="ignore", invalid="ignore"):
            below = np.exp(log - top) * beyond <= grown
        # The last x has only itself beyond it.
        below[:, -1] = True
        first = x[below.argmax(axis=1)]
        start, end = float(first.min()), min(float(first.max()) + 0.3, _ENDS[1])
        number = int(min(max((end - start) / _APART, 4.0), _STARTS))
        return np.linspace(start, end, number)

    def _beyond(self, x: float) -> Function:
        """phi(t) times the chance of W > x where a + l x is transported to t."""
        width, slope = self.step.width, self.step.slope
        return lambda t: normal(t) * scipy.special.ndtr(-(width * x + slope * t))

    def _slope(self, x: float, grid: AtomGrid) -> Array:
        """gamma for the start x, at every z; 0, which allows no start, where it is no float."""
        parts = [self._beyond(x - theta) for theta in self.step.theta.tolist()]
        beyond = self._beyond(x)(grid.points)
        some = beyond > 1e-290
        mean: Array = np.where(
            some, self._over_outcomes(parts, grid) / np.maximum(beyond, 1e-290), 0
        )
        return mean

    def _before(self, x: float) -> Function:
        """The chance of W <= x and a yes of the linear test."""
        width, slope = self.step.width, self.step.slope

        def chance(t: Array) -> Array:
            return integral(
                lambda y: normal(y) * scipy.special.ndtr(width * x + slope * y),
                t,
                self.grid.distance,
                below=self.upper,
                reach=_FARTHEST + 4,
            )

        return chance

    def _gain(self, x: float, slope: Array, grid: AtomGrid) -> Array:
        parts = [self._before(x - theta) for theta in self.step.theta.tolist()]
        linear = self._over_outcomes(parts, grid) - slope * self._before(x)(grid.points)
        edges, weights = self._cells(x)
        # sup_u [rho G - gamma Phi] at the edges of the cells.
        rho = self.step.rho(edges)
        best = self._conjugate(slope[:, None] / rho) @ (rho * weights)
        gain: Array = np.maximum(best - self.sign * linear, 0.0)
        return gain

    def _conjugate(self, slope: Array) -> Array:
        """H, rounded up; beyond the table it changes by at most what the slope does."""
        inside = np.interp(slope, self.rise, self.conjugate)
        beyond = self.rise[0] - slope if self.upper else slope - self.rise[-1]
        conjugate: Array = inside + np.maximum(beyond, 0.0)
        return conjugate

    def _cells(self, x: float) -> tuple[Array, Array]:
        """Edges of x from far below to the start, and weights of chords in rho between them."""
        # Outside -40 and 40 there is no mass that a float shows, tilted by theta or not.
        farthest = float(self.step.theta.max())
        end = min(x, _FARTHEST + farthest)
        edges = np.append(-40.0, np.linspace(min(end, 0.0) - 7.0, end, _CELLS))
        if x > end:
            edges = np.append(edges, 40.0 + farthest)
        rho = self.step.rho(edges)
        even = np.diff(scipy.special.ndtr(edges))
        tilted = np.diff(scipy.special.ndtr(np.subtract.outer(edges, self.step.theta)), axis=0)
        grown = tilted @ self.step.chance - rho[:-1] * even
        # Where rho hardly rises it is as at either end.
        rise = np.diff(rho)
        share = np.where(rise > 1e-12 * rho[:-1], grown / np.maximum(rise, 1e-300), even / 2)
        share = np.clip(share, 0.0, even)
        weights: Array = np.append(even - share, 0.0)
        weights[1:] += share
        return edges, weights
