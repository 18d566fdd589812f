"""Growth: the leading term c x^p log(x)^q of an expression without cases, as x grows."""

from dataclasses import dataclass
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

PLACE, TELLING = sp.Rational(9, 11), sp.Float("1e-12")
"""Powers of a number at which a coefficient is looked at, and what is not 0 with 30 digits."""


class UnknownGrowth(ValueError):
    """The expression grows in no way that is a power times a power of the logarithm."""


@dataclass(frozen=True)
class GrowthTerm:
    """c x^p log(x)^q; c is free of x."""

    c: Any
    p: Any = sp.S.Zero
    q: Any = sp.S.Zero

    def expression(self, x: Any) -> Any:
        """The term as an expression in x."""
        return self.c * x**self.p * sp.log(x) ** self.q

    @property
    def size(self) -> tuple[float, float]:
        """Which of two terms is the greater. Raises UnknownGrowth for symbols in an exponent."""
        if not (self.p.is_number and self.q.is_number):
            raise UnknownGrowth(f"the exponent {self.p} is no number")
        return float(self.p), float(self.q)


def leading(expression: Any, x: Any, fractions: frozenset[Any]) -> GrowthTerm:
    """The leading term as x grows to infinity.

    `fractions` are bases known to lie in (0, 1): their growing powers vanish.
    Raises UnknownGrowth where there is none of this shape, or where leading terms cancel.
    """
    e = expression
    if not e.has(x):
        return GrowthTerm(e)
    if e == x:
        return GrowthTerm(sp.Integer(1), sp.Integer(1))
    if isinstance(e, sp.Add):
        return _sum([leading(a, x, fractions) for a in e.args])
    if isinstance(e, sp.Mul):
        terms = [leading(a, x, fractions) for a in e.args]
        if any(t.c == 0 for t in terms):
            return _vanishing(terms)
        return GrowthTerm(
            sp.Mul(*(t.c for t in terms)), sum(t.p for t in terms), sum(t.q for t in terms)
        )
    if isinstance(e, sp.Pow | sp.exp):
        return _power(e, x, fractions)
    if isinstance(e, sp.log):
        inner = leading(e.args[0], x, fractions)
        p, _ = inner.size
        if p > 0:
            return GrowthTerm(inner.p, sp.Integer(0), sp.Integer(1))
        if inner.size == (0, 0) and inner.c not in (0, 1):
            return GrowthTerm(sp.log(inner.c))
        raise UnknownGrowth(f"the logarithm of {e.args[0]}")
    if isinstance(e, sp.harmonic) and len(e.args) == 1:
        return leading(sp.log(e.args[0]), x, fractions)
    if isinstance(e, sp.Sum):
        return _series(e, x, fractions)
    if isinstance(e, sp.floor | sp.ceiling):
        inner = leading(e.args[0], x, fractions)
        if inner.size > (0, 0):
            return inner
    raise UnknownGrowth(f"{type(e).__name__} of {x}")


def _sum(terms: list[GrowthTerm]) -> GrowthTerm:
    terms = [t for t in terms if t.c != 0] or terms[:1]
    most = max(t.size for t in terms)
    c = sp.Add(*(t.c for t in terms if t.size == most))
    if _vanishes(c):
        raise UnknownGrowth("leading terms cancel")
    return GrowthTerm(c, *next((t.p, t.q) for t in terms if t.size == most))


def _vanishes(c: Any) -> bool:
    """Whether a coefficient is 0: no, where it is none at some numbers; else by simplifying."""
    if c.is_zero is not None:
        return bool(c.is_zero)
    plain = not c.atoms(sp.Sum, sp.Product, sp.Indexed)
    if plain and all(isinstance(s, sp.Symbol) for s in c.free_symbols):
        ordered = sorted(c.free_symbols, key=str)
        at = {s: sp.Integer(i) if s.is_integer else PLACE**i for i, s in enumerate(ordered, 2)}
        value = sp.N(c.xreplace(at), 30)
        if value.is_number and value.is_finite and abs(value) > TELLING:
            return False
    return bool(sp.simplify(c) == 0)


def _vanishing(terms: list[GrowthTerm]) -> GrowthTerm:
    """A product with a factor that falls faster than every power: 0, whatever the others."""
    return next(t for t in terms if t.c == 0)


def _power(e: Any, x: Any, fractions: frozenset[Any]) -> GrowthTerm:
    base, exponent = e.base, e.exp
    if not exponent.has(x):
        inner = leading(base, x, fractions)
        if inner.c == 0:
            if exponent.is_positive:
                return inner
            raise UnknownGrowth("a quantity that vanishes is divided by")
        return GrowthTerm(inner.c**exponent, inner.p * exponent, inner.q * exponent)
    if base.has(x):
        raise UnknownGrowth(f"{x} in a base and its exponent")
    up = leading(exponent, x, fractions)
    if up.c == 0 or up.size < (0, 0):
        return GrowthTerm(sp.Integer(1))
    if up.size == (0, 0):
        return GrowthTerm(base**up.c)
    sign = 1 if up.c.is_positive else -1 if up.c.is_negative else 0
    falls = (base in fractions and sign > 0) or (base == sp.E and sign < 0)
    if falls:
        return GrowthTerm(sp.Integer(0))
    raise UnknownGrowth(f"{e} grows faster than any power")


def _series(e: Any, x: Any, fractions: frozenset[Any]) -> GrowthTerm:
    """A sum over a range free of x: the terms of the summand that grow most."""
    if any(part.has(x) for limits in e.limits for part in limits[1:]):
        raise UnknownGrowth("the range of a sum grows")
    inner = leading(sp.expand(e.function), x, fractions)
    return GrowthTerm(sp.Sum(inner.c, *e.limits), inner.p, inner.q) if inner.c != 0 else inner
