"""Values (40-digit arithmetic) of Appendix K: conversions and the clipped loss."""

import math

import pytest
from scipy.optimize import minimize_scalar

import bounds


@pytest.mark.parametrize(
    ("form", "epsilon"), [("printed", 1.32217596285), ("corrected", 1.09215030387)]
)
def test_conversions_of_the_gaussian_curve(form, epsilon):
    """Over all orders, where the exact Gaussian epsilon is 1."""
    mu, formula = 0.268051123211, bounds.get("sglu.propk.2")

    def at(v):
        alpha = 1 + math.exp(v)
        return float(formula(form, eps_r=alpha * mu**2 / 2, alpha=alpha, delta=1e-5))

    least = minimize_scalar(at, bounds=(0, 6), method="bounded", options={"xatol": 1e-10})
    assert least.fun == pytest.approx(epsilon, rel=1e-9)


def test_smoothness_of_the_clipped_loss():
    formula = bounds.get("sglu.k3")
    for x, extra in ((1, 0.25), (2, 1.0), (2.0001, 1.0001), (28, 27), (0, 0)):
        value = formula("corrected", x=x, lam=0.011264, M=1)
        assert float(value) == pytest.approx(extra + 0.011264, rel=1e-12)
    assert float(formula("printed", lam=0.011264)) == pytest.approx(0.261264, rel=1e-12)
