"""With mpmath: arguments; least whole numbers, extremes, integrals and roots of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np
from numpy.polynomial.legendre import Legendre

from verify.tex.tree import Unread

MOST = 10**12
GOLDEN = (5**0.5 - 1) / 2
COUNT = 6
LAST = Legendre.basis(COUNT - 1)
# The ends and the roots of P'_{n-1}, with weights 2/(n (n - 1) P_{n-1}(x)^2).
NODES = (-1.0, *map(float, LAST.deriv().roots()), 1.0)
WEIGHTS = tuple(2 / (COUNT * (COUNT - 1) * float(LAST(x)) ** 2) for x in NODES)
"""Those of Gauss and Lobatto: with both ends, so that a kink close to one is seen."""

DEPTH, CLOSE = 40, 1e-11
FAR = 30


def exact(value: Any) -> Any:
    """An argument of a form, as its float is: a number, a list, or numbers by position."""
    if isinstance(value, dict):
        return {int(k): mp.mpf(v) for k, v in value.items()}
    if np.ndim(value) == 1:
        return [mp.mpf(float(v)) for v in value]
    return mp.mpf(float(value))


def least_whole(holds: Callable[[int], bool], start: int) -> int:
    """The least n >= start at which it holds, of a condition that goes on holding."""
    if holds(start):
        return start
    # Doubles the step until it holds, then halves between the last two.
    low, step = start, 1
    while not holds(low + step):
        low, step = low + step, 2 * step
        if low > MOST:
            raise Unread("a condition is never met")
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


@dataclass(frozen=True)
class Range:
    """From first to last, both counted; numbers that are not `whole` lie strictly between."""

    letter: str
    first: Any
    last: Any
    whole: bool = True

    def numbers(self) -> Iterator[int]:
        return iter(range(int(self.first), int(self.last) + 1))


def greatest(value: Callable[[Any], Any], over: Range) -> Any:
    """The greatest value over an unbounded range, of a function with one summit."""
    return _over_whole(value, over) if over.whole else _over_real(value, over)


def _over_whole(value: Callable[[Any], Any], over: Range) -> Any:
    first = int(over.first)
    # Every number near the start, then steps half as long again as the last, up to about 2e11.
    ahead = [*range(8), *(round(8 * 1.5**i) for i in range(60))]
    values = [value(mp.mpf(first + n)) for n in ahead]
    best = max(range(len(ahead)), key=values.__getitem__)
    low, high = ahead[max(best - 1, 0)], ahead[min(best + 1, len(ahead) - 1)]
    # By thirds, as the function has one summit between the neighbours of the best.
    while high - low > 6:
        a, b = low + (high - low) // 3, high - (high - low) // 3
        low, high = (low, b) if value(mp.mpf(first + a)) >= value(mp.mpf(first + b)) else (a, high)
    # The last seven numbers one by one; thirds of so few would repeat.
    near = [value(mp.mpf(first + n)) for n in range(low, high + 1)]
    return max(*near, values[best], value(mp.inf) if mp.isinf(over.last) else values[best])


def _over_real(value: Callable[[Any], Any], over: Range) -> Any:
    def at(x: float) -> Any:
        return value(over.first + mp.exp(x))

    # Logarithms of the distance from the lower end, 1e-13 to 1e13.
    grid = [float(i) for i in range(-FAR, FAR + 1)]
    values = [at(x) for x in grid]
    best = max(range(len(grid)), key=values.__getitem__)
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    # Golden section: each step reuses one of the two inner values.
    a = high - GOLDEN * (high - low)
    b = low + GOLDEN * (high - low)
    at_a, at_b = at(a), at(b)
    # Near a summit the value is flat: 1e-6 of the place leaves 1e-12 of the value.
    while high - low > 1e-6:
        if at_a >= at_b:
            high, b, at_b = b, a, at_a
            a = high - GOLDEN * (high - low)
            at_a = at(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + GOLDEN * (high - low)
            at_b = at(b)
    return max(at_a, at_b, values[best])


def integral(f: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The integral; by halves until they agree with the whole, so that a kink does no harm."""
    if mp.isinf(high) and low > 0:  # powers become exponentials
        return mp.quad(lambda y: f(low * mp.exp(y)) * low * mp.exp(y), [0, mp.inf])
    if mp.isinf(high) or mp.isinf(low):
        return mp.quad(f, [low, high])
    whole = _lobatto(f, low, high)
    return _halves(f, low, high, whole, abs(whole), DEPTH)


def _lobatto(f: Callable[[Any], Any], low: Any, high: Any) -> Any:
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = zip(NODES, WEIGHTS, strict=True)
    return half * mp.fsum(weight * f(middle + half * node) for node, weight in nodes)


def _halves(f: Callable[[Any], Any], low: Any, high: Any, whole: Any, size: Any, depth: int) -> Any:
    middle = (low + high) / 2
    lower_half = _lobatto(f, low, middle)
    upper_half = _lobatto(f, middle, high)
    # Agreement relative to the whole integral, so that small halves do not split for ever.
    if depth == 0 or abs(lower_half + upper_half - whole) <= CLOSE * size:
        return lower_half + upper_half
    halves = (
        _halves(f, low, middle, lower_half, size, depth - 1),
        _halves(f, middle, high, upper_half, size, depth - 1),
    )
    return halves[0] + halves[1]


def root(gap: Callable[[Any], Any]) -> Any:
    """The positive number at which the gap closes; Unread where no sign changes."""
    # Half a unit of the logarithm apart, so that two roots are rarely between neighbours.
    grid = [mp.exp(mp.mpf(i) / 2) for i in range(-2 * FAR, 2 * FAR + 1)]
    before = None
    for x in grid:
        try:
            value = gap(x)
        # A pole or a hole breaks the interval: signs on both sides of it prove nothing.
        except (ArithmeticError, Unread):
            before = None
            continue
        if value == 0:
            return x
        if before is not None and (value > 0) != (before[1] > 0):
            # A change of sign may be a pole: only where the gap itself is small is it a root.
            end = _closed(gap, before, (x, value))
            if abs(gap(end)) < 1e-9:
                return end
        before = x, value
    raise Unread("an equation has no solution that is found")


def _closed(gap: Callable[[Any], Any], low: tuple[Any, Any], high: tuple[Any, Any]) -> Any:
    """Where the gap closes between two numbers, given with their gaps, of which the signs differ.

    The method of Illinois, and a half wherever that took less than a half off.
    """
    (a, at_a), (b, at_b) = low, high
    # Until a few units in the last place remain.
    while b - a > 8 * mp.eps * b:
        width, stale_side = b - a, 0
        for _ in range(3):
            x = (a * at_b - b * at_a) / (at_b - at_a)
            # Rounding may put the secant's place on an end: the halving below goes on from there.
            if not a < x < b:
                break
            at_x = gap(x)
            if at_x == 0:
                return x
            if (at_x > 0) == (at_b > 0):
                b, at_b = x, at_x
                # Illinois: an end that stays twice has its gap halved, so that the next secant
                # moves it.
                at_a, stale_side = (at_a / 2, 1) if stale_side == 1 else (at_a, 1)
            else:
                a, at_a = x, at_x
                at_b, stale_side = (at_b / 2, -1) if stale_side == -1 else (at_b, -1)
        if b - a > width / 2:
            middle = (a + b) / 2
            at_middle = gap(middle)
            if (at_middle > 0) == (at_b > 0):
                b, at_b = middle, at_middle
            else:
                a, at_a = middle, at_middle
    return b
