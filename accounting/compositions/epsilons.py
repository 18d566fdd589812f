"""The least epsilon of a composition at a delta, rounded to either side.

Chances and shifts are raised by more than they err before a bound from above: likelihood ratios of
a mixture rise with x, so that the best tests are x > z, whose power rises with the shift.

One step alone is a mixture of normal tails.  Of few steps of rarely drawn rows the transform falls
off too slowly for a contour: they are composed on a grid of losses (`loss_grids`).
Of shifts beyond 10 standard deviations, and where nodes are too many, it is Chernoff's bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from accounting.compositions.contours import CompositionContour, Steps
from accounting.compositions.loss_grids import grid_epsilon
from accounting.compositions.mixture_steps import Array, MixtureStep
from accounting.curves.discrete_sums import Term, times
from accounting.curves.gaussian_mixtures import epsilon as mixture_epsilon
from accounting.numerics.root import bracketed_root

_SLACK = 2.0**-40  # of log delta
_RAISED, _WIDER = 1 + 2.0**-40, 1 + 2.0**-50  # of chances and of shifts
_NEAR = 0.02  # of log c
_FARTHEST_TILT = 1e4  # of c times the largest shift
_LEAST_LOG = -40.0  # of log c
_DOUBLINGS = 200
_WIDEST = 10.0  # standard deviations: beyond, epsilon is in the hundreds


class StepKind(NamedTuple):
    """Steps that are alike: shifts in standard deviations, their chances, and how many steps."""

    shifts: Array
    chances: Array
    often: int


def composition_epsilon(
    kinds: Sequence[StepKind], delta: float, *, exchanged: bool, up: bool = True
) -> float:
    """epsilon >= 0 of all steps together at delta in (0, 1), rounded up; `up` = False: down.

    exchanged: the law of a step is told from its mirror image, and otherwise from N(0, 1), in the
    worse of both directions.  inf (or 0) where the enclosure does not resolve it.
    """
    laws = [law for law in (_law(kind, up=up) for kind in kinds) if law.shifts.size]
    if not laws:
        return 0.0
    if sum(law.often for law in laws) == 1:
        return _single(laws[0], delta, exchanged=exchanged, up=up)
    sides = ("replace",) if exchanged else ("remove", "add")
    return max(
        one_sided_epsilon(
            [(MixtureStep(law.shifts, law.chances, side), law.often) for law in laws], delta, up=up
        )
        for side in sides
    )


def _law(kind: StepKind, *, up: bool) -> StepKind:
    """Shifts that occur, raised where the bound is from above."""
    there = (kind.chances > 0) & (kind.shifts > 0)
    shifts, chances = kind.shifts[there], kind.chances[there]
    # A single chance is as it is; several come from sums and logarithms.
    if up and chances.size > 1:
        chances = chances * _RAISED
    if up:
        shifts = shifts * _WIDER
    return StepKind(shifts, chances / max(float(chances.sum()), 1.0), kind.often)


def _single(law: StepKind, delta: float, *, exchanged: bool, up: bool) -> float:
    none = np.array([max(1 - float(law.chances.sum()), 0.0)])
    one = (Term(law.shifts[None, :], law.chances[None, :], none),)
    if exchanged:
        return mixture_epsilon(one, times(one, -1), delta, up=up)
    away = mixture_epsilon(one, None, delta, up=up)
    return max(away, mixture_epsilon(None, times(one, -1), delta, up=up))


def one_sided_epsilon(steps: Steps, delta: float, *, up: bool = True) -> float:
    """The least epsilon >= 0 with delta(epsilon) <= delta, rounded up; or down, `up` = False.

    inf (or 0) where the enclosure does not resolve it.
    """
    target = math.log(delta)
    line = _line(steps, target)
    by_line = _on_line(line, steps, target, up=up)
    if line.resolved or _is_steep(steps):
        return by_line
    # Both are valid.
    by_grid = grid_epsilon(steps, delta, line.window(up=up), up=up)
    return min(by_line, by_grid) if up else max(by_line, by_grid)


def _is_steep(steps: Steps) -> bool:
    return max(step.widest for step, _ in steps) > _WIDEST


def _on_line(line: CompositionContour, steps: Steps, target: float, *, up: bool) -> float:
    """The same by the integral on this line, or by Chernoff's bound on it."""
    # Chernoff's bound needs the line alone.
    plain = line.chernoff(target) if up else 0.0
    if _is_steep(steps) or not line.aim(smooth=up):
        return max(plain, 0.0)
    bound = line.log_above if up else line.log_below
    wanted = target - _SLACK if up else target + _SLACK
    low = high = max(line.saddle, 0.0)
    step = 0.1 / line.c

    def excess(epsilon: float) -> float:
        # Steps to the root need finite values.
        return max(bound(epsilon) - wanted, -1e3)

    while excess(low) <= 0:
        if low == 0:
            return 0.0
        high, low, step = low, max(low - step, 0.0), 2 * step
    step = 0.1 / line.c
    for _ in range(_DOUBLINGS):
        if excess(high) <= 0:
            break
        low, high, step = high, high + step, 2 * step
    if excess(high) > 0:
        return max(plain, 0.0)
    root = bracketed_root(excess, low, high, absolute=1e-13 / line.c, relative=8.9e-16)
    # The root may be on the wrong side: steps that double, until the bound holds itself.
    step = 2.0**-50 * max(root, 1 / line.c)
    for _ in range(_DOUBLINGS):
        if (excess(root) <= 0) if up else (excess(root) >= 0 or root <= 0):
            break
        root, step = root + step if up else root - step, 2 * step
    return max(root, 0.0)


def _line(steps: Steps, target: float) -> CompositionContour:
    """The line for which delta is the target at its saddle, roughly; or the farthest."""
    lines: dict[float, CompositionContour] = {}
    most = _FARTHEST_TILT / max(step.widest for step, _ in steps)

    def excess(log_c: float) -> float:
        lines[log_c] = CompositionContour(steps, math.exp(log_c))
        return lines[log_c].log_delta - target

    low = high = min(0.0, math.log(most))
    # log delta at the saddle falls from 0 as c grows.
    move = 1.0
    while excess(high) > 0:
        if high >= math.log(most):
            return lines[high]
        low, high, move = high, min(high + move, math.log(most)), 2 * move
    move = 1.0
    while low >= _LEAST_LOG and excess(low) <= 0:
        high, low, move = low, low - move, 2 * move
    if low < _LEAST_LOG:
        return lines[high]
    log_c = bracketed_root(excess, low, high, absolute=_NEAR, relative=0.0)
    return lines[log_c]
