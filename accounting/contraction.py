"""The noisy contraction: one accountant for every process that contracts, shifts and adds noise.

Two chains X_k = psi_k(X_{k-1}) + s_k W_k and X'_k = psi'_k(X'_{k-1}) + s_k W'_k, k = 1..N, with
psi_k c_k-Lipschitz, sup |psi_k - psi'_k| <= delta_k and W_inf(X_0, X'_0) <= z_0.  For every
a_k >= 0 (0 where s_k = 0) with z_k = c_k z_{k-1} + delta_k - a_k >= 0 and z_N = 0 the last
iterates are mu-Gaussian-DP in both directions, mu^2 = sum (a_k/s_k)^2 (shifted interpolation:
Bok, Su and Altschuler 2024; Feldman et al. 2018 in Renyi form).  With S_k = prod_{j>k} c_j the
best a is the greatest convex minorant of y_k = z_0 S_0 + sum_{l<=k} delta_l S_l over the clock
x_k = sum_{l<=k} s_l^2 S_l^2.  When it is one segment, mu = y_N/sqrt(x_N) is attained by linear
maps, so it is the least possible for the class.

On a domain of diameter D (a projection after every step) z_k may be replaced by min(z_k, D).
What was spent before the last such time is wasted, so mu is the least over the times t at which
the chain may be restarted with z_t = D and nothing spent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from accounting._minorant import Minorant, greatest_convex_minorant
from accounting._scaled import Array, Index, Scaled, segment_sums, suffix_products
from accounting.validation import real, scalar


@dataclass(frozen=True)
class Allocation:
    """The best way to pay the shift: from `start` on, step k pays amounts[k] out of noise[k]."""

    mu: float
    start: int
    amounts: Array


@dataclass(frozen=True)
class _Run:
    """The accountant's answer from one start: the minorant over the noisy steps numbered `noisy`."""

    mu: float
    noisy: Index
    minorant: Minorant | None


