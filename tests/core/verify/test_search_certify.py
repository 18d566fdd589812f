"""Balls against mpmath and exact fractions; certificates that must and must not be given."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

import bounds
from verify.search.targets import targets

flint = pytest.importorskip("flint")

from bounds.balls import Undecided, ball  # noqa: E402
from verify.search.certify import decimal, separate  # noqa: E402
from verify.search.domain import domain  # noqa: E402
from verify.search.finding import certified  # noqa: E402

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


@pytest.mark.parametrize("paper", ["sglu", "olu", "hf", "mini"])
def test_balls_of_forms_contain_their_values(paper, full):
    few = {} if full else {"S": (1, 4)}  # requests in sequence: an expression within another
    rng, seen = np.random.default_rng(4), 0
    for id in [s.id for s in bounds.statements(paper) if s.forms][:: 6 if full else 12]:
        for form in bounds.get(id).forms.values():
            where = domain(form.statement, form.arguments, within=few)
            point = where.decode(where.sample(rng))
            point = {k: float(f"{v:.3g}") if isinstance(v, float) else v for k, v in point.items()}
            value = float(form(**point)) if form.expr and where.admits(point) else np.inf
            if not np.isfinite(value) or value == 0:
                continue
            side = 1 if value > 0 else -1
            below, above = (0.999, 1.001) if side > 0 else (1.001, 0.999)
            constant = sympy.Rational(*value.as_integer_ratio())
            try:
                separate(
                    lambda sp, constant=constant: constant, form.expr, point, "<=", scale=below
                )
                separate(
                    lambda sp, constant=constant: constant, form.expr, point, ">=", scale=above
                )
            except Undecided as problem:
                if "certainty" in str(problem):
                    pytest.fail(f"{id} {form.name} at {point}: {problem}")
                continue
            seen += 1
    assert seen >= (8 if full else 4)


def _root_sum(sp, k, omega):
    return sp.sqrt(sum(sp.Integer(i) ** (2 * omega) for i in range(1, int(k) + 1)))


def test_a_false_form_is_certified_until_it_is_scaled_above_the_truth():
    printed = bounds.get("olu.eq17")["printed"].expr
    at = {"k": 1, "omega": 1.2}
    proof = separate(_root_sum, printed, at)
    assert proof.left.startswith("1.0000")
    assert float(proof.right.strip("[").split(" ")[0]) == pytest.approx(1 / np.sqrt(3.4), rel=1e-15)
    threshold = np.sqrt(3.4)
    assert separate(_root_sum, printed, at, scale=threshold * (1 - 1e-12))
    with pytest.raises(Undecided, match="holds here"):
        separate(_root_sum, printed, at, scale=threshold * (1 + 1e-12))


def test_equal_sides_are_never_certified():
    half = Fraction(1, 2)
    with pytest.raises(Undecided, match="do not separate"):
        separate(lambda sp, x: sp.sqrt(x) ** 2, lambda sp, x: x, {"x": 0.3}, "==")
    assert separate(lambda sp: sp.Rational(half.numerator, 2), lambda sp: sp.Integer(1), {}, "==")


def test_sides_closer_than_floats_resolve_are_separated():
    tiny = sympy.Rational(1, 10**60)
    assert separate(lambda sp, x: sp.exp(x) + tiny, lambda sp, x: sp.exp(x), {"x": 0.3}).bits > 128


def test_an_attained_form_certifies_the_left_side():
    claim = bounds.get("olu.eq33")
    target = next(t for t in targets(claim) if t.form == "printed")
    point = {"D": 1.0, "beta": 1.0, "X": 1.0}
    assert target.attained == "corrected"
    assert certified(target, point)[0] is not None
    proof, why = certified(target, point, scale=1.5)  # sqrt 2 is missing
    assert proof is None
    assert "holds here" in why


def test_a_missing_extra_answers_in_one_line(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "flint", None)
    target = next(t for t in targets(bounds.get("olu.eq33")) if t.form == "printed")
    proof, why = certified(target, {"D": 1.0, "beta": 1.0, "X": 1.0})
    assert proof is None
    assert why == "python-flint is missing: pip install 'forgetproof[certify]'"
