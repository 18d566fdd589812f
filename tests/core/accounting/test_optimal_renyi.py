"""The conversion that is optimal for a linear Renyi curve, against searches of other kinds."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize_scalar

from accounting import (
    RenyiCurve,
    delta_optimal,
    epsilon_cks,
    epsilon_gaussian,
    epsilon_mironov,
    epsilon_optimal,
    log_delta_optimal,
    rho_optimal,
    to_epsilon,
)
from accounting.renyi.linear import cks_least
from accounting.renyi.optimal import symmetric_law
from accounting.renyi.two_point_laws import (
    _searched,
    _settled,
    best_laws,
    certified_epsilon,
    laws_at,
)
from tests.examples import examples

RHOS = st.floats(-10, 4).map(lambda x: 10**x)
DELTAS = st.floats(-250, -0.01).map(lambda x: 10**x)
# The gain over the older conversions is at deltas of the order of sqrt(rho).
NEAR = st.tuples(RHOS, st.floats(0.01, 0.99)).map(
    lambda t: (t[0], t[1] * float(delta_optimal(t[0], 0.0)))
)
PAIRS = st.one_of(st.tuples(RHOS, DELTAS), NEAR)


def worst_two_point_laws(rho, delta):
    """log p, log(1-p), log q, log(1-q) of the two-point laws that attain epsilon_optimal."""
    with np.errstate(all="ignore"):
        spread, edge = symmetric_law(np.array([rho]))
        if -math.log(delta) <= edge[0]:
            tails, heads = -np.logaddexp(0, -spread), -np.logaddexp(0, spread)
            return float(heads[0]), float(tails[0]), float(tails[0]), float(heads[0])
        r, log = np.array([rho]), np.array([-math.log(delta)])
        q = best_laws(r, log, np.log(spread) + 0.5, np.log(cks_least(r, log)[1]))
        rest = np.log(-np.expm1(q.log_p))
        found = q.log_p, rest, q.log_p + q.d - q.x, rest - q.x
    return tuple(float(part[0]) for part in found)


def best_order(rho, delta):
    """The best alpha - 1, as an array of one entry."""
    with np.errstate(all="ignore"):
        r, log = np.array([rho]), np.array([-math.log(delta)])
        top = np.log(symmetric_law(r)[0]) + 0.5
        return best_laws(r, log, top, np.log(cks_least(r, log)[1])).u


def test_newtons_steps_find_what_the_search_finds():
    """The order and the law together; where they do not settle, the search is returned."""
    rho, delta = np.meshgrid(np.geomspace(1e-6, 300, 40), [1e-200, 1e-5, 1e-3, 0.05, 0.4])
    r, log = rho.ravel(), -np.log(delta.ravel())
    with np.errstate(all="ignore"):
        spread, edge = symmetric_law(r)
        r, log, top = (x[log > edge] for x in (r, log, np.log(spread) + 0.5))
        found = best_laws(r, log, top, np.log(cks_least(r, log)[1]))
        sought = _searched(r, log, top)
        lost = _settled(r, log, top, np.log(cks_least(r, log)[1]))[2]
        same = certified_epsilon(found, log) / certified_epsilon(sought, log)
    np.testing.assert_allclose(same, 1, rtol=1e-12)
    assert 0 < lost.size < r.size / 20


@pytest.mark.parametrize("epsilon", [0.5, 5.0, 20.0, 300.0])
def test_few_laws_are_tried_also_where_their_odds_are_hardly_floats(monkeypatch, epsilon):
    tried = []

    def counted(*given):
        tried.append(given)
        return laws_at(*given)

    monkeypatch.setattr("accounting.renyi.two_point_laws.laws_at", counted)
    found = log_delta_optimal(0.1, epsilon)
    assert epsilon_optimal(0.1, log_delta=found) == pytest.approx(epsilon, rel=1e-9)
    assert len(tried) < 150


def renyi(alpha, p0, p1, q0, q1):
    """D_alpha of (q, 1-q) from (p, 1-p), from logarithms and without cancellation at alpha = 1."""
    with mp.workdps(40):
        a = mp.mpf(float(alpha))
        p = mp.exp(mp.mpf(p0))
        q = mp.exp(mp.mpf(q0))
        # p and q are rounded where their complements are small, and the other way round.
        rest_p, rest_q = mp.exp(mp.mpf(p1)), mp.exp(mp.mpf(q1))
        p, q = (1 - rest_p if p > 0.5 else p), (1 - rest_q if q > 0.5 else q)
        total = q**a * p ** (1 - a) + (1 - q) ** a * (1 - p) ** (1 - a)
        return mp.log(total) / (a - 1)


@given(PAIRS)
def test_between_gaussian_and_cks(pair):
    rho, delta = pair
    gaussian, optimal = epsilon_gaussian(rho, delta), epsilon_optimal(rho, delta)
    cks = epsilon_cks(rho, delta)
    assert gaussian <= optimal <= cks * (1 + 4e-12)
    assert cks <= epsilon_mironov(rho, delta)


@examples(12, full=25)
@given(st.floats(-5, 2.5).map(lambda x: 10**x), st.floats(-12, -0.02).map(lambda x: 10**x))
def test_the_worst_laws_belong_to_the_class_and_attain_epsilon(rho, delta):
    epsilon = float(epsilon_optimal(rho, delta))
    if epsilon == 0:
        assert delta >= delta_optimal(rho, 0.0) * (1 - 1e-12)
        return
    p0, p1, q0, q1 = worst_two_point_laws(rho, delta)
    attained = math.log(math.exp(q0) - delta) - p0
    assert attained == pytest.approx(epsilon, abs=1e-6 * (1 + epsilon))
    for alpha in 1 + np.geomspace(1e-6, 1e6, 121):
        assert renyi(alpha, p0, p1, q0, q1) <= alpha * rho * (1 + 1e-6)
        assert renyi(alpha, q0, q1, p0, p1) <= alpha * rho * (1 + 1e-6)


def largest_q(p, rho):
    """The largest q such that (p, q) satisfies all constraints both ways, by search."""

    def slack(q, u):
        found = []
        for x, y in ((p, q), (q, p)):
            head, tail = math.log(y / x), math.log1p(-y) - math.log1p(-x)
            if u == 0:
                found.append(y * head + (1 - y) * tail - rho)
            else:
                power = y * math.expm1(u * head) + (1 - y) * math.expm1(u * tail)
                found.append((power - math.expm1(u * (1 + u) * rho)) / u)
        return max(found)

    def most(u):
        low, high = p, 1 - 1e-15
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if slack(middle, u) > 0 else (middle, high)
        return low

    grid = np.concatenate(([0.0], np.geomspace(1e-3, math.sqrt(40 / rho), 30)))
    values = [most(u) for u in grid]
    i = int(np.argmin(values))
    bounds = (grid[max(i - 1, 0)], grid[min(i + 1, 30)])
    found = minimize_scalar(most, bounds=bounds, method="bounded", options={"xatol": 1e-6})
    return min(values[i], found.fun)


@pytest.mark.parametrize(
    ("rho", "epsilon"), [(0.1, 0.5), (0.5, 0.3), (0.5, 2.0), (2.0, 0.2), (2.0, 1.5)]
)
def test_delta_against_a_search_over_two_point_laws(rho, epsilon):
    def loss(log_p):
        return math.exp(epsilon + log_p) - largest_q(math.exp(log_p), rho)

    grid = np.linspace(-8, math.log(0.7), 20)
    i = int(np.argmin([loss(v) for v in grid]))
    bounds = (grid[i - 1], grid[i + 1])
    found = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-9})
    assert delta_optimal(rho, epsilon) == pytest.approx(-found.fun, rel=1e-8)


@pytest.mark.parametrize(
    ("rho", "epsilon"), [(0.02, 0.1), (0.1, 0.5), (0.5, 0.0), (0.5, 1.0), (1.0, 2.5)]
)
def test_delta_against_a_linear_program_over_likelihood_ratios(rho, epsilon):
    """Laws on 303 ratios instead of two; the best order is among those imposed."""
    delta = float(delta_optimal(rho, epsilon))
    p0, p1, q0, q1 = worst_two_point_laws(rho, delta)
    ratios = np.exp(
        np.concatenate((6 * math.sqrt(rho) * np.linspace(-1, 1, 301), [q0 - p0, q1 - p1]))
    )
    orders = 1 + np.concatenate(
        (np.geomspace(1e-4, 4 / math.sqrt(rho), 60), best_order(rho, delta))
    )
    rows = [ratios**s / np.exp(a * (a - 1) * rho) for a in orders for s in (a, 1 - a)]
    rows += [ratios * np.log(ratios), -np.log(ratios)]
    found = linprog(
        -np.maximum(ratios - math.exp(epsilon), 0.0),
        A_ub=np.array(rows),
        b_ub=np.concatenate((np.ones(2 * orders.size), [rho, rho])),
        A_eq=np.array([np.ones_like(ratios), ratios]),
        b_eq=[1.0, 1.0],
    )
    assert found.status == 0
    assert -found.fun == pytest.approx(delta, rel=1e-6)


@given(
    st.floats(-6, 3).map(lambda x: 10**x),
    st.floats(-5, 5).map(lambda x: 10**x),
    st.floats(-12, 1).map(lambda x: 10**x),
    st.floats(-40, -0.02).map(lambda x: 10**x),
)
def test_every_order_and_point_gives_a_certificate(rho, u, x, delta):
    with np.errstate(all="ignore"):
        log = np.array([-math.log(delta)])
        q = laws_at(np.array([rho]), log, np.array([u]), np.array([math.log(x)]))
        epsilon = float(certified_epsilon(q, log)[0])
    if not math.isfinite(epsilon):
        return
    with mp.workdps(60):
        v, a = mp.mpf(u), 1 + mp.mpf(u)
        t1 = mp.exp(-mp.mpf(float(q.x[0])))
        excess = mp.exp(v * a * mp.mpf(rho)) - a * t1**v + v * t1**a
        power = t1**v + excess / (a * mp.mpf(delta))
        log_t2 = mp.log(power) / v
        gamma = v / a * (mp.exp(a * log_t2) - t1**a) / (power - t1**v)
        exact = mp.log(gamma)
    assert epsilon >= exact
    assert epsilon - exact <= 1e-11 * (1 + abs(exact))
    assert epsilon_optimal(rho, delta) <= max(epsilon, 0.0) * (1 + 1e-11) + 1e-13


@examples(6, full=15)
@given(PAIRS)
def test_inverses_certify_and_return(pair):
    rho, delta = pair
    epsilon = float(epsilon_optimal(rho, delta))
    back = float(rho_optimal(epsilon, delta))
    log_delta = float(log_delta_optimal(rho, epsilon))
    assert epsilon_optimal(back, delta) <= epsilon
    assert epsilon_optimal(rho, log_delta=log_delta) <= epsilon * (1 + 4e-12) + 1e-12
    assert log_delta <= math.log(delta)
    assert delta_optimal(rho, epsilon) <= delta
    assert delta_optimal(back, epsilon) <= delta
    assert back * (1 + 1e-9) >= rho
    assert log_delta <= math.log(delta) * (1 - 1e-9)
    if epsilon > 1e-9:
        assert back == pytest.approx(rho, rel=1e-9)
        assert log_delta == pytest.approx(math.log(delta), rel=1e-9)


def test_the_symmetric_law_is_the_optimum_for_small_epsilon():
    for rho in (1e-8, 0.3, 2.0, 30.0):
        spread = float(symmetric_law(np.array([rho]))[0][0])
        assert spread * math.tanh(spread / 2) == pytest.approx(rho, rel=1e-13)
        assert delta_optimal(rho, 0.0) == pytest.approx(math.tanh(spread / 2), rel=1e-12)
        if rho < 5:  # tanh keeps no digits of rho beyond
            assert rho_optimal(0.0, math.tanh(spread / 2)) == pytest.approx(rho, rel=1e-9)
        edge = math.log(math.sinh(spread) / spread)
        for epsilon in (0.5 * edge, edge):
            wanted = (1 - math.exp(epsilon - spread)) / (1 + math.exp(-spread))
            assert delta_optimal(rho, epsilon) == pytest.approx(wanted, rel=1e-9)
        # Where the cases meet, both sides agree.
        sides = delta_optimal(rho, [edge * (1 - 1e-9), edge * (1 + 1e-9)])
        assert sides[0] == pytest.approx(sides[1], rel=1e-7)


@given(st.floats(-9, 3).map(lambda x: 10**x), st.floats(1e-3, 1, exclude_max=True))
def test_the_symmetric_law_is_rounded_up(rho, part):
    with mp.workdps(60):
        r = mp.mpf(rho)
        spread = mp.findroot(
            lambda x: x * mp.tanh(x / 2) - r, (r, r + mp.sqrt(2 * r)), solver="anderson", tol=1e-90
        )
        heads = 1 / (1 + mp.exp(-spread))
        edge = heads - mp.sinh(spread) / spread * (1 - heads)
        delta = float(edge + (mp.tanh(spread / 2) - edge) * mp.mpf(part))
        if not edge < delta < min(1 - 1e-15, mp.tanh(spread / 2)):
            return
        exact = mp.log((heads - mp.mpf(delta)) / (1 - heads))
        epsilon = float(epsilon_optimal(rho, delta))
        assert epsilon >= exact
        # The room for the inverses, of epsilon and of delta, which a small epsilon feels the most.
        weight = delta * (1 - mp.log(delta)) / mp.exp(exact)
        assert epsilon - exact <= 1e-12 * (exact + (1 + mp.exp(spread)) * weight)


def test_strictly_better_than_cks():
    for rho, delta, ratio in [
        (0.1, 0.1, 0.9),
        (1e-4, 5e-3, 0.69),
        (0.5, 0.3, 0.8),
        (2.0, 0.6, 0.8),
    ]:
        assert epsilon_optimal(rho, delta) < ratio * epsilon_cks(rho, delta)
    for rho, delta in [(0.1, 1e-3), (1.0, 1e-5)]:
        assert epsilon_optimal(rho, delta) < epsilon_cks(rho, delta) * (1 - 1e-9)


def test_extremes_and_shapes():
    assert epsilon_optimal(0.0, 0.1) == 0 == delta_optimal(0.0, 1.0)
    assert delta_optimal(1.0, math.inf) == 0
    assert log_delta_optimal(1.0, 1e10) < -1e19
    assert delta_optimal(1e10, 1.0) == 1
    assert rho_optimal(0.0, 1e-300) == 0
    assert epsilon_optimal(1e300, 0.5) >= 1e300
    grid = epsilon_optimal([[0.1], [2.0]], [1e-5, 0.3, 0.9])
    assert grid.shape == (2, 3)
    assert grid[1, 1] == pytest.approx(float(epsilon_optimal(2.0, 0.3)), rel=1e-13)
    assert isinstance(epsilon_optimal(1, 0.1), float)


def test_conversion_of_curves():
    assert to_epsilon(RenyiCurve.linear(0.5), 0.3, "optimal") == epsilon_optimal(0.5, 0.3)
    for curve in (RenyiCurve.weak(0.5), RenyiCurve.of(lambda a: a)):
        with pytest.raises(ValueError, match="conversion must be 'mironov' or 'cks'"):
            to_epsilon(curve, 0.3, "optimal")
