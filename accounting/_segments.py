"""Patterns whose minorant is one segment from their first inclusion, and those where it is not.

A pattern with the first inclusion tau costs y_b/sqrt(X_tau), X_l the clock from just before step l
to the end, unless the chord from there is above the obstacle just before an inclusion k + 1 > tau.
There y_k < phi_k R_k, with y_k the shift up to step k, R_k that after it and phi_k = x_k/X_{k+1};
and R_k <= sqrt(X_{k+1}) R'_k where R'_k counts w_l/sqrt(X_l).  Such a pattern costs at most
y_k/sqrt(X_{k+1}) + R'_k <= (1 + phi_k) R'_k.  So for increasing g

    E g(mu) <= E g(chord from the first inclusion)
               + sum_k E[g((1 + phi_k) R'_k); b_{k+1} > 0, 0 < y_k < phi_k sqrt(X_{k+1}) R'_k],

and both sums are positive measures on mu.  y_k and R'_k are independent: the first is rounded down
on a lattice, the second up.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from accounting._inclusions import Inclusions
from accounting._smoothed import Array, Law, Term

_GROUPS = 6.0 ** np.arange(-9, 0)  # of x/x_T at the first inclusion
_POINTS = 1024
_NEVER = 1e-9
_SLACK = 1 + 2.0**-40


def chords(blocks: Inclusions, delta: float) -> tuple[Law, float]:
    """The law of the chord from the first inclusion, its clock rounded down group by group.

    What comes first so late that its chance is far below delta is left out, and counted beside.
    """
    before = np.cumsum(blocks.clock) - blocks.clock
    share = before[: blocks.zero.size] / blocks.total
    edges = np.unique(np.concatenate(([0], np.searchsorted(share, _GROUPS, side="right"))))
    edges = np.append(edges[edges < blocks.zero.size], blocks.zero.size)
    none = np.concatenate(([1.0], np.cumprod(blocks.zero)))
    law: list[Term] = []
    for first, end in pairwise(edges.tolist()):
        if none[first] <= _NEVER * delta:
            return tuple(law), float(none[first]) * _SLACK
        scale = np.sqrt(blocks.clock[end - 1 :].sum())
        values = blocks.shift * (1 + blocks.error) / scale
        law.append(Term(values[first:], blocks.chance[first:], blocks.zero[first:], none[first]))
        law.append(Term(values[end:], blocks.chance[end:], blocks.zero[end:], -none[end]))
    # No inclusion at all was subtracted with the last group.
    empty = np.zeros((1, 1))
    return (*law, Term(empty, empty, np.ones(1), float(none[-1]))), 0.0


def violations(blocks: Inclusions, delta: float) -> tuple[Law, float]:
    """The atoms of the second sum, and the mass beyond the lattice."""
    size = blocks.zero.size
    left = np.cumsum(blocks.clock[::-1])[::-1][:size]
    done = np.cumsum(blocks.clock)[:size] - blocks.clock[:size]
    paid = blocks.paid * (1 + blocks.error)
    top = _top(paid, blocks.chance, delta)
    h = top / _POINTS
    later = _later(paid, blocks, h)
    sums = _Before(blocks)
    atoms: dict[str, list[Array]] = {"mu": [], "mass": []}
    points = h * np.arange(_POINTS)
    lost = 0.0
    for k in range(size):
        if k:
            phi = done[k] / left[k] * _SLACK
            law = np.zeros(_POINTS)
            for value, chance in zip(paid[k], blocks.chance[k], strict=True):
                lost += chance * _add(law, later[k], value / h, chance)
            below = sums.between(k, phi * np.sqrt(left[k]) * points)
            found = law * below
            far = (1 + phi) * points > 4 * top
            lost += float(found[far].sum())
            keep = (found > 0) & ~far
            atoms["mu"].append((1 + phi) * points[keep])
            atoms["mass"].append(found[keep])
        sums.include(k)
    mu, mass = (np.concatenate(parts or [np.zeros(0)]) for parts in atoms.values())
    return _binned(mu, mass * _SLACK), lost * _SLACK


def _top(paid: Array, chance: Array, delta: float) -> float:
    """A value of R' beyond which there is less than a little of delta, by Bernstein's bound."""
    mean, square = float((chance * paid).sum()), float((chance * paid**2).sum())
    log = 12 - math.log(delta)
    widest = float(paid.max(initial=0.0))
    far = widest * log / 3
    return mean + far + math.sqrt(far**2 + 2 * square * log) + widest


def _later(paid: Array, blocks: Inclusions, h: float) -> Array:
    """Law of the sum of `paid` over later blocks than k, rounded up, for every k."""
    found = np.zeros((blocks.zero.size, _POINTS))
    found[-1, 0] = 1.0
    for k in range(blocks.zero.size - 1, 0, -1):
        found[k - 1] = blocks.zero[k] * found[k]
        for value, chance in zip(paid[k], blocks.chance[k], strict=True):
            _add(found[k - 1], found[k], value / h, chance)
    return found


def _add(to: Array, law: Array, places: float, chance: float) -> float:
    """Add chance times the law moved up by so many places; what falls off the end."""
    j = int(np.ceil(places))
    if j == 0:
        to += chance * law
        return 0.0
    to[j:] += chance * law[:-j]
    return float(law[-j:].sum())


class _Before:
    """The law of y_k, rounded down, and the runs without an inclusion."""

    def __init__(self, blocks: Inclusions) -> None:
        self.blocks = blocks
        size = blocks.zero.size
        self.shift = blocks.shift / (1 + blocks.error)
        self.h = float((blocks.chance * self.shift).sum() + 3 * self.shift.max()) / _POINTS
        self.law = np.zeros(_POINTS)
        self.law[0] = 1.0
        self.none = np.concatenate(([1.0], np.cumprod(blocks.zero)))
        self.least = self.shift.min(axis=1)
        self.size = size

    def include(self, k: int) -> None:
        new = self.blocks.zero[k] * self.law
        for value, chance in zip(self.shift[k], self.blocks.chance[k], strict=True):
            j = int(value / self.h)
            if j == 0:
                new += chance * self.law
            elif j < _POINTS:
                new[j:] += chance * self.law[:-j]
        self.law = new

    def between(self, k: int, t: Array) -> Array:
        """P(0 < y_k < t), from above: two bounds."""
        none = self.none[k]
        total = np.cumsum(self.law)
        by_law = total[np.minimum(t / self.h, _POINTS - 1).astype(np.int64)] - none
        # y_k < t needs every block that would reach t by itself to be empty.
        order = np.argsort(self.least[:k])
        empty = np.cumsum(np.log(np.maximum(self.blocks.zero[:k][order][::-1], 1e-300)))[::-1]
        empty = np.append(empty, 0.0)
        by_runs = np.exp(empty[np.searchsorted(self.least[:k][order], t)]) - none
        found: Array = np.clip(np.minimum(by_law, by_runs) + 1e-15, 0.0, 1.0)
        return np.where(t > 0, found, 0.0)


def _binned(mu: Array, mass: Array) -> Law:
    """Few atoms, each rounded up by less than 1/500."""
    if mu.size == 0:
        return ()
    order = np.argsort(mu)
    mu, mass = mu[order], mass[order]
    bins = np.floor(np.log(np.maximum(mu, 1e-12)) * 500).astype(np.int64)
    last = np.flatnonzero(np.diff(bins, append=bins[-1] + 1))
    first = np.concatenate(([0], last[:-1] + 1))
    return (Term(mu[last][None, :], np.add.reduceat(mass, first)[None, :], np.zeros(1)),)
