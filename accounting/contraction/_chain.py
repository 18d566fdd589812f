"""Runs of a noisy contraction from a given start, and the search for the best start.

See `accounting.contraction.noisy_contraction` for the mathematics.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accounting.contraction._plain_chain import plain_mu
from accounting.contraction.convex_minorant import Minorant, greatest_convex_minorant
from accounting.numerics.scaled import Array, Index, Scaled, segment_sums, suffix_products


@dataclass(frozen=True)
class ChainRun:
    """The answer from one start: the minorant over the steps with noise, numbered `noisy`."""

    mu: float
    noisy: Index
    minorant: Minorant | None


class Chain:
    """Steps transported to the end of the chain; steps before the last total contraction left out.

    A step with c = 0 forgets everything before it, so the chain begins there, at distance 0.
    """

    def __init__(self, c: Array, shift: Array, noise: Array, distance: float, diameter: float):
        forgets = np.flatnonzero(c == 0)
        self.offset = int(forgets[-1]) if forgets.size else 0
        c, shift, noise = c[self.offset :], shift[self.offset :], noise[self.offset :]
        if forgets.size:
            # The forgetting step itself becomes an identity from distance 0: its shift and noise
            # remain.
            c = np.concatenate(([1.0], c[1:]))
            distance = 0.0
        self.contraction, self.shift, self.noise = c, shift, noise
        self.distance, self.diameter = min(distance, diameter), diameter

    @cached_property
    def products(self) -> Scaled:
        return suffix_products(self.contraction)

    @cached_property
    def rise(self) -> Scaled:
        return Scaled.of(self.shift) * self.products[1:]

    @cached_property
    def root(self) -> Scaled:
        return Scaled.of(self.noise) * self.products[1:]

    @cached_property
    def mu(self) -> float:
        """The least mu over all starts."""
        if math.isinf(self.diameter) or not self._grown().size:
            # Plain floats where they suffice; None sends the chain to mantissas and exponents
            # below.
            mu = plain_mu(self.contraction, self.shift, self.noise, self.distance)
            if mu is not None:
                return mu
        return self.best[1].mu

    def run(self, start: int) -> ChainRun:
        """mu of the steps after `start`; all of the diameter is due if start > 0."""
        distance = self.diameter if start else self.distance
        noisy = start + np.flatnonzero(self.noise[start:] > 0)
        # Nothing is due and nothing arrives: the runs are the same.
        quiet = distance == 0 and not self.shift[start:].any()
        if quiet:
            return ChainRun(0.0, noisy, None)
        last = int(noisy[-1]) if noisy.size else start - 1
        # An infinite distance, no noise at all, or a shift after the last noise is never paid.
        if math.isinf(distance) or last < start or self.shift[last + 1 :].any():
            return ChainRun(math.inf, noisy, None)
        # What arrives at a step without noise waits for the next step that has some.
        due = Scaled.of(np.array([distance])) * self.products[start : start + 1]
        arrivals = due.followed_by(self.rise[start : last + 1])
        # Entry 0 is what is due and entry 1 the step start + 1, hence the offset 2 after a noise.
        first = np.concatenate(([0], noisy[:-1] - start + 2))
        minorant = greatest_convex_minorant(segment_sums(arrivals, first), self.root[noisy])
        return ChainRun(minorant.root_energy(self.noise.size), noisy, minorant)

    @cached_property
    def best(self) -> tuple[int, ChainRun]:
        """The start with the least mu, and its run.

        A start t is dominated by t - 1 unless c_t D + delta_t > D.  The others are taken in the
        order of a lower bound, the single chord (Cauchy-Schwarz); each run raises the bounds of
        the earlier starts by its first vertex, and the search ends when no bound is below the
        best.
        """
        start, best = 0, self.run(0)
        if math.isinf(self.diameter) or best.mu == 0:
            return start, best
        starts = self._grown()
        bounds = self._chords(starts)
        self._raise(starts, bounds, best)
        while starts.size:
            i = int(np.argmin(bounds))
            # The least bound is not below the best: neither is any other start.
            if not bounds[i] < _below(best.mu):
                break
            candidate = self.run(int(starts[i]))
            if candidate.mu < best.mu:
                start, best = int(starts[i]), candidate
            bounds[i] = math.inf
            self._raise(starts, bounds, candidate)
        return start, best

    def _grown(self) -> Index:
        """The starts that no other dominates."""
        # A restart after the last step would leave D unpaid, and is left out.
        grown = self.contraction * self.diameter + self.shift > self.diameter
        return 1 + np.flatnonzero(grown[:-1])

    def _chords(self, starts: Index) -> Array:
        """log of the mu of one segment from each start to the end."""
        rise, run = self._between(starts, self.noise.size)
        return rise - 0.5 * run

    def _between(self, starts: Index, end: int) -> tuple[Array, Array]:
        """Logs of the shift due and of the clock between each start and the step `end`."""
        # Suffix sums in logarithms: transported shifts may be far beyond the float range.
        rise = np.logaddexp.accumulate(self.rise[:end].log()[::-1])[::-1]
        run = np.logaddexp.accumulate(2 * self.root[:end].log()[::-1])[::-1]
        due = math.log(self.diameter) if self.diameter > 0 else -math.inf
        return np.logaddexp(rise[starts], due + self.products[starts].log()), run[starts]

    def _raise(self, starts: Index, bounds: Array, run: ChainRun) -> None:
        """Raise the bounds of the starts before the first vertex v of the minorant of a run.

        With z due at v, the rest costs at least E(0) and its slope at z = 0 is that of the segment
        after v; so a start whose chord to v is no steeper pays the chord to v and E(0).
        """
        if run.minorant is None or run.minorant.first.size < 2:
            return
        slope, cost = run.minorant.slope.log(), run.minorant.cost.log()
        # The step, counted from 1, at which the first segment of this run's minorant ends.
        vertex = int(run.noisy[run.minorant.first[1] - 1]) + 1
        early = np.flatnonzero((starts < vertex) & np.isfinite(bounds))
        if early.size == 0:
            return
        rise, clock = self._between(starts[early], vertex)
        # log of the root of E(0), the energy of the segments after v.
        tail = 0.5 * float(np.logaddexp.reduce(cost[1:]))
        raised = 0.5 * np.logaddexp(2 * rise - clock, 2 * tail)
        flat = rise - clock <= slope[1]
        bounds[early] = np.where(flat, np.maximum(bounds[early], raised), bounds[early])


def _below(mu: float) -> float:
    """log of mu less what rounding may have added; inf where mu left the floats."""
    if mu == 0 or math.isinf(mu):
        return -math.inf if mu == 0 else mu
    return math.log(mu) - 1e-13 * (1 + abs(math.log(mu)))
