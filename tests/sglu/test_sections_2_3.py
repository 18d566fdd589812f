"""Values of Sections 2 and 3, Appendix D and Theorem X, from 40-digit arithmetic.

Settings: A is small; B is CIFAR-10 with b = 128; C is MNIST with the full batch.
"""

import math

import numpy as np
import pytest

import bounds
from accounting.contraction.noisy_contraction import pabi_mu
from accounting.curves.gaussian import epsilon_gdp
from bounds.namespaces import numeric
from bounds.sglu.theorem_3_1 import log_kappa

SETTINGS = {
    "A": {
        "eta": 0.8,
        "m": 0.5,
        "M": 1.0,
        "sigma": 0.3,
        "R": 2.0,
        "b": 2,
        "J": 3,
        "T": 5,
        "K": 1,
        "alpha": 3.0,
    },
    "B": {
        "eta": 1 / 0.259728,
        "m": 0.009728,
        "M": 1.0,
        "sigma": 0.022,
        "R": 100.0,
        "b": 128,
        "J": 76,
        "T": 20,
        "K": 1,
        "alpha": 10.0,
    },
    "C": {
        "eta": 1 / 0.261264,
        "m": 0.011264,
        "M": 1.0,
        "sigma": 0.0489,
        "R": 100.0,
        "b": 11264,
        "J": 1,
        "T": 1000,
        "K": 1,
        "alpha": 5.0,
    },
}
DELTA = {"A": 1e-5, "B": 1 / 9728, "C": 1 / 11264}


def evaluate(id, form, setting, **changes):
    """The form at a setting; arguments that it does not take are left out."""
    formula = bounds.get(id)
    inputs = {k: v for k, v in {**SETTINGS[setting], **changes}.items() if k in formula.symbols}
    return float(formula(form, **inputs))


@pytest.mark.parametrize(
    ("setting", "epsilon"), [("A", 1.83665158725), ("B", 0.0325902822004), ("C", 0.0780526873473)]
)
def test_exact_epsilon(setting, epsilon):
    mu = evaluate("own.x", "tight", setting, j0=SETTINGS[setting]["J"] - 1)
    assert float(epsilon_gdp(mu, DELTA[setting])) == pytest.approx(epsilon, rel=1e-10)


def test_full_batch_learning():
    """A with b = n = 6, and CIFAR-10 full batch at sigma = .0653, T = 1000."""
    formula = bounds.get("sglu.def2.2")
    small = formula("tight", alpha=3.0, eta=0.8, m=0.5, M=1.0, b=6, sigma=0.3, T=5)
    assert math.sqrt(2 * small / 3) == pytest.approx(1.30010500058, rel=1e-11)
    large = formula(
        "tight", alpha=3.0, eta=1 / 0.259728, m=0.009728, M=1.0, b=9728, sigma=0.0653, T=1000
    )
    assert math.sqrt(2 * large / 3) == pytest.approx(0.0316210533786, rel=1e-11)


@pytest.mark.parametrize(
    ("setting", "mantissa", "exponent"),
    [("A", 7.58979872348, -35), ("B", 8.5859241652, -2421138), ("C", 9.73899058968, -492845)],
)
def test_doeblin_constant(setting, mantissa, exponent):
    s = SETTINGS[setting]
    found = float(
        log_kappa(numeric, *(np.asarray(x) for x in (s["R"], s["eta"], s["M"], s["sigma"], 1.0)))
    )
    assert found == pytest.approx(math.log(mantissa) + exponent * math.log(10), rel=1e-11)


def test_averaged_order_lies_between_the_worst_and_its_share():
    """eps_worst - log(J)/(alpha - 1) <= eps_average <= eps_worst (Corollaries 3.8 and 3.9)."""
    for setting in "ABC":
        s = SETTINGS[setting]
        worst = evaluate("sglu.cor3.8", "printed", setting)
        average = evaluate("sglu.cor3.9", "printed", setting)
        share = math.log(s["J"]) / (s["alpha"] - 1)
        assert worst * (1 - 1e-12) - share <= average <= worst * (1 + 1e-12)


@pytest.mark.parametrize("name", ["printed", "corrected"])
@pytest.mark.parametrize("sigma", [1.0, 0.3, 0.1, 0.02, 0.004])
def test_an_average_over_orders_is_that_of_50_digits_however_large_its_terms(name, sigma):
    """Corollary 3.9 sums by expm1 where all exponents are below 1, and apart from the largest."""
    s = {"eta": 0.8, "m": 0.5, "M": 1.0, "sigma": sigma, "R": 2.0, "b": 2, "J": 3, "K": 1}
    form = bounds.get("sglu.cor3.9")[name]
    exact = form.exact(**s, alpha=3.0)
    # The largest exponent goes from .1 to 11,000, and e to it leaves the floats.
    assert float(form(**s, alpha=3.0)) == pytest.approx(float(exact), rel=1e-11)


@pytest.mark.parametrize("width", [0.6, 1.0, 1.02, 1.2, 3.0])
def test_theorem_3_2_follows_the_runs_from_where_it_costs_least(width):
    """The least of X2 on the domain, which a shift may just cross: no start is left out."""
    for J, T, K, m in ((3, 39, 37, 0.002), (2, 20, 3, 0.01), (4, 6, 1, 0.3), (1, 5, 9, 0.1)):
        s = {"eta": 0.8, "m": m, "M": 1.0, "sigma": 0.3, "b": 2, "J": J, "T": T, "K": K, "alpha": 3}
        c, q, noise = 1 - s["eta"] * m, 2 * s["eta"] / s["b"], math.sqrt(2 * s["eta"]) * s["sigma"]
        far = width * q
        shifts = np.zeros(T * J)
        shifts[J - 1 : max(T - K, 0) * J : J] = q
        least = 3 / 2 * pabi_mu(c, shifts, noise, far, far) ** 2
        claim = bounds.get("sglu.thm3.2")
        found = float(claim("tight", R=far / 2, **s))
        chained = float(claim("corrected", R=far / 2, **s))
        assert found == pytest.approx(min(least, chained), rel=1e-10)