class _Chain:
    """Steps transported to the end of the chain; steps before the last total contraction left out.

    A step with c = 0 forgets everything before it, so the chain begins there, at distance 0.
    """

    def __init__(self, c: Array, shift: Array, noise: Array, distance: float, diameter: float):
        forgets = np.flatnonzero(c == 0)
        self.offset = int(forgets[-1]) if forgets.size else 0
        c, shift, noise = c[self.offset :], shift[self.offset :], noise[self.offset :]
        if forgets.size:
            c = np.concatenate(([1.0], c[1:]))
            distance = 0.0
        self.contraction, self.shift, self.noise = c, shift, noise
        self.distance, self.diameter = min(distance, diameter), diameter
        self.products = suffix_products(c)
        self.rise = Scaled.of(shift) * self.products[1:]
        self.root = Scaled.of(noise) * self.products[1:]

    def run(self, start: int) -> _Run:
        """mu of the steps after `start`; all of the diameter is due if start > 0."""
        distance = self.diameter if start else self.distance
        n = self.noise.size
        noisy = start + np.flatnonzero(self.noise[start:] > 0)
        quiet = distance == 0 and not self.shift[start:].any()
        if quiet:
            return _Run(0.0, noisy, None)
        last = int(noisy[-1]) if noisy.size else start - 1
        if math.isinf(distance) or last < start or self.shift[last + 1 :].any():
            return _Run(math.inf, noisy, None)
        # What arrives at a step without noise waits for the next step that has some.
        due = Scaled.of(np.array([distance])) * self.products[start : start + 1]
        arrivals = due.followed_by(self.rise[start : last + 1])
        first = np.concatenate(([0], noisy[:-1] - start + 2))
        minorant = greatest_convex_minorant(segment_sums(arrivals, first), self.root[noisy])
        return _Run(minorant.root_energy(self.noise.size), noisy, minorant)

    def best(self) -> tuple[int, _Run]:
        """The start with the least mu, and its run.

        A start t is dominated by t - 1 unless c_t D + delta_t > D.  The others are taken in the
        order of a lower bound, the single chord (Cauchy-Schwarz); each run raises the bounds of
        the earlier starts by its first vertex, and the search ends when no bound is below the
        best.
        """
        start, best = 0, self.run(0)
        if math.isinf(self.diameter) or best.mu == 0:
            return start, best
        grown = self.contraction * self.diameter + self.shift > self.diameter
        starts = 1 + np.flatnonzero(grown[:-1])
        bounds = self._chords(starts, self.noise.size)
        self._raise(starts, bounds, best)
        while starts.size:
            i = int(np.argmin(bounds))
            if not bounds[i] < _log(best.mu) - 1e-13 * (1 + abs(_log(best.mu))):
                break
            tried = self.run(int(starts[i]))
            if tried.mu < best.mu:
                start, best = int(starts[i]), tried
            bounds[i] = math.inf
            self._raise(starts, bounds, tried)
        return start, best

    def _chords(self, starts: Index, end: int, tail: float = -math.inf) -> Array:
        """log sqrt((rise from each start to `end`)^2/(clock between) + e^(2 tail))."""
        rise, run = self._between(starts, end)
        half: Array = 0.5 * np.logaddexp(2 * rise - run, 2 * tail)
        return half

    def _between(self, starts: Index, end: int) -> tuple[Array, Array]:
        """Logs of the shift due and of the clock between each start and the step `end`."""
        rise = np.logaddexp.accumulate(self.rise[:end].log()[::-1])[::-1]
        run = np.logaddexp.accumulate(2 * self.root[:end].log()[::-1])[::-1]
        due = math.log(self.diameter) if self.diameter > 0 else -math.inf
        return np.logaddexp(rise[starts], due + self.products[starts].log()), run[starts]

    def _raise(self, starts: Index, bounds: Array, run: _Run) -> None:
        """Raise the bounds of the starts before the first vertex v of the minorant of a run.

        With z due at v, the rest costs at least E(0) and its slope at z = 0 is that of the segment
        after v; so a start whose chord to v is no steeper pays the chord to v and E(0).
        """
        if run.minorant is None or run.minorant.first.size < 2:
            return
        slope, cost = run.minorant.slope.log(), run.minorant.cost.log()
        vertex = int(run.noisy[run.minorant.first[1] - 1]) + 1
        early = np.flatnonzero((starts < vertex) & np.isfinite(bounds))
        if early.size == 0:
            return
        rise, clock = self._between(starts[early], vertex)
        tail = 0.5 * float(np.logaddexp.reduce(cost[1:]))
        raised = 0.5 * np.logaddexp(2 * rise - clock, 2 * tail)
        flat = rise - clock <= slope[1]
        bounds[early] = np.where(flat, np.maximum(bounds[early], raised), bounds[early])


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


def _chain(
    contraction: ArrayLike,
    shift: ArrayLike,
    noise: ArrayLike,
    initial_distance: float,
    diameter: float,
) -> tuple[_Chain, int]:
    arrays = {
        "contraction": real("contraction", contraction, low=0.0, high_open=True),
        "shift": real("shift", shift, low=0.0, high_open=True),
        "noise": real("noise", noise, low=0.0, high_open=True),
    }
    size = max(array.size for array in arrays.values())
    for name, array in arrays.items():
        if array.ndim > 1 or (array.ndim == 1 and array.size != size):
            raise ValueError(
                f"{name} must be a number or a 1-D array of length {size}, "
                f"got shape {array.shape}"
            )
    c, d, s = (np.broadcast_to(array, size) for array in arrays.values())
    z = scalar("initial_distance", initial_distance, low=0.0)
    return _Chain(c, d, s, z, scalar("diameter", diameter, low=0.0)), size


