"""Values of olu Section 3.1 (Algorithm 1 to Table 1) and its proofs, from 40 digits."""

import math
from fractions import Fraction

import numpy as np
import pytest

import bounds
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule, transport
from bounds.olu.allocation import power_sum
from verify.olu import deletion_chains, theorem_1

# mu, beta, L, u, tau, epsilon; only the last u enters line 5.
SETTINGS = {
    1: {"mu": 1, "beta": 3, "L": 1, "u": [4], "tau": [6], "epsilon": 1},
    2: {"mu": 1, "beta": 3, "L": 1, "u": [3, 4], "tau": [6, 14], "epsilon": 0.1},
    3: {"mu": 0.5, "beta": 5, "L": 2, "u": [10, 11, 12], "tau": [20, 40, 60], "epsilon": 2},
}


def test_noise_of_algorithm_1_with_zeta_in_place_of_its_bound():
    series = bounds.get("olu.eq8c")
    factor = math.sqrt(series("tight", omega=1.2) / series("printed", omega=1.2))
    expected = (0.334412393346, 0.616491387042, 0.154959463132)
    for setting, value in zip(SETTINGS.values(), expected, strict=True):
        found = factor * float(bounds.get("olu.alg1")("corrected", **setting))
        assert found == pytest.approx(value, rel=1e-9)


# formula, form, inputs, value
TABLE = [
    ("olu.thm1", "tight", {"alpha": 2, "epsilon": 0.5, "i": 1}, 1 / 6),
    ("olu.thm1", "tight", {"alpha": 2, "epsilon": 0.5, "i": 2}, (1 + 2**-1.2) / 6),
    ("olu.thm1", "printed", {"alpha": 2, "epsilon": 0.1}, 0.2),
    ("olu.eq8c", "printed", {"omega": 1.2}, 6),
    ("olu.eq8c", "tight", {"omega": 1.2}, 5.59158244118),
    ("olu.eq8c", "printed", {"omega": 1.5}, 3),
    ("olu.eq8c", "tight", {"omega": 1.5}, 2.61237534869),
    ("olu.eq8c", "printed", {"omega": 2}, 2),
    ("olu.eq8c", "tight", {"omega": 2}, math.pi**2 / 6),
    ("olu.lema", "printed", {"alpha": 2, "x": 0.5, "s": 1}, 0.25),
    ("olu.lema", "printed", {"alpha": 10, "x": 0.1, "s": 0.3}, 0.555555555556),
    ("olu.lema", "tight", {"alpha": 1.5, "x": 2, "s": 4}, 0.1875),
    ("olu.def5", "printed", {"alpha": 2, "x": 0.75, "s": 1, "e": 0.25}, 0.25),
    ("olu.lemd.2", "printed", {"mu": 1, "beta": 3}, 0.5),
    ("olu.lemd.2", "corrected", {"mu": 1, "beta": 3, "eta": 0.25}, 0.75),
    ("olu.lemd.2", "corrected", {"mu": 1, "beta": 3, "eta": 0.5}, 0.5),
    ("olu.lemd.2", "printed", {"mu": 0.5, "beta": 5}, 0.818181818182),
    ("olu.lemd.2", "corrected", {"mu": 0.5, "beta": 5, "eta": 0.1}, 0.95),
    ("olu.lemd.1", "printed", {"eta": 0.25, "beta": 2}, 0.5),
    ("olu.lemd.1", "corrected", {"eta": 0.25, "beta": 2}, 1),
    ("olu.cor1a", "printed", {"eta": 1 / (1 * math.sqrt(4)), "L": 1}, 0.5),
    ("olu.cor1a", "printed", {"eta": 3 / (2 * math.sqrt(100)), "L": 2}, 0.3),
    ("olu.cor1a", "printed", {"eta": 2 / (1 * math.sqrt(10)), "L": 1}, 0.632455532034),
    ("olu.fig1", "printed", {"gamma": 0.5, "L": 0.1, "l": 2}, 0.025),
    ("olu.fig1", "corrected", {"gamma": 0.5, "eta": 5, "L": 0.1, "l": 2}, 0.125),
    ("olu.c3", "printed", {"eta": 0.5, "L": 2}, 1),
    # [s .5, c .8, noise .3, c .9, noise .4] in steps that contract, shift, then add noise.
    (
        "olu.lem3", "printed",
        {"alpha": 2, "c": [1, 0.8, 0.9], "s": [0.5, 0, 0], "sigma": [0, 0.3, 0.4],
         "a": [0, 0.125203950193, 0.247316444826]},
        2 * 0.278231000429,
    ),
    (
        "olu.lem3", "printed",
        {"alpha": 2, "c": [1, 1], "s": [0.2, 2], "sigma": [1, 0.5], "a": [0.2, 2]},
        2 * 8.02,
    ),
    (
        "olu.lem3", "printed",
        {"alpha": 2, "c": [1, 0.5] + [1, 0.5] * 2, "s": [1, 0] * 3, "sigma": [0, 0.7] * 3,
         "a": [0, 1 / 6, 0, 1 / 3, 0, 2 / 3]},
        2 * 0.595238095238,
    ),
    ("olu.eq8", "printed", {"alpha": 2, "a": [1, 2], "sigma": [1, 2]}, 2),
    ("olu.eq8", "tight", {"alpha": 2, "a": [1, 2], "sigma": [1, 2]}, 1.8),
    ("olu.lem4", "printed", {"alpha": 3, "x": 2, "s": 1, "e": 0.5}, 3.375),
]  # fmt: skip


