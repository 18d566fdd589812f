"""The recursion of `_linear_losses`, followed back from the last step, rounded outward.

After every step the power of tests is below (or, for the other side, above) a mixture of normals on
a lattice; `_one_step` has lines above what it then is before the step, and masses are chosen whose
mixture is above all of them.  That mixture is concave in the level, so it is above the lines if it
is where each meets the next: all points between two corners are on a line below a chord of it.

Steps that are far from the end are taken together: let Y be what they shift in all and X the clock
after them.  Paid for from then on, Y moves z by Y/sqrt(X), and F as a function of the level stays
concave when z is moved: F_0(z) <= E F(z + Y/sqrt(X)).  That leaves their own clock out.

Below `lowest` no test has more power than what is `lost` by what each inclusion pays; E rho = 1
hands it on unchanged.  Above `highest` F <= 1, at most the mixture divided by Phi(highest), as no
atom is below 0 and their mass is at least 1: so the masses are divided by Phi(highest), once.  From
the other side the power of a yes at the level Phi(-z) is at least 0 where the mixture is below what
is lost, and at least 1 less what each inclusion pays for where z is below `lowest`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from accounting.curves.discrete_sums import Array, Joined, Law, Term, times
from accounting.curves.gaussian_mixtures import epsilon as mixture_epsilon
from accounting.curves.gaussian_mixtures import solve
from accounting.sampled._blocks import Inclusions
from accounting.sampled._lattice import AtomGrid, coarser, shifted
from accounting.sampled._linear_losses import deepest
from accounting.sampled._one_step import SampledStep, chances, lines
from accounting.sampled._unlike_rates import direction

_FINEST, _COARSEST = 0.01, 0.02  # between atoms, in z
_LEFT_OUT = 5e-3  # of the clock, what early steps may leave out
_MOST_STEPS, MOST_OUTCOMES, _MOST_ATOMS = 200, 4, 3000
_MOST_THETA, _MOST_SLOPE = 12.0, 8.0  # shift over noise of a step; its noise over that after it
_TAIL = 1e-4  # of what is lost: the masses that a step may drop
_LOWER, _HIGHER = 1.8, 1.2  # of z: lines begin before the least and end after the largest
_ROWS, _COLUMNS, _WHOLE = 60, 35, 110  # corners and atoms that masses are fitted at
_ENOUGH = 1 + 1e-4  # of a mixture over a line: no fit is needed
_SPARE, _PAID = 1e-3, 1e-4  # of delta; of a power
_HIGHEST, _AIM = 4.0, 0.8  # z; a part of the z that linear losses need
_RAREST, _HUGE = 1e-250, 700.0
_UP = 1 + 1e-10  # rounding of sums of positive terms


@dataclass(frozen=True)
class LevelRange:
    """z from `lowest`, where no test has more power than `below`, to `highest`; see the module.

    lost: what the bound is owed at the ends.  aim: z where it matters most.
    """

    lowest: float
    highest: float
    below: float
    lost: float
    aim: float = 0.0


@dataclass(frozen=True, eq=False)
class PowerBound:
    """E Phi(z + mu) + lost is above all powers; or E Phi(z - mu) - lost below."""

    law: Law
    lost: float


@lru_cache(maxsize=64)
def recursion_epsilon(
    blocks: Inclusions, sigma: float, delta: float, hope: float, *, both: bool
) -> float:
    """epsilon at delta by the recursion, of the blocks' law against N(0, 1) both ways.

    both: of two such laws, moved in opposite directions, against each other.  hope: what linear
    losses need.  inf where the recursion would be too long.  The blocks are steps.
    """
    additive = (blocks.additive.times(1 / sigma),)
    _, z = solve((blocks.straight.times(1 / sigma),), None, delta)
    spare = _SPARE * delta
    if not (math.isfinite(z) and spare > _RAREST):
        return math.inf
    over = LevelRange(deepest(additive, spare), _HIGHEST, spare, spare, _AIM * z)
    above = bound(blocks, sigma, over, upper=True)
    if above is None:
        return math.inf
    budget = delta - above.lost
    # What is owed on the other side is multiplied by e^epsilon, which is not much above this.
    owed = spare * math.exp(-1.3 * hope - 1)
    if both:
        below = _below(blocks, sigma, additive, owed)
        if below is None:
            return math.inf
        return direction(above.law, below.law, additive, budget, 0.0, below.lost)
    epsilon = mixture_epsilon(above.law, None, budget) if budget > 0 else math.inf
    # The other direction needs less, mostly also where every inclusion pays for itself.
    back = mixture_epsilon(None, times(additive, -1), delta)
    if back > epsilon:
        below = _below(blocks, sigma, additive, owed)
        rest = delta - owed * math.exp(min(epsilon, _HUGE))
        if below is not None and rest > 0:
            back = min(back, mixture_epsilon(None, times(below.law, -1), rest))
    return max(epsilon, back)


def _below(blocks: Inclusions, sigma: float, additive: Law, owed: float) -> PowerBound | None:
    if not owed > _RAREST:
        return None
    highest = -float(scipy.special.ndtri_exp(math.log(owed)))
    over = LevelRange(deepest(additive, _PAID), highest, _PAID, owed)
    return bound(blocks, sigma, over, upper=False)


def bound(blocks: Inclusions, sigma: float, over: LevelRange, *, upper: bool) -> PowerBound | None:
    """A bound for tests of every level Phi(z); None where the recursion would be too long.

    The blocks are steps.
    """
    chain = _Chain(blocks, sigma, over, upper=upper)
    return chain.bound() if chain.short else None


class _Chain:
    def __init__(self, blocks: Inclusions, sigma: float, over: LevelRange, *, upper: bool) -> None:
        self.over, self.upper, self.blocks = over, upper, blocks
        self.shift = blocks.shift * (1 + blocks.error) / sigma
        self.due = blocks.start * (1 + blocks.error) / sigma
        size = blocks.zero.size
        # The clock from each step on; and that after the last, where it is not 0.
        before = np.append(np.cumsum(blocks.clock[::-1])[::-1], 0.0)[: size + 1]
        self.before = before
        # The last step that still has nearly all of the clock.
        self.first = int(np.flatnonzero(before >= (1 - _LEFT_OUT) * before[0])[-1])
        # Without a clock after it the last step is told as it is.
        self.last = size if before[size] > 0 else size - 1
        self.first = min(self.first, self.last)
        self.lost = over.lost

    @property
    def short(self) -> bool:
        """Whether it is worth the time."""
        few = self.last - self.first <= _MOST_STEPS and self.shift.shape[1] <= MOST_OUTCOMES
        part = slice(self.first, self.last)
        noise, after = self.blocks.clock[part], self.before[self.first + 1 : self.last + 1]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            theta = self.shift[part].max(axis=1) / np.sqrt(noise)
            slope = np.sqrt(noise / after)
        # Not where a clock is no float, a shift so large that its density is none, or a step so
        # noisy that atoms are far apart after it.
        return few and bool(((theta <= _MOST_THETA) & (slope <= _MOST_SLOPE)).all())

    def bound(self) -> PowerBound | None:
        """Back from the last step to the first that is not taken together with others."""
        # Atoms as far apart, in the clock of the end, as the finest grid of z asks for.
        spacing = _COARSEST * float(np.sqrt(self.before[max(self.last - 1, self.first)]))
        mass: Array = np.ones(1)
        if self.last < self.blocks.zero.size:
            # Up: all of the last step's shifts onto the next atom.
            places = np.ceil(self.shift[self.last] / spacing)
            if not self.upper:
                places = np.floor(self.shift[self.last] / spacing)
            mass = shifted(mass, *self._outcomes(self.last, places))
        for k in range(self.last - 1, self.first - 1, -1):
            root = float(np.sqrt(self.before[k]))
            while spacing / root < _FINEST:
                mass, spacing = coarser(mass), 2 * spacing
            after = self._back(mass, k, spacing)
            if after is None or after.size > _MOST_ATOMS or not np.isfinite(after).all():
                return None
            mass = after
        return self._joined(mass, spacing)

    def _outcomes(self, k: int, places: Array) -> tuple[Array, Array]:
        """Shifts of a step, and chances, none first."""
        chance = np.append(self.blocks.zero[k], self.blocks.chance[k])
        return np.append(0.0, places), chance

    def _back(self, mass: Array, k: int, spacing: float) -> Array | None:
        """Masses whose mixture bounds powers before step k; those given do after it."""
        over, root = self.over, float(np.sqrt(self.before[k]))
        distance = spacing / root
        size = int((over.highest + _HIGHER - over.lowest + _LOWER) / distance) + 2
        grid = AtomGrid(over.lowest - _LOWER, distance, size)
        noise = float(np.sqrt(self.blocks.clock[k]))
        theta, chance = self._outcomes(k, self.shift[k] / noise)
        step = SampledStep(noise / float(np.sqrt(self.before[k + 1])), theta, chance)
        levels, values = lines(mass, step, grid, upper=self.upper).corners()
        after = shifted(mass, *self._outcomes(k, self.shift[k] / spacing))
        some = self._needed(levels)
        if some is None:
            return None
        fitted = _Fitted(grid, levels[some], values[some], upper=self.upper)
        return self._cut(fitted.masses(after, over.aim))

    def _needed(self, levels: Array) -> slice | None:
        """The corners from the last before the range to the first after it; None without these."""
        ends = chances(upper=self.upper)(np.array([self.over.lowest, self.over.highest]))
        first = int(np.searchsorted(levels, ends.min(), side="right")) - 1
        last = int(np.searchsorted(levels, ends.max()))
        return slice(first, last + 1) if first >= 0 and last < levels.size else None

    def _cut(self, mass: Array) -> Array:
        """Without the farthest atoms; what they had is lost."""
        beyond = np.cumsum(mass[::-1])[::-1]
        kept = int(np.count_nonzero(beyond > _TAIL * self.over.lost)) + 1
        if self.upper and kept < mass.size:
            self.lost += float(beyond[kept]) / float(scipy.special.ndtr(self.over.highest))
        return mass[:kept]

    def _joined(self, mass: Array, spacing: float) -> PowerBound:
        over, root = self.over, float(np.sqrt(self.before[self.first]))
        factor = 1 - over.below
        if self.upper:
            factor = 1 / float(scipy.special.ndtr(over.highest)) * _UP
        values: Array = (spacing * np.arange(mass.size, dtype=np.float64) + self.due)[None] / root
        late = Term(values, mass[None] * factor, np.zeros(1))
        if self.first == 0:
            return PowerBound((late,), self.lost)
        part = slice(0, self.first)
        early = Term(self.shift[part] / root, self.blocks.chance[part], self.blocks.zero[part])
        return PowerBound((Joined(late, early),), self.lost)


class _Fitted:
    """Masses on a lattice above (or below) lines at the corners where each meets the next."""

    def __init__(self, grid: AtomGrid, levels: Array, values: Array, *, upper: bool) -> None:
        self.grid, self.upper, self.levels, self.values = grid, upper, levels, values
        self.chances = chances(upper=upper)
        # Points between those of the grid as well, for chords.
        half = grid.points[:-1] + grid.distance / 2
        self.points = np.sort(np.concatenate((grid.points, half)))
        self.known = self.chances(self.points)

    def at_corners(self, mass: Array) -> Array:
        """The mixture at the corners, by chords: below what is concave, above what is convex."""
        grid = self.grid
        mixture = np.empty(self.points.size)
        mixture[::2] = grid.sums(mass, self.chances)
        mixture[1::2] = grid.sums(mass, self.chances, grid.distance / 2)[:-1]
        if self.upper:
            return np.interp(self.levels, self.known, mixture)
        return np.interp(self.levels, self.known[::-1], mixture[::-1])

    def masses(self, mass: Array, aim: float) -> Array:
        """These masses, more where a line is above their mixture, or all of them less."""
        if not self.upper:
            # All in proportion, which costs little on this side.
            ratio = float((self.values / self.at_corners(mass)).min())
            return mass * (min(ratio, 1.0) / _UP)
        if float((self.values / self.at_corners(mass)).max()) > _ENOUGH:
            mass = self._raised(mass, aim)
        ratio = float((self.values / self.at_corners(mass)).max())
        mass = mass * (max(ratio, 1.0) * _UP)
        # Above the range the mixture is to be at least what all masses at 0 make.
        return mass * max(1 / float(mass.sum()), 1.0)

    def _raised(self, mass: Array, aim: float) -> Array:
        """By linear programming: least where it matters, above lines at some of the corners."""
        some = np.unique(np.linspace(0, self.levels.size - 1, _ROWS).astype(np.int64))
        whole = mass.size <= _WHOLE
        atoms = np.arange(mass.size)
        if not whole:
            atoms = np.unique(np.linspace(0, mass.size - 1, _COLUMNS).astype(np.int64))
        levels, values = self.levels[some], self.values[some]
        z = scipy.special.ndtri(levels)
        # In parts of the values, and every atom in parts of the most that it adds.
        parts = scipy.special.ndtr(z[:, None] + atoms * self.grid.distance) / values[:, None]
        most = parts.max(axis=0)
        missing = 1 - (0.0 if whole else self.at_corners(mass)[some] / values)
        weight = np.exp(-(((z - aim) / max(abs(aim) * 0.7, 1.0)) ** 2))
        answer = scipy.optimize.linprog(
            weight @ (parts / most),
            A_ub=-parts / most,
            b_ub=-np.maximum(missing, 0.0) * np.ones(z.size),
            bounds=(0, None),
            method="highs",
        )
        if answer.status != 0:
            return mass
        raised = np.zeros(mass.size) if whole else mass.copy()
        raised[atoms] += np.maximum(answer.x, 0.0) / most
        return raised
