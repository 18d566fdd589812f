"""Values of safe: the risks of a stream, SAFE's step, and path lengths."""

from fractions import Fraction
from itertools import accumulate

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bounds
from bounds.safe.stream import FOUR
from verify.safe.equation_28 import gradient
from verify.safe.path_length import measure_sum, tight_stream
from verify.safe.toy_problems import two_classes

CLOSE = {"rel": 1e-9}  # most values are given with ten digits
FOURS = {"data": [0, 1, 5, 10], "leaves": [3, 2, 3, 1]}
# (t, w) of the toy with two deletions, weight 0.7
POINTS = [(1, 1.0), (2, 1.0), (2, 3.25)]


def value(id, form="printed", **inputs):
    return float(bounds.get(id)(form, **inputs))


def test_models_to_aim_at():
    found = bounds.get("safe.eq4")("printed", **FOURS, t=[0, 1, 2])
    np.testing.assert_allclose(found, [4, 2, 2.5], rtol=1e-15)


RISKS = {
    "safe.eq5": (0.85, 1.9125, 0.478125),
    "safe.eq7": (0.5, 1.125, 0.28125),
    "safe.eq8": (0.5, 1.125, 0.28125),
    "safe.eq10": (3.183333333333, 5.0375, 3.603125),
    "safe.eq11": (2.833333333333, 4.25, 3.40625),
    "safe.eq13": (3.183333333333, 5.0375, 3.603125),
    "safe.eq14": (2.833333333333, 4.25, 3.40625),
    "safe.eq16": (0.35, 0.7875, 0.196875),
}


def test_rounds_and_models_broadcast_over_lists():
    t, w = np.array([p[0] for p in POINTS]), np.array([p[1] for p in POINTS])
    for id, expected in RISKS.items():
        weight = {"lam": 0.7} if "lam" in bounds.get(id).symbols else {}
        found = bounds.get(id)("printed", **FOURS, t=t, w=w, **weight)
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_constant_that_equation_9_drops():
    found = bounds.get("safe.eq9.gap")("tight", **FOURS, t=[0, 1, 2])
    np.testing.assert_allclose(found, [7.75, 7 / 3, 3.125], rtol=1e-14)


@pytest.mark.parametrize(
    ("n", "w", "gone", "expected"),
    [(4, 1, [10], -1.0), (4, 1, [10, 1], -1.5), (4, 3.25, [10, 1], 0.75)],
)
def test_retention_gradient(n, w, gone, expected):
    gradients = [w - x for x in gone]
    assert value("safe.eq15", n=n, G=w - 4, gradients=gradients) == pytest.approx(expected)
    # One request after the other gives the same.
    G = w - 4
    for k, g in enumerate(gradients):
        G = value("safe.eq15", n=n - k, G=G, gradients=[g])
    assert pytest.approx(expected, rel=1e-14) == G
    trained = value("safe.eq15.trained", "tight", n=n, gradients=[4 - x for x in gone])
    assert trained == pytest.approx(4 - np.mean([x for x in FOURS["data"] if x not in gone]))


@pytest.mark.parametrize(
    ("w", "retention", "forgetting"),
    [
        (1.2, 0.3635873614, 0.1022975400),
        (2.2, 0.2483645092, 0.02754921856),
        (0.2, 0.6152055820, 1.806373238),
    ],
)
def test_surrogate_risk(w, retention, forgetting):
    now = two_classes(1)
    lists = {"signed": now.signed, "deleted": list(now.deleted), "targets": now.targets}
    assert value("safe.eq28", **lists, w=w, lam=0) == pytest.approx(retention, **CLOSE)
    both = value("safe.eq28", **lists, w=w, lam=0.7)
    assert both - retention == pytest.approx(forgetting, rel=1e-8)
    sums = {1.2: 0.4658849014, 2.2: 0.2759137277, 0.2: 2.421578820}
    assert both == pytest.approx(sums[w], **CLOSE)


def test_gradient_of_the_surrogate_risk():
    np.testing.assert_allclose(gradient(1, 0.7), (-0.1639399200, -0.3125557176), rtol=1e-9)
    np.testing.assert_allclose(gradient(2, 0.7), (-0.1612935346, -0.3483222853), rtol=1e-9)


def test_surrogate_risk_of_far_models_does_not_overflow():
    lists = {"signed": [800.0, -900.0], "deleted": [1000.0], "targets": [-500.0]}
    with mpmath.workdps(900):
        f = 1 / (1 + mpmath.exp(mpmath.mpf(-1000)))
        q = 1 / (1 + mpmath.exp(mpmath.mpf(500)))
        apart = f * mpmath.log(f / q) + (1 - f) * mpmath.log((1 - f) / (1 - q))
        kept = (mpmath.log1p(mpmath.exp(-800)) + 900) / 2
    assert value("safe.eq28", **lists, w=1.0, lam=1.0) == pytest.approx(float(kept + apart))


@pytest.mark.parametrize(
    ("model", "ideal", "before", "square"), [(1, 3, 2, 4), (0, 1, -1, 1), (2, 2, 5, 0)]
)
def test_equation_30(model, ideal, before, square):
    assert value("safe.eq30", model=[model], ideal=[ideal], before=[before]) == square


PATHS = [
    (1, 0.1, 2000, [20] * 20, 2.218982387, 2.231435513, 4.437964774),
    (1, 0.005, 60000, [400] * 20, 28.51785008, 28.62016873, 57.03570015),
    (2, 1, 100, [10, 40], 1.088888889, 1.386294361, 2.177777778),
]


@pytest.mark.parametrize(("L", "mu", "n", "deletions", "sum_", "log", "ridge"), PATHS)
def test_bounds_of_the_path_length(L, mu, n, deletions, sum_, log, ridge):
    inputs = {"L": L, "mu": mu, "n": n, "deletions": deletions}
    for id, expected in (("sum", sum_), ("log", log), ("ridge", ridge)):
        assert value(f"safe.vt.{id}", "tight", **inputs) == pytest.approx(expected, **CLOSE)
    assert measure_sum(**inputs) == pytest.approx(sum_, **CLOSE)


def test_path_length():
    assert value("safe.vt", **FOURS, T=2) == 2.5
    np.testing.assert_allclose(bounds.get("safe.vt")("printed", **FOURS, T=[1, 2]), [2, 2.5])
    toy = {k: list(v) for k, v in FOUR.items()}
    assert toy == FOURS


@given(
    st.integers(2, 80),
    st.lists(st.integers(0, 9), min_size=1, max_size=6),
    st.fractions(Fraction(1, 9), 9),
)
def test_sum_form_is_attained_in_rational_numbers(n, deletions, L):
    if sum(deletions) >= n:
        n += sum(deletions)
    mu = Fraction(2, 3)
    stars, steepest = tight_stream(L, mu, n, deletions)
    before = [n - left for left in accumulate(deletions[:-1], initial=0)]
    shares = sum(Fraction(m, k) for m, k in zip(deletions, before, strict=True))
    assert stars[0] - stars[-1] == L / mu * shares
    assert steepest <= max(L, L * shares)


def test_deletions_must_leave_a_sample_and_be_whole():
    inputs = {"L": 1, "mu": 1, "n": 10}
    with pytest.raises(ValueError, match="sum of the deletions below n"):
        value("safe.vt.log", "tight", **inputs, deletions=[4, 6])
    with pytest.raises(ValueError, match="whole numbers"):
        value("safe.vt.sum", "tight", **inputs, deletions=[0.5])
    with pytest.raises(ValueError, match="some sample stays after round t"):
        value("safe.eq10", **FOURS, t=3, w=0, lam=1)
