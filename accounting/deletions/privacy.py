"""What given deletion noise certifies: mu of every request, by shifted interpolation at its best.

Request i compares the runs with and without u_1..u_i at tau_i.  In the clock V and with the
distance S of `accounting.deletions.schedule` (both divided by the contraction since the start) the
points (V_m, S_m), m < i, lie on or below the obstacle of request i, whose last point is (V_i, S_i).
If none is below the chord to it, mu_i = S_i/sqrt(V_i): this holds for all calibrated noise, and
whenever every shift precedes the first noise. Only the other requests cost an isotonic regression
each.

On a domain of diameter D, where the shifts could pass it, a request is the noisy contraction with a
step for every round and a step for every noise, gathered into links.  Straight payments from
restarts bound mu (`accounting.deletions._restarts`); only where they do not surely attain it a
request costs a regression.  The worst request alone takes few of them (`_worst_request`).
"""

import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.contraction.noisy_contraction import NoisyContraction, pabi_mu
from accounting.deletions._clock import chord_is_lowest
from accounting.deletions._gaps import Gaps
from accounting.deletions._links import links
from accounting.deletions._prefixes import Stretch, stretches
from accounting.deletions._products import EPS, carried
from accounting.deletions._straight import straight_bounds, straight_mus
from accounting.deletions._worst_request import largest_mu
from accounting.deletions.online_descent import OnlineDescent
from accounting.deletions.schedule import (
    Array,
    DeletionSchedule,
    log_arrivals,
    noise_rounds,
    shift_rounds,
    transported,
)
from accounting.numerics.validation import real

ROUNDING = 2.0**-42


def deletion_mus(descent: OnlineDescent, schedule: DeletionSchedule, sigma: ArrayLike) -> Array:
    """Return mu (k,): what noise sigma_i at request i certifies, for each i the best possible.

    mu_i compares the runs with and without u_1..u_i, both with the noise of requests 1..i
    (`pabi_mu`, with the descent's diameter); the guarantee of the schedule is the largest.  sigma
    is one number or (k,), >= 0.  Rounded up; inf where a shift meets no noise, 0 where nothing is
    left to hide.  O(k + largest time) for calibrated noise, O(k^2) at worst.
    """
    events = Events(descent, schedule)
    s = real("sigma", sigma, low=0.0, high_open=True)
    if s.ndim > 1 or (s.ndim == 1 and s.size != len(schedule)):
        raise ValueError(f"sigma must be one number or {len(schedule)} numbers, got {s.shape}")
    return events.mus(np.broadcast_to(s, len(schedule)))


