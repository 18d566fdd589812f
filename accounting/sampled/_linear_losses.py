"""How little non-linear losses tell more than linear ones where draws decide who is in a batch.

Steps are transported to the end of the chain: maps are 1-Lipschitz, step k has the noise s W and
shifts by at most w where the row is drawn.  For a test A let Phi(u_k(x)) be the chance of yes from
x after step k without the row, g_k(x) with it.  u_k is 1/sqrt(X)-Lipschitz, X the clock that is
left after step k: two starts at a distance D, moved together evenly over the clock, are told apart
no better than by G_mu, mu = D/sqrt(X).  If g_k <= F_k(u_k) then for l = s/sqrt(X), theta = w/s and
rho(W) = E e^(theta W - theta^2/2) over the draw of step k

    g_{k-1} <= F_{k-1}(u_{k-1}),   F_{k-1}(z) = sup E rho(W) F_k(u(W)),

over all u that rise with a slope of at most l and have E Phi(u(W)) = Phi(z): for a given x let u
have half lines for the level sets of W -> u_k(psi(x) + s W), with the same law and no more slope
(Ehrhard).  For every set of rows in the batch, whatever the direction and the length |v| <= w of
its shift, E F_k(u_k(psi(x) + v + s W)) <= E F_k(u(W + w/s)), as F_k and u rise.  F_0 bounds the
power of every test at the level Phi(z).  Linear losses have u(W) = a + l W, a = z sqrt(1 + l^2),
and L_k(z) = E Phi(z + y/sqrt(X)) for F_k, y what later draws shift.

As a function of h = Phi(u) the supremum is a convex problem: L_k is concave in h, and the slope of
h is at most l times a concave function.  So a multiplier bounds it.  Let R = L_k'/phi and omega the
density proportional to phi(x) phi(a + l x).  Both log R(a + l x) and log rho are convex in x: rho R
falls and then rises.  Let x_f be where it is gamma, the mean of rho R under omega beyond x_f.  From
there on u = a + l x is best, and before it each x may have the u that is best for it: no more than
u_f = a + l x_f, log(rho R(u)/gamma) <= kappa (u_f - u) with kappa >= -(log R)' at a + l x.  Without
an x_f a + l x is best everywhere; x_f <= x_0 if the mean beyond x_0 is at least rho R there; and
what follows rises with x_f.  Together

    F_{k-1}(z) <= L_{k-1}(z) (1 + e),
    e = max phi/Phi(z) (l^2 kappa/2) E[(x_0 - W)_+^2 e^(l kappa (x_0 - W))]/omega(x > x_0),

for the mean of rho R under omega is the slope of L_{k-1} in h, at most L_{k-1}(z)/Phi(z).  (1 + e)
multiplies over the steps.  Where every test has a power of at most `spare` by what each inclusion
pays, F_k <= spare for every k as well, and above 1 - spare F_k <= L_k + spare: no e is needed there
if all F_k are raised by `spare`, which E rho = 1 hands on unchanged.  The bound is concave in the
level, so batches of other rows and starts that are due may be averaged over.
"""

import math
from itertools import pairwise

import numpy as np
import scipy
from numpy.typing import NDArray

from accounting.curves.discrete_sums import Array, Law, cumulant
from accounting.sampled._blocks import Inclusions
from accounting.sampled._draws import Draws, Index
from accounting.sampled._shifts import shifts

SPARES = ((1e-9, False), (1e-2, True), (1e-3, True), (1e-5, True))  # of delta; `near`
_FAR, _NEAREST = -9.0, 2.0  # x_0 where it costs less than 1e-20, and the last that is tried
_DEPTHS = (0.0, 1.0, 2.5, 5.0)  # before x_0, where bounds on kappa change
_CLOSER = (1.15, 1.08)  # ratio of the numbers of later draws for which kappa is bounded at once
_TILT = (0.25, 0.125)  # of u, between bounds on kappa; each for far x_0, and for nearer ones
_COARSE, _FINE = 2.0, 4  # width of a range of z; parts of one where x_0 is not far
_HALVINGS = 10
_MARGIN, _TINY = 1e-9, 1e-13
_ENCLOSED = 1e-9  # far more than the error of a cumulant
_ROOT = math.sqrt(2 * math.pi)
_MOST = 600.0  # of exponents
_WORST = 10.0  # surplus that is still of use
_MOST_ENTRIES = 1_000_000  # of arrays of steps, parts of z and outcomes


