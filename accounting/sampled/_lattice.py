"""Sums over a lattice of atoms, at evenly spaced points of the same distance.

Atoms j a, j = 0, 1, ..., have masses; sums of f(x_i + j a) over them with x_i = x_0 + i a are one
correlation, whatever f is.  Masses are positive, so that sums of positive f keep their digits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accounting.curves.discrete_sums import Array

Function = Callable[[Array], Array]
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)


@dataclass(frozen=True, eq=False)
class AtomGrid:
    """size points from `start` on, as far apart as the atoms are."""

    start: float
    distance: float
    size: int

    @cached_property
    def points(self) -> Array:
        """The points, rising."""
        points: Array = self.start + self.distance * np.arange(self.size, dtype=np.float64)
        return points

    def part(self, some: slice) -> AtomGrid:
        """Some of the points, next to each other."""
        return AtomGrid(float(self.points[some.start]), self.distance, some.stop - some.start)

    def sums(self, mass: Array, f: Function, offset: float = 0.0) -> Array:
        """sum_j mass[j] f(x + offset + j a) at every point x."""
        number = np.arange(self.size + mass.size - 1, dtype=np.float64)
        values = f(self.start + offset + self.distance * number)
        return np.asarray(np.correlate(values, mass, mode="valid"), dtype=np.float64)


def integral(f: Function, points: Array, distance: float, *, below: bool, reach: float) -> Array:
    """The integral of f > 0 from the left up to points at that distance, or from them to the right.

    f is negligible farther than `reach` from 0; smooth on the distance of the points, so that three
    nodes of Gauss and Legendre between two of them have ten digits.
    """
    # Whole cells beyond the outermost point, out to where f vanishes.
    beyond = (points[0] + reach) if below else (reach - points[-1])
    more = max(int(np.ceil(beyond / distance)), 0)
    first = points[0] - more * distance if below else points[0]
    number = points.size - 1 + more
    nodes = first + distance * (np.arange(number)[:, None] + (1 + _NODES) / 2)
    cells = f(nodes) @ _WEIGHTS * (distance / 2)
    if below:
        return np.concatenate(([0.0], np.cumsum(cells)))[more:]
    return np.concatenate((np.cumsum(cells[::-1])[::-1], [0.0]))[: points.size]


def shifted(mass: Array, shifts: Array, chances: Array) -> Array:
    """Masses after a shift of so many distances with these chances, split with the mean kept."""
    whole = np.floor(shifts).astype(np.int64)
    total: Array = np.zeros(mass.size + int(whole.max()) + 1)
    for place, share, chance in zip(whole, shifts - whole, chances, strict=True):
        total[place : place + mass.size] += chance * (1 - share) * mass
        total[place + 1 : place + 1 + mass.size] += chance * share * mass
    return total


def coarser(mass: Array) -> Array:
    """The same on every second atom, those between split evenly."""
    even, odd = mass[::2], mass[1::2]
    total: Array = np.zeros(even.size + 1)
    total[: even.size] += even
    total[: odd.size] += odd / 2
    total[1 : odd.size + 1] += odd / 2
    return total
