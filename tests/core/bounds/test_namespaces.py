"""The namespaces of formulas agree name by name: floats, many digits, symbols."""

import inspect
from itertools import product

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from bounds import namespaces
from bounds.interpretations import Interpretation
from bounds.namespaces import numeric, precise
from bounds.namespaces.free import substitute
from bounds.namespaces.symbolic import Symbolic
from bounds.statements import Statement
from bounds.symbols import Symbol
from bounds.units.equations import Equations
from bounds.units.namespace import Dimensions

DIGITS = 30


def _real(name, low, high, **options):
    return Symbol(name, "a number", name, low=low, high=high, **options)


def _whole(name, low, high, **options):
    return Symbol(name, "a count", name, low=low, high=high, kind="integer", **options)


x, y, z = _real("x", -3, 3), _real("y", -3, 3), _real("z", -3, 3)
near, gap = _real("x", -0.9, 2), _real("gap", 0, 1)
above, size = _real("x", 0.125, 40), _real("x", 0, 40)
N = _whole("N", 0, np.inf, infinite=True)
n = _whole("n", 0, 9)
values = Symbol("values", "numbers", "v", kind="list")
others = Symbol("others", "numbers", "u", kind="list")
hits = Symbol("hits", "hits", "h", kind="hits")
epsilon, mu = _real("epsilon", 0, 6), _real("mu", 0.25, 6)
delta = _real("delta", 2.0**-40, 0.75)