def deepest(additive: Law, spare: float) -> float:
    """z with E Phi(z + mu) <= spare, by Chernoff's bound."""
    # E Phi(z + mu) = P(Y > -z), of Y = mu + N(0, 1): e^(K(s) - s y) at y = K'(s) = -z.
    log_spare, low, high = math.log(spare) - _ENCLOSED, 0.0, 1.0

    def log_tail(s: float) -> float:
        log, mean, _ = cumulant(additive, s)
        return log - s * mean

    while log_tail(high) > log_spare:
        low, high = high, 2 * high
    for _ in range(8):
        middle = (low + high) / 2
        low, high = (middle, high) if log_tail(middle) > log_spare else (low, middle)
    # At `high`, where the bound surely is below the spare; any such s will do.
    return -cumulant(additive, high)[1]


def surplus(
    blocks: Inclusions | Draws, sigma: float, lowest: float, spare: float, *, near: bool
) -> float:
    """E with F_0(z) <= (1 + E) L_0(z) + spare for every z; inf where none is found.

    lowest: a z at which no test has more power than `spare`.  near: whether an x_0 that is not far,
    and costs something, is looked for.  The blocks are steps.
    """
    if _size(blocks) < 2:  # the last of them tells no more than linear losses
        return 0.0
    steps = _Steps(blocks, sigma, lowest, near=near)
    # Phi(z) = 1 - spare, above which no e is needed (docstring of the module).
    highest = -float(scipy.special.ndtri_exp(math.log(spare)))
    edges = np.linspace(lowest, highest, math.ceil((highest - lowest) / _COARSE) + 1)
    excess = steps.excess(edges, near=near)
    if not float(excess.sum()) < _WORST:
        return math.inf
    # (1 + e) multiplies over the steps; the product less 1, without cancellation.
    return float(np.expm1(np.log1p(excess).sum())) * (1 + 1e-6)


def _size(blocks: Inclusions | Draws) -> int:
    """The steps that may see a row."""
    return blocks.unit.size if isinstance(blocks, Draws) else blocks.zero.size


