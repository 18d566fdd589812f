"""Where one function passes through zero: Brent's method inside a bracket."""

import math
from collections.abc import Callable

# Halvings from the largest float to the least, several times over.
_STEPS = 10_000


def bracketed_root(
    excess: Callable[[float], float],
    low: float,
    high: float,
    *,
    absolute: float,
    relative: float,
) -> float:
    """A root of a continuous function in [low, high], at whose ends it has opposite signs or is 0.

    It lies within `absolute` + `relative` times its size of a change of sign, on either side.
    Steps are secants and inverse quadratics where these shrink the bracket fast enough, bisections
    elsewhere (R. P. Brent, Algorithms for Minimization without Derivatives, 1973, chapter 4).

    Raises ValueError where both ends have one sign, or the function is not a number.
    """
    previous, here = low, high
    at_previous, at_here = excess(low), excess(high)
    if at_previous == 0:
        return low
    if at_here == 0:
        return high
    if not (at_previous < 0 < at_here or at_here < 0 < at_previous):
        raise ValueError(
            f"excess must change its sign in [{low}, {high}], "
            f"got {at_previous} and {at_here} at its ends"
        )
    # The root lies between `here` and `opposite`, where the function has the other sign.
    opposite, at_opposite = previous, at_previous
    move = last_move = here - previous
    for _ in range(_STEPS):
        if abs(at_opposite) < abs(at_here):
            previous, here, opposite = here, opposite, here
            at_previous, at_here, at_opposite = at_here, at_opposite, at_here
        tolerance = (absolute + relative * abs(here)) / 2
        half = (opposite - here) / 2
        if at_here == 0 or abs(half) < tolerance:
            return here
        step = math.nan
        if abs(last_move) > tolerance and abs(at_here) < abs(at_previous):
            step = _interpolated(previous, at_previous, here, at_here, opposite, at_opposite)
        # An interpolation is taken where it is within the bracket and halves the last step but
        # one; not a number is neither.
        if 2 * abs(step) < min(abs(last_move), 3 * abs(half) - tolerance):
            last_move, move = move, step
        else:
            last_move = move = half
        previous, at_previous = here, at_here
        here += move if abs(move) > tolerance else math.copysign(tolerance, half)
        at_here = excess(here)
        if math.isnan(at_here):
            raise ValueError(f"excess must be a number in [{low}, {high}], got nan at {here}")
        if (at_here < 0) != (at_previous < 0) and at_here != 0:
            opposite, at_opposite = previous, at_previous
            move = last_move = here - previous
    return here


def _interpolated(
    previous: float,
    at_previous: float,
    here: float,
    at_here: float,
    opposite: float,
    at_opposite: float,
) -> float:
    """The step from `here` to the root of the secant or of the inverse quadratic; NaN if none."""
    try:
        if previous == opposite:
            return -at_here * (here - previous) / (at_here - at_previous)
        slope = (at_previous - at_here) / (previous - here)
        other = (at_opposite - at_here) / (opposite - here)
        across = at_opposite * other - at_previous * slope
        return -at_here * across / (other * slope * (at_opposite - at_previous))
    except ZeroDivisionError:  # equal values, or slopes whose product is below the floats
        return math.nan
