"""The accountant of the noisy contraction against quadratic programs, brute force and mpmath."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from accounting import NoisyContraction, mu_same_updates, pabi_allocation, pabi_mu
from tests.exact_chain import exact_mu, exact_mu_bounded
from tests.examples import examples


def random_chain(rng, most=14, expanding=1.3):
    n = int(rng.integers(1, most))
    c = rng.uniform(0.2, expanding, n)
    shift = rng.uniform(0, 1, n) * (rng.random(n) < 0.5)
    noise = 10 ** rng.uniform(-1.5, 1, n) * (rng.random(n) < 0.8)
    if rng.random() < 0.1:
        c[rng.integers(n)] = 0.0
    return c, shift, noise, rng.uniform(0, 2) * (rng.random() < 0.5)


def test_against_the_definition_and_rounded_up():
    rng = np.random.default_rng(1)
    for _ in range(250):
        c, shift, noise, z0 = random_chain(rng)
        want, got = exact_mu(c, shift, noise, z0), pabi_mu(c, shift, noise, z0)
        # The same numbers times a power of two leave plain floats for numbers with exponents.
        small = 2.0**-100
        again = pabi_mu(c, shift * small, noise, z0 * small) / small
        for mu in (got, again):
            if math.isinf(mu) or want == 0:
                assert mu == want
            else:
                assert 0 <= mu / want - 1 < 1e-13


def test_diameter_against_every_start():
    rng = np.random.default_rng(2)
    restarted = 0
    for _ in range(250):
        c, shift, noise, z0 = random_chain(rng)
        diameter = 10 ** rng.uniform(-2, 0.5)
        want = exact_mu_bounded(c, shift, noise, z0, diameter)
        chain = NoisyContraction(c, shift, noise, z0, diameter)
        restarted += chain.restart > 0
        if math.isinf(chain.mu) or want == 0:
            assert chain.mu == want
        else:
            assert 0 <= chain.mu / want - 1 < 1e-11
    assert restarted > 50


@pytest.mark.parametrize(
    ("c", "shift", "noise", "diameter", "mu", "start"),
    [
        ([0.7, 1, 1, 1], [0.6, 0.8, 0, 0.4], [0.3, 3.3, 0.3, 1.1], 0.1, 0.43852900965, 2),
        ([0.8, 0.7, 0.8, 0.9, 1], [0.5, 0.2, 0.5, 0, 0.4], [1.1, 0.2, 7, 2, 4.2], 0.2,
         0.124680738314, 3),
    ],
)  # fmt: skip
def test_the_search_does_not_skip_a_start_steeper_than_a_vertex(
    c, shift, noise, diameter, mu, start
):
    chain = NoisyContraction(c, shift, noise, 0.0, diameter)
    assert chain.mu == pytest.approx(mu, rel=1e-10)
    assert chain.restart == start
    assert 0 <= chain.mu / exact_mu_bounded(c, shift, noise, 0.0, diameter) - 1 < 1e-13


def test_against_a_quadratic_program():
    rng = np.random.default_rng(3)
    for _ in range(25):
        n = int(rng.integers(2, 7))
        c, shift = rng.uniform(0.5, 1.1, n), rng.uniform(0, 1, n)
        noise, z0 = rng.uniform(0.3, 2, n), rng.uniform(0, 1)

        def distances(a, c=c, shift=shift, z0=z0):
            out, z = [], z0
            for k in range(len(c)):
                z = c[k] * z + shift[k] - a[k]
                out.append(z)
            return np.array(out)

        found = minimize(
            lambda a, s=noise: np.sum((a / s) ** 2),
            np.full(n, 0.1),
            bounds=[(0, None)] * n,
            constraints=[
                {"type": "ineq", "fun": lambda a, f=distances: f(a)[:-1]},
                {"type": "eq", "fun": lambda a, f=distances: f(a)[-1]},
            ],
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 500},
        )
        assert pabi_mu(c, shift, noise, z0) == pytest.approx(math.sqrt(found.fun), rel=1e-6)


def test_allocation_is_feasible_and_attains_mu():
    rng = np.random.default_rng(4)
    for _ in range(200):
        c, shift, noise, z0 = random_chain(rng, most=40)
        diameter = rng.choice([math.inf, rng.uniform(0.05, 2)])
        mu = pabi_mu(c, shift, noise, z0, diameter)
        if math.isinf(mu):
            with pytest.raises(ValueError, match="noise must be > 0 at or after"):
                pabi_allocation(c, shift, noise, z0, diameter)
            continue
        plan = pabi_allocation(c, shift, noise, z0, diameter)
        paid = plan.amounts
        assert plan.mu == mu
        assert (paid >= 0).all()
        assert not paid[noise == 0].any()
        assert not paid[: plan.start].any()
        cost = np.sqrt(np.sum((paid[noise > 0] / noise[noise > 0]) ** 2))
        assert cost == pytest.approx(mu, rel=1e-12)
        z = diameter if plan.start else min(z0, diameter)
        scale = max(1e-300, *shift, z0)
        for k in range(plan.start, len(c)):
            z = min(c[k] * z + shift[k] - paid[k], diameter)
            assert z >= -1e-12 * scale
        assert abs(z) < 1e-12 * scale


def test_linear_maps_attain_one_segment():
    """X -> c X + b_k from point masses: means differ by y_N, variance x_N, exactly Gaussian."""
    rng = np.random.default_rng(5)
    for _ in range(100):
        n = int(rng.integers(1, 30))
        c, noise, z0 = rng.uniform(0.3, 1, n), rng.uniform(0.2, 2, n), rng.uniform(0.1, 3)
        mean, variance = z0, 0.0
        for k in range(n):
            mean, variance = c[k] * mean, c[k] ** 2 * variance + noise[k] ** 2
        assert pabi_mu(c, 0.0, noise, z0) == pytest.approx(mean / math.sqrt(variance), rel=1e-13)


def test_edges():
    assert pabi_mu(0.5, 0.0, 1.0) == 0
    assert pabi_mu([0.5, 0.5], [0, 1], [1, 0]) == math.inf
    assert pabi_mu([0.5, 0.0], [9, 0], [0, 1]) == 0
    assert pabi_mu([0.5, 0.0], [9, 1], [0, 2], math.inf) == pytest.approx(0.5)
    assert pabi_mu([0.5, 0.5], 0, 1, math.inf) == math.inf
    assert pabi_mu([0.5, 0.5], 0, 1, math.inf, 2.0) == pabi_mu([0.5, 0.5], 0, 1, 2.0)
    assert pabi_mu(1, 0, np.ones(4), 3.0, 0.0) == 0
    assert pabi_mu(1, [5, 0], 1.0, 3.0, 1.0) == pytest.approx(1.0)
    assert pabi_mu(1, np.zeros(4), 2.0, 3.0) == pytest.approx(3 / 4)
    near, at = pabi_mu(1 - 1e-12, np.zeros(4), 2.0, 3.0), pabi_mu(1, np.zeros(4), 2.0, 3.0)
    assert near == pytest.approx(at, rel=1e-11)


def test_long_chains_in_plain_floats_and_with_exponents():
    """Rows of products, silent steps, shifts, c = 0 and c > 1: two ways to one number."""
    rng = np.random.default_rng(7)
    for n in (511, 512, 513, 40_000, 300_000):
        c = 1 + rng.uniform(-3, 1, n) / n
        shift = rng.uniform(0, 1, n) * (rng.random(n) < 0.01)
        noise = rng.uniform(0.5, 1.5, n) * (rng.random(n) < 0.9)
        c[n // 3], noise[-1] = 0.0, 1.0
        plain = pabi_mu(c, shift, noise, 2.0)
        assert pabi_mu(c, shift * 2.0**-100, noise) * 2.0**100 == pytest.approx(plain, rel=1e-13)


def test_no_under_or_overflow():
    n = 10**5
    assert 0 < pabi_mu(0.9, np.zeros(n), 0.3, 1.0) <= 5e-324
    # c > 1: what arrives late meets only late noise; the minorant has a segment for each step.
    shift, noise = np.full(4000, 0.5), 2.0
    assert pabi_mu(1.5, shift, noise) == pytest.approx(0.25 * math.sqrt(4000), rel=1e-9)
    # Ranges beyond floats against exact arithmetic, by the logarithmic route.
    wide = np.array([1.0, 1e-200, 3e-200, 1e-180])
    want = exact_mu([1.0] * 4, [1.0, 1e-210, 1e-200, 1e-190], wide, 0.5, 1000)
    got = pabi_mu(1.0, [1.0, 1e-210, 1e-200, 1e-190], wide, 0.5)
    assert 0 <= got / want - 1 < 1e-10
    rng = np.random.default_rng(6)
    for _ in range(40):
        n = int(rng.integers(2, 9))
        c, noise = 10 ** rng.uniform(-60, 90, n), 10 ** rng.uniform(-150, 100, n)
        shift = 10 ** rng.uniform(-150, 100, n)
        want = exact_mu(c, shift, noise, 1.0, 4000)
        if 1e-290 < want < 1e290:
            assert 0 <= pabi_mu(c, shift, noise, 1.0) / want - 1 < 1e-10


def test_a_million_steps():
    n = 76 * 13158
    shift = np.zeros(n)
    shift[75::76] = 0.2
    shift[-76:] = 0
    mu = pabi_mu(np.full(n, 0.999), shift, 0.3)
    bounded = pabi_mu(np.full(n, 1.0), shift, 0.3, 0.0, 20.0)
    fresh = 0.2 / -math.expm1(76 * math.log(0.999))
    want = fresh * 0.999**76 * math.sqrt(1 - 0.999**2) / 0.3
    assert mu == pytest.approx(want, rel=1e-11)
    taus = np.arange(1, 5000)
    assert bounded == pytest.approx(
        np.min((20 + taus * 0.2) / (0.3 * np.sqrt((taus + 1) * 76))), rel=1e-11
    )
    decay = np.full(10**6, 0.99999)
    assert pabi_mu(decay, 0.0, 0.7, 5.0) == pytest.approx(
        float(mu_same_updates(5.0, 0.99999, 0.7, 10**6)), rel=1e-11
    )


chains = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(0, 1.5), min_size=n, max_size=n),
        st.lists(st.floats(0, 5), min_size=n, max_size=n),
        st.lists(st.floats(0.01, 5), min_size=n, max_size=n),
        st.floats(0, 5),
        st.one_of(st.just(math.inf), st.floats(0, 5)),
        st.integers(0, n - 1),
    )
)


@examples(40, full=150)
@given(chains)
def test_monotone_and_homogeneous(chain):
    c, shift, noise, z0, diameter, i = chain
    c, shift, noise = np.array(c), np.array(shift), np.array(noise)
    mu = pabi_mu(c, shift, noise, z0, diameter)
    slack = 1 + 1e-12
    for name, values, sign in (("c", c, 1), ("shift", shift, 1), ("noise", noise, -1)):
        raised = values.copy()
        raised[i] += 0.3
        arrays = {"c": c, "shift": shift, "noise": noise, name: raised}
        other = pabi_mu(arrays["c"], arrays["shift"], arrays["noise"], z0, diameter)
        assert (mu <= other * slack) if sign > 0 else (other <= mu * slack)
    assert pabi_mu(c, shift, noise, z0 + 0.3, diameter) * slack >= mu
    assert pabi_mu(c, shift, noise, z0, diameter + 0.3) * slack >= mu
    doubled = pabi_mu(c, shift, 2 * noise, z0, diameter)
    assert doubled == pytest.approx(mu / 2, rel=1e-12, abs=5e-324)


def test_value_object():
    chain = NoisyContraction(0.5, [1.0, 0.0], 2.0, 1.0)
    assert chain.size == 2
    assert chain.mu == pabi_mu(0.5, [1.0, 0.0], 2.0, 1.0)
    assert chain.scaled_noise(2.0).mu == pytest.approx(chain.mu / 2, rel=1e-14)
    with pytest.raises(ValueError):
        chain.noise[0] = 1.0
    with pytest.raises(AttributeError):
        chain.diameter = 3.0
    with pytest.raises(
        ValueError, match=r"1-D of one length, got contraction \(3,\), shift \(2,\)"
    ):
        NoisyContraction([1, 1, 1], [1, 1], 1.0)


def test_products_that_are_far_apart_leave_no_shift_for_nothing():
    """The rise 2^-378 is spread over a clock of 2^756: the energy, 2^-1512, is no float."""
    found = pabi_mu([1, 2.0**-598, 2.0**299], [2.0**-79, 0, 0], [2.0**-79, 2.0**79, 2.0**-79])
    assert 2.0**-756 <= found <= 2.0**-756 * (1 + 1e-9)


@pytest.mark.parametrize(
    ("c", "shift", "noise"),
    [
        ([1, 2.0**-290, 2.0**290], [2.0**-79, 2.0**79, 0], [2.0**-79, 0, 2.0**79]),
        ([2.0**299, 2.0**-598, 1], [2.0**79, 0, 2.0**-79], [2.0**79, 2.0**-79, 2.0**79]),
    ],
    ids=["a slope far up", "a product far down"],
)
def test_products_that_are_far_apart_against_the_definition(c, shift, noise):
    found, exact = pabi_mu(c, shift, noise), float(exact_mu(c, shift, noise, 0.0))
    assert 0 < exact <= found <= exact * (1 + 1e-9)
