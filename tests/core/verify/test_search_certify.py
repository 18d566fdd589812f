"""Balls against mpmath and exact fractions; certificates that must and must not be given."""

from fractions import Fraction

import pytest
import sympy

pytest.importorskip("flint")

from bounds.balls import Undecided, ball
from verify.search.certify import decimal, separate

x = sympy.Symbol("x", positive=True)
EXPRESSIONS = [
    sympy.exp(-x) * sympy.erfc(x / 3),
    sympy.log(1 + x) ** 3,
    sympy.sqrt(x) / sympy.pi,
    sympy.gamma(x + sympy.Rational(1, 3)),
    x ** sympy.Rational(22, 10),
    sympy.Min(x, 2, 1 / x),
    sympy.Max(sympy.E, x) ** -2,
    abs(1 - x),
    sympy.floor(9 * x),
    sympy.ceiling(9 * x),
    sympy.Piecewise((x**2, x < 1), (3 * x, True)),
    sympy.harmonic(7),
    sympy.LambertW(x),
    sympy.erf(x) + sympy.binomial(9, 4),
    sympy.loggamma(x + 3),
]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
@pytest.mark.parametrize("at", ["3/10", "7/4", "11"])
def test_balls_contain_the_value(expression, at):
    value = sympy.Rational(at)
    found = ball(expression, {x: value}, 128)
    exact = expression.subs(x, value).evalf(60)
    middle = sympy.Float(found.mid().str(50, radius=False), 60)
    assert abs(middle - exact) <= sympy.Float(float(found.rad()), 20) * 2 + abs(exact) * 1e-37
    assert float(found.rad()) < 1e-20 * max(1.0, abs(float(exact)))


def test_balls_refuse_what_is_rounded_or_unknown():
    for bad in (sympy.Float("0.5"), sympy.zeta(x), sympy.oo, sympy.log(0), x):
        with pytest.raises(Undecided):
            ball(bad)
    third, log = sympy.Rational(1, 3), sympy.log
    with pytest.raises(Undecided, match="decides"):
        ball(
            sympy.Piecewise((1, log(x + 1) + log(x + 2) > log((x + 1) * (x + 2))), (2, True)),
            {x: third},
        )


def test_decimals_are_read_exactly():
    assert decimal(0.1) == sympy.Rational(1, 10)
    assert decimal([1, 0.25]) == [1, sympy.Rational(1, 4)]


def test_equal_sides_are_never_certified():
    half = Fraction(1, 2)
    with pytest.raises(Undecided, match="do not separate"):
        separate(lambda sp, x: sp.sqrt(x) ** 2, lambda sp, x: x, {"x": 0.3}, "==")
    assert separate(lambda sp: sp.Rational(half.numerator, 2), lambda sp: sp.Integer(1), {}, "==")


def test_sides_closer_than_floats_resolve_are_separated():
    tiny = sympy.Rational(1, 10**60)
    assert separate(lambda sp, x: sp.exp(x) + tiny, lambda sp, x: sp.exp(x), {"x": 0.3}).bits > 128
