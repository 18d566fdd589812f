"""Values (40-digit arithmetic) of Algorithms 4 and 5 at the settings A, B, and C."""

import numpy as np
import pytest

import bounds
from bounds.namespaces import numeric
from bounds.sglu.algorithm_5 import epsilon_line_9

A = {
    "n": 6,
    "b": 2,
    "J": 3,
    "eta": 0.8,
    "m": 0.5,
    "M": 1,
    "sigma": 0.3,
    "R": 2,
    "T": 5,
    "delta": 1e-5,
}
B = {
    "n": 9728, "b": 128, "J": 76, "eta": 1 / 0.259728, "m": 0.009728, "M": 1, "sigma": 0.022,
    "R": 100, "T": 20, "delta": 1 / 9728,
}  # fmt: skip
C = {
    "n": 11264, "b": 11264, "J": 1, "eta": 1 / 0.261264, "m": 0.011264, "M": 1, "sigma": 0.0489,
    "R": 100, "T": 1000, "delta": 1 / 11264,
}  # fmt: skip


def known(formula, setting):
    return {k: v for k, v in setting.items() if k in formula.symbols}


@pytest.mark.parametrize(
    ("setting", "T", "epsilon"),
    [
        (A, np.inf, 6.66738052146),
        (B, np.inf, 0.501091832565),
        (C, np.inf, 1.00107496242),
        (A, 5, 6.66977108648632),
        (B, 20, 0.501091832565),
        (C, 1000, 1.00107496242),
    ],
)
def test_line_9_of_algorithm_5(setting, T, epsilon):
    """At the paper's T the unconverged terms are invisible; at setting A they are not."""
    names = ("delta", "sigma", "eta", "m", "M", "b", "J", "R")
    inputs = {k: np.asarray(float(setting[k])) for k in names}
    inputs["T"] = np.asarray(float(T))
    assert float(epsilon_line_9(numeric, np.asarray(1.0), **inputs)) == pytest.approx(
        epsilon, rel=1e-9
    )


def test_printed_algorithm_5_returns_one_too_many():
    formula = bounds.get("sglu.alg5")
    inputs = {**known(formula, C), "epsilon": 1.0}
    for sigma in (0.01, 0.02, 0.03, 0.0489, 0.05):
        least = int(formula("corrected", **{**inputs, "sigma": sigma}))
        assert int(formula("printed", **{**inputs, "sigma": sigma})) == least + 1
        line_9 = [
            float(
                epsilon_line_9(
                    numeric,
                    np.asarray(float(k)),
                    **{
                        name: np.asarray(float(value))
                        for name, value in known(formula, C).items()
                        if name != "sigma"
                    },
                    sigma=np.asarray(sigma),
                )
            )
            for k in range(1, least + 1)
        ]
        assert line_9[-1] <= 1 < min(line_9[:-1], default=np.inf)


def test_algorithm_5_never_ends_when_learning_left_too_much():
    formula = bounds.get("sglu.alg5")
    inputs = {**known(formula, C), "epsilon": 1.0, "T": 10}
    assert formula("printed", **inputs) == np.inf
    assert formula("corrected", **inputs) == np.inf


def test_printed_algorithm_4_returns_epochs_and_never_one():
    formula = bounds.get("sglu.alg4")
    inputs = {**known(formula, C), "epsilon": 1.0, "sigma_high": 10.0}
    assert float(formula("printed", **inputs, K=1)) == 2
    assert float(formula("printed", **inputs, K=3)) in (3, 4)
