"""Questions to formulas: known answers, wrong ones refused, and what every answer promises."""

import math

import pytest
import sympy as sp
from mpmath import mp

import bounds
from bounds import algebra
from bounds.algebra.cases import Case, cases, generic, possible
from bounds.algebra.direction import _sign
from bounds.algebra.growth import UnknownGrowth, leading
from bounds.algebra.isolate import isolate
from bounds.algebra.points import close, points
from bounds.algebra.questions import answered

x, y, c = sp.symbols("x y c", positive=True)
V = sp.Symbol("value", positive=True)
LEMMA = bounds.get("sglu.lem3.4")
THEOREM = bounds.get("sglu.thm3.2")


def number(expression, **values):
    found = expression.subs({s: values[str(s)] for s in expression.free_symbols})
    return mp.mpmathify(sp.N(found, 30))


@pytest.mark.parametrize(
    ("expression", "root"),
    [
        (y * x**2 + 3, sp.sqrt((V - 3) / y)),
        (y * c ** (2 * x), sp.log(V / y) / (2 * sp.log(c))),
        (y * c ** (2 * x) / (1 - c ** (2 * x)), sp.log(V / (y + V)) / (2 * sp.log(c))),
        (x + sp.sqrt(x), (sp.sqrt(1 + 4 * V) / 2 - sp.Rational(1, 2)) ** 2),
        (sp.log(1 + y / x), y / (sp.exp(V) - 1)),
        (sp.sqrt(x + y) - x, None),
    ],
    ids=["power", "exponent", "both", "half", "logarithm", "radical"],
)
def test_isolating(expression, root):
    found = isolate(expression, V, x)
    at = {"y": sp.Rational(3), "c": sp.Rational(1, 2), "x": sp.Rational(1, 3)}
    value = number(expression, **at)
    values = [complex(number(f, **at, value=value)) for f in found]
    assert any(abs(v - 1 / 3) < 1e-12 for v in values)
    if root is not None:
        assert abs(complex(number(root, **at, value=value)) - 1 / 3) < 1e-12


def test_nothing_is_isolated_where_there_is_no_closed_form():
    assert isolate(x + sp.exp(x), V, x) == []
    assert isolate(c**x + y**x, V, x) == []


@pytest.mark.parametrize(
    ("expression", "size"),
    [
        (3 * x**2 + x, (2, 0)),
        (sp.log(x) + 5, (0, 1)),
        (sp.sqrt(x) * sp.log(1 + x**2), (0.5, 1)),
        (y + c**x, (0, 0)),
        (sp.harmonic(x), (0, 1)),
        ((x + 1) / (x**2 + y), (-1, 0)),
    ],
    ids=["polynomial", "log", "product", "decay", "harmonic", "quotient"],
)
def test_growth(expression, size):
    term = leading(expression, x, frozenset({c}))
    assert term.size == size
    far = mp.mpf(10) ** 60
    ratio = number(expression / term.expression(x), x=far, y=3, c=sp.Rational(1, 2))
    assert abs(ratio - 1) < 0.05


@pytest.mark.parametrize("expression", [2**x, x - sp.log(sp.exp(x)) + sp.sin(x), x**y])
def test_no_growth_is_claimed_where_it_is_unknown(expression):
    with pytest.raises(UnknownGrowth):
        leading(expression, x, frozenset()).size  # noqa: B018


def test_cases_are_all_of_them():
    rows = cases(sp.Min(x, y) + sp.Abs(x - 2))
    assert len(rows) == 4
    at = {x: sp.Rational(5), y: sp.Rational(3)}
    (held,) = [r for r in rows if all(w.subs(at) == True for w in r.where)]  # noqa: E712
    assert held.expression.subs(at) == 6


def test_cases_that_cannot_occur_are_no_answers():
    least = sp.Min(x, y)
    rows = [Case(x, (x <= y, sp.true)), Case(y, (x > y, sp.false)), Case(y, (x <= y, x > y))]
    assert possible(rows) == [Case(x, (x <= y,))]
    assert len(possible(cases(least))) == 2
    twice = sp.Piecewise((x, x < y), (y, True)) + sp.Piecewise((1, x < y), (2, True))
    assert len(cases(twice)) == 4
    assert len(possible(cases(twice))) == 2


def test_null_branches_are_left_out():
    gap = sp.Piecewise((1 / (1 - c), sp.Ne(c, 1)), (x, True))
    assert generic(gap) == 1 / (1 - c)