@pytest.mark.parametrize(("id", "form", "inputs", "value"), TABLE)
def test_reference_values(id, form, inputs, value):
    assert float(bounds.get(id)(form, **inputs)) == pytest.approx(value, rel=2e-10)


def test_allocation_tends_to_zeta_over_six():
    found = bounds.get("olu.thm1")("tight", alpha=2, epsilon=0.5, i=10**15)
    # What is left after i terms is about i^-0.2/0.2.
    assert found + 1e15**-0.2 / 0.2 / 6 == pytest.approx(0.9319304069, abs=1e-10)


def test_steps_of_the_strongly_convex_learner_expand_first():
    t = np.arange(1.0, 9.0)
    found = bounds.get("olu.c2")("corrected", eta=1 / t, mu=1, beta=3)
    expected = [2, 1 / 2, 2 / 3, 3 / 4, 4 / 5, 5 / 6, 6 / 7, 7 / 8]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("mu", "beta", "u", "tau", "printed", "a", "c"),
    [
        (1, 3, 4, 6, 0.25, 0.666666666667, 0.8),
        (1, 3, 4, 14, 0.0009765625, 0.285714285714, 0.307692307692),
        (2, 20, 11, 60, 5.36588535836e-5, 0.183333333333, 0.186440677966),
    ],
)
def test_factors_from_the_deleted_loss_to_its_deletion(mu, beta, u, tau, printed, a, c):
    inputs = {"mu": mu, "beta": beta, "L": mu * u, "u": u, "tau": tau}  # arrival L/(mu u) = 1
    formula = bounds.get("olu.cor1b")
    assert float(formula("printed", **inputs)) == pytest.approx(printed, rel=1e-9)
    assert float(formula("corrected", **inputs)) == pytest.approx(c, rel=1e-9)
    descent = OnlineDescent(mu, beta, mu * u, inverse_time(mu))
    first = transport(descent, DeletionSchedule(np.array(u), np.array(tau), convention="A"))
    assert first.shifts[0] == pytest.approx(a, rel=1e-9)


@pytest.mark.parametrize(
    ("order", "tau", "expected"),
    [
        ("A", 6, 32 / 27), ("A", 7, 512 / 147), ("A", 10, 109.226667), ("A", 14, 14266.3401361),
        ("C", 6, 128 / 75), ("C", 14, 8388608 / 507),
    ],
)  # fmt: skip
def test_exact_ratios_at_decreasing_steps(order, tau, expected):
    one = Fraction(1)
    found = deletion_chains.ratio(
        lambda t: Fraction(1, t), one, Fraction(3), 4, tau, Fraction(6, 5), order
    )
    assert found == pytest.approx(expected, rel=1e-8)


def test_exact_ratios_at_a_constant_step():
    one = Fraction(1)

    def quarter(t):
        return Fraction(1, 4)

    assert deletion_chains.ratio(quarter, one, Fraction(3), 4, 5, Fraction(2)) == 9 / 8
    assert deletion_chains.ratio(quarter, one, Fraction(3), 4, 7, Fraction(6, 5)) == 243 / 128
    found = deletion_chains.ratio(quarter, one, Fraction(3), 4, 14, Fraction(6, 5))
    assert found == pytest.approx(554.2, abs=0.05)


@pytest.mark.parametrize(
    ("epsilon", "expected"), [(0.1, 0.24066672), (0.01, 0.25619375), (0.001, 0.25808148)]
)
def test_noise_after_the_projection(epsilon, expected):
    assert theorem_1.after_projection(epsilon, 2.0) == pytest.approx(expected, abs=1e-8)


def test_noise_after_the_projection_in_the_limit():
    variance = 2**1.2 / 4  # of the second noise, in units of the first
    limit = -0.5 * math.log(variance * (2 + variance) / (1 + variance) ** 2)
    assert limit == pytest.approx(0.258302, abs=1e-6)
    assert theorem_1.after_projection(1e-9, 2.0) == pytest.approx(limit, rel=1e-6)


@pytest.mark.parametrize("omega", [1.0001, 1.2, 2.0, 7.0, 200.0])
@pytest.mark.parametrize("i", [1, 2, 63, 64, 65, 100, 20_000])
def test_power_sum(i, omega):
    exact = math.fsum(np.arange(1.0, i + 1) ** -omega)
    assert float(power_sum(i, omega)) == pytest.approx(exact, rel=1e-15)
