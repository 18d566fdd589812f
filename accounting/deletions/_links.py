"""The rounds of a deletion schedule as links of a noisy contraction, in causal order.

A link contracts, then shifts or adds noise.  Between two requests a learner takes many quiet steps,
without shift and noise, and a noise is added to an iterate that has been projected.  Without a
diameter the quiet steps are one factor.  With one, the distance of two runs may be replaced by D
after any of them: of all replacements in a quiet stretch the one at its peak, the t with the
largest prod_{r <= t} c_r, leaves the least at the end of it, so that no other is ever tried.  Hence
a stretch is two links, up to its peak and from there on; the second takes in what follows, the step
that shifts or the noise.  All products from the peak on are at most 1, so that a replacement
between them and that step or noise never is better than the one at the peak.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from accounting.deletions._products import Array, Index, Products, carried

_LONGEST = 500.0  # a link's |log factor|: its exponential is a float
_TINY = 1e-300
_ABOVE = 1 + 2.0**-51  # raises an exponential that was rounded


@dataclass(frozen=True)
class Links:
    """The links up to the last noise.

    Attributes:
        factors: log of what a link multiplies distances by, (m,).
        shifts, noises: which request's shift or noise a link ends with, -1 for none, (m,).
        ends: the number of links up to the noise of each request, (k,).
    """

    factors: Array
    shifts: Index
    noises: Index
    ends: Index

    def log_distances(self, log_arrivals: Array, count: int) -> Array:
        """Logs of the distances after the links up to request `count`, without noise or diameter.

        log_arrivals: of the shifts of the requests 1..count, (count,).
        """
        part = slice(int(self.ends[count - 1]))
        terms = _placed(log_arrivals, self.shifts[part], -math.inf)
        return carried(terms, self.factors[part]).astype(np.float64)

    def chain(
        self, log_arrivals: Array, log_noise: Array, log_diameter: float
    ) -> tuple[Array, Array, Array, float]:
        """Factors, shifts and noises of `pabi_mu`, and D, up to the last of the requests given.

        In units of the largest shift; what leaves the floats is rounded to the safe side.
        """
        part = slice(int(self.ends[log_arrivals.size - 1]))
        # A step ends in the domain, so that a shift of more than D is one of D.
        arrivals = np.minimum(log_arrivals, log_diameter)
        # mu does not change when shifts, noises and the diameter are divided by one number.
        unit = float(arrivals.max())
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            shift = np.exp(_placed(arrivals, self.shifts[part], -math.inf) - unit) * _ABOVE
            noise = np.minimum(
                np.exp(_placed(log_noise, self.noises[part], -math.inf) - unit), 1 / _TINY
            )
            diameter = float(np.exp(log_diameter - unit)) * _ABOVE
        # A shift that underflowed is raised to _TINY, as a shift may only grow.
        there = (self.shifts[part] >= 0) & (self.shifts[part] < arrivals.size)
        shift = np.where(there, np.maximum(shift, _TINY), 0.0)
        return (*self._split(self.factors[part], shift, noise, diameter), diameter)

    @staticmethod
    def _split(
        logs: Array, shift: Array, noise: Array, diameter: float
    ) -> tuple[Array, Array, Array]:
        """As many links for each as its factor needs to be a float.

        A replacement by D between the parts of one is no better than the one before it (factors
        below 1) or after it (peaks); only a step that shifts may not be divided where it expands,
        and ends in the domain.
        """
        torn = (logs > _LONGEST) & (shift > 0) & math.isfinite(diameter)
        # A factor of 0, and one that is replaced by D, need no dividing.
        size = np.where(np.isneginf(logs) | torn, 0.0, np.abs(logs))
        parts = np.maximum(1, np.ceil(size / _LONGEST)).astype(np.int64)
        with np.errstate(under="ignore", over="ignore"):
            factor = np.where(torn, 0.0, np.exp(logs / parts) * _ABOVE)
        factor = np.where(logs == 0, 1.0, factor)
        # A link's shift and noise come at the last of its parts.
        last = np.cumsum(parts) - 1
        shifts, noises = np.zeros(last[-1] + 1), np.zeros(last[-1] + 1)
        # A torn step forgets what came before, and ends in the domain: at most D is due after it.
        shifts[last] = np.where(torn, diameter, shift)
        noises[last] = noise
        return np.repeat(factor, parts), shifts, noises


def links(
    products: Products, shift_at: Index, noise_at: Index, fresh: Index, bounded: bool
) -> Links:
    """The links of a schedule whose request i shifts in round shift_at[i] and adds noise after
    round noise_at[i]; only the `fresh` requests shift.  bounded: there is a finite diameter.
    """
    k = noise_at.size
    rounds = np.concatenate((shift_at[fresh], noise_at))
    order = np.argsort(rounds, kind="stable")  # in one round: its shift, then the noises
    rounds = rounds[order]
    shifts = np.concatenate((fresh, np.full(k, -1)))[order]
    noises = np.concatenate((np.full(fresh.size, -1), np.arange(k)))[order]
    # Before the first shift there is no distance to contract.
    first, last = rounds[:-1] + 1, rounds[1:]
    # The step that shifts is no quiet one, and no peak may lie at it.
    peaks = products.peaks(first, last - (shifts[1:] >= 0)) if bounded else first - 1
    early = np.concatenate(([0.0], products.log(first, peaks)))
    late = np.concatenate(([0.0], products.log(peaks + 1, last)))
    # Two links an event, of which the first is left out where its stretch has no peak inside.
    mask = np.column_stack((np.concatenate(([False], peaks >= first)), np.full(rounds.size, True)))
    blank = np.full(rounds.size, -1)
    chosen = mask.ravel()
    noises = np.column_stack((blank, noises)).ravel()[chosen]
    return Links(
        np.column_stack((early, late)).ravel()[chosen],
        np.column_stack((blank, shifts)).ravel()[chosen],
        noises,
        1 + np.flatnonzero(noises >= 0),
    )


def _placed(values: Array, where: Index, otherwise: float) -> Array:
    """values[where], and `otherwise` where there is no such request."""
    there = (where >= 0) & (where < values.size)
    return np.where(there, values[np.where(there, where, 0)], otherwise)
