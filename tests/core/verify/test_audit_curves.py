"""Claimed curves against other routes: accountants' profiles, brute force, exact rationals."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.curves.gaussian import delta_gdp
from accounting.renyi.curve import RenyiCurve
from accounting.renyi.optimal import delta_optimal
from verify.audit import ApproximateDP, GaussianDP, RenyiDP, claim_of

GRID = np.concatenate([np.geomspace(1e-9, 1e-3, 40), np.linspace(0.002, 0.998, 250)])
CLAIMS = [
    ApproximateDP(0.7, 0.05),
    ApproximateDP(3.0, 0.0),
    GaussianDP(0.8),
    RenyiDP(RenyiCurve.linear(0.3)),
    claim_of(renyi=(4, 1.5)),
    RenyiDP(RenyiCurve.of(lambda a: 0.1 * a**1.5, 1, 64)),
]


def divergence(alpha, q, p):
    """D_alpha of a two-point law q against a two-point law p, as the definition has it."""
    return np.log(q**alpha * p ** (1 - alpha) + (1 - q) ** alpha * (1 - p) ** (1 - alpha)) / (
        alpha - 1
    )


@pytest.mark.parametrize(("rho", "epsilon"), [(0.05, 0.3), (0.05, 1.0), (0.5, 0.3), (0.5, 2.5)])
def test_linear_renyi_curve_implies_the_optimal_delta(rho, epsilon):
    """max over events of q - e^epsilon p is the least delta of the curve: two separate searches.

    Above it by what the search over orders gives away, at most 3e-4.
    """
    p = np.geomspace(1e-7, 0.99, 1000)
    best = np.max(RenyiDP(RenyiCurve.linear(rho)).most(p) - math.exp(epsilon) * p)
    assert best == pytest.approx(float(delta_optimal(rho, epsilon)), rel=3e-4)


def test_gaussian_curve_implies_its_profile():
    for mu, epsilon in ((0.5, 0.3), (2.0, 1.0)):
        best = np.max(GaussianDP(mu).most(GRID) - math.exp(epsilon) * GRID)
        assert best == pytest.approx(float(delta_gdp(mu, epsilon)), rel=1e-3)
        assert best <= delta_gdp(mu, epsilon) * (1 + 1e-12)


@pytest.mark.parametrize("order", [1.5, 4.0, 20.0])
def test_single_order_is_the_root_of_its_divergence(order):
    """At most(p) the binding divergence is the claimed value; smaller orders bind no more."""
    claim = claim_of(renyi=(order, 0.9))
    for p in (0.01, 0.2, 0.7):
        q = float(claim.most(p))
        both = max(divergence(order, q, p), divergence(order, p, q))
        assert both == pytest.approx(0.9, rel=1e-6)


@given(st.integers(0, 100), st.integers(0, 30), st.integers(0, 40))
def test_approximate_dp_admits_what_the_definition_admits(a, b, c):
    """In rationals with e^epsilon = 2: a pair satisfies all four inequalities or is forbidden."""
    p, q, delta = Fraction(a, 100), Fraction(a + b, 100), Fraction(c, 100)
    if q > 1:
        return
    admitted = (
        q <= 2 * p + delta
        and p <= 2 * q + delta
        and 1 - q <= 2 * (1 - p) + delta
        and 1 - p <= 2 * (1 - q) + delta
    )
    claim = ApproximateDP(math.log(2), float(delta))
    assert bool(claim.forbids(float(p), float(q))) is not admitted


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.describe()["kind"])
def test_supports_touch_and_stay_above(claim):
    places = np.array([1e-5, 0.01, 0.2, 0.5, 0.9])
    slope, cut = claim.support(places)
    most = claim.most(GRID)
    assert (most[:, None] <= slope * GRID[:, None] + cut + 1e-12).all()
    np.testing.assert_allclose(slope * places + cut, claim.most(places), atol=3e-7)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.describe()["kind"])
def test_curves_increase_are_concave_and_hold_for_complements(claim):
    inner = np.linspace(0.001, 0.999, 200)
    most = claim.most(inner)
    assert (np.diff(most) >= -1e-12).all()
    assert (np.diff(most, 2) <= 1e-6).all()
    assert (claim.most(1 - most) >= 1 - inner - 1e-9).all()
    assert not claim.forbids(inner, inner).any()


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.describe()["kind"])
def test_forbidden_is_what_lies_above_the_curve(claim):
    p = np.linspace(0.01, 0.9, 30)
    most = claim.most(p)
    beyond = most + 0.01 * (1 - most) + 1e-6
    assert claim.forbids(p, np.minimum(beyond, 1.0))[beyond < 1 - 1e-3].all()
    assert not claim.forbids(p, most - 1e-4).any()


def test_epsilon_of_a_claim():
    assert ApproximateDP(1.0, 1e-5).epsilon(1e-5) == 1.0
    assert ApproximateDP(1.0, 1e-5).epsilon(1e-6) == math.inf
    assert delta_gdp(1.3, GaussianDP(1.3).epsilon(1e-4)) == pytest.approx(1e-4, rel=1e-9)
    assert GaussianDP(1.3).delta(1.0) == pytest.approx(float(delta_gdp(1.3, 1.0)))
    assert GaussianDP(1.0).epsilon(0.0) == math.inf
    assert claim_of(renyi=0.2).epsilon(1e-3) <= claim_of(renyi=(3, 0.6)).epsilon(1e-3)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({}, "exactly one"),
        ({"epsilon": 1, "mu": 1}, "exactly one"),
        ({"delta": 1e-5}, "delta must come with epsilon"),
        ({"mu": 1, "delta": 1e-5}, "delta must come with"),
        ({"epsilon": -1}, "epsilon must be"),
        ({"epsilon": math.nan}, "epsilon must be"),
        ({"epsilon": 1, "delta": 2}, "delta must be"),
        ({"mu": "x"}, "mu must be"),
        ({"renyi": (1.0, 2.0)}, "renyi order"),
        ({"renyi": "a/2"}, "renyi must be"),
        ({"renyi": RenyiCurve.of(lambda a: a, 1e8, 1e9)}, "renyi curve must be defined"),
    ],
)
def test_refuses_what_is_no_claim(given, word):
    with pytest.raises(ValueError, match=word):
        claim_of(**given)