FORMULAS = {
    "inf": (lambda xp, x: xp.minimum(x, xp.inf), (x,)),
    "pi": (lambda xp, x: xp.pi * x, (x,)),
    "rational": (lambda xp, x: xp.rational(17, 10) * x + xp.rational(3), (x,)),
    "sqrt": (lambda xp, x: xp.sqrt(x), (size,)),
    "log": (lambda xp, x: xp.log(x), (above,)),
    "exp": (lambda xp, x: xp.exp(x), (x,)),
    "log1p": (lambda xp, x: xp.log1p(x), (near,)),
    "expm1": (lambda xp, x: xp.expm1(x), (x,)),
    "floor": (lambda xp, x: xp.floor(x), (x,)),
    "ceiling": (lambda xp, x: xp.ceiling(x), (x,)),
    "minimum": (lambda xp, x, y, z: xp.minimum(x, y, z), (x, y, z)),
    "maximum": (lambda xp, x, y, z: xp.maximum(x, y, z), (x, y, z)),
    "where": (lambda xp, x, y: xp.where((x < y) & (y > 0), lambda: x / y, y), (x, y)),
    "equal": (lambda xp, x, y: xp.where(xp.equal(x, y) | (x > 2), 1, x - y), (x, y)),
    "step": (lambda xp, x: xp.step(x), (x,)),
    "times": (lambda xp, x, y: xp.times(x, y), (x, y)),
    "decay": (lambda xp, gap, N: xp.decay(gap, N) + xp.decay(1 - gap, N, gap), (gap, N)),
    "geometric": (lambda xp, gap, N: xp.geometric(gap, N), (gap, N)),
    "spread": (lambda xp, gap, N: xp.spread(gap, N), (gap, N)),
    "first_whole": (lambda xp, x, y: xp.first_whole(x - y, lambda K: x - y <= K), (x, y)),
    "homogeneous": (
        lambda xp, n, x, y, z: xp.homogeneous(n, x, y, z),
        (n, _real("x", 0, 2), _real("y", 0, 2), _real("z", 0, 2)),
    ),
    "total": (lambda xp, x, n: xp.total(lambda i: x**i / i, 1, n), (x, n)),
    "product": (lambda xp, x, n: xp.product(lambda i: 1 + x / i, 1, n), (x, n)),
    "greatest": (lambda xp, x, n: xp.greatest(lambda i: abs(i - x), 0, n), (x, n)),
    "least": (lambda xp, x, n: xp.least(lambda i: abs(i - x), 0, n), (x, n)),
    "over": (
        lambda xp, values, others: xp.over(lambda i, a, b: i * a * b, values, others),
        (values, others),
    ),
    "log_sum_exp": (lambda xp, values: xp.log_sum_exp(lambda i, a: a / i, values), (values,)),
    "norm": (lambda xp, values: xp.norm(values), (values,)),
    "prefix": (lambda xp, values, n: xp.prefix(values, xp.minimum(n, 2)), (values, n)),
    "orbit": (
        lambda xp, x, values: xp.orbit(lambda i, a: a * x / i + values[i], 1)[xp.count(values) + 1],
        (x, values),
    ),
    "count": (lambda xp, values: xp.count(values) + values[1], (values,)),
    "over_hits": (
        lambda xp, hits, n: xp.over_hits(lambda j, size: j * size + size**2, hits, n),
        (hits, _whole("n", 4, 9)),
    ),
    "last_hit": (lambda xp, hits, n: xp.last_hit(hits, n), (hits, _whole("n", 4, 9))),
    "harmonic": (lambda xp, n: xp.harmonic(n), (n,)),
    "trigamma": (lambda xp, x: xp.trigamma(x), (above,)),
    "zeta": (lambda xp, x, y: xp.zeta(x, y), (_real("x", 1.25, 9), _real("y", 0.5, 9))),
    "binomial": (lambda xp, n, m: xp.binomial(n, m), (n, _whole("m", 0, 9))),
    "gamma": (lambda xp, x: xp.gamma(x), (above,)),
    "log_gamma": (lambda xp, x: xp.log_gamma(x), (_real("x", 3, 900),)),
    "erf": (lambda xp, x: xp.erf(x), (x,)),
    "erfc": (lambda xp, x: xp.erfc(x), (_real("x", -3, 20),)),
    "hyp1f1": (
        lambda xp, x, d: xp.hyp1f1(-xp.rational(1, 2), d / 2, -x),
        (size, _whole("d", 1, 30)),
    ),
    "softplus": (lambda xp, x: xp.softplus(x), (_real("x", -600, 800),)),
    "hypot": (lambda xp, x, y: xp.hypot(x, y), (x, y)),
    "gamma_ratio": (lambda xp, n: xp.gamma_ratio(n), (_whole("n", 1, 900),)),
    "gamma_above": (lambda xp, x, y: xp.gamma_above(x, y), (above, _real("y", 0, 40))),
    "pochhammer": (
        lambda xp, x, q: xp.pochhammer(x, q),
        (_real("x", 0, 0.875), _real("q", 0.125, 0.875)),
    ),
    "student": (lambda xp, d, x: xp.student(d, x), (_whole("d", 1, 30), x)),
    "Phi": (lambda xp, x: xp.Phi(x), (_real("x", -20, 9),)),
    "gaussian_delta": (lambda xp, epsilon, mu: xp.gaussian_delta(epsilon, mu), (epsilon, mu)),
    "mu_star": (
        lambda xp, epsilon, delta: xp.mu_star(epsilon, delta),
        (_real("epsilon", 0, 2000), delta),
    ),
}

CANCEL = {"orbit", "student", "total", "product", "over", "log_sum_exp", "equal", "rational"}
"""Sums of terms of both signs, of order 1."""


def _form(name):
    formula, symbols = FORMULAS[name]
    statement = Statement(
        "test.primitive",
        name,
        "definition",
        "",
        (Interpretation("literal", "", {"own": "=="}),),
        symbols=symbols,
    )
    return statement.form("own", tex=name)(formula)


FORMS = {name: _form(name) for name in FORMULAS}
EXPRESSIONS = {name: sp.sympify(form.symbolic()) for name, form in FORMS.items()}