def test_lemma_3_4_is_solved_for_every_argument():
    form = LEMMA["tight"]
    for name in ("alpha", "Z", "s2", "K"):
        (answer,) = algebra.solve(form, name)
        assert answer.kind == "closed"
        for point in points(form, 6):
            found = point.at(answer.expression, value=point.value)
            assert close(found, mp.mpf(float(point.inputs[name])), 1e-9)


def test_what_lemma_3_4_loses():
    (answer,) = algebra.ratio(LEMMA["printed"], LEMMA["tight"])
    c, K = (next(s for s in answer.expression.free_symbols if str(s) == n) for n in "cK")
    assert sp.simplify(answer.expression - (1 - c ** (2 * K)) / (1 - c**2)) == 0


def test_theorem_3_2_has_branches_that_are_named():
    answers = algebra.solve(THEOREM["printed"], "sigma")
    assert [a.kind for a in answers] == ["closed on a branch"] * 2
    assert all(a.where for a in answers)


def test_limits_of_cases_are_not_taken_from_one_branch():
    (answer,) = algebra.limit(LEMMA["tight"], "K", math.inf)
    assert answer.expression == 0
    for answer in algebra.limit(THEOREM["corrected"], "T", math.inf):
        assert answer.points
        assert "T" not in map(str, answer.expression.free_symbols)


def test_directions_are_proved_or_said_to_be_sampled():
    proved = algebra.direction(LEMMA["tight"], "K")
    assert (proved.kind, proved.words) == ("closed", "decreasing in K")
    sampled = algebra.direction(THEOREM["printed"], "alpha")
    assert (sampled.kind, sampled.words) == ("numeric", "neither in alpha")


def test_elasticity_of_a_square_is_two():
    (answer,) = algebra.elasticity(LEMMA["tight"], "Z")
    assert sp.simplify(answer.expression - 2) == 0


def test_a_wrong_answer_is_never_given():
    form = LEMMA["tight"]
    near = lambda case: [r * (1 + sp.Rational(1, 10**6)) for r in isolate(case.expression, V, K)]  # noqa: E731
    K = next(s for s in generic(form.symbolic()).free_symbols if str(s) == "K")
    right = lambda point, root: close(  # noqa: E731
        point.at(root, value=point.value), mp.mpf(float(point.inputs["K"])), 1e-9
    )
    (answer,) = answered(form, "K", near, right, "none")
    assert (answer.kind, answer.expression) == ("numeric", None)


def test_a_root_by_bisection():
    inputs = {"alpha": 2, "Z": 1, "s2": 1, "c": 0.9}
    found = algebra.root(LEMMA["tight"], "K", 1e-3, inputs)
    (closed,) = algebra.solve(LEMMA["tight"], "K")
    exact = number(closed.expression, **inputs, value=sp.Rational(1, 1000))
    assert float(found) == pytest.approx(float(exact), rel=1e-9)
    with pytest.raises(ValueError, match="K must let"):
        algebra.root(LEMMA["tight"], "K", -1.0, inputs)


@pytest.mark.parametrize("style", ["text", "latex", "unicode", "python"])
def test_styles(style):
    shown = algebra.shown(THEOREM["printed"].symbolic(), THEOREM, style)
    if style == "latex":
        assert r"\sigma" in shown
        assert r"c = 1 - \eta m" in shown
    if style == "python":
        values = {"alpha": 2, "eta": 0.1, "m": 1, "M": 1, "sigma": 1, "R": 1, "b": 1, "J": 2}
        values |= {"T": 3, "K": 2}
        assert eval(shown, {"math": math}, values) == pytest.approx(
            float(THEOREM["printed"](**values)), rel=1e-12
        )


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: algebra.solve(LEMMA["tight"], "nope"), "symbol must be one of alpha"),
        (lambda: algebra.solve(THEOREM["tight"], "K"), "no expression: the number of epochs"),
    ],
    ids=["no such symbol", "an algorithm"],
)
def test_refusals(ask, message):
    with pytest.raises(ValueError, match=message):
        ask()


def test_forms_are_compared_where_each_has_an_argument_of_its_own():
    claim = bounds.get("hf.eq53")
    (answer,) = algebra.ratio(claim["printed"], claim["tight"])
    assert (answer.kind, str(answer.expression)) == ("closed", "4*M**2/L**2")


def test_a_power_whose_exponent_has_no_sign_has_none_either():
    """c^(K-1) is 1 at K = 1, below it for larger K and above it for smaller."""
    c, K = sp.symbols("c K", positive=True)
    signs = [_sign(1 - c**e, frozenset({c})) for e in (K, -K, K - 1)]
    assert signs == [1, -1, None]
