"""Orbits x_1 = x, x_{i+1} = step(x_i), in plans of requests; least whole numbers."""

import numpy as np
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from bounds.namespaces import numeric, precise
from bounds.namespaces.special import Iterated


def test_the_state_is_bound():
    i, z, n = sp.Symbol("i", integer=True), sp.Symbol("z"), sp.Symbol("n", integer=True)
    entry = Iterated(z + i, i, z, z, n)
    assert entry.free_symbols == {z, n}
    assert entry.xreplace({n: sp.Integer(4)}).doit() == z + 6
    assert "mapsto" in sp.latex(entry)


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
