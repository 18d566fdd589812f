"""Values of safe's Lemma 1, Theorem 1, Definition 1 and privacy (high precision)."""

import math

import mpmath
import numpy as np
import pytest

import bounds
from accounting.curves.gaussian import delta_gdp
from bounds.safe.lemma_1 import ESSEEN
from verify.safe.lemma_1 import binomial_error, skewness
from verify.safe.saturated_table import difference


def near(value, digits=9):
    return pytest.approx(value, rel=10.0 ** (1 - digits) / 2, abs=0)


def test_bernoulli_errors_near_their_limits():
    assert binomial_error(1000, 0.5) * math.sqrt(1000) == near(0.39884, 5)
    assert binomial_error(1000, ESSEEN) * math.sqrt(1000) / skewness(ESSEEN) == near(0.40951, 5)


@pytest.mark.parametrize(
    ("N", "m", "lam", "p", "paper", "true", "corrected"),
    [
        (100, 1, 1, 0.25, 0.0001364236805, 0.001251005331, 0.005041983955),
        (1000, 1, 1, 0.25, 4.304390882e-6, 0.0001250103807, 0.0005004169817),
        (30, 20, 1000, 0.5, 0.01976423538, 126.1817781, 721.6406462),
    ],
)
def test_saturated_table(N, m, lam, p, paper, true, corrected):
    inputs = {"N": N, "m": m, "lam": lam, "p": p}
    table = bounds.get("safe.thm1.table")
    assert float(table("printed", **inputs)) == near(paper)
    assert float(table("tight", **inputs)) == near(true)
    assert float(table("corrected", **inputs)) == near(corrected)
    assert difference(**inputs) == near(true)
    theorem = bounds.get("safe.thm1")
    assert float(theorem("printed", classes=2, M=m, kept=6 * N - m)) == near(paper)
    errors = [1.5 * math.log1p(-m / (3 * N)), math.log1p(-m / N)]
    e = [errors[0] - errors[1], 0.0]
    assert float(theorem("corrected", lam=lam, e=e)) == near(corrected)


def test_variants_of_the_table():
    assert difference(100, 1, 1.0, 0.25, "unbiased") == near(1.2496e-3, 5)
    assert difference(100, 1, 1.0, 0.25, "unnormalised") == near(2.084e-3, 4)
    inputs = {"N": 10_000, "m": 5000, "lam": 5000 / 55_000, "p": 0.25}
    assert difference(**inputs) == near(5.0313e-3, 5)
    assert float(bounds.get("safe.thm1.table")("printed", **inputs)) == near(7.7528e-4, 5)


def test_target_of_equation_19():
    for N, m, found, true in ((3, 1, 0.4559458938, 0.4), (100, 50, 0.4320523874, 1 / 3)):
        a = (1 - m / (3 * N)) ** 1.5
        t, star = a / (1 + a), (N - m) / (2 * N - m)
        assert (t, star) == (near(found), near(true))
        at_one = bounds.get("safe.thm1.table")("tight", N=N, m=m, lam=1, p=1)
        assert float(at_one) == near(abs(math.log(star / t)))


@pytest.mark.parametrize("p", [0.5, 0.5 - 1e-9, 0.4999999])
def test_table_where_the_first_order_vanishes(p):
    form = bounds.get("safe.thm1.table")["tight"]
    for N, m in ((10**6, 1), (10**6, 999_000), (7, 6), (10**9, 3)):
        inputs = {"N": N, "m": m, "lam": 1.0, "p": p}
        assert float(form(**inputs)) == pytest.approx(float(form.exact(**inputs)), rel=1e-6)


def test_gauss_kl_at_equal_laws():
    form = bounds.get("safe.thm1.gauss")["tight"]
    for close in (0.0, 1e-12, 1e-6, 9e-5, 1.1e-4):
        inputs = {"mean": 0.0, "var": 1 + close, "mean_hat": 0.0, "var_hat": 1.0}
        assert float(form(**inputs)) == pytest.approx(float(form.exact(**inputs)), rel=1e-6)


def test_prefactor():
    formula = bounds.get("safe.thm1.norm")
    for lam, kept, M, factor in (
        (1000, 59600, 400, 149000),
        (120000, 49600, 400, 14880000),
        (1, 599, 1, 599),
    ):
        quotient = formula("corrected", lam=lam, M=M) / formula("printed", kept=kept)
        assert float(quotient) == near(factor)


@pytest.mark.parametrize(
    ("a", "b", "left", "printed"),
    [
        (0.2, 0.5, 0.9162907319, 3.0),
        (0.9, 0.95, 0.05406722127, 0.05847953216),
        (2, 4, 0.6931471806, 0.25),
        (3, 0.5, 1.791759469, 1.666666667),
    ],
)
def test_logarithms(a, b, left, printed):
    formula = bounds.get("safe.thm1.log")
    assert abs(math.log(a / b)) == near(left)
    assert float(formula("printed", a=a, b=b)) == near(printed)
    assert left <= formula("tight", a=a, b=b) <= formula("corrected", a=a, b=b)


