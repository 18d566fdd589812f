"""Divergences of projected mixtures against adaptive quadrature, CDF differences and quantiles."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import erfc

from simulators.exact.gaussian_divergence import hockey_stick_gauss, renyi_gauss
from simulators.exact.line import LineLaw
from simulators.exact.line_divergence import hockey_stick, log_hockey_stick, renyi, total_variation
from simulators.exact.line_winf import winf
from tests.examples import examples


def single(mean, scale, radius=math.inf):
    return LineLaw(np.ones(1), np.array([float(mean)]), np.array([float(scale)]), radius)


NEEDLES = LineLaw(np.full(2, 0.5), np.array([-0.5, 0.5]), np.array(1e-7), 1.0)


def pair(seed, radius, scales=(0.4, 0.4)):
    rng = np.random.default_rng(seed)
    laws = []
    for scale in scales:
        weights = rng.dirichlet(np.ones(4))
        laws.append(LineLaw(weights, rng.uniform(-1, 1, 4), np.array(scale), radius))
    return laws


def density(law, x):
    z = (x - law.means) / law.scales
    return float(np.sum(law.weights * np.exp(-z * z / 2) / law.scales)) / math.sqrt(2 * math.pi)


def below(law, x):
    return float(np.sum(law.weights * erfc((law.means - x) / law.scales / math.sqrt(2)))) / 2


def above(law, x):
    return float(np.sum(law.weights * erfc((x - law.means) / law.scales / math.sqrt(2)))) / 2


def atoms(law):
    return [below(law, -law.radius), above(law, law.radius)]


@examples(6, full=15)
@given(st.integers(0, 10**6), st.floats(0.5, 2.0), st.floats(1.1, 5.0))
def test_renyi_is_the_adaptive_integral_plus_atoms(seed, radius, alpha):
    p, q = pair(seed, radius, (0.4, 0.5))
    inside = quad(
        lambda x: density(p, x) ** alpha * density(q, x) ** (1 - alpha),
        -radius,
        radius,
        epsabs=0,
        epsrel=1e-12,
        limit=200,
    )[0]
    ends = sum(a**alpha * b ** (1 - alpha) for a, b in zip(atoms(p), atoms(q), strict=True))
    assert renyi(p, q, alpha) == pytest.approx(
        math.log(inside + ends) / (alpha - 1), rel=1e-9, abs=1e-12
    )


@examples(6, full=15)
@given(st.integers(0, 10**6), st.floats(0.5, 2.0), st.floats(0.0, 1.5))
def test_hockey_stick_is_the_best_union_of_cdf_intervals(seed, radius, epsilon):
    p, q = pair(seed, radius)
    factor = math.exp(epsilon)

    def excess(x):
        return density(p, x) - factor * density(q, x)

    grid = np.linspace(-radius, radius, 801)
    values = [excess(x) for x in grid]
    roots = [
        brentq(excess, grid[i], grid[i + 1], xtol=1e-15)
        for i in range(800)
        if values[i] * values[i + 1] < 0
    ]
    ends = [-radius, *roots, radius]
    total = sum(max(a - factor * b, 0) for a, b in zip(atoms(p), atoms(q), strict=True))
    for a, b in itertools.pairwise(ends):
        mass = [below(w, b) - below(w, a) for w in (p, q)]
        total += max(mass[0] - factor * mass[1], 0)
    assert hockey_stick(p, q, epsilon) == pytest.approx(total, rel=1e-9, abs=1e-14)


@examples(6, full=15)
@given(st.floats(-2, 2), st.floats(0.5, 2), st.floats(0.5, 2), st.floats(0, 3))
def test_unprojected_single_components_are_gaussians(mean, s0, s1, epsilon):
    p, q = single(0, s0), single(mean, s1)
    assert renyi(p, q, 2.5) == pytest.approx(
        float(renyi_gauss(0, s0**2, mean, s1**2, 2.5)), rel=1e-10, abs=1e-12
    )
    assert hockey_stick(p, q, epsilon) == pytest.approx(
        hockey_stick_gauss(0, s0**2, mean, s1**2, epsilon), rel=1e-10, abs=1e-15
    )


@pytest.mark.parametrize("order", [1.0, 1 + 1e-14, 1 + 1e-6, 1.01])
def test_orders_near_one_and_laws_near_each_other(order):
    for gap in (1.0, 1e-5):
        p, q = single(0.0, 1.0), single(gap, 1.0)
        assert renyi(p, q, order) == pytest.approx(order * gap**2 / 2, rel=1e-9)


def test_deep_tail_keeps_relative_precision():
    p, q = single(0.0, 1.0), single(0.5, 1.0)
    # delta(20) is about exp(-780).
    from simulators.exact.gaussian_divergence import log_hockey_stick_gauss

    assert log_hockey_stick(p, q, 19.0) == pytest.approx(
        log_hockey_stick_gauss(0, 1, 0.5, 1, 19.0), rel=1e-11
    )


@examples(10, full=20)
@given(st.integers(0, 10**6), st.floats(0.4, 3.0))
def test_winf_is_the_quantile_distance(seed, radius):
    p, q = pair(seed, radius)

    def quantile(law, tail, upper):
        cumulative = above if upper else below

        def excess(y):
            return cumulative(law, y) / tail - 1

        return min(max(brentq(excess, -9, 9, xtol=1e-13), -radius), radius)

    tails = [
        (tail, upper)
        for upper in (False, True)
        for tail in (*np.linspace(0.002, 0.5, 75), atoms(p)[upper], atoms(q)[upper])
    ]
    gaps = [abs(quantile(p, *tail) - quantile(q, *tail)) for tail in tails]
    value = winf(p, q)
    assert value >= max(gaps) - 1e-10
    if radius <= 1.5:  # levels resolve the law, so the supremum is nearly on the list
        assert value <= max(gaps) + 2e-3


def test_winf_of_shifted_and_of_unequal_laws():
    for radius in (math.inf, 30.0):
        assert winf(single(0, 0.5, radius), single(0.3, 0.5, radius)) == pytest.approx(
            0.3, rel=1e-12
        )
    assert winf(single(0, 0.5), single(0.3, 0.6)) == math.inf
    # Nearly all mass lies at an end, where the far mean is not; a tail of e^-9000 is still at -1.
    assert winf(single(400, 0.3, 1.0), single(-400, 0.3, 1.0)) == 2.0
    assert winf(single(400, 0.3, 1.0), single(40, 0.3, 1.0)) == 2.0
    # With projection a wider law is at a finite distance: quantiles meet again at the ends.
    assert winf(single(0, 0.5, 1.0), single(0.0, 0.6, 1.0)) == pytest.approx(
        1 - 0.5 / 0.6, rel=1e-9
    )


def test_projection_never_increases_a_divergence():
    p, q = pair(3, 1.0)
    assert renyi(p, q, 3) < renyi(p.unprojected(), q.unprojected(), 3)
    assert hockey_stick(p, q, 3.0) < hockey_stick(p.unprojected(), q.unprojected(), 3.0)
    assert total_variation(p, q) <= total_variation(p.unprojected(), q.unprojected()) + 1e-12


@pytest.mark.parametrize(
    ("p", "q", "value"),
    [
        # alpha/s^2 = (alpha - 1)/w^2 exactly, s = 3w: the integrand falls off exponentially. The
        # values are 30-digit quadratures of the integral.
        (
            LineLaw([1.0], [0.25], [3.0]),
            LineLaw([0.3, 0.7], [-1.0, 1.0], [1.0] * 2),
            6.55697502459463,
        ),
        (
            LineLaw([1.0], [0.25], [1.5]),
            LineLaw([0.3, 0.7], [-1.0, 1.0], [0.5] * 2),
            2.41804758011507,
        ),
        (
            LineLaw([0.5, 0.5], [0.25, 0.1], [3.0, 0.9]),
            LineLaw([0.3, 0.7], [-1.0, 1.0], [1.0] * 2),
            3.59735319777105,
        ),
        # Not between the means: it grows on one side, or stays.
        (LineLaw([1.0], [1.5], [3.0]), LineLaw([0.3, 0.7], [-1.0, 1.0], [1.0] * 2), math.inf),
        (LineLaw([1.0], [1.0], [3.0]), LineLaw([0.3, 0.7], [-1.0, 1.0], [1.0] * 2), math.inf),
        (LineLaw([1.0], [0.0], [3.0]), LineLaw([1.0], [0.0], [1.0]), math.inf),
    ],
)
def test_where_the_widest_scales_cancel_the_means_decide(p, q, value):
    assert renyi(p, q, 1.125) == pytest.approx(value, rel=1e-11)


def test_a_law_wholly_beyond_an_end_is_an_atom():
    beyond, inside = single(1e6, 1.0, 1.0), single(0.0, 1.0, 1.0)
    at_the_end = -math.log(erfc(1 / math.sqrt(2)) / 2)
    assert renyi(beyond, inside, 2.0) == pytest.approx(at_the_end, rel=1e-12)
    assert renyi(beyond, beyond, 2.0) == 0.0


def test_cdf_jumps_at_the_ends():
    law = pair(1, 1.0)[0]
    lowest, highest = atoms(law)
    np.testing.assert_allclose(
        law.cdf([-1.1, -1.0, 1.0 - 1e-12, 1.0]), [0, lowest, 1 - highest, 1], atol=1e-11
    )


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: LineLaw(np.array([0.5, 0.4]), np.zeros(2), np.ones(2)), "weights"),
        (lambda: LineLaw(np.ones(1), np.zeros(1), np.zeros(1)), "scales"),
        (lambda: LineLaw(np.ones(1), np.array([np.nan]), np.ones(1)), "means"),
        (lambda: single(0, 1, 0.0), "radius"),
        (lambda: single(0, 1).log_density([0.0, math.nan]), "x must"),
        (lambda: single(0, 1).cdf(math.inf), "x must"),
        (lambda: renyi(single(0, 1, 1.0), single(0, 1, 2.0), 2), "radius"),
        (lambda: winf(single(0, 1, 1.0), single(0, 1, 2.0)), "radius"),
        (lambda: renyi(single(0, 1), single(0, 1), 0.99), "alpha"),
        (lambda: hockey_stick(single(0, 1), single(0, 1), math.nan), "epsilon"),
        (lambda: renyi(NEEDLES, single(0.5, 1.0, 1.0), 2), "scales"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()
