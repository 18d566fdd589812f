"""Discrete divergences: Fractions against floats, and the lemmas they exist to test."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from simulators.exact import discrete, shifted
from tests.examples import examples


def laws(seed, count, size):
    return np.random.default_rng(seed).dirichlet(np.ones(size), count)


def rational(seed, size, low=0):
    parts = [int(x) for x in np.random.default_rng(seed).integers(low, 9, size)]
    parts[0] += 1
    return [Fraction(x, sum(parts)) for x in parts]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(2, 6))
def test_fractions_and_floats_agree(seed, size, alpha):
    p, q = rational(seed, size), rational(seed + 1, size, low=1)
    power = discrete.power_sum(p, q, alpha)
    assert discrete.renyi(np.array(p, float), np.array(q, float), alpha) == pytest.approx(
        math.log(power) / (alpha - 1), rel=1e-10, abs=1e-12
    )
    delta = discrete.hockey_stick_exact(p, q, Fraction(3, 2))
    assert discrete.hockey_stick(
        np.array(p, float), np.array(q, float), math.log(1.5)
    ) == pytest.approx(float(delta), abs=1e-14)


def test_renyi_limits_and_support():
    p, q = np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.5, 0.25])
    assert discrete.renyi(p, q, 1.0) == pytest.approx(0.5 * math.log(2), rel=1e-15)
    assert discrete.renyi(p, q, math.inf) == pytest.approx(math.log(2), rel=1e-15)
    assert discrete.renyi(p, q, 2.0) == pytest.approx(math.log(1.5), rel=1e-14)
    assert discrete.renyi(q, p, 2.0) == math.inf
    rare, rarer = np.array([1 - 1e-3, 1e-3]), np.array([1 - 1e-6, 1e-6])
    direct = math.log(np.sum(rare**1.3 * rarer**-0.3)) / 0.3
    assert 0 < direct < 0.1
    assert discrete.renyi(rare, rarer, 1.3) == pytest.approx(direct, rel=1e-12)
    assert discrete.renyi(p, q, 1 + 1e-13) == pytest.approx(0.5 * math.log(2), rel=1e-12)


@examples(60, full=200)
@given(st.integers(0, 10**6), st.integers(2, 8), st.floats(1.05, 8), st.floats(1.05, 8))
def test_weak_triangle_inequality(seed, size, alpha, p):
    """sglu Prop. D.3 on random triples."""
    first, middle, last = laws(seed, 3, size)
    right = (alpha - 1 / p) / (alpha - 1) * discrete.renyi(first, middle, p * alpha)
    right += discrete.renyi(middle, last, (p * alpha - 1) / (p - 1))
    assert discrete.renyi(first, last, alpha) <= right * (1 + 1e-12) + 1e-12


@examples(40, full=100)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 4), st.floats(1.05, 8))
def test_joint_convexity_of_the_exponential(seed, size, count, alpha):
    """sglu Lemma G.1 and the same for the hockey-stick divergence."""
    p, q = laws(seed, count, size), laws(seed + 1, count, size)
    mix = laws(seed + 2, 1, count)[0]
    left = math.exp((alpha - 1) * discrete.renyi(mix @ p, mix @ q, alpha))
    parts = [math.exp((alpha - 1) * discrete.renyi(a, b, alpha)) for a, b in zip(p, q, strict=True)]
    assert left <= float(mix @ parts) * (1 + 1e-11)
    deltas = [discrete.hockey_stick(a, b, 0.3) for a, b in zip(p, q, strict=True)]
    assert discrete.hockey_stick(mix @ p, mix @ q, 0.3) <= float(mix @ deltas) + 1e-14


@examples(25, full=60)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6))
def test_winf_is_the_least_shift_that_orders_the_cdfs(seed, n, k):
    rng = np.random.default_rng(seed)
    x = [Fraction(int(v), 7) for v in np.sort(rng.choice(60, n, replace=False))]
    y = [Fraction(int(v), 7) for v in np.sort(rng.choice(60, k, replace=False))]
    p, q = rational(seed, n), rational(seed + 1, k)

    def feasible(z):
        def cdf(points, law, at):
            return sum((w for v, w in zip(points, law, strict=True) if v <= at), Fraction(0))

        return all(
            cdf(x, p, v) <= cdf(y, q, v + z) and cdf(y, q, v) <= cdf(x, p, v + z) for v in x + y
        )

    distance = discrete.winf(x, p, y, q)
    distances = sorted({abs(a - b) for a in x for b in y})
    assert distance == next(z for z in distances if feasible(z))
    floats = [[float(v) for v in part] for part in (x, p, y, q)]
    assert discrete.winf(*floats) == pytest.approx(float(distance), rel=1e-15)


@examples(25, full=60)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6), st.integers(0, 20))
def test_shifted_law_minimises_every_hockey_stick(seed, n, k, reach):
    """The taut string against a linear programme over transport plans of range <= z."""
    rng = np.random.default_rng(seed)
    x = [Fraction(int(v)) for v in np.sort(rng.choice(25, n, replace=False))]
    y = [Fraction(int(v)) for v in np.sort(rng.choice(25, k, replace=False))]
    p, q = rational(seed, n), rational(seed + 1, k, low=1)
    law = shifted.shifted_law(x, p, y, q, Fraction(reach))
    moves = [(i, j) for i in range(n) for j in range(k) if abs(x[i] - y[j]) <= reach]
    served = np.zeros((n, len(moves) + k))
    for column, (i, _) in enumerate(moves):
        served[i, column] = 1
    reached = [i for i in range(n) if p[i] > 0]
    for factor in (Fraction(1), Fraction(3, 2), Fraction(1, 2), Fraction(4)):
        excess = np.zeros((k, len(moves) + k))
        for column, (_, j) in enumerate(moves):
            excess[j, column] = 1
        excess[np.arange(k), len(moves) + np.arange(k)] = -1
        cost = np.concatenate((np.zeros(len(moves)), np.ones(k)))
        best = linprog(
            cost,
            A_ub=excess,
            b_ub=[float(factor * w) for w in q],
            A_eq=served[reached],
            b_eq=[float(p[i]) for i in reached],
        )
        if law is None:
            assert not best.success
        else:
            assert sum(law) == 1
            value = discrete.hockey_stick_exact(law, q, factor)
            assert float(value) == pytest.approx(best.fun, abs=1e-9)
    if law is not None:
        assert discrete.winf(x, p, y, law) <= reach


def test_shifted_divergence_falls_from_the_divergence_to_zero():
    points = [Fraction(i) for i in range(6)]
    p, q = rational(3, 6, low=1), rational(4, 6, low=1)
    powers = [
        discrete.power_sum(shifted.shifted_law(points, p, points, q, Fraction(z)), q, 3)
        for z in range(6)
    ]
    assert powers[0] == discrete.power_sum(p, q, 3)
    assert all(a >= b for a, b in itertools.pairwise(powers))
    enough = discrete.winf(points, p, points, q)
    assert powers[int(enough)] == 1


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: discrete.renyi([0.5, 0.4], [0.5, 0.5], 2), "p must"),
        (lambda: discrete.renyi([0.5, 0.5], [1.0], 2), "shape"),
        (lambda: discrete.renyi([0.5, 0.5], [0.5, 0.5], 0.5), "alpha"),
        (lambda: discrete.power_sum([Fraction(1)], [Fraction(1, 2)], 2), "q must"),
        (lambda: discrete.power_sum([Fraction(1)], [1.0], 2), "q must"),
        (lambda: discrete.winf([1, 0], [0.5, 0.5], [0], [1.0]), "points_p"),
        (lambda: discrete.winf([0], [1.0], [0], [0.9]), "q must"),
        (lambda: discrete.winf([0], [1], ["0"], [1]), "points_q"),
        (lambda: discrete.hockey_stick_exact([Fraction(1)], [Fraction(1)], -1), "factor"),
        (lambda: shifted.shifted_law([0], [1], [0], [1], -1), "distance"),
        (lambda: shifted.shifted_law([0], [1], [0], [1], None), "distance"),
        (lambda: shifted.shifted_law([0], [1], [0, 1], [1, 0], 1), "q must"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()