def test_last_inequality():
    assert near(25.0) == 0.5 / (0.02 * 0.01) * 0.01
    formula = bounds.get("safe.thm1.last")
    assert float(formula("tight", error=0.01, floor=0.01)) == near(50.0)
    assert float(formula("printed", classes=2, kept=1)) == 2


@pytest.mark.parametrize(
    ("W", "epsilon", "delta", "phi", "analytic", "classic"),
    [
        (1, 1, 1e-5, 4.844805263, 7.461263270, 9.689610525),
        (10, 0.5, 1e-6, 105.9760505, 161.1523696, 211.9521011),
        (100, 0.1, 1e-4, 4343.612304, 4901.621120, 8687.224608),
    ],
)
def test_perturbation(W, epsilon, delta, phi, analytic, classic):
    inputs = {"W": W, "epsilon": epsilon, "delta": delta}
    formula = bounds.get("safe.phi")
    assert float(formula("printed", **inputs)) == near(phi)
    assert float(formula("tight", **inputs)) ** 0.5 == near(analytic)
    assert float(formula("corrected", **inputs)) ** 0.5 == near(classic)
    doubled = formula("tight", **inputs, gamma=2 * W)
    assert float(doubled) == near(4 * analytic**2)


@pytest.mark.parametrize(
    ("W", "epsilon", "delta", "deviation", "variance"),
    [
        (1, 1, 1e-5, 0.001700170912, 0.09599949938),
        (10, 0.5, 1e-6, 0.0003016480568, 0.5817276974),
        (100, 0.1, 1e-4, 0.0002561742197, 0.8642368578),
    ],
)
def test_what_the_printed_noise_buys(W, epsilon, delta, deviation, variance):
    phi = float(bounds.get("safe.phi")("printed", W=W, epsilon=epsilon, delta=delta))
    for sigma, value in ((phi, deviation), (math.sqrt(phi), variance)):
        found = bounds.get("safe.thm2iii")("tight", epsilon=epsilon, distance=2 * W, sigma=sigma)
        assert float(found) == near(value)


@pytest.mark.parametrize(
    ("L", "mu", "n", "M", "gamma", "epsilon", "delta", "distance", "sigma", "classic"),
    [
        (1, 0.1, 2000, 20, 0, 0.5, 1e-5, 0.2, 1.406365335, 1.937922105),
        (1, 0.005, 60000, 400, 0.05, 1, 1e-5, 2.716666667, 10.13488261, 13.16172096),
        (2, 1, 1000, 1, 0, 0.9, 1e-6, 0.004, 0.01863538591, 0.02355023345),
    ],
)
def test_calibration(L, mu, n, M, gamma, epsilon, delta, distance, sigma, classic):
    far = bounds.get("safe.thm2iii.ridge")("tight", L=L, mu=mu, n=n, M=M, gamma=gamma)
    assert float(far) == near(distance)
    once = bounds.get("safe.thm2iii.distance")("corrected", L=L, mu=mu, n=n, M=M, gamma=gamma)
    assert float(once) - gamma == near((distance - gamma) / 2)
    noise = bounds.get("safe.thm2iii.noise")
    assert float(noise("tight", distance=far, epsilon=epsilon, delta=delta)) == near(sigma)
    assert far * math.sqrt(2 * math.log(1.25 / delta)) / epsilon == near(classic)


def test_calibration_is_tight_alone_and_together():
    noise, curve = bounds.get("safe.thm2iii.noise"), bounds.get("safe.thm2iii")
    for releases in (1, 2, 100):
        base = {"distance": 0.2, "epsilon": 1.0, "releases": releases}
        sigma = float(noise("tight", delta=1e-5, **base))
        assert float(curve("tight", sigma=sigma, **base)) <= 1e-5
        assert float(curve("tight", sigma=sigma * (1 - 1e-9), **base)) > 1e-5
        assert sigma == near(
            math.sqrt(releases) * float(noise("tight", delta=1e-5, **base | {"releases": 1}))
        )


def test_the_classical_mechanism_fails_from_8_42_on():
    def excess(epsilon):
        mu = epsilon / math.sqrt(2 * math.log(1.25e5))
        return float(delta_gdp(mu, epsilon)) - 1e-5

    assert excess(8.419) < 0 < excess(8.4205)
    assert float(delta_gdp(10 / math.sqrt(2 * math.log(1.25e5)), 10)) == near(2.27e-5, 3)


def test_calibration_grows_with_the_distance():
    sigma = bounds.get("safe.thm2iii.noise")(
        "tight", distance=np.geomspace(1e-6, 1e6, 50), epsilon=1, delta=1e-5
    )
    assert (np.diff(sigma) > 0).all()


def test_delta_against_mpmath():
    with mpmath.workdps(40):
        mu, e = mpmath.mpf(2) / 3, mpmath.mpf("0.25")
        true = mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)
    found = bounds.get("safe.thm2iii")("tight", epsilon=0.25, distance=2, sigma=3)
    assert float(found) == pytest.approx(float(true), rel=1e-12)
