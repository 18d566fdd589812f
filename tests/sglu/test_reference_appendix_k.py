"""Reference values (40-digit arithmetic) of Appendix K: conversions and the clipped loss."""

import math

import pytest
from scipy.optimize import minimize_scalar

import bounds


@pytest.mark.parametrize(
    ("alpha", "delta", "printed", "corrected"),
    [
        (3, 1e-5, 5.85646273249, 4.90169148004),
        (10, 1 / 9728, 1.12030706713, 0.759103763366),
        (5, 1 / 11264, 2.4323417696, 1.80683874018),
    ],
)
def test_proposition_k_2(alpha, delta, printed, corrected):
    formula, inputs = bounds.get("sglu.propk.2"), {"eps_r": 0.1, "alpha": alpha, "delta": delta}
    assert float(formula("printed", **inputs)) == pytest.approx(printed, rel=1e-9)
    assert float(formula("corrected", **inputs)) == pytest.approx(corrected, rel=1e-9)


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


@pytest.mark.parametrize(
    ("mu", "epsilon", "delta"),
    [(0.5, 1, 0.00682959498311), (1, 0.5, 0.238421708135), (2, 3, 0.183813076544)],
)
def test_definition_k_1_on_gaussians(mu, epsilon, delta):
    value = bounds.get("sglu.defk.1")("corrected", mu=mu, epsilon=epsilon)
    assert float(value) == pytest.approx(delta, rel=1e-11)


def test_smoothness_of_the_clipped_loss():
    formula = bounds.get("sglu.k3")
    for x, extra in ((1, 0.25), (2, 1.0), (2.0001, 1.0001), (28, 27), (0, 0)):
        value = formula("corrected", x=x, lam=0.011264, M=1)
        assert float(value) == pytest.approx(extra + 0.011264, rel=1e-12)
    assert float(formula("printed", lam=0.011264)) == pytest.approx(0.261264, rel=1e-12)
