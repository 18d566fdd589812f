"""Values (40-digit arithmetic) of Appendix M at the settings A, B, and C."""

import numpy as np
import pytest

import bounds

A = {"n": 6, "b": 2, "J": 3, "eta": 0.8, "m": 0.5, "M": 1, "sigma": 0.3, "K": 1, "alpha": 3}
C = {
    "n": 11264, "b": 11264, "J": 1, "eta": 1 / 0.261264, "m": 0.011264, "M": 1, "sigma": 0.0489,
    "K": 1, "alpha": 5,
}  # fmt: skip


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
