"""Reference values (40-digit arithmetic) of Appendix M at the settings A, B, and C."""

import numpy as np
import pytest

import bounds

A = {"n": 6, "b": 2, "J": 3, "eta": 0.8, "m": 0.5, "M": 1, "sigma": 0.3, "K": 1, "alpha": 3}
B = {
    "n": 9728, "b": 128, "J": 76, "eta": 1 / 0.259728, "m": 0.009728, "M": 1, "sigma": 0.022,
    "K": 1, "alpha": 10,
}  # fmt: skip
C = {
    "n": 11264, "b": 11264, "J": 1, "eta": 1 / 0.261264, "m": 0.011264, "M": 1, "sigma": 0.0489,
    "K": 1, "alpha": 5,
}  # fmt: skip
SETTINGS = {"A": A, "B": B, "C": C}
VALUES = [
    ("thmm.2", "printed", {"S": 1, "T": np.inf}, 7.40740740741, 0.0897726290357, 0.00585240472165),
    ("thmm.2", "tight", {"S": 1, "T": np.inf}, 2.96296296296, 0.0440457157614, 0.00286312297868),
    ("eq79", "tight", {"S": 1, "K": 0}, 2.96296296296, 0.0440457157614, 0.00286312297868),
    ("eq79", "printed", {"S": 1}, 6.48276532624, 0.0894370184329, 0.00580215815767),
    ("eq79", "tight", {"S": 1}, 1.06666666667, 0.0408080785588, 0.00262156648641),
    ("eq80", "printed", {}, 3.888, 20.9056859233, 0.0621458539714),
    ("eq80", "tight", {}, 0.323865056227, 0.0012068806759, 0.00262156648641),
    ("eq81", "printed", {}, 4.16045337146, 1.11192765892, 0.0622649142206),
    ("eq81", "tight", {}, 1.06666666667, 0.0408080785588, 0.00262156648641),
]


@pytest.mark.parametrize(("id", "form", "extra", "a", "b", "c"), VALUES)
def test_reference_values(id, form, extra, a, b, c):
    formula = bounds.get(f"sglu.{id}")
    for setting, value in zip(SETTINGS.values(), (a, b, c), strict=True):
        inputs = {k: v for k, v in {**setting, **extra}.items() if k in formula.symbols}
        assert float(formula(form, **inputs)) == pytest.approx(value, rel=1e-9)


def test_learning_worst_case_is_noisy_gradient_descent():
    """mu = (q/s) sqrt((1 + c)(1 - c^T)/((1 - c)(1 + c^T))): D_alpha = alpha mu^2/2."""
    formula = bounds.get("sglu.thmm.2")
    for setting, T, mu in ((A, 5, 1.30010500058), (C, 1000, 0.0338415305722)):
        inputs = {k: v for k, v in setting.items() if k in formula.symbols}
        value = formula("tight", **inputs, S=1, T=T)
        assert float(value) == pytest.approx(setting["alpha"] * mu**2 / 2, rel=1e-9)


def test_langevin_unlearning_decays_with_its_step_condition():
    formula = bounds.get("sglu.thmm.1")
    inputs = {"alpha": 2.0, "eps0": 1.0, "sigma": 1.0, "m": 1.0, "K": 3}
    assert float(formula("printed", **inputs, eta=0.5, C=4 / 3)) == pytest.approx(
        np.exp(-9 / 8), rel=1e-12
    )
    with pytest.raises(ValueError, match="eta must satisfy"):
        formula("printed", **inputs, eta=0.5, C=1.3)
