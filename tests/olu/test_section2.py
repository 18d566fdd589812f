"""Values of olu, Section 2 and Appendix A, the best allocation, and the exact values."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import bounds
from accounting.contraction.noisy_contraction import pabi_allocation
from accounting.curves.gaussian import delta_gdp
from accounting.deletions.noise import allocated_noise, least_deletion_noise
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule, transport
from accounting.renyi.linear import epsilon_mironov
from simulators.exact.gaussian_divergence import renyi_gauss
from simulators.exact.quadratic_stream import QuadraticStream
from verify.olu.equation_5 import regret
from verify.olu.projected_pair import ProjectedPair
from verify.olu.proposition_1 import chain

CLOSE = {"rel": 1e-9}


def value(id, form, **inputs):
    return float(bounds.get(id)(form, **inputs))


@pytest.mark.parametrize(
    ("u", "tau", "expected"),
    [
        (4, 6, (1 / 6, 1 / 6, 0.2)),
        (4, 14, (0.07142857143, 0.07142857143, 0.07692307692)),
        (10, 15, (0.06666666667, 0.06666666667, 0.07142857143)),
    ],
)
def test_shifts_of_the_three_conventions(u, tau, expected):
    """eta_t = 1/t, all curvatures 1; and the same runs in Fractions, x_u = 1, else 0."""
    descent = OnlineDescent(1.0, 1.0, 1.0, inverse_time(1.0))
    for convention, shift in zip("ABC", expected, strict=True):
        found = transport(descent, DeletionSchedule([u], [tau], convention)).shifts[0]
        assert found == pytest.approx(shift, rel=1e-9 if shift in (0.2, 1 / 6) else 2e-10)
        z = Fraction(0)
        last = tau - (convention == "C")
        for t in range(1, last + 1):
            of = t - (convention == "B")
            z -= Fraction(1, t) * (z - (of == u))
        assert found == pytest.approx(float(z), rel=1e-13)


def test_exponents_of_the_three_conventions():
    """beta = 2 mu, step 2/(beta + mu): D = (1/6) alpha eps in A, 1.5 alpha eps in B and C."""
    inputs = {"gamma": 1 / 3, "eta": 2 / 3, "L": 2.0, "u": 4, "tau": 9}
    printed = value("olu.index", "printed", **inputs)
    corrected = value("olu.index", "corrected", **inputs)
    share = (1.2 - 1) / 1.2
    assert share == pytest.approx(1 / 6)
    assert share * (corrected / printed) ** 2 == pytest.approx(1.5, rel=1e-12)
    assert math.isinf(value("olu.index", "corrected", **{**inputs, "tau": 4}))


@pytest.mark.parametrize(
    ("T", "L", "mu", "expected"),
    [(10, 1, 1, 1.46448412698), (1000, 2, 0.5, 29.9418834422), (10**6, 1, 4, 1.79909084036)],
)
def test_regret_of_strongly_convex_losses(T, L, mu, expected):
    found = value("olu.eq2", "tight", mu=mu, L=L, T=T)
    assert found == pytest.approx(expected, **CLOSE)
    assert found == pytest.approx(
        float(L**2 / (2 * mpmath.mpf(mu)) * mpmath.harmonic(T)), rel=1e-13
    )


@pytest.mark.parametrize(
    ("T", "D", "L", "expected"),
    [(10, 1, 1, 4.74341649025), (1000, 2, 3, 284.604989415), (10**6, 1, 2, 3000.0)],
)
def test_regret_of_convex_losses(T, D, L, expected):
    assert value("olu.eq2.convex", "corrected", D=D, L=L, T=T) == pytest.approx(expected, **CLOSE)
    fixed = value("olu.eq2.constant", "tight", D=D, L=L, T=T)
    assert fixed == pytest.approx(expected / 1.5, **CLOSE)


def test_regret_with_moving_comparators():
    points = np.sin(np.arange(1, 51))
    request = np.array([7, 30]), np.array([20, 35]), np.array([0.3, 0.2])
    moving, fixed = regret(points, 2.0, *request)
    assert fixed == pytest.approx(4.33833734295, **CLOSE)
    assert moving == pytest.approx(4.2980989762, **CLOSE)
    stream = QuadraticStream(points, 2.0, 1 / (2.0 * np.arange(1, 51)))
    assert stream.expected_regret(*request) == pytest.approx(moving, rel=1e-12)
    assert stream.expected_regret(*request, moving=False) == pytest.approx(fixed, rel=1e-12)


@pytest.mark.parametrize(
    ("epsilon", "delta", "printed", "tight"),
    [
        (0.5, 1e-5, 1.0, 0.819419287679),
        (1.0, 1e-6, 2.0, 1.73499783476),
        (0.1, 1e-3, 0.2, 0.124108003554),
    ],
)
def test_conversion_at_the_least_order(epsilon, delta, printed, tight):
    alpha = (1 + math.log(1 / delta) / epsilon) * (1 + 1e-15)
    inputs = {"alpha": alpha, "epsilon": epsilon, "delta": delta}
    assert value("olu.rdp2dp", "printed", **inputs) == pytest.approx(printed, **CLOSE)
    assert value("olu.rdp2dp", "corrected", **inputs) == pytest.approx(printed, **CLOSE)
    assert value("olu.rdp2dp", "tight", **inputs) == pytest.approx(tight, **CLOSE)
    below = {**inputs, "alpha": 0.999 * alpha}
    assert math.isinf(value("olu.rdp2dp", "printed", **below))


@pytest.mark.parametrize(
    ("rho", "delta", "epsilon", "exact"),
    [
        (0.5, 1e-5, 5.29852591219, 1.30044956888e-7),
        (0.1, 1e-6, 2.45078800048, 5.43565848901e-9),
        (2.0, 1e-3, 9.4338443777, 3.30135960064e-5),
    ],
)
def test_conversion_of_every_order(rho, delta, epsilon, exact):
    found = float(epsilon_mironov(rho, delta))
    assert found == pytest.approx(epsilon, **CLOSE)
    assert float(delta_gdp(math.sqrt(2 * rho), found)) == pytest.approx(exact, **CLOSE)


@pytest.mark.parametrize(
    ("k", "alpha", "printed", "corrected"),
    [
        (2, 4, 3.03143313302, 2.5),
        (3, 6, 5.7995461348, 4.05555555556),
        (7, 30, 22.498670948, 7.96211073716),
        (10, 100, 39.8107170553, 10.5131027768),
    ],
)
def test_group_privacy(k, alpha, printed, corrected):
    inputs = {"k": k, "alpha": alpha, "epsilon": 1.0}
    assert value("olu.prop1", "printed", **inputs) == pytest.approx(printed, **CLOSE)
    assert value("olu.prop1", "corrected", **inputs) == pytest.approx(corrected, **CLOSE)
    steps = [(1 - mpmath.mpf(1) / alpha) ** (j + 1) / (1 - mpmath.mpf(k) / alpha) for j in range(k)]
    own = 1 + mpmath.fsum(steps[: k - 1])
    assert value("olu.prop1", "corrected", **inputs) == pytest.approx(float(own), rel=1e-13)


def test_two_point_laws_need_more_than_k_epsilon():
    p = np.array([0.99, 0.01, 2.2e-5])
    epsilon, ends = chain(np.log([np.stack((p, 1 - p), axis=-1)]), np.array([4.0]))
    assert epsilon[0] == pytest.approx(4.59176973818, **CLOSE)
    assert ends[0] == pytest.approx(10.7043674351, **CLOSE)
    assert 2 * epsilon[0] < ends[0] < 2.5 * epsilon[0]


def test_orders_below_two_k_are_refused():
    with pytest.raises(ValueError, match="alpha >= 2k"):
        bounds.get("olu.prop1")("printed", alpha=5.0, k=3, epsilon=1.0)


def test_renyi_divergence_below_one_and_near_one():
    """D_(1-a)(P || Q) (1 - (1 - a)) = (1 - a) D_a(Q || P), and Kullback-Leibler as a -> 1."""
    first, second = {"m0": 0.3, "v0": 1.2, "m1": 0.0, "v1": 0.9}, {}
    for a, b in (("m0", "m1"), ("v0", "v1")):
        second[a], second[b] = first[b], first[a]
    a = 0.3
    left = value("olu.def4", "printed", alpha=1 - a, **first)
    right = value("olu.def4", "printed", alpha=a, **second)
    assert a * left == pytest.approx((1 - a) * right, rel=1e-13)
    near = value("olu.def4", "printed", alpha=1 + 1e-9, **first)
    kullback = 0.5 * (1.2 / 0.9 - 1 - math.log(1.2 / 0.9) + 0.09 / 0.9)
    assert near == pytest.approx(kullback, rel=1e-8)


@pytest.mark.parametrize(
    ("c", "s", "sigma", "expected"),
    [
        ((1, 0.8, 0.9), (0.5, 0, 0), (0, 0.3, 0.4), 0.278231000429),
        ((1, 1), (0.2, 2.0), (1.0, 0.5), 8.02),
        ((1, 0.5) * 3, (1, 0) * 3, (0, 0.7) * 3, 0.595238095238),
    ],
)
def test_best_allocation(c, s, sigma, expected):
    """Cost at alpha = 1, that is half the cost at alpha = 2."""
    found = value("own.opt", "tight", alpha=2.0, c=c, s=s, sigma=sigma) / 2
    assert found == pytest.approx(expected, **CLOSE)


@pytest.mark.parametrize(
    ("c", "s", "sigma", "expected"),
    [
        ((1, 0.8, 0.9), (0.5, 0, 0), (0, 0.3, 0.4), (0, 0.125203950193, 0.247316444826)),
        ((1, 1), (0.2, 2.0), (1.0, 0.5), (0.2, 2.0)),
        ((1, 0.5) * 3, (1, 0) * 3, (0, 0.7) * 3, (0, 1 / 6, 0, 1 / 3, 0, 2 / 3)),
    ],
)
def test_amounts_of_the_best_allocation(c, s, sigma, expected):
    assert pabi_allocation(c, s, sigma).amounts == pytest.approx(np.array(expected), **CLOSE)


def test_share_of_the_budget_that_the_papers_allocation_uses():
    """Equal shifts, no contraction: i^2/(6 sum_j j^1.2) of alpha eps on linear chains."""
    noise = allocated_noise(np.zeros(50), 1.0)
    i = np.arange(1, 51)
    share = i**2 / (2 * np.cumsum(noise**2))
    for at, expected in ((1, 0.1667), (5, 0.2169), (10, 0.2082), (50, 0.1641)):
        assert share[at - 1] == pytest.approx(expected, abs=5e-5)
    least = least_deletion_noise(
        OnlineDescent(0.0, 0.0, 1.0, 1.0), DeletionSchedule(i, np.full(50, 51)), 1.0
    )
    assert np.cumsum(least**2) == pytest.approx(i**2 / 2, rel=1e-10)


def test_a_skipped_step_needs_the_projection():
    """D_5 = 5.724 > 5 on the line, infinite from 6.143 on; at most .34 of the budget on K."""
    points = np.array([0.5, 0, 0, 0.5, 0])
    u, tau = np.array([1, 4]), np.array([3, 5])
    pair = ProjectedPair(0.5, points, np.ones(5), 1.0, 0.0, u, tau)
    sigma = pair.least_noise(1.0)
    (mean, variance), (other, same) = pair.unprojected().pair(u, tau, sigma, 2)
    assert renyi_gauss(other[0], same, mean[0], variance, 5.0) == pytest.approx(5.724, abs=5e-4)
    assert same / (same - variance) == pytest.approx(6.143, abs=5e-4)
    ratios = [
        max(pair.divergences(sigma, 2, alpha)) / alpha for alpha in (1.1, 1.5, 2.0, 5.0, 10.0, 40.0)
    ]
    assert max(ratios) <= 0.34


@pytest.mark.parametrize(
    ("tau", "T", "sigma", "d", "per_request", "expected"),
    [
        (11, 100, 0.3, 5, 4.5, 4.28022760583),
        (2, 50, 1.0, 1, 1.0, 1.62473273362),
        (500, 5000, 0.01, 100, 4.99, 4.49695153649),
    ],
)
def test_noise_on_quadratics(tau, T, sigma, d, per_request, expected):
    inputs = {"mu": 2.0, "d": d, "T": T, "tau": [tau], "sigma": [sigma]}
    assert value("olu.oracles", "tight", **inputs) == pytest.approx(expected, **CLOSE)
    assert 2.0 * d * sigma**2 * (tau - 1) / 2 == pytest.approx(per_request)


def test_noise_on_quadratics_over_long_times():
    """The sum of 1/t^2 over ranges on both sides of the switch from sum to polygamma."""
    for T in (10**5, 10**6):
        inputs = {"mu": 1.0, "d": 1, "T": T, "tau": [3], "sigma": [1.0]}
        exact = 2 * (mpmath.psi(1, 2) - mpmath.psi(1, T))
        assert value("olu.oracles", "tight", **inputs) == pytest.approx(float(exact), rel=1e-13)


def test_shift_of_a_skipped_round():
    points = np.sin(np.arange(1, 21))
    stream = QuadraticStream(points, 2.0, 1 / (2.0 * np.arange(1, 21)))
    apart = stream.laws()[0][19] - stream.laws(skipped=[7])[0][19]
    assert float(apart[0]) == pytest.approx(0.0354839775508, **CLOSE)
    assert float(apart[0]) == pytest.approx((points[6] - points[:6].mean()) / 19, rel=1e-12)


def test_least_lipschitz_constant_is_infinite_on_the_line():
    assert value("olu.def3", "corrected", mu=0.5, D=4.0) == 1.0
    assert math.isinf(value("olu.def3", "corrected", mu=0.5, D=math.inf))
