"""Values of olu's Theorem 2, the steps of its proof, Corollary 7 and Table 2.

From 40-digit arithmetic, twelve digits given; the derived ones below by mpmath here.
"""

import math

import mpmath
import numpy as np
import pytest

import bounds

SETTINGS = (
    {"T": 1000, "d": 10, "epsilon": 1, "L": 1, "mu": 1, "beta": 3, "tau": [50], "u": [10]},
    {
        "T": 10**4, "d": 5, "epsilon": 0.5, "L": 2, "mu": 0.5, "beta": 2,
        "tau": [100, 1000, 5000], "u": [20, 900, 4990],
    },
    {
        "T": 500, "d": 100, "epsilon": 10, "L": 1, "mu": 2, "beta": 8,
        "tau": [20, 40, 60, 80, 100], "u": [10, 30, 50, 70, 90],
    },
)  # fmt: skip


def value(id, form, inputs, **extra):
    formula = bounds.get(f"olu.{id}")
    known = {k: v for k, v in {**inputs, **extra}.items() if k in formula.symbols}
    return float(formula(form, **known))


@pytest.mark.parametrize(
    ("k", "claimed", "exact", "integral", "total"),
    [
        (1, 0.542326144547, 1, 0.454545454545, 1),
        (2, 1.76202284206, 2.50560005649, 2.08854246363, 3.29739670999),
        (10, 27.1806940109, 29.4858519565, 72.0405996573, 80.068770719),
    ],
)
def test_sums_of_powers(k, claimed, exact, integral, total):
    inputs = {"k": k, "omega": 1.2, "power": 1.2}
    assert value("eq17", "printed", inputs) == pytest.approx(claimed, rel=1e-9)
    assert value("eq17.sum", "printed", inputs) == pytest.approx(integral, rel=1e-9)
    assert claimed < exact <= value("eq17", "tight", inputs) <= value("eq17", "corrected", inputs)
    assert value("eq17.below", "corrected", inputs) <= total
    assert total <= value("eq17.sum", "corrected", inputs)
    assert float(mpmath.fsum(mpmath.mpf(i) ** mpmath.mpf("1.2") for i in range(1, k + 1))) == (
        pytest.approx(total, rel=1e-9)
    )


def test_one_over_root_three_fails_up_to_thirteen():
    exact = [math.sqrt(sum(i**2.4 for i in range(1, k + 1))) for k in range(1, 20)]
    fails = [k for k, root in enumerate(exact, 1) if root > k**1.7 / math.sqrt(3)]
    assert fails == list(range(1, 14))


@pytest.mark.parametrize(
    ("m", "L", "mu", "T", "printed", "corrected"),
    [
        (1, 1, 1, 10, 0.2, 0.1),
        (3, 2, 0.5, 100, 0.24, 0.12),
        (5, 1, 2, 17, 0.294117647059, 0.147058823529),
    ],
)
def test_lemma_5(m, L, mu, T, printed, corrected):
    inputs = {"m": m, "L": L, "mu": mu, "T": T}
    assert value("lem5", "printed", inputs) == pytest.approx(printed, rel=1e-9)
    assert value("lem5", "corrected", inputs) == pytest.approx(corrected, rel=1e-9)
    # (20) and (21) meet at the printed bound; with the corrected (20) they meet below it.
    r = value("lem5", "printed", inputs)
    assert value("eq20", "printed", inputs, r=r) == pytest.approx(
        value("eq21", "printed", inputs, r=r)
    )
    r = 2 * m * L / (mu * (2 * T - m))
    assert value("eq20", "corrected", inputs, r=r) == pytest.approx(
        value("eq21", "printed", inputs, r=r)
    )


def test_equation_22_at_its_ends():
    assert value("eq22", "tight", {"gamma": 0, "u_i": 4}) == 0.25
    assert value("eq22", "printed", {"gamma": 0}) == 1
    assert value("eq22", "corrected", {"gamma": 1}) == math.inf
    assert value("eq22", "tight", {"gamma": 1, "u_i": 4}) == math.inf


def test_corollary_7_where_gamma_vanishes():
    inputs = {"T": 3, "k": 1, "d": 1, "epsilon": 1e-3, "L": 1, "mu": 1, "beta": 1.02}
    assert value("cor7", "printed", inputs) == pytest.approx(142.16, rel=1e-4)
    theorem = value("thm2", "printed", {**inputs, "u": [2], "tau": [2]})
    assert theorem - 2 - math.log(3) == pytest.approx(866.03, rel=1e-4)