class _Steps:
    """The steps that count: not the last, after which rho rises and R = 1."""

    def __init__(
        self, blocks: Inclusions | Draws, sigma: float, lowest: float, *, near: bool
    ) -> None:
        self.tilt, closer = _TILT[near], _CLOSER[near]
        # X_k, the clock left after each step; 0 after the last of the chain.
        after = np.append(np.cumsum(blocks.clock[::-1])[::-1], 0.0)[1:]
        size = _size(blocks)
        # Ranges of steps by the number of steps after them, in a geometric sequence.
        later = np.unique(np.floor(closer ** np.arange(math.log(size + 1, closer) + 2)))
        edges = np.unique(np.clip(size - later, 0, None).astype(np.int64))
        # Of a range of steps: the draws after its first, the clocks after its last and its first.
        self.first = edges + 1
        self.count = np.diff(np.append(edges, size)) - 1
        self.root = np.sqrt(after[edges + self.count])
        self.wider = np.sqrt(after[edges] / np.maximum(after[edges + self.count], 1e-300))
        self.shifts = shifts(blocks, sigma, np.concatenate((self.first, self.first + self.count)))
        own, largest = blocks.clock[:size], self.shifts.largest
        counts = (own > 0) & (largest > 0) & (after[:size] > 0)
        counts[-1] = False
        self.at = np.flatnonzero(counts)
        self.place = np.searchsorted(edges, self.at, side="right") - 1
        self.noise = np.sqrt(own[self.at])
        self.slope = self.noise / np.sqrt(after[self.at])
        # If all later draws included it: no kappa is above it.
        whole = np.append(np.cumsum(largest[::-1])[::-1], 0.0)
        self.most = whole[self.at + 1] / np.sqrt(after[self.at])
        # The deepest u = l x + z sqrt(1 + l^2) at which kappa will be asked for.
        steepest = float(self.slope.max(initial=0.0))
        deep = (_FAR - _DEPTHS[-1]) * steepest
        least = lowest * max(math.hypot(1, steepest), 1.0) + deep
        # -j tilt, where kappa is bounded, from 0 down to what is asked for.
        self.grid = -self.tilt * np.arange(math.ceil(-least / self.tilt) + 1, dtype=np.float64)
        self.bound = np.full((self.first.size, self.grid.size), np.inf)
        self.bounded: set[int] = set()

    def _bounds(self, ranges: Index) -> None:
        """Fills in the bounds of kappa at the grid of u, for these ranges of steps.

        kappa is the mean of m under the tilt -u of its law with the weight e^(-m^2/2): that is any
        tilt t with the weight e^(-(m - c)^2/2), c = -u - t.  Where c is at most m_t, the mean of
        the tilt t, m_t in place of c only adds.  Then the weight is e^(-x^2/2), x = m - m_t, and
        adds to m_t at most min(E|x|, E|x|^3) e^(E x^2/2)/2.  A range counts all draws after its
        first step, with the largest shifts; at its steps tilted chances are these but for a factor
        of `less` either way, and the draws after its last step are there.
        """
        u = self.grid
        for g in sorted({*ranges.tolist()} - self.bounded):
            first = int(self.first[g])
            later = self.shifts.later(first, first + int(self.count[g]), float(self.root[g]), -u)
            less = np.exp(-np.minimum(-u * (1 - 1 / self.wider[g]) * later.widest, _MOST))
            with np.errstate(over="ignore"):  # inf is a bound, and `most` a better one
                variance = later.variance / less
                fourth = 3 * variance**2 + later.fourth / less
                more = np.minimum(np.sqrt(variance), fourth**0.75) / 2
                bound = later.mean + more * np.exp(np.minimum(variance / 2, _MOST))
            least_mean = later.least * less / self.wider[g]
            # For each u the least tilt t with c = -u - t <= m_t, on the grid of tilts.
            at = np.searchsorted(np.maximum.accumulate(-u + least_mean), -u)
            self.bound[g, at < u.size] = bound[at[at < u.size]]
            self.bounded.add(g)

    def excess(self, edges: Array, *, near: bool) -> Array:
        """e of every step for z between the first and the last edge.

        The last steps have most of it: from the first that is of no use any more on it is inf.
        """
        worst, total = np.full(self.at.size, np.inf), 0.0
        end, length = self.at.size, 1
        while end > 0 and total < _WORST:
            # Only so many steps at once that their outcomes for all parts of z fit.
            fit = max(_MOST_ENTRIES // (edges.size * self.shifts.outcomes), 1)
            first = max(end - min(length, fit), 0)
            steps = np.arange(first, end)
            self._bounds(self.place[steps])
            worst[first:end] = _Stretch(self, steps).excess(edges, near=near)
            total += float(worst[first:end].sum())
            end, length = first, 16 * length
        return worst

    def kappa(self, at: Index, u: Array) -> Array:
        """A bound for all that is above u, at these of the steps that count."""
        # The next grid point below u: kappa bounds hold for all that is above.
        j = np.ceil(np.maximum(-u, 0.0) / self.tilt).astype(np.int64)
        entries = self.bound[self.place[at], np.minimum(j, self.bound.shape[1] - 1)]
        bound: Array = np.minimum(np.where(j < self.bound.shape[1], entries, np.inf), self.most[at])
        return bound


class _Stretch:
    """Some of the steps that count; k below are places among these."""

    def __init__(self, steps: _Steps, at: Index) -> None:
        self.steps, self.at = steps, at
        self.slope, self.most = steps.slope[at], steps.most[at]
        self.width = np.sqrt(1 + self.slope**2)
        shift, log_chance, self.log_beyond = steps.shifts.laws(steps.at[at])
        # w/s of each outcome, with theta = 0 for none in front.
        self.theta = shift / steps.noise[at, None]
        self.log_rho = log_chance - self.theta**2 / 2

    def kappa(self, k: Index, u: Array) -> Array:
        """A bound for all that is above u."""
        return self.steps.kappa(self.at[k], u)

    def excess(self, edges: Array, *, near: bool) -> Array:
        """e of every step for z between the first and the last edge."""
        size, parts = self.at.size, edges.size - 1
        k = np.tile(np.arange(size), parts)
        low, high = np.repeat(edges[:-1], size), np.repeat(edges[1:], size)
        # An x_0 this far costs nothing worth counting; nearer ones only where it is not allowed.
        values = self._at(k, np.full(k.size, _FAR), low, high)
        bad = np.flatnonzero(np.isinf(values))
        if bad.size and near:
            part = (high - low)[bad, None] / _FINE
            ends = low[bad, None] + part * np.arange(_FINE)
            closer = self._nearer(np.repeat(k[bad], _FINE), ends.ravel(), (ends + part).ravel())
            values[bad] = closer.reshape(bad.size, _FINE).max(axis=1)
        worst: Array = values.reshape(parts, size).max(axis=0)
        return worst

    def _nearer(self, k: Index, low: Array, high: Array) -> Array:
        """The same with the x_0 that is farthest of those that are allowed, which costs least."""
        # Bisection between an x_0 that is not allowed and one that is; `near` always is.
        far, near = np.full(k.size, _FAR), np.full(k.size, _NEAREST)
        if not self._allowed(k, near, low, high).all():
            return np.full(k.size, np.inf)
        for _ in range(_HALVINGS):
            middle = (far + near) / 2
            feasible = self._allowed(k, middle, low, high)
            far, near = np.where(feasible, far, middle), np.where(feasible, middle, near)
        return self._cost(k, near, low, high)

    def _at(self, k: Index, x: Array, low: Array, high: Array) -> Array:
        """e with these x_0 for low <= z <= high, inf where they are not allowed."""
        costs = np.full(k.size, np.inf)
        some = np.flatnonzero(self._allowed(k, x, low, high))
        costs[some] = self._cost(k[some], x[some], low[some], high[some])
        return costs

    def _allowed(self, k: Index, x: Array, low: Array, high: Array) -> NDArray[np.bool_]:
        slope, width, theta = self.slope[k], self.width[k], self.theta[k]
        down = slope * self.kappa(k, low * width + slope * x)
        # The mean of rho(x)/rho(x_0) e^(-l kappa (x - x_0)) - 1 beyond x_0, which changes its sign
        # once and from below: least where omega is farthest to the left.
        mean, spread = -high * slope / width, 1 / width
        tilt = theta - down[:, None]
        beyond = (mean - x)[:, None] + tilt * (spread**2)[:, None]
        grown = self.log_rho[k] + tilt * mean[:, None] + (tilt * spread[:, None]) ** 2 / 2
        grown += scipy.special.log_ndtr(beyond / spread[:, None]) + (down * x)[:, None]
        there = scipy.special.log_ndtr((mean - x) / spread)
        start = np.logaddexp.reduce(self.log_rho[k] + theta * x[:, None], axis=1)
        # Numbers of rows that are left out lower the mean; at x_0 each adds at most e^(x_0^2/2).
        start = np.logaddexp(start, self.log_beyond[k] + np.maximum(x, 0.0) ** 2 / 2)
        feasible: NDArray[np.bool_] = np.logaddexp.reduce(grown, axis=1) >= start + there + _MARGIN
        feasible &= np.maximum(x, 0.0) ** 2 / 2 - there <= _MOST
        return feasible

    def _cost(self, k: Index, x: Array, low: Array, high: Array) -> Array:
        slope, width = self.slope[k], self.width[k]
        u = low * width + slope * x
        there = scipy.special.log_ndtr((-high * slope / width - x) * width)
        cost = np.zeros(k.size)
        for near, deep in pairwise((*_DEPTHS, math.inf)):
            most = self.kappa(k, u - slope * deep) if deep < math.inf else self.most[k]
            cost += most * _square(x, slope * most, near, deep)
        # Of phi(u)/Phi(z) for u <= u_0 and low <= z.
        steepest = np.maximum(np.exp(-low * low / 2 - scipy.special.log_ndtr(low)) / _ROOT, 0.8)
        cost *= slope**2 / 2 * steepest * np.exp(np.maximum(x, 0.0) ** 2 / 2 - there)
        return cost


def _square(x: Array, rate: Array, near: float, deep: float) -> Array:
    """At least E[t^2 e^(rate t); near < t <= deep], t = x - W."""
    # By completing the square: e^(rx + r^2/2) times the integral of (v - b)^2 phi(b).
    v = x + rate

    def up_to(b: Array) -> Array:
        antiderivative: Array = (v * v + 1) * scipy.special.ndtr(b) + (2 * v - b) * np.exp(
            -b * b / 2
        ) / _ROOT
        return antiderivative

    # t > near is b < v - near; _TINY is for what the two terms lose where they cancel.
    b = v - near
    integral = up_to(b) + _TINY * (v * v + 1) * scipy.special.ndtr(b)
    if deep < math.inf:
        integral -= up_to(v - deep)
    bounded: Array = np.exp(np.minimum(rate * x + rate**2 / 2, _MOST)) * integral
    return bounded
