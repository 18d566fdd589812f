"""Complete homogeneous polynomials against their definition, exactly, and at any degree."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.homogeneous import h2, h2_of_any_sign, log_h

numbers = st.one_of(st.sampled_from([0.0, 0.5, 1.0, 2.0]), st.floats(0.01, 1.5))


def by_definition(values, degree):
    """The sum of all monomials, in fractions, by one variable after the other."""
    found = [Fraction(1)] + [Fraction(0)] * degree
    for value in values:
        for k in range(1, degree + 1):
            found[k] += found[k - 1] * Fraction(value)
    return float(found[degree])


def value(xs, degree):
    with np.errstate(divide="ignore"):
        return math.exp(log_h([float(np.log(x)) for x in xs], degree))


@given(st.lists(numbers, min_size=2, max_size=5), st.integers(0, 30))
def test_against_the_definition(xs, degree):
    assert value(xs, degree) == pytest.approx(by_definition(xs, degree), rel=1e-12, abs=1e-300)


@given(numbers, numbers, st.integers(0, 60))
def test_two_variables(x, y, degree):
    assert value([x, y], degree) == pytest.approx(float(h2(x, y, degree)), rel=1e-12, abs=1e-300)


@given(numbers, numbers, st.booleans(), st.booleans(), st.integers(-1, 9))
def test_two_variables_of_any_sign(x, y, first, second, degree):
    """Exactly, also where the two cancel: (x + y) times a sum of squares."""
    x, y = -x if first else x, -y if second else y
    terms = (Fraction(x) ** (degree - k) * Fraction(y) ** k for k in range(degree + 1))
    found = float(h2_of_any_sign(x, y, degree))
    assert found == pytest.approx(float(sum(terms)), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("degree", [10**3, 10**6, 10**9, 10**15])
def test_a_large_degree_costs_no_more(degree):
    """h_n(1, ..., 1) counts monomials, and for x < 1 the sum has a limit."""
    assert value([1.0, 1.0, 1.0], degree) == pytest.approx((degree + 1) * (degree + 2) / 2)
    small = [0.5, 0.25, 1.0]
    exact = 1 / (0.5 * 0.75) - math.exp(degree * math.log(0.5))
    assert value(small, degree) == pytest.approx(exact, rel=1e-9)
