"""Values (40-digit arithmetic) met by the recursions of Appendices D to J.

Lemma 3.5, Corollaries 3.9 and 3.12, and Theorems 3.2 and 3.11 are what these recursions lead to.
"""

import mpmath
import numpy as np
import pytest

import bounds

A = {"b": 2, "J": 3, "eta": 0.8, "m": 0.5, "M": 1, "sigma": 0.3, "R": 2, "T": 5, "K": 1, "alpha": 3}
B = {
    "b": 128, "J": 76, "eta": 1 / 0.259728, "m": 0.009728, "M": 1, "sigma": 0.022, "R": 100,
    "T": 20, "K": 1, "alpha": 10,
}  # fmt: skip
C = {
    "b": 11264, "J": 1, "eta": 1 / 0.261264, "m": 0.011264, "M": 1, "sigma": 0.0489, "R": 100,
    "T": 1000, "K": 1, "alpha": 5,
}  # fmt: skip
SETTINGS = pytest.mark.parametrize("index", [0, 1, 2], ids="ABC")


def value(id, form, setting, **extra):
    formula = bounds.get(f"sglu.{id}")
    inputs = {k: v for k, v in {**setting, **extra}.items() if k in formula.symbols}
    return float(formula(form, **inputs))


def contraction(setting):
    return 1 - setting["eta"] * setting["m"]


@SETTINGS
def test_epochs_one_by_one_reach_corollary_3_12(index):
    setting = (A, B, C)[index]
    hits = ({0: 1, 2: 2}, {0: 1, 75: 2}, {0: 3})[index]
    expected = (2.4070309831, 0.130949355477, 0.0472896355243)[index]
    distance = 0.0
    for _ in range(setting["T"]):
        distance = value("apph", "printed", setting, W=distance, hits=hits)
    assert distance == pytest.approx(expected, rel=1e-9)


@SETTINGS
def test_an_epoch_at_a_time_contracts_as_lemma_3_6(index):
    setting = (A, B, C)[index]
    expected = (0.000470184984576, 6.31365421834e-26, 7.25165241475e-20)[index]
    distance = 1.0
    for _ in range(setting["T"]):
        distance = value("appj", "printed", setting, W=distance)
    assert distance == pytest.approx(expected, rel=1e-9)


@SETTINGS
def test_induction_step_gives_theorem_3_11(index):
    setting = (A, B, C)[index]
    second = (1.24081632653, 0.0671557886299, 0.0308468167788)[index]
    fifth = (1.30092905953, 0.0673591896201, 0.0723067306377)[index]
    c, J = contraction(setting), setting["J"]
    Z = 2 * setting["eta"] * setting["M"] / setting["b"] / (1 - c**J)
    found = [Z]
    for _ in range(4):
        step = {"c": c, "J": J, "K_s": 1, "Z_s": found[-1], "Z": Z}
        found.append(value("appe", "corrected", step))
    assert found[1] == pytest.approx(second, rel=1e-9)
    assert found[4] == pytest.approx(fifth, rel=1e-9)


@SETTINGS
def test_start_of_unlearning_is_the_distance_of_theorem_3_2(index):
    setting = (A, B, C)[index]
    expected = (1.02180912261, 0.0636574390695, 0.0157632118414)[index]
    assert value("eq21_25", "corrected", setting) == pytest.approx(expected, rel=1e-9)
    assert value("eq21_25", "printed", setting) >= expected * (1 - 1e-11)


@SETTINGS
def test_mixture_over_positions_gives_corollary_3_9(index):
    setting = (A, B, C)[index]
    expected = (0.647000783923, 0.0061692369238, 0.0621458539714)[index]
    c, J, alpha = contraction(setting), setting["J"], setting["alpha"]
    j = np.arange(J)
    Z = 2 * setting["eta"] * setting["M"] / setting["b"] / (1 - c**J) * c ** (J - 1.0 - j)
    losses = alpha * (Z * c**J) ** 2 / (2 * setting["eta"] * setting["sigma"] ** 2)
    found = value("lemg.1", "printed", {"alpha": alpha, "w": np.ones(J), "D": losses})
    assert found == pytest.approx(expected, rel=1e-9)


@SETTINGS
def test_first_half_of_theorem_3_2_against_high_precision(index):
    setting = (A, B, C)[index]
    with mpmath.workdps(40):
        eta, m, sigma, R = (mpmath.mpf(setting[k]) for k in ("eta", "m", "sigma", "R"))
        c, N = 1 - eta * m, setting["T"] * setting["J"]
        printed = setting["alpha"] * (2 * R) ** 2 * c ** (2 * N) / (2 * eta * sigma**2)
        spread = mpmath.fsum(c ** (2 * i) for i in range(N))
        tight = printed / (2 * spread)
    found = value("eq18_20", "corrected", setting, W0=2 * setting["R"])
    assert found == pytest.approx(float(printed), rel=1e-9)
    found = value("eq18_20", "tight", setting, W0=2 * setting["R"])
    assert found == pytest.approx(float(tight), rel=1e-9)


def test_mixture_of_close_and_of_far_pairs_keeps_its_digits():
    formula = bounds.get("sglu.lemg.1")
    near = {"alpha": 1 + 1e-12, "w": [1, 3], "D": [2.0, 4.0]}
    assert float(formula("printed", **near)) == pytest.approx(3.5, rel=1e-11)
    far = {"alpha": 2000.0, "w": [1, 1, 0], "D": [900.0, 1.0, 1e9]}
    assert float(formula("printed", **far)) == pytest.approx(900 - np.log(2) / 1999, rel=1e-14)
    assert float(formula("printed", alpha=1.0, w=[1, 1], D=[1.0, 3.0])) == 2.0


def test_signs_and_indices_of_the_printed_displays():
    """(54) is for a step of descent; (30) lags one request behind."""
    assert value("eq48_54", "printed", {"eta": 0.8, "m": 0.5, "M": 0, "D": 1}) == pytest.approx(0.6)
    step = {"c": 0.5, "J": 1, "K_before": 3, "K_s": 1, "Z_s": 2.25, "Z": 2}
    assert value("appe", "printed", step) == 73 / 32
    assert value("appe", "corrected", step) == 25 / 8
