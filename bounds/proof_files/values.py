"""Values at which hypotheses of proofs are checked: on the line, exact or in balls.

A vector is a number, a law N(mean, variance), a map x -> slope x + offset, a set an interval; what
is random has a value for each of two outcomes, as likely as each other.
Numbers are fractions; what a root or a logarithm makes irrational is an interval of mpmath.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from mpmath import iv  # type: ignore[import-untyped, unused-ignore]


class UndecidedHypothesis(ValueError):
    """Balls overlap, or something has no value on the line."""


class Outcomes(NamedTuple):
    """The values of a random variable if a coin shows heads, and if it shows tails."""

    heads: Any
    tails: Any

    def __str__(self) -> str:
        return f"({self.heads} or {self.tails})"


class NormalOnLine(NamedTuple):
    """N(mean, variance)."""

    mean: Any
    variance: Any

    def __str__(self) -> str:
        return f"N({self.mean}, {self.variance})"


class LineMap(NamedTuple):
    """x -> slope x + offset."""

    slope: Any
    offset: Any

    def __str__(self) -> str:
        return f"x -> {self.slope} x + {self.offset}"


class LineSet(NamedTuple):
    """The interval [low, high]."""

    low: Any
    high: Any

    def __str__(self) -> str:
        return f"[{self.low}, {self.high}]"


def _both(a: Any, b: Any) -> tuple[Any, Any]:
    """Two numbers as they are calculated with: fractions, or else both of them balls."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a, b
    return _ball(a), _ball(b)


def _ball(a: Any) -> Any:
    return iv.mpf(a.numerator) / a.denominator if isinstance(a, Fraction) else a


def plus(a: Any, b: Any) -> Any:
    """a + b."""
    a, b = _both(a, b)
    return a + b


def times(a: Any, b: Any) -> Any:
    """a b; 0 whatever the ball."""
    if 0 in (a, b):
        return Fraction(0)
    a, b = _both(a, b)
    return a * b


def minus(a: Any, b: Any) -> Any:
    """a - b."""
    return plus(a, times(Fraction(-1), b))


def over(a: Any, b: Any) -> Any:
    """a/b. Raises UndecidedHypothesis where b may be 0."""
    if not (less(b, Fraction(0)) or less(Fraction(0), b)):
        raise UndecidedHypothesis("division by 0")
    if a == 0:
        return Fraction(0)
    a, b = _both(a, b)
    return a / b


def power(a: Any, k: Any) -> Any:
    """a^k for a whole number k."""
    if not isinstance(k, Fraction) or k.denominator != 1 or abs(k) > 10_000:
        raise UndecidedHypothesis("an exponent is a whole number")
    if k < 0:
        return over(Fraction(1), power(a, -k))
    return a ** int(k)


def less(a: Any, b: Any) -> bool:
    """Whether a < b for certain."""
    a, b = _both(a, b)
    return bool(a < b) if isinstance(a, Fraction) else bool(a.b < b.a)


def at_most(a: Any, b: Any) -> bool:
    """Whether a <= b for certain."""
    a, b = _both(a, b)
    return bool(a <= b) if isinstance(a, Fraction) else bool(a.b <= b.a)


def equal(a: Any, b: Any) -> bool:
    """Whether a = b for certain; balls never are."""
    if isinstance(a, tuple):
        return type(a) is type(b) and all(map(equal, a, b))
    return isinstance(a, Fraction) and isinstance(b, Fraction) and a == b


def size(a: Any) -> Any:
    """|a|."""
    if at_most(Fraction(0), a):
        return a
    if less(a, Fraction(0)):
        return times(Fraction(-1), a)
    raise UndecidedHypothesis("a sign")


def root(a: Any) -> Any:
    """The root of a number that is >= 0: a fraction where it is one."""
    if not at_most(Fraction(0), a):
        raise UndecidedHypothesis("a root of what is not seen to be >= 0")
    if isinstance(a, Fraction):
        above, below = math.isqrt(a.numerator), math.isqrt(a.denominator)
        if above**2 == a.numerator and below**2 == a.denominator:
            return Fraction(above, below)
    return iv.sqrt(_ball(a))


def logarithm(a: Any) -> Any:
    """log a for a > 0; exactly 0 at 1."""
    if not less(Fraction(0), a):
        raise UndecidedHypothesis("a logarithm of what is not seen to be > 0")
    return Fraction(0) if a == 1 else iv.log(_ball(a))


def exponential(a: Any) -> Any:
    """e^a; exactly 1 at 0."""
    return Fraction(1) if a == 0 else iv.exp(_ball(a))


def least(a: Any, b: Any) -> Any:
    """min(a, b)."""
    if at_most(a, b):
        return a
    if at_most(b, a):
        return b
    raise UndecidedHypothesis("which one is smaller")


def projected(K: LineSet, x: Any) -> Any:
    """The point of the interval that is next to x."""
    return times(
        Fraction(-1), least(times(Fraction(-1), least(x, K.high)), minus(0 * K.low, K.low))
    )


