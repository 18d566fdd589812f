"""Vectorised inversion of increasing functions: Newton steps inside a bracket, safe rounding."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Some = Index | slice  # `EVERY` while all are active: such entries need no copy
EVERY = slice(None)
_ULP = 2.0**-52
NUDGE = 2 * _ULP
# Newton's error squares: a step of 1e-5 leaves 1e-10, which one careful step finishes.
NEAR, ROUGH_STEPS, POLISHING_STEPS = 1e-5, 5, 16


def solve_increasing(
    excess: Callable[[Array, Index], tuple[Array, Array]],
    certifies: Callable[[Array, Index], NDArray[np.bool_]],
    low: Array,
    high: Array,
    *,
    up: bool,
    tolerance: float = _ULP,
    start: Array | None = None,
) -> Array:
    """Roots of elementwise increasing functions, rounded to the safe side.

    To full precision, or until a step is less than the relative `tolerance`.  The search begins
    at `start`, by default at the end on the safe side.

    `excess(x, i)` gives value and slope of the functions numbered i at x; the root lies in
    [low, high].  The returned x satisfies `certifies(x, i)`: it is moved up (``up=True``) or
    down by the fewest doublings of an ulp that make it so, and to inf or 0 if none does.

    At a root, rounding can leave a value whose step is less than half an ulp; the bracket then
    ends here and is wide.  A point beside, as far away as the tolerance and each time sixteen
    times as far as before, shows the other sign, or that the slope was no guide.
    """
    low, high = low.copy(), high.copy()
    # From the end on the safe side, where an answer is valid even if the search gives up.
    x = (high.copy() if up else low.copy()) if start is None else np.clip(start, low, high)
    active, beside = np.arange(x.size), np.full(x.size, tolerance)
    for _ in range(200):
        here = x[active]
        value, slope = excess(here, active)
        # A value of 0 closes the bracket from both sides; NaN moves neither end.
        low[active] = least = np.where(value <= 0, here, low[active])
        high[active] = most = np.where(value >= 0, here, high[active])
        with np.errstate(all="ignore"):
            newton = here - value / slope
            middle = least + 0.5 * (most - least)
            probe = here - np.sign(value) * beside[active] * np.abs(here)
        rests = (newton == here) & (value != 0)
        beside[active[rests]] *= 16
        step = np.where(rests, probe, newton)
        inside = (step > least) & (step < most)
        # A step from beside leads back to the end where the search rested, or just past it.
        nearest = np.clip(newton, least, most)
        back = ~rests & ~inside & (np.abs(nearest - here) <= 2 * tolerance * np.abs(here))
        ends = (most - least <= tolerance * np.abs(most)) | back
        # A step out of the bracket, or NaN, is replaced by bisection.
        update = np.where(inside, step, middle)
        update = np.where(ends & np.isfinite(newton), nearest, update)
        converged = ends | ~rests & (np.abs(update - here) <= tolerance * np.abs(here))
        x[active] = update
        active = active[~converged]
        if active.size == 0:
            break
    return step_until(certifies, x, up=up)


def approach(step: Callable[[Array, Some], Array], x: Array) -> Array:
    """x after Newton's steps to `step(x, i)`, i the entries that x stands for: five at most.

    An entry rests when its step is below 1e-5 of it, whatever its company in the array does.
    """
    active: Some = EVERY
    here, solution = x, x.copy()
    for _ in range(ROUGH_STEPS):
        update = step(here, active)
        solution[active] = update
        # Negated, so that NaN counts as far.
        far = ~(np.abs(update - here) <= NEAR * here)
        far_count = np.count_nonzero(far)
        if far_count == 0:
            break
        here = update
        if far_count < far.size:
            here, active = update[far], _among(active, far)
    return solution


def polish(
    evaluate: Callable[[Array, Some], tuple[Array, Array, NDArray[np.bool_]]], x: Array, *, up: bool
) -> tuple[Array, Index]:
    """Newton steps from good starting points x > 0: the roots, rounded safely, and what failed.

    `evaluate(x, i)` gives value and slope of the increasing functions numbered i and whether x
    certifies.  A point is accepted when it certifies and its Newton step is within a few ulps.
    The second result numbers the functions for which that did not come about.
    """
    active: Some = EVERY
    here, solution = x, x.copy()
    sign = 1 if up else -1
    nudge = np.full(x.size, NUDGE)
    for _ in range(POLISHING_STEPS):
        value, slope, good = evaluate(here, active)
        step = value / slope
        near = (np.abs(step) <= 4 * nudge * here) & np.isfinite(slope)
        unresolved = ~(near & good)
        count = np.count_nonzero(unresolved)
        if count == 0:
            return solution, np.empty(0, dtype=np.intp)
        # A little to the safe side, so that the next evaluation is the last; if not, ever more.
        here = np.where(near, here, here - step) * (1 + sign * nudge)
        nudge = np.where(near, 2 * nudge, nudge)
        if count < unresolved.size:
            here, nudge, active = here[unresolved], nudge[unresolved], _among(active, unresolved)
        solution[active] = here
    return solution, np.arange(x.size)[active]


def _among(active: Some, left: NDArray[np.bool_]) -> Index:
    return np.flatnonzero(left) if isinstance(active, slice) else active[left]


def step_until(
    certifies: Callable[[Array, Index], NDArray[np.bool_]], x: Array, *, up: bool
) -> Array:
    """x >= 0 (n,), moved up or down by the fewest doublings of an ulp until `certifies(x, i)`.

    inf (up) or 0 (down) where 52 of them do not help.
    """
    x = np.array(x, dtype=np.float64)
    wrong = np.arange(x.size)
    for k in range(52):
        wrong = wrong[~certifies(x[wrong], wrong)]
        if wrong.size == 0:
            return x
        with np.errstate(under="ignore", over="ignore"):
            # Doublings: the k-th move is 2^k ulps, the last about the size of x itself.
            update = x[wrong] * (1 + _ULP * 2.0**k if up else 1 - _ULP * 2.0**k)
        # Among the subnormal floats a relative step can be none.
        next_ = np.nextafter(x[wrong], np.inf if up else 0.0)
        x[wrong] = np.maximum(update, next_) if up else np.minimum(update, next_)
    x[wrong] = np.inf if up else 0.0
    return x


def solve_crossing(
    excess: Callable[[Array, Index], Array], low: Array, high: Array, tolerance: float = 1e-7
) -> Array:
    """Points within `tolerance` of where functions without slopes pass from < 0 to >= 0.

    Secant steps inside [low, high] with the Anderson-Bjorck weights, a bisection when three of
    them did not halve the bracket.  An end of the bracket is returned when the sign is the same
    at both: `low` where it is positive, `high` where it is negative.
    """
    low, high = low.copy(), high.copy()
    active = np.arange(low.size)
    # Where both ends have one sign the bracket is closed at once, at the end that is asked for.
    below, above = excess(low, active), excess(high, active)
    low[~(above > 0)] = high[~(above > 0)]
    high[below > 0] = low[below > 0]
    # Of the bracket three steps ago.
    width = high - low
    for k in range(1, 200):
        active = active[(high - low)[active] > tolerance * (1 + np.abs(high[active]))]
        if active.size == 0:
            break
        lo, hi, f0, f1 = low[active], high[active], below[active], above[active]
        x = lo - f0 * ((hi - lo) / (f1 - f0))
        if k % 3 == 0:
            x = np.where(hi - lo > 0.5 * width[active], 0.5 * (lo + hi), x)
            width[active] = hi - lo
        # Not on an end of the bracket, whose value is known: a root beside it is closed in by this
        # step.
        edge = 0.25 * tolerance * (1 + np.abs(hi))
        x = np.where(np.isfinite(x), np.clip(x, lo + edge, hi - edge), 0.5 * (lo + hi))
        f = excess(x, active)
        right = f > 0
        # The value at the end that stays is scaled down, lest the secant keep to one side of the
        # root.
        old = np.where(right, f1, f0)
        weight = 1 - f / old
        weight = np.where(weight > 0, weight, 0.5)
        high[active] = np.where(right, x, hi)
        low[active] = np.where(right, lo, x)
        above[active] = np.where(right, f, f1 * weight)
        below[active] = np.where(right, f0 * weight, f)
    return 0.5 * (low + high)
