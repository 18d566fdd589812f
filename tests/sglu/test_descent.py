"""Values (40-digit arithmetic) of Appendix L, and the step counts of its theorems."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import bounds
from bounds.sglu import settings, theorem_l_2

A = {"n": 6, "m": 0.5, "L": 1.0, "M": 1, "delta": 1e-5}
B = {"n": 9728, "m": 0.009728, "L": 0.259728, "M": 1, "delta": 1 / 9728}
C = {"n": 11264, "m": 0.011264, "L": 0.261264, "M": 1, "delta": 1 / 11264}


@pytest.mark.parametrize(
    ("setting", "printed", "corrected", "whole"),
    [
        (A, 0.0540006079188, 0.0270003039594, 0.020554444269),
        (B, 0.818082422421, 0.40904121121, 0.295571186574),
        (C, 0.518106656928, 0.259053328464, 0.1879225469),
    ],
)
def test_theorem_l_1(setting, printed, corrected, whole):
    """`whole` has the sensitivity 4M gamma^I/(mn(1 - gamma^I)), a bound on the exact one."""
    formula, inputs = bounds.get("sglu.thml.1"), {**setting, "I": 5, "epsilon": 1.0}
    power = ((setting["L"] - setting["m"]) / (setting["L"] + setting["m"])) ** 5
    assert float(formula("printed", **inputs)) == pytest.approx(printed, rel=1e-9)
    assert float(formula("corrected", **inputs)) == pytest.approx(corrected, rel=1e-9)
    assert float(formula("tight", **inputs)) == pytest.approx(whole * (2 - power) / 2, rel=1e-9)


@pytest.mark.parametrize(
    ("setting", "d", "least", "extra", "total", "printed"),
    [
        (A, 2, 3.09425524093, 2.37527689485, 7, 0.955805663872),
        (B, 512, 110.631370135, 37.6522594316, 149, 0.000199997195165),
        (C, 784, 97.0804366542, 33.0935269472, 132, 0.000137917915552),
    ],
)
def test_theorem_l_2(setting, d, least, extra, total, printed):
    where = {k: np.asarray(setting[k]) for k in ("L", "m", "delta")}
    steps = float(theorem_l_2.least_steps(**where, d=np.asarray(d), epsilon=np.asarray(1.0)))
    more = float(theorem_l_2.extra_steps(**where, d=np.asarray(d), request=np.asarray(1.0)))
    assert (steps, more) == (pytest.approx(least, rel=1e-11), pytest.approx(extra, rel=1e-11))
    assert math.ceil(math.ceil(steps) + more) == total
    value = bounds.get("sglu.thml.2")("printed", **setting, d=d, I=steps, epsilon=1.0)
    assert float(value) == pytest.approx(printed, rel=1e-9)


@pytest.mark.parametrize("ratio", [1e-12, 0.3, 1 / 3, 0.4, 0.99, 1 - 1e-9, 1 - 2**-53])
def test_gamma_from_either_end(ratio):
    """Near gamma = 1 and near gamma = 0 (L almost m) all digits are kept."""
    L, m, T = 2.5, 2.5 * ratio, 3
    with mpmath.workdps(60):
        gamma = (mpmath.mpf(L) - mpmath.mpf(m)) / (mpmath.mpf(L) + mpmath.mpf(m))
        left, tail = gamma**T, gamma**T / (1 - gamma**T)
    given = {"L": L, "m": m}
    found = float(bounds.get("sglu.alg2")("printed", **given, T=T, W0=1.0))
    assert found == pytest.approx(float(left), rel=1e-13)
    found = float(bounds.get("sglu.alg3")("printed", **given, I=T, S=1, n=1, M=m / 2))
    assert found == pytest.approx(float(tail), rel=1e-13)


def test_a_tail_beyond_the_largest_float_is_not_lost():
    m = 0.007525956007390129
    inputs = {"I": 36, "S": 1, "n": 1, "m": m, "L": 0.007525956044686297, "M": 1.0}
    gap = Fraction(inputs["L"]) - Fraction(m)
    exact = 2 / Fraction(m) * (gap / (2 * Fraction(m) + gap)) ** 36
    found = float(bounds.get("sglu.alg3")("tight", **inputs))
    assert found == pytest.approx(float(exact), rel=1e-10, abs=0)


def test_theorem_l_2_refuses_too_few_steps():
    with pytest.raises(ValueError, match="least number of steps"):
        bounds.get("sglu.thml.2")("printed", **A, d=2, I=3.0, epsilon=1.0)


@pytest.mark.parametrize(
    ("data", "d", "total"), [("MNIST", 784, 13374), ("MNIST", 724, 13272), ("CIFAR-10", 512, 15169)]
)
def test_steps_of_a_hundred_requests(data, d, total):
    n = settings.SIZES[data]
    L, m = float(settings.smoothness(n)), float(settings.regularisation(n))
    assert theorem_l_2.total_steps(L, m, d, 1.0, 1 / n, 100) == total


def test_the_proof_of_theorem_l_2_leaves_a_factor_between_2_and_2_2():
    inputs = {**C, "d": 784, "I": 200}
    for epsilon in settings.EPSILONS:
        value = bounds.get("sglu.thml.2")
        ratio = value("printed", **inputs, epsilon=epsilon) / value(
            "corrected", **inputs, epsilon=epsilon
        )
        assert 2.0 < ratio < 2.2