def pabi_mu(
    contraction: ArrayLike,
    shift: ArrayLike,
    noise: ArrayLike,
    initial_distance: float = 0.0,
    diameter: float = math.inf,
) -> float:
    """Return mu such that the last iterates of the two chains are mu-Gaussian-DP both ways.

    The least value that shifted interpolation gives (module docstring); exact for the class when
    the minorant has one segment.  contraction, shift and noise are numbers or 1-D arrays of one
    length N, each >= 0 and finite (contraction may exceed 1); initial_distance and diameter lie
    in [0, inf].  The result is rounded up, by less than 1e-12 relative up to N = 10^6; inf when
    some of the shift meets no noise.  Cost O(N) and one isotonic regression; with a finite
    diameter a few of them.  Raises ValueError on any other input.
    """
    chain, _ = _chain(contraction, shift, noise, initial_distance, diameter)
    return chain.best()[1].mu


def pabi_allocation(
    contraction: ArrayLike,
    shift: ArrayLike,
    noise: ArrayLike,
    initial_distance: float = 0.0,
    diameter: float = math.inf,
) -> Allocation:
    """Return the allocation a_k that attains `pabi_mu`, and the restart it uses.

    From time `start` (0: no restart; t: z_t = diameter) z_k = c_k z_{k-1} + delta_k - a_k stays
    >= 0 and ends at 0, and mu^2 = sum (a_k/s_k)^2, up to rounding.  Arguments as for `pabi_mu`.
    Raises ValueError on the same input, and where no allocation exists (mu = inf).
    """
    chain, size = _chain(contraction, shift, noise, initial_distance, diameter)
    start, run = chain.best()
    if math.isinf(run.mu):
        raise ValueError("noise must be > 0 at or after the last shift, got mu = inf")
    amounts = np.zeros(size)
    if run.minorant is not None:
        first = run.minorant.first
        used = run.noisy
        owner = np.searchsorted(first, np.arange(used.size), side="right") - 1
        weight = Scaled.of(chain.noise[used]) * chain.root[used]
        amounts[chain.offset + used] = (run.minorant.slope[owner] * weight).over(0)
    return Allocation(run.mu, chain.offset + start if start else 0, amounts)


@dataclass(frozen=True, eq=False)
class NoisyContraction:
    """A noisy contraction as a value: three arrays, an initial distance and a diameter.

    `mu` is its privacy (see `pabi_mu`), computed once.  Arguments and errors as for `pabi_mu`;
    numbers are broadcast to the common length.
    """

    contraction: Array
    shift: Array
    noise: Array
    initial_distance: float = 0.0
    diameter: float = math.inf
    _built: _Chain = field(init=False, repr=False)

    def __post_init__(self) -> None:
        chain, size = _chain(
            self.contraction, self.shift, self.noise, self.initial_distance, self.diameter
        )
        for name in ("contraction", "shift", "noise"):
            array = np.array(np.broadcast_to(np.asarray(getattr(self, name), dtype=float), size))
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        object.__setattr__(self, "initial_distance", float(self.initial_distance))
        object.__setattr__(self, "diameter", float(self.diameter))
        object.__setattr__(self, "_built", chain)

    @cached_property
    def _best(self) -> tuple[int, _Run]:
        return self._built.best()

    @property
    def mu(self) -> float:
        """The Gaussian-DP parameter of the last iterate, both directions."""
        return self._best[1].mu

    @property
    def restart(self) -> int:
        """The step after which the chain is best restarted at its diameter (0: from the start)."""
        return self._built.offset + self._best[0] if self._best[0] else 0

    @property
    def size(self) -> int:
        """The number of steps."""
        return int(self.contraction.size)

    def scaled_noise(self, factor: float) -> NoisyContraction:
        """The same process with its noise multiplied by `factor` > 0 (mu is divided by it)."""
        f = scalar("factor", factor, low=0.0, low_open=True, high_open=True)
        return NoisyContraction(
            self.contraction, self.shift, self.noise * f, self.initial_distance, self.diameter
        )
