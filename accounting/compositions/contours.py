"""delta and epsilon of many noisy steps, each published, by one contour: no cost grows with them.

L is the sum of independent losses, of N_i steps of kind i, and on the line Re u = c > 0

    delta(eps) = E (1 - e^(eps - L))_+ = (1/2 pi i) int prod_i M_i(u)^N_i e^(-u eps)/(u (1 + u)) du.

The integral is replaced by the sum over Im u = jh.  With R = 2 pi/h Poisson's formula gives what
the sum is:

    sum over all integers k of delta(eps + kR) e^(ckR),

where no term is negative: the sum is not below delta.  The others are at most, for k < 0, e^(ckR),
and for k > 0, by Chernoff's bound at c + d, prod M_i(c + d)^N_i e^(-(c + d) eps - dkR).

Beyond the last node t = T the sum is at most (1/pi) (1/T + h/T^2) times the largest of prod
|phi_i|^N_i there (`loss_decay`), relative to prod M_i(c)^N_i e^(-c eps); rounding, and what
transforms err by (`tilted_steps`), is added at every node.

Of few steps the transform falls off slowly.  One more step, N(mu, 1) against N(0, 1), can only add
to delta: leaving its output out is a map of all outputs.  It multiplies the integrand by e^(mu^2
(u^2 + u)/2), so an upper bound takes the mu for which little is left beyond the nodes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from accounting.compositions.loss_decay import LossDecay
from accounting.compositions.loss_grids import LossWindow
from accounting.compositions.mixture_steps import Array, MixtureStep
from accounting.compositions.tilted_steps import TiltedStep

Steps = Sequence[tuple[MixtureStep, int]]
_UNIT, _LEAST = 2.0**-53, 1e-300
_FAR = 30.0  # -log of what the rules leave out, as a part of delta
_NEGLIGIBLE = math.exp(-26.0)  # the same of what lies beyond the last node
_ASIDE = 2.0 ** np.arange(-8, 5)  # of the distance of Chernoff's line, in standard deviations
_MOST_ASIDE = 16.0  # of the same, in c
_BELOW = 2.0 ** (np.arange(-8, 5) / 2)  # of Chernoff's line for the end of a window, in c
_CELLS, _FEWEST, _MOST = 40_000, 400, 6000  # of a loss, for one step, and their least and most
_RATIO, _WIDTH = 1.1, 0.15  # of intervals of t: of their ends; of the width times E |L - m|
_MOST_INTERVALS, _DOUBLINGS = 1500, 60
_MOST_WORK = 10**7  # nodes times points of all transforms


class CompositionContour:
    """The line Re u = c for some steps: precise for epsilon near its saddle, valid for any."""

    def __init__(self, steps: Steps, c: float) -> None:
        self.c, self.total = c, sum(often for _, often in steps)
        digits = _FAR + math.log(self.total)
        self.tilted = [(TiltedStep(step, c, digits), often) for step, often in steps]
        self.log, self.log_error = _cumulant(self.tilted)
        self.mean = sum(often * each.mean for each, often in self.tilted)
        self.width = math.sqrt(sum(often * each.variance for each, often in self.tilted))
        # Saddle point: the epsilon for which this line is the best, and log delta there, roughly.
        self.saddle = self.mean - 1 / c - 1 / (1 + c)
        spread = math.hypot(self.width, 1 / c, 1 / (1 + c))
        self.size = -math.log(c * (1 + c) * spread) - _LOG_ROOT
        self.log_delta = self.log - c * self.saddle + self.size
        self.resolved = False

    def aim(self, *, smooth: bool) -> bool:
        """Take the nodes, once the line is chosen; False where there would be too many.

        `resolved` then says whether little is left beyond them.

        smooth: with one more step, for a bound from above.
        """
        self.period, self.spacing, self.beside = self._period()
        h = 2 * math.pi / self.period
        last, beyond = self._last(h)
        if self._work(last, h) > _MOST_WORK:
            return False
        # mu^2, such that e^(-(mu T)^2/2) leaves about what mu costs.
        most = math.exp(self.size) * max(_NEGLIGIBLE, self.c * (self.c + 1) / last**2)
        self.resolved = beyond <= math.exp(self.size) * _NEGLIGIBLE
        square = 2 * math.log(beyond / most) / last**2 if smooth and beyond > most else 0.0
        self.log += square * self.c * (self.c + 1) / 2
        self.mean += square * (self.c + 0.5)
        beyond *= math.exp(-square * last**2 / 2)
        self.t: Array = np.arange(math.ceil(last / h) + 1, dtype=np.float64) * h
        largest, spread = -square * self.t**2 / 2, np.zeros(self.t.size)
        logs = largest.astype(np.complex128)
        for each, often in self.tilted:
            lack, error = each.transform(self.t)
            # log phi: near 1 the real part is small, and many steps are to keep its digits.
            excess = lack.real * (2 + lack.real) + lack.imag**2
            modulus = np.maximum(np.hypot(1 + lack.real, lack.imag), _LEAST)
            log = np.where(
                excess > -0.75, 0.5 * np.log1p(np.maximum(excess, -0.75)), np.log(modulus)
            )
            logs += often * (log + 1j * np.arctan2(lack.imag, 1 + lack.real))
            largest += often * np.log(modulus + error)
            spread += often * np.log1p(error / modulus)
        u = self.c + 1j * self.t
        weight = h / math.pi * np.where(self.t > 0, 1.0, 0.5)
        self.kernel = weight * np.exp(logs) / (u * (1 + u))
        self.moduli: Array = weight / np.abs(u * (1 + u)) * np.exp(largest)
        # Products of numbers that err differ by no more than those of their moduli.
        rounding = 64 * _UNIT * (1 + np.abs(logs))
        self.error = float((self.moduli * (-np.expm1(-spread) + rounding)).sum()) + beyond
        return True

    def chernoff(self, log_delta: float) -> float:
        """epsilon by the largest of (1 - e^-y) e^(-cy) alone, with no integral."""
        most = self.c * math.log(self.c) - (1 + self.c) * math.log1p(self.c)
        terms = (self.log, self.log_error, most, -log_delta)
        return (sum(terms) + 16 * _UNIT * sum(map(abs, terms))) / self.c

    def window(self, *, up: bool) -> LossWindow:
        """Where the sum of the losses matters for a bound on a grid; once the line is aimed."""
        if not up:
            line = self.c + self.spacing
            return LossWindow(self.c, line, self.saddle - self.period, self.saddle + self.period)
        low = self.saddle - (_FAR - min(self.log_delta, 0.0)) / self.c
        ends = []
        for t in (self.c * _BELOW).tolist():
            log, error = _cumulant(
                [(TiltedStep(e.step, t, _FAR), often) for e, often in self.tilted]
            )
            ends.append(((log + error - self.log_delta + _FAR) / t, t))
        high, line = min(ends)
        # Two or three large losses together come round into what is left free.
        return LossWindow(self.c, line, low, high + 2 * (high - low))

    def log_above(self, epsilon: float) -> float:
        """log of a number that delta(epsilon) is not above."""
        value, error = self._sum(epsilon)
        log = self.log + self.log_error - self.c * epsilon
        return log + math.log(max(value + error, 5e-324)) + 8 * _UNIT * (1 + abs(log))

    def log_below(self, epsilon: float) -> float:
        """log of a number that delta(epsilon) is not below; -inf where none is known."""
        value, error = self._sum(epsilon)
        log = self.log - self.log_error - self.c * epsilon
        rest = value - error - self._aliases(epsilon) * (1 + 2.0**-40)
        return log + math.log(rest) - 8 * _UNIT * (1 + abs(log)) if rest > 0 else -math.inf

    def _sum(self, epsilon: float) -> tuple[float, float]:
        """The sum over the nodes without prod M(c)^N e^(-c eps), and its error."""
        angle = self.t * (self.mean - epsilon)
        value = float((self.kernel * np.exp(1j * angle)).real.sum())
        # The angle errs by the ulps of its factors.
        size = 8 * _UNIT * (abs(self.mean) + abs(epsilon))
        return value, self.error + size * float((self.moduli * self.t).sum())

    def _aliases(self, epsilon: float) -> float:
        """What the sum has too much, at most, on the same scale."""
        left = math.exp(min(self.c * (epsilon - self.period) - self.log + self.log_error, 700.0))
        right = self.beside - self.spacing * (epsilon + self.period)
        ratios = -math.expm1(-self.c * self.period), -math.expm1(-self.spacing * self.period)
        return left / ratios[0] + math.exp(min(right, 700.0)) / ratios[1]

    def _period(self) -> tuple[float, float, float]:
        """R, d, and log of prod M(c + d)^N/prod M(c)^N, rounded up."""
        best = (math.inf, 0.0, 0.0)
        for d in np.minimum(_ASIDE / self.width, _MOST_ASIDE * self.c).tolist():
            lines = [(TiltedStep(each.step, self.c + d, _FAR), n) for each, n in self.tilted]
            log, error = _cumulant(lines)
            beside = log + error - self.log + self.log_error
            period = (_FAR + beside - d * self.saddle - self.size) / d
            best = min(best, (period, d, beside))
        # On the other side delta is at most 1.
        return max(best[0], (_FAR - min(self.log_delta, 0.0)) / self.c), best[1], best[2]

    def _last(self, h: float) -> tuple[float, float]:
        """T, and what the sum is at most beyond."""
        cells = min(max(_CELLS // self.total, _FEWEST), _MOST)
        # Densities change by e^(B x) and more.
        decays = [
            (LossDecay(each, cells * (1 + int(each.step.widest))), n) for each, n in self.tilted
        ]
        ends = _intervals(self.width, [decay for decay, _ in decays])
        start, end = ends[:-1], ends[1:]
        log = sum(often * decay.log_bound(start, end) for decay, often in decays)
        log = np.asarray(log)
        # In an interval, and beyond each of its starts.
        parts = np.exp(log) * (1 / start - 1 / end + h / start**2) / math.pi
        rest = np.append(np.cumsum(parts[::-1])[::-1], 0.0)
        rest += float(np.exp(log[-1])) * (1 / end[-1] + h / end[-1] ** 2)
        enough = rest[:-1] <= _NEGLIGIBLE * math.exp(self.size)
        enough |= np.array([self._work(t, h) > _MOST_WORK for t in end.tolist()])
        place = int(np.argmax(enough))
        return float(start[place]), float(rest[place])

    def _work(self, last: float, h: float) -> float:
        """What nodes up to `last` take."""
        return last / h * sum(each.nodes(last) for each, _ in self.tilted)


def _cumulant(tilted: Sequence[tuple[TiltedStep, int]]) -> tuple[float, float]:
    """log of prod M(c)^N, and its error."""
    log = sum(often * each.log for each, often in tilted)
    rounding = 8 * _UNIT * sum(often * abs(each.log) for each, often in tilted)
    return log, sum(often * each.log_error for each, often in tilted) + rounding


def _intervals(width: float, decays: Sequence[LossDecay]) -> Array:
    """Ends of intervals of t, from where the transform of the sum begins to fall."""
    turn = _WIDTH / max(decay.first for decay in decays)
    last = 8 * max(decay.variation for decay in decays)
    first = min(1 / width, turn)
    # At first in proportion, then of one width, and where only the variation counts, doubling.
    grown = math.ceil(math.log(max(turn / (_RATIO - 1) / first, 1.0)) / math.log(_RATIO)) + 1
    ends = first * _RATIO ** np.arange(grown + 1)
    number = min(max(math.ceil((last - ends[-1]) / turn), 0), _MOST_INTERVALS)
    ends = np.append(ends, ends[-1] + turn * np.arange(1, number + 1))
    return np.append(ends, ends[-1] * 2.0 ** np.arange(1, _DOUBLINGS + 1))


_LOG_ROOT = 0.5 * math.log(2 * math.pi)