def _number(symbol):
    ends = [e for e in (symbol.low, symbol.high) if np.isfinite(e)]
    if symbol.kind == "integer":
        between = st.integers(int(symbol.low), int(min(symbol.high, 40)))
        return st.sampled_from([*ends, np.inf] if symbol.infinite else ends) | between
    # Multiples of 2^-20: what is below them underflows in squares.
    coarse = st.floats(symbol.low, symbol.high).map(lambda v: round(v * 2**20) / 2**20)
    return st.sampled_from(ends) | coarse.map(lambda v: min(max(v, symbol.low), symbol.high))


def _drawn(symbol, length):
    if symbol.kind == "hits":
        return st.dictionaries(st.integers(0, 3), st.integers(1, 4), min_size=1)
    if symbol.kind == "list":
        return st.lists(_number(_real("entry", -3, 3)), min_size=length, max_size=length)
    return _number(symbol)


def _ends(symbol):
    if symbol.kind == "hits":
        return [{0: 1}]
    if symbol.kind == "list":
        return [[0.0, 2.0], [-3.0, 0.0]]
    return [symbol.low, symbol.high]


def _check(name, inputs):
    form = FORMS[name]
    validated = form.validate(inputs)
    exact = form.exact(DIGITS, **inputs)
    found = substitute(EXPRESSIONS[name], form.statement.symbols, validated, DIGITS)
    assert _near(found, exact), f"symbolic {mp.nstr(found, 25)}, precise {mp.nstr(exact, 25)}"
    shipped = float(form(**inputs))
    if mp.isinf(exact):
        assert shipped == exact
    else:
        slack = 1e-11 * abs(exact) + (1e-13 if name in CANCEL else 0)
        assert abs(shipped - exact) <= slack, f"numeric {shipped!r}, precise {mp.nstr(exact, 17)}"


def _near(found, exact):
    with mp.workdps(DIGITS):
        return found == exact or abs(found - exact) <= abs(exact) * mp.mpf(10) ** -25


@pytest.mark.parametrize("name", FORMULAS)
@settings(max_examples=settings.default.max_examples // 5)
@given(data=st.data())
def test_a_primitive_is_the_same_in_all_namespaces(name, data):
    length = data.draw(st.integers(2, 4))
    symbols = FORMS[name].statement.symbols.values()
    _check(name, {s.name: data.draw(_drawn(s, length), label=s.name) for s in symbols})


@pytest.mark.parametrize("name", FORMULAS)
def test_a_primitive_is_the_same_at_the_ends_of_its_ranges(name):
    symbols = FORMS[name].statement.symbols
    for corner in product(*map(_ends, symbols.values())):
        _check(name, dict(zip(symbols, corner, strict=True)))


UNITS = Dimensions(Equations())


def test_every_name_is_described_tried_and_in_all_namespaces():
    own = {name for name in vars(Symbolic) if not name.startswith("_")}
    assert own == FORMULAS.keys()
    for name in own:
        assert hasattr(numeric, name), name
        assert hasattr(precise, name), name
        assert hasattr(UNITS, name), name
        assert f" {name}" in inspect.getdoc(namespaces), name


@pytest.mark.parametrize("xp", [numeric, precise, Symbolic()], ids=["floats", "digits", "symbols"])
def test_a_branch_that_is_not_taken_is_not_evaluated(xp):
    assert xp.where(xp.equal(sp.Integer(0), 0), 7, lambda: 1 // 0) == 7


def test_sums_within_sums_do_not_share_an_index():
    def formula(xp, values):
        mean = xp.prefix(values, xp.count(values)) / xp.count(values)
        return xp.over(lambda _, v: abs(v - mean), values)

    form = Statement(
        "test.spread",
        "spread",
        "definition",
        "",
        (Interpretation("literal", "", {"own": "=="}),),
        symbols=(values,),
    ).form("own", tex="")(formula)
    inputs = {"values": [1.0, 2.0, 6.0]}
    back = substitute(form.symbolic(), form.statement.symbols, form.validate(inputs))
    assert back == form.exact(**inputs) == 6
