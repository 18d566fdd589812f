"""Least energy of a nondecreasing path below an obstacle: the greatest convex minorant.

Steps k = 1..n advance the clock by dx_k > 0 and raise the obstacle by dy_k >= 0.  Among the
paths A with A_0 = 0, A_k <= y_k, A_n = y_n the energy sum (A_k - A_{k-1})^2/dx_k is least for the
greatest convex minorant of the points (x_k, y_k): isotonic regression of the slopes dy_k/dx_k
with weights dx_k.  Sums are of increments, all nonnegative, so nothing ever cancels.
"""

import math
from dataclasses import dataclass

import numpy as np

from accounting.contraction.pooling import segments
from accounting.numerics.scaled import Array, Index, Scaled, product_error, round_up

_NEGLIGIBLE = 2.0**-60
_LOG2 = math.log(2.0)


@dataclass(frozen=True)
class Minorant:
    """Segments of the minorant.

    `first` is the step (0-based) at which each segment begins, `slope` and `cost` are its slope
    and its part of the energy.
    """

    first: Index
    slope: Scaled
    cost: Scaled

    def root_energy(self, n: int) -> float:
        """sqrt(sum of the costs), rounded up for a chain of n steps."""
        top = self.cost.top()
        # An even exponent, of which the root takes half.
        top += top % 2
        total = float(np.sum(self.cost.over(top)))
        # Costs are quotients of squares of products; numpy sums at most 128 terms in a row.
        error = 2 * product_error(n) + (min(n, 128) + 8) * 2.0**-53
        return round_up(math.sqrt(total), top // 2, error)


def greatest_convex_minorant(rise: Scaled, root: Scaled) -> Minorant:
    """The minorant for dy = rise and dx = root^2 (root > 0)."""
    top_y, top_x = rise.top(), root.top()
    dy, w = rise.over(top_y), root.over(top_x)
    # Dropping the obstacle on the part of the clock before x_k <= theta x_n changes the energy by
    # a factor in [1 - theta, 1]: the path that waits until x_k and then runs x_n/(x_n - x_k)
    # times as fast is admissible.  So those steps may be joined to the next.
    clock = np.cumsum(w * w)
    cut = int(np.searchsorted(clock, _NEGLIGIBLE * clock[-1]))
    if cut:
        dy = np.concatenate(([np.sum(dy[: cut + 1])], dy[cut + 1 :]))
        w = np.concatenate(([math.sqrt(clock[cut])], w[cut + 1 :]))
    # Squares of the roots of the clock are floats; their exponents reach 2^-800.
    if w.min() > 2.0**-400:
        first, slope, cost = _pooled(dy, w * w)
        minorant = Minorant(
            first, Scaled.of(slope, top_y - 2 * top_x), Scaled.of(cost, 2 * top_y - 2 * top_x)
        )
    else:
        log_rise, log_root = rise.log(), root.log()
        if cut:
            # The dropped steps are joined to the next as above, in logarithms.
            log_rise[cut] = np.logaddexp.reduce(log_rise[: cut + 1])
            log_root[cut] = 0.5 * np.logaddexp.reduce(2 * log_root[: cut + 1])
        minorant = _pooled_in_logs(log_rise[cut:], 2 * log_root[cut:])
    first = minorant.first + cut
    # The first segment takes in the steps that were joined.
    first[0] = 0
    return Minorant(first, minorant.slope, minorant.cost)


def _pooled(dy: Array, dx: Array) -> tuple[Index, Array, Array]:
    first = segments(dy, dx)
    rise, run = np.add.reduceat(dy, first), np.add.reduceat(dx, first)
    slope = rise / run
    return first, slope, slope * rise


def _pooled_in_logs(log_dy: Array, log_dx: Array) -> Minorant:
    """Pool adjacent violators in logarithms: for clocks that outrun the float range."""
    first: list[int] = []
    rises: list[float] = []
    runs: list[float] = []
    for k, (rise, run) in enumerate(zip(log_dy.tolist(), log_dx.tolist(), strict=True)):
        start = k
        # In logarithms the slope is rise - run; a segment no steeper than the one before joins it.
        while rises and rise - run <= rises[-1] - runs[-1]:
            rise, run = log_add(rise, rises.pop()), log_add(run, runs.pop())
            start = first.pop()
        first.append(start)
        rises.append(rise)
        runs.append(run)
    y, x = np.array(rises), np.array(runs)
    return Minorant(np.array(first, dtype=np.int64), _from_log(y - x), _from_log(2 * y - x))


def log_add(a: float, b: float) -> float:
    if a < b:
        a, b = b, a
    return a if b == -math.inf else a + math.log1p(math.exp(b - a))


def _from_log(logs: Array) -> Scaled:
    """The exponentials, raised by the error of the logarithms."""
    zero = np.isneginf(logs)
    logs = np.where(zero, 0.0, logs)
    # An error of the logarithm in its ulps is a relative one of the exponential.
    logs = logs + 2.0**-48 * (1 + np.abs(logs))
    whole = np.floor(logs / _LOG2)
    values = np.where(zero, 0.0, np.exp(logs - whole * _LOG2))
    return Scaled.of(values, whole.astype(np.int64))
