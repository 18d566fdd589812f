"""Implicit functions at many digits: a root in a bracket, verified before it is given."""

from collections.abc import Callable
from typing import Any

from mpmath import mp  # type: ignore[import-untyped, unused-ignore]

Residual = Callable[[Any], tuple[Any, Any]]
"""The value, which increases, and its derivative."""

SPARE = 24
"""Bits beyond the working precision at which residuals are evaluated."""
STEPS = 128
"""More than the doublings that reach every number in use."""


def root(residual: Residual, start: Any) -> Any:
    """The x > 0 with residual(x) = 0, for a residual that increases in x.

    Newton's steps in log x, from `start` > 0, are taken inside a bracket, which doubling or halving
    finds and they narrow; where one leaves it, it is halved.  The answer is verified by
    substitution: at its neighbours, 2^(3 - prec) to either side relatively, the residual has both
    signs.  Raises ArithmeticError where it has not.
    """
    working = mp.prec
    with mp.extraprec(SPARE):
        # At SPARE more bits than are asked for, to the last bit of these.
        solution = _narrowed(residual, mp.mpf(start), mp.mpf(2) ** (1 - working))
        near = mp.mpf(2) ** (3 - working)
        sides = [residual(solution * (1 + side))[0] for side in (-near, near)]
        if not sides[0] <= 0 <= sides[1]:
            raise ArithmeticError(f"no change of sign beside {mp.nstr(solution, 8)}")
    return +solution


def _narrowed(residual: Residual, start: Any, enough: Any) -> Any:
    """The root, to a relative difference of `enough`."""
    # low = 0 and high = inf: no end of the bracket is found yet.
    low, high, x = mp.zero, mp.inf, start
    before, wide = mp.inf, 1
    for _ in range(STEPS + mp.prec):
        value, slope = residual(x)
        if value == 0:
            return x
        low, high = (x, high) if value < 0 else (low, x)
        # Newton in u = log x: the derivative in u is slope * x.
        step = -value / (slope * x) if slope > 0 and mp.isfinite(value) else mp.inf
        # The error after a Newton step is about the square of it, far below what is asked for.
        if abs(step) < enough / 4:
            return x * mp.exp(step)
        # Steps that do not shrink are those of a function far from straight.
        good = abs(step) <= abs(before) / 2 and abs(step) < wide
        after = x * mp.exp(step) if good else mp.zero
        if low < after < high:
            x, before = after, step
        elif low == 0 or high == mp.inf:
            # The exponent doubles at each step: any size is reached in some ten of them.
            x, wide, before = mp.ldexp(x, wide if value < 0 else -wide), 2 * wide, mp.inf
        else:
            # The geometric mean halves the bracket in log x, in which widths are measured.
            x, before = mp.sqrt(low * high), mp.log(high / low)
            if before < enough:
                return x
    # Not narrowed in time: `root` sees whether the sign changes here all the same.
    return x
