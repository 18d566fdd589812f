"""Orbits x_1 = x, x_{i+1} = step(x_i), and least whole numbers: three namespaces, one answer."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

import bounds
from bounds.bodies import numeric, precise
from bounds.bodies.free import put_back
from bounds.bodies.special import Iterated
from bounds.bodies.symbolic import Symbolic
from bounds.draws import admissible

PLANS = [
    ("sglu.alg6", "corrected"),
    ("sglu.alg6", "tight"),
    ("sglu.sec4.10pct2pct", "stored"),
    ("sglu.sec4.atmost15", "stored"),
]


def summed(ns, x, n):
    """The sum of the first n entries of z -> z/2 + 1/(1 + z) from x."""
    entries = ns.orbit(lambda z: z / 2 + 1 / (1 + z), x)
    return ns.total(lambda i: entries[i], 1, n)


def by_hand(x, n):
    total = 0.0
    for _ in range(n):
        total, x = total + x, x / 2 + 1 / (1 + x)
    return total


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.floats(0.0, 9.0), st.integers(0, 12))
def test_an_orbit_is_the_same_in_floats_digits_and_symbols(x, n):
    expected = pytest.approx(by_hand(x, n), rel=1e-13)
    assert float(summed(numeric, np.asarray(x), n)) == expected
    assert float(summed(precise, mp.mpf(x), n)) == expected
    start, count = sp.Symbol("x"), sp.Symbol("n", integer=True)
    expression = summed(Symbolic({"x", "n"}), start, count)
    assert expression.free_symbols == {start, count}
    at_n = expression.subs(count, n).doit()
    assert float(at_n.subs(start, sp.Rational(x))) == expected


def test_the_state_is_bound():
    z, n = sp.Symbol("z"), sp.Symbol("n", integer=True)
    entry = Iterated(z + 1, z, z, n)
    assert entry.free_symbols == {z, n}
    assert entry.xreplace({n: sp.Integer(4)}).doit() == z + 3
    assert "mapsto" in sp.latex(entry)


@pytest.mark.parametrize(("id", "name"), PLANS)
def test_plans_of_requests_are_put_back(id, name):
    statement = bounds.get(id)
    form = statement[name]
    expression, rng = form.symbolic(), np.random.default_rng(4)
    assert expression.has(Iterated)
    for _ in range(3):
        inputs = {**admissible(statement, form, rng), "S": 5}
        found = put_back(expression, statement.symbols, form.validate(inputs))
        assert found == form.exact(**inputs) == float(form(**inputs))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 10**6), st.integers(-3, 3))
def test_roundings_do_not_move_the_least_whole_number(K, ulps):
    """The guess is some roundings from a whole number: what is asked for decides."""
    guess = K + ulps * np.spacing(float(K))
    assert numeric.first_whole(guess, lambda k: k >= K) == K


def test_the_least_whole_number_is_at_least_one():
    for x in (-np.inf, -2.0, 0.0, np.nan):
        assert numeric.first_whole(x, lambda k: k >= 0) == 1
        assert precise.first_whole(mp.mpf(x), lambda k: k >= 0) == 1