class Events:
    """The schedule with its quiet steps gathered (`accounting.deletions._links`)."""

    def __init__(self, descent: OnlineDescent, schedule: DeletionSchedule) -> None:
        self.moved, self.products = transported(descent, schedule)
        self.shift_at, self.noise_at = shift_rounds(schedule), noise_rounds(schedule)
        self.fresh = ~schedule.repeated
        # The noise before which each shift arrives.
        self.entries = np.searchsorted(self.noise_at, self.shift_at)
        self.log_arrivals = log_arrivals(descent, schedule)
        self.error = ROUNDING + 3 * self.moved.error + 64 * EPS * len(schedule)
        self.diameter = descent.diameter
        bounded = math.isfinite(self.diameter)
        chosen = np.flatnonzero(self.fresh)
        self.links = links(self.products, self.shift_at, self.noise_at, chosen, bounded)
        self.capped = not self.free(len(schedule))

    def free(self, count: int) -> bool:
        """Whether the shifts of the first `count` requests together never exceed the diameter."""
        if math.isinf(self.diameter):
            return True
        distances = self.links.log_distances(self.log_arrivals[:count], count)
        return bool(distances.max() <= math.log(self.diameter))

    @cached_property
    def log_shifts(self) -> Array:
        """log a_i, on the domain: what deleting u_i alone leaves at tau_i, (k,)."""
        if math.isinf(self.diameter):
            return self.moved.log_shifts
        high = math.log(self.diameter)
        begins, ends = self.shift_at, self.noise_at
        # At its highest round the distance is at most D; from there it is carried to the noise.
        rest = high + self.products.log(self.products.highest(begins, ends) + 1, ends)
        return np.minimum(self.moved.log_shifts, rest)

    def mus(self, noise: Array) -> Array:
        """mu of every request with the noise (k,)."""
        mus, sure = self._straight(noise) if self.capped else self._chords(noise)
        for i in np.flatnonzero(~sure).tolist():
            mus[i] = self.mu(i, noise)
        return mus

    def worst(self, noise: Array) -> float:
        """The largest mu: of blocks of requests the one with the largest bound is halved, until no
        bound exceeds the largest mu that is known (`_worst_request`).
        """
        if self.capped:
            return self._worst_on_domain(noise)
        mus, sure = self._chords(noise)
        # A chord bounds mu from below (Cauchy-Schwarz).
        best = math.inf if np.isinf(mus).any() else float(mus[sure].max(initial=0.0))
        if math.isinf(best) or sure.all():
            return best
        return self._largest(noise, np.where(sure, 0.0, math.inf), best)

    def _worst_on_domain(self, noise: Array) -> float:
        error = self.rounding(noise.size)
        most = straight_bounds(self.gaps, self._in_diameters(noise), error)
        best = self.mu(int(np.argmax(most)), noise)
        # What exceeds it by rounding alone is taken for its bound.
        near = most <= best * (1 + 8 * error)
        best = max(best, float(most[near].max(initial=0.0)))
        return best if near.all() else self._largest(noise, np.where(near, 0.0, most), best)

    def _largest(self, noise: Array, most: Array, best: float) -> float:
        return largest_mu(self._stretches(noise), most, best, lambda i: self.mu(i, noise))

    def rounding(self, count: int) -> float:
        """A bound on the relative error of sums of so many shifts, each transported as often."""
        return self.error + count * 2.0**-51

    @cached_property
    def gaps(self) -> Gaps:
        """What restarts on the domain owe."""
        high = math.log(self.diameter)
        entered = self.noise_at[self.entries]
        return Gaps(
            self.links,
            self.entries,
            self._log_entries - high,
            self.products.log(entered + 1, self.noise_at),
            self.moved.log_factors,
        )

    @property
    def _log_entries(self) -> Array:
        """log of each shift, at most the diameter at its own round, at the next noise."""
        arrivals = np.minimum(self.log_arrivals, math.log(self.diameter))
        later: Array = self.products.log(self.shift_at + 1, self.noise_at[self.entries])
        return arrivals + later

    def _straight(self, noise: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Upper bounds on every mu on the domain, and where they surely are it."""
        return straight_mus(self.gaps, self._in_diameters(noise), self.rounding(noise.size))

    def _in_diameters(self, noise: Array) -> Array:
        with np.errstate(over="ignore"):
            return noise / self.diameter

    def _stretches(self, noise: Array) -> list[Stretch]:
        """The points of the noises, their shifts at the first noise from its round on."""
        with np.errstate(divide="ignore"):
            logs = np.log(noise.astype(np.longdouble))
        factors = self.moved.log_factors
        return stretches(self.entries, self._log_entries, logs, factors, self.error)

    def _chords(self, noise: Array) -> tuple[Array, NDArray[np.bool_]]:
        """S_i/sqrt(V_i), rounded up, and where that surely is mu_i."""
        shifts, factors = self.moved.log_shifts, self.moved.log_factors
        with np.errstate(divide="ignore"):
            squares = 2 * np.log(noise.astype(np.longdouble))
        total, clock = carried(shifts, factors), carried(squares, 2 * factors)
        hidden = ~(total > -np.inf)
        with np.errstate(over="ignore", invalid="ignore"):
            log_mu = (total - 0.5 * clock).astype(np.float64)
            mu = np.exp(log_mu + self.error)
            own = shifts - squares
        mus = np.where(hidden, 0.0, np.maximum(mu, np.finfo(float).tiny))
        first = np.flatnonzero(noise > 0)
        begins = self.noise_at[first[0]] if first.size else math.inf
        # Every shift so far precedes the first noise: the obstacle is one chord.
        early = np.maximum.accumulate(np.where(self.fresh, self.shift_at, 0)) <= begins
        return mus, hidden | early | chord_is_lowest(total, clock, own, factors)

    def process(self, i: int, noise: Array) -> NoisyContraction:
        """The run up to the noise of request i as a noisy contraction, in units of the largest
        shift; steps without shift and noise are joined.
        """
        with np.errstate(divide="ignore"):
            logs = np.log(noise[: i + 1])
        arrivals = self.log_arrivals[: i + 1]
        if not (arrivals > -np.inf).any():
            return NoisyContraction(np.ones(1), np.zeros(1), np.ones(1))
        factor, shift, added, diameter = self.links.chain(arrivals, logs, math.log(self.diameter))
        return NoisyContraction(factor, shift, added, 0.0, diameter)

    def mu(self, i: int, noise: Array) -> float:
        """mu of request i by isotonic regression, with the diameter."""
        # S_i = 0: the runs are the same at this request.
        if not self.moved.log_totals[i] > -np.inf:
            return 0.0
        with np.errstate(divide="ignore"):
            chain = self.links.chain(
                self.log_arrivals[: i + 1], np.log(noise[: i + 1]), math.log(self.diameter)
            )
        factor, shift, added, diameter = chain
        return pabi_mu(factor, shift, added, diameter=diameter) * (1 + self.error)