def pseudoinverse(a: Any) -> Any:
    """1/a, and 0 at 0."""
    return Fraction(0) if a == 0 else over(Fraction(1), a)


def mapped(f: LineMap, X: NormalOnLine) -> NormalOnLine:
    """The law of f(x)."""
    mean = plus(times(f.slope, X.mean), f.offset)
    return NormalOnLine(mean, times(power(f.slope, Fraction(2)), X.variance))


def noised(f: LineMap, X: NormalOnLine, s: Any) -> NormalOnLine:
    """The law of f(x) + N(0, s^2)."""
    image = mapped(f, X)
    return NormalOnLine(image.mean, plus(image.variance, times(s, s)))


def divergence(alpha: Any, X: NormalOnLine, Y: NormalOnLine) -> Any:
    """The Rényi divergence of two laws of one variance."""
    if not equal(X.variance, Y.variance):
        raise UndecidedHypothesis("laws of two variances")
    gap = minus(X.mean, Y.mean)
    if gap == 0:
        return Fraction(0)
    return over(times(alpha, times(gap, gap)), times(Fraction(2), X.variance))


def shifted_divergence(alpha: Any, z: Any, X: NormalOnLine, Y: NormalOnLine) -> Any:
    """The least divergence of a law within z of X from Y, of one variance."""
    left = minus(size(minus(X.mean, Y.mean)), z)
    rest = Fraction(0) if at_most(left, Fraction(0)) else left
    return divergence(alpha, NormalOnLine(rest, X.variance), NormalOnLine(Fraction(0), Y.variance))


def are_within(X: NormalOnLine, Y: NormalOnLine, z: Any) -> bool:
    """Whether W-infinity is at most z."""
    return equal(X.variance, Y.variance) and at_most(size(minus(X.mean, Y.mean)), z)


def are_private(X: NormalOnLine, Y: NormalOnLine, v: Any) -> bool:
    """Whether they are mu-Gaussian-DP, v = mu^2."""
    gap = minus(X.mean, Y.mean)
    return equal(X.variance, Y.variance) and at_most(times(gap, gap), times(v, X.variance))


def are_linked(X: NormalOnLine, Y: NormalOnLine, z: Any, v: Any) -> bool:
    """Whether X moved by at most z towards Y is v-Gaussian-DP from it."""
    left = minus(size(minus(X.mean, Y.mean)), z)
    moved = NormalOnLine(Fraction(0), X.variance)
    rest = Fraction(0) if at_most(left, Fraction(0)) else left
    return are_private(moved, NormalOnLine(rest, Y.variance), v)


def are_close(f: LineMap, g: LineMap, c: Any, d: Any) -> bool:
    """Whether |f(x) - g(y)| <= c |x - y| + d for all x and y."""
    apart = size(minus(f.offset, g.offset))
    return equal(f.slope, g.slope) and at_most(size(f.slope), c) and at_most(apart, d)


def two_point_noise(d: Any, s: Any) -> Outcomes:
    """Noise of mean 0 and variance d s^2."""
    length = times(s, root(d))
    return Outcomes(length, times(Fraction(-1), length))


def expectation(x: Any) -> Any:
    """The mean of the outcomes."""
    return over(plus(*x), Fraction(2)) if isinstance(x, Outcomes) else x


def for_outcomes(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function, outcome by outcome where an argument is random."""
    if not any(isinstance(each, Outcomes) for each in arguments):
        return function(*arguments)
    both = [each if isinstance(each, Outcomes) else Outcomes(each, each) for each in arguments]
    return Outcomes(*(function(*each) for each in zip(*both, strict=True)))


def is_noise(xi: Any, x: Any, d: Any, s: Any) -> bool:
    """Whether xi is noise of two values, and x is the same at both."""
    if not at_most(Fraction(0), d):
        return False
    constant = not isinstance(x, Outcomes) or equal(x.heads, x.tails)
    nothing = Fraction(0) in (d, s)
    return (nothing and xi == 0) or (xi == two_point_noise(d, s) and (constant or nothing))


def is_member(x: Any, K: LineSet) -> bool:
    """Whether the interval holds x."""
    return at_most(K.low, x) and at_most(x, K.high)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "dot": times,
    "sq": lambda a: times(a, a),
    "norm": size,
    "abs": size,
    "sqrt": root,
    "exp": exponential,
    "log": logarithm,
    "min": least,
    "proj": projected,
    "noisy": noised,
    "image": mapped,
    "renyi": divergence,
    "renyi_shifted": shifted_divergence,
    "pinv": pseudoinverse,
}
PREDICATES: dict[str, Callable[..., bool]] = {
    "convex": lambda K: at_most(K.low, K.high),
    "member": is_member,
    "winf": are_within,
    "gdp": are_private,
    "link": are_linked,
    "close": are_close,
    "noise": is_noise,
}
