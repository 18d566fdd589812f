"""Theorem 5 with quadratic growth at T too: `alternating.thirds` with pairs, in runs of one slope.

A main block drives the iterate across K = [0, 1] and ends with pairs of opposite slopes and a
deletion, as in `alternating.blocks`; runs of slope -1, of lengths 3^(m-1), ..., 3, 1, each ended by
the deletion of a constant loss, leave 1/2 as the slope of all losses together.  The stream has
millions of rounds and few runs, so that its regret is exact in fractions.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np


@dataclass(frozen=True)
class SlopeBlock:
    """`count` losses of one slope, or `count` pairs (-slope, slope)."""

    slope: Fraction
    count: int
    pairs: bool = False

    @property
    def rounds(self) -> int:
        return self.count * (2 if self.pairs else 1)

    @property
    def total(self) -> Fraction:
        """The slope of all its losses together."""
        return Fraction(0) if self.pairs else self.slope * self.count


@dataclass(frozen=True)
class ClosingThirds:
    """`main` (odd) blocks of 3^m losses, `pairs` pairs after each, and the runs that close them.

    The runs are grouped by the deletion that ends them; the last group ends at T.
    """

    m: int
    main: int
    pairs: int

    def groups(self) -> list[list[SlopeBlock]]:
        """The runs before each of the k deletions, and before T."""
        half = Fraction(1, 2)
        groups = [
            [
                SlopeBlock(Fraction(0), self.m - 1),
                SlopeBlock(half, 1),
                SlopeBlock(Fraction(1), 3**self.m // 2),
            ]
        ]
        groups += [[SlopeBlock(Fraction((-1) ** i), 3**self.m)] for i in range(1, self.main)]
        for group in groups:
            group.append(SlopeBlock(group[-1].slope, self.pairs, pairs=True))
        return groups + [[SlopeBlock(Fraction(-1), 3**j)] for j in reversed(range(self.m))]

    def ends(self) -> list[int]:
        """tau_1..tau_k and T."""
        lengths = [sum(run.rounds for run in group) for group in self.groups()]
        return [int(end) for end in np.cumsum(lengths)]

    def growth(self) -> Fraction:
        """The largest kappa of Theorem 5's hypothesis at tau_1..tau_k and at T.

        A sum with slope S has quadratic growth on [0, 1] with parameter 2|S| exactly.
        """
        slope, ratios = Fraction(0), []
        for group, (before, end) in zip(self.groups(), pairwise([0, *self.ends()]), strict=True):
            slope += sum((run.total for run in group), Fraction(0))
            ratios.append(2 * abs(slope) / (end - before))
        return min(ratios)

    def comparators(self) -> list[int]:
        """z_0*..z_k*: the minimiser of all losses without one of each main block so far."""
        groups = self.groups()
        slope_sums = [sum((run.total for group in groups for run in group), Fraction(0))]
        for group in groups[:-1]:
            removed_slope = group[-1].slope if group[-1].pairs else Fraction(0)
            slope_sums.append(slope_sums[-1] - removed_slope)
        return [int(slope < 0) for slope in slope_sums]

    def regret(self, step: Fraction) -> Fraction:
        """Regret of projected descent from 1/2 with this step and no noise."""
        z, total = Fraction(1, 2), Fraction(0)
        for group, star in zip(self.groups(), self.comparators(), strict=True):
            for run in group:
                cost, z = (crossed if not run.pairs else paired)(run, z, star, step)
                total += cost
        return total

    def least_over_steps(self) -> float:
        """What the regret is at least, for every constant step size eta, without noise.

        N = 3^m. eta < 1/N: a block down and the next up cost N/2 together at least. From 1/N on
        every block reaches its end, and main - 1 of them cross K, at 1/(2 eta) + 1/2 each or more;
        from 2/(N - 1) on the closing runs cross it as well, and the first block costs 1/(8 eta).
        Every pair then starts at an end and costs min(eta, 1).
        """
        N = 3**self.m
        blocks = self.main
        pairs = self.main * self.pairs
        between = float(np.sqrt(2 * (blocks + 0.25) * pairs)) + blocks / 2
        return float(min(N / 2, (blocks - 1) * (N - 1) / 4, between, pairs))

    def lost_to_noise(self, epsilon: float, omega: float = 1.2) -> float:
        """How far the paper's noise can change the expected regret, for any constant step.

        Up to eta = 1 noise xi_i changes every later loss by at most |xi_i|; beyond, the next loss
        of slope 1 resets the iterate, so that each deletion costs 1 of the `pairs` at most.
        """
        ends = np.array(self.ends(), dtype=float)
        i = np.arange(1, ends.size)
        sigma = np.sqrt(i**omega * omega / (2 * (omega - 1) * epsilon))
        return float(np.sum(np.sqrt(2 / np.pi) * sigma * (ends[-1] - ends[:-1] + 1)))


def crossed(run: SlopeBlock, z: Fraction, star: int, step: Fraction) -> tuple[Fraction, Fraction]:
    """(regret, where it leads) of losses of one slope: y falls to 0 from |z - end|."""
    size, down = abs(run.slope), run.slope >= 0
    far, best = (z, star) if down else (1 - z, 1 - star)
    h = step * size
    steps = run.count if h == 0 else min(run.count, int(far / h) + 1)
    total = steps * far - h * steps * (steps - 1) / 2
    endpoint = max(Fraction(0), far - run.count * h)
    return size * (total - run.count * best), endpoint if down else 1 - endpoint


def paired(run: SlopeBlock, z: Fraction, star: int, step: Fraction) -> tuple[Fraction, Fraction]:
    """(regret, where it leads) of pairs (-slope, slope): each costs the way there, clipped."""
    total = Fraction(0)
    for index in range(run.count):
        there = min(Fraction(1), max(Fraction(0), z + step * run.slope))
        back = min(Fraction(1), max(Fraction(0), there - step * run.slope))
        total += abs(there - z)
        if back == z:  # and so are all others
            return total + (run.count - index - 1) * abs(there - z), z
        z = back
    return total, z
