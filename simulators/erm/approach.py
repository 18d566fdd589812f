"""Newton's steps to a point that a certificate calls near the minimiser, whatever the rows are.

From a trained model a few steps are enough.  Where they are not, as from a model that was trained
for other rows, the point is sought anew from 0; where floats are not, it gets a second float to
each parameter, and steps by gradients in ball arithmetic.  Nothing rests on how it was come by:
what is certified is the gradient at the point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulators.data.row_data import RowData
from simulators.erm.float_objective import FloatObjective
from simulators.erm.objective import Objective

Array = NDArray[np.float64]
_STEPS = 200  # in floats, at most
_CORRECTIONS = 40  # in two floats, at most
_HALVINGS = 40
_ROUNDING = 2.0**-44  # relative, of sums over the rows
_IDLE = 4  # steps that change no digit of the value: as many double the digits of the point
_MARGIN = 0.5  # of the distance in question: what floats have to say before balls are asked


@dataclass(frozen=True, eq=False)
class NearMinimiser:
    """A point head + tail at most `distance` from the minimiser, certified.

    Attributes:
        head: floats nearest to the parameters, of their shape.
        tail: what these miss, as floats; 0 where it was not needed.
        distance: |head + tail - v*| is not above it.
        steps: Newton's steps that led here.
        anew: whether they began at 0.
    """

    head: Array
    tail: Array
    distance: float
    steps: int
    anew: bool


def near_minimiser(
    objective: Objective, data: RowData, start: Array, within: float
) -> NearMinimiser:
    """A point within this distance of the minimiser over the rows, by steps from `start`.

    Raises ValueError where the losses have no minimiser, and where the numbers of the rows are so
    far apart that two floats do not hold it.
    """
    floats = objective.in_floats(data)
    for anew, first in ((False, start), (True, np.zeros_like(start))):
        for point in _points(objective, floats, data, first, within, anew):
            if point.distance <= within:
                return point
    raise ValueError("data must have columns of like scale, so that floats hold the minimiser")


def _points(
    objective: Objective,
    floats: FloatObjective,
    data: RowData,
    start: Array,
    within: float,
    anew: bool,
) -> Iterator[NearMinimiser]:
    """Points nearer and nearer, each with its certified distance."""
    with np.errstate(all="ignore"):
        point, steps = _descended(floats, start.reshape(-1), within)
    head, tail = point.reshape(start.shape), np.zeros_like(start)
    if not np.isfinite(head).all():
        return
    for corrections in range(_CORRECTIONS):
        distance = objective.first_bound(data, head, tail)
        yield NearMinimiser(head, tail, distance, steps + corrections, anew)
        gradient = objective.gradient(data, head, tail)
        change = floats.step(head.reshape(-1), gradient)
        if change is None:
            return
        head, tail = _two_sum(head, tail - change.reshape(head.shape))
        if not (np.isfinite(head) & np.isfinite(tail)).all():
            return


def _two_sum(head: Array, tail: Array) -> tuple[Array, Array]:
    """The same sum, its larger half the float nearest to it; exact (Knuth)."""
    total = head + tail
    part = total - head
    return total, (head - (total - part)) + (tail - part)


def _descended(floats: FloatObjective, start: Array, within: float) -> tuple[Array, int]:
    """Where damped Newton steps end, or are near enough by floats, and their number."""
    point, value, idle = start, floats.value(start), 0
    for count in range(_STEPS):
        gradient = floats.gradient(point)
        if floats.rough_distance(point, gradient) <= _MARGIN * within:
            return point, count
        change = floats.step(point, gradient)
        if change is None:
            return point, count
        nearer, share = point - change, 1.0
        after = floats.value(nearer)
        # Sums round: near the minimiser a step that is right may seem to climb by so much.
        while not after <= value + _ROUNDING * abs(value) and share > 2.0**-_HALVINGS:
            share /= 2
            nearer = point - share * change
            after = floats.value(nearer)
        idle = 0 if after < value - _ROUNDING * abs(value) else idle + 1
        point, value = nearer, after
        if idle == _IDLE:
            return point, count + 1
    return point, _STEPS
