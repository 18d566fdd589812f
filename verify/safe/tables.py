"""Counts of (feature, label) before and after a deletion: every law of safe in rational numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

Counts = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Table:
    """Counts n(x, y) in D_0 and in D_t, with samples left at every x and in every class."""

    before: Counts
    after: Counts

    @classmethod
    def random(cls, rng: np.random.Generator, features: int, classes: int) -> Table:
        """Between one and nine samples for every pair, of which some leave."""
        while True:
            before = rng.integers(1, 10, (features, classes))
            after = rng.integers(0, before + 1)
            if (after.sum(axis=0) > 0).all() and (after.sum(axis=1) > 0).all():
                return cls(before.tolist(), after.tolist())

    @property
    def classes(self) -> int:
        return len(self.before[0])

    def posterior(self, x: int, y: int) -> Fraction:
        """p_t(y|x), counted."""
        return Fraction(self.after[x][y], sum(self.after[x]))

    def prior(self, x: int, y: int) -> Fraction:
        """p_0(y|x), counted."""
        return Fraction(self.before[x][y], sum(self.before[x]))

    def marginal(self, x: int) -> Fraction:
        """p_0(x)/p_t(x)."""
        at_first = Fraction(sum(self.before[x]), _total(self.before))
        return at_first / Fraction(sum(self.after[x]), _total(self.after))

    def label(self, y: int) -> Fraction:
        """p_t(y)/p_0(y)."""
        now = Fraction(_column(self.after, y), _total(self.after))
        return now / Fraction(_column(self.before, y), _total(self.before))

    def conditional(self, x: int, y: int) -> Fraction:
        """p_t(x|y)/p_0(x|y)."""
        now = Fraction(self.after[x][y], _column(self.after, y))
        return now / Fraction(self.before[x][y], _column(self.before, y))

    def lists(self, x: int, first: int, name: str) -> dict[str, Any]:
        """The ratios at x and p_0(.|x), under `name`, for all classes, the class `first` first."""
        order = [(first + c) % self.classes for c in range(self.classes)]
        return {
            "labels": [float(self.label(y)) for y in order],
            "conditionals": [float(self.conditional(x, y)) for y in order],
            name: [float(self.prior(x, y)) for y in order],
        }


def three_features(N: int, m: int) -> Table:
    """Features -1, 0, 1 and two classes, N samples of each pair; m of (0, A) leave."""
    return Table([[N, N]] * 3, [[N, N], [N - m, N], [N, N]])


def _total(counts: Counts) -> int:
    return sum(map(sum, counts))


def _column(counts: Counts, y: int) -> int:
    return sum(row[y] for row in counts)
