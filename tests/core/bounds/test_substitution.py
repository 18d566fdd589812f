"""Expressions at numbers, and the sums and functions that the namespaces add to sympy."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from bounds.namespaces import numeric, precise
from bounds.namespaces.free import substitute
from bounds.namespaces.special import Greatest, Least, homogeneous, pochhammer
from bounds.namespaces.symbolic import Symbolic
from bounds.symbols import Symbol

xp = Symbolic()
halves = st.sampled_from([0.25, 0.5, 0.75, 1.0, 1.5])
i, j, k = sp.symbols("i j k", integer=True)
x, n = sp.Symbol("x", real=True), sp.Symbol("n", integer=True)
a = sp.IndexedBase("a", real=True)
SYMBOLS = {
    "x": Symbol("x", "a number", "x"),
    "n": Symbol("n", "a count", "n", kind="integer"),
    "a": Symbol("a", "numbers", "a", kind="list"),
    "h": Symbol("h", "hits", "h", kind="hits"),
}
ENTRIES = [3.0, 1.0, 4.0]


def back(expression, **inputs):
    arrays = {"a": np.asarray(ENTRIES), "x": 0.5, "n": 3.0, "h": {1: 2}} | inputs
    return float(substitute(expression, SYMBOLS, arrays))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (sp.Sum(x**i, (i, 0, n)), 1.875),
        (sp.Sum(x**i, (i, 2, 1)), 0),
        (sp.Sum(x**i, (i, 3, 1)), 0),
        (sp.Sum(sp.Sum(x**j, (j, 0, i)), (i, 0, n)), 1 + 1.5 + 1.75 + 1.875),
        (sp.Sum(a[i] * sp.Product(a[j], (j, i + 1, k)), (i, 1, k)), 12 + 4 + 4),
        (Greatest(a[i] - i, (i, sp.Integer(1), k)), 2),
        (Least(a[i] - i, (i, sp.Integer(1), k)), -1),
        (sp.Sum(sp.IndexedBase("h")[j] * j, (j, 0, n - 1)), 2),
        (homogeneous(n, x, 1, 1), 0.125 + 2 * 0.25 + 3 * 0.5 + 4),
        (pochhammer(x, sp.Rational(1, 2)), 0.2887880950866024),
        (xp.gamma_above(1, x), 0.6065306597126334),
        (xp.student(n, x), 0.6742760175759245),
        (sp.Piecewise((1 / (x - sp.Rational(1, 2)), sp.Ne(2 * x, 1)), (7, True)), 7),
    ],
    ids=[
        "sum",
        "empty sum",
        "sum that ends early",
        "nested sum",
        "product in a sum",
        "greatest",
        "least",
        "hits",
        "monomials",
        "infinite product",
        "gamma",
        "student",
        "cases",
    ],
)
def test_what_is_substituted(expression, value):
    assert back(expression) == pytest.approx(value, rel=1e-15)


@given(st.integers(-1, 12), st.lists(halves, min_size=2, max_size=4))
def test_monomials_in_all_three_namespaces(n, values):
    with mp.workdps(60):
        exact = precise.homogeneous(n, *map(mp.mpf, values))
    assert float(numeric.homogeneous(n, *values)) == pytest.approx(float(exact), rel=1e-12)
    rationals = [sp.Rational(v) for v in values]
    assert sp.N(xp.homogeneous(sp.Integer(n), *rationals), 30) == pytest.approx(exact, rel=1e-25)


def test_monomials_in_free_symbols_are_a_quotient_where_they_differ():
    y = sp.Symbol("y", real=True)
    found = xp.homogeneous(n - 1, x, y)
    assert sp.simplify(found.args[0][0] - (x**n - y**n) / (x - y)) == 0
    assert found.subs(y, x).doit() == n * x ** (n - 1)