def test_the_refuting_stream():
    loud = {
        "T": 5000,
        "d": 1,
        "epsilon": 1.25e-5,
        "L": 1,
        "mu": 1,
        "beta": 3,
        "u": [4],
        "tau": [1001],
    }
    assert value("thm2", "printed", loud) == pytest.approx(10.517193191416, rel=1e-12)
    H = mpmath.harmonic(5000)
    exact = H / 2 + (1 - mpmath.mpf(1001) / 5000) + 1 / (4 * mpmath.mpf("1.25e-5")) / 1000
    assert value("thm2", "tight", loud) == pytest.approx(float(exact), rel=1e-13)
    from verify.olu.theorem_2 import measure

    assert measure(**loud) == pytest.approx(15.685835393, rel=1e-9)


@pytest.mark.parametrize(("slope", "D", "kappa"), [(3, 2, 3), (0.5, 1, 1), (10, 4, 5)])
def test_assumption_1(slope, D, kappa):
    assert value("ass1", "printed", {"slope": slope, "D": D}) == kappa


def test_restarting_against_passive_unlearning():
    five = {"T": 10**4, "L": 1, "mu": 1, "d": 1, "epsilon": 1e12}
    five["tau"] = [round(10**4 * j / 6) for j in range(1, 6)]
    assert value("thm2", "tight", five) == pytest.approx(7.39, abs=0.01)
    assert value("tab2", "corrected", five) == pytest.approx(23.99, abs=0.05)
    assert math.log(10**4) + 50 == pytest.approx(59.21, abs=0.01)
    last = [
        (2, 1.19e7), (3, 1.42e8), (5, 2.4e11), (10, 1.1e20),
    ]  # fmt: skip
    for k, T in last:
        for size, better in ((0.98 * T, True), (1.05 * T, False)):
            restart = (k + 1) / 2 * (1 + math.log(size / (k + 1)))
            assert (restart < math.log(size) + 2 * k * k) is better, (k, size)


def test_convex_baselines_by_hand():
    inputs = {"T": 100, "L": 2.0, "D": 3.0, "u": [4, 9], "tau": [16, 25], "path": 0.5}
    jumps = 6 * (4 * (1 / 2 + 1 / 8) + 5 * (1 / 3 + 1 / 18))
    assert value("tab2.retrain_convex", "corrected", inputs) == pytest.approx(90 + jumps + 10)
    private = {"T": 100, "k": 2, "d": 3, "epsilon": 1.0, "L": 2.0, "D": 3.0}
    assert value("dpregret.convex", "corrected", private) == pytest.approx(9 * math.sqrt(400))
    assert value("dpregret.convex", "printed", private) == 60


def test_the_active_unlearner_costs_more_than_a_replay():
    inputs = {"k": 1, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0, "age": 100}
    assert value("tab2.active", "printed", inputs) == pytest.approx(math.log2(100))
    assert value("tab2.active", "corrected", inputs) == 99 * 7


def test_hypotheses_are_refused_by_name():
    base = dict(SETTINGS[0])
    form = bounds.get("olu.thm2")["printed"]
    for change, text in (
        ({"u": [3]}, "beta/mu"),
        ({"u": [51]}, "u_i <= tau_i"),
        ({"tau": [1001]}, "tau_k <= T"),
        ({"u": [10, 10], "tau": [50, 60]}, "all different"),
        ({"mu": 5}, "mu <= beta"),
        ({"tau": [float("nan")]}, "tau"),
    ):
        with pytest.raises(ValueError, match=text):
            form(**{**base, **change})
    form(**{**base, "u": [50]})  # convention A: removed as soon as it came


def test_bounds_broadcast_over_numbers_around_a_list():
    setting = {key: SETTINGS[1][key] for key in ("d", "epsilon", "L", "mu", "tau")}
    found = bounds.get("olu.thm2")("tight", T=np.array([6000, 7000.0]), **setting)
    assert found.shape == (2,)
    for T, one in zip((6000, 7000), found, strict=True):
        assert one == pytest.approx(value("thm2", "tight", setting, T=T))


def test_g1_where_the_squares_of_its_terms_underflow():
    found = bounds.get("olu.g1")("printed", mu=2.0, beta=2.426263244964171, u=[8], tau=[105])
    gamma = 0.426263244964171 / 4.426263244964171
    assert found == pytest.approx(105 * gamma**194 / 64, rel=1e-9)
    assert 0 < found < 1e-190
