"""Reference values of Sections 2 and 3, Appendix D and Theorem X, from 40-digit arithmetic.

Settings: A is small; B is CIFAR-10 with b = 128; C is MNIST with the full batch.
"""

import math

import numpy as np
import pytest

import bounds
from accounting.contraction.noisy_contraction import pabi_mu
from accounting.curves.gaussian import epsilon_gdp
from bounds.namespaces import numeric
from bounds.sglu.theorem_3_1 import log_kappa

SETTINGS = {
    "A": {
        "eta": 0.8,
        "m": 0.5,
        "M": 1.0,
        "sigma": 0.3,
        "R": 2.0,
        "b": 2,
        "J": 3,
        "T": 5,
        "K": 1,
        "alpha": 3.0,
    },
    "B": {
        "eta": 1 / 0.259728,
        "m": 0.009728,
        "M": 1.0,
        "sigma": 0.022,
        "R": 100.0,
        "b": 128,
        "J": 76,
        "T": 20,
        "K": 1,
        "alpha": 10.0,
    },
    "C": {
        "eta": 1 / 0.261264,
        "m": 0.011264,
        "M": 1.0,
        "sigma": 0.0489,
        "R": 100.0,
        "b": 11264,
        "J": 1,
        "T": 1000,
        "K": 1,
        "alpha": 5.0,
    },
}
POINTS = {"A": 6, "B": 9728, "C": 11264}
DELTA = {"A": 1e-5, "B": 1 / 9728, "C": 1 / 11264}


def evaluate(id, form, setting, **changes):
    """The form at a setting; arguments that it does not take are left out."""
    formula = bounds.get(id)
    inputs = {k: v for k, v in {**SETTINGS[setting], **changes}.items() if k in formula.symbols}
    return float(formula(form, **inputs))


# id, form, changes of the settings, values at A, B, C
TABLE = [
    ("sglu.thm3.2", "printed", {}, (2.53733236406, 0.0693235685818, 0.139828171436)),
    ("sglu.thm3.2", "corrected", {}, (0.346340302222, 0.00121053667458, 0.0310729269857)),
    ("sglu.thm3.2", "tight", {}, (0.327995318323, 0.0012068806759, 0.00262156648641)),
    ("sglu.lem3.4", "printed", {"Z": 2.0, "s2": 0.5, "c": 0.5, "K": 2}, (0.75, 2.5, 1.25)),
    ("sglu.lem3.4", "printed", {"Z": 2.0, "s2": 0.5, "c": 1.0, "K": 2}, (6.0, 20.0, 10.0)),
    ("sglu.lem3.5", "printed", {"j0": "last"}, (1.01992838267, 0.0636574390695, 0.0157632118414)),
    ("sglu.lem3.5", "tight", {"j0": 0}, (0.367174217761, 0.00363447733853, 0.0157632118414)),
    ("sglu.cor3.8", "printed", {}, (1.01207830071, 0.0328374798545, 0.0621458539714)),
    ("sglu.cor3.8", "corrected", {}, (0.339714789443, 0.00121053667458, 0.0310729269857)),
    ("sglu.cor3.8", "tight", {}, (0.323865056227, 0.0012068806759, 0.00262156648641)),
    ("sglu.cor3.9", "printed", {}, (0.647000783923, 0.0061692369238, 0.0621458539714)),
    ("sglu.cor3.9", "corrected", {}, (0.175490379432, 0.000215784470691, 0.00262156648641)),
    ("sglu.claim.swor", "printed", {"steps": math.inf}, (2.0, 1.60618832237, 0.0157632118414)),
    ("sglu.cor3.10", "printed", {}, (111.111111111, 51.108404392, 126.158764286)),
    ("sglu.cor3.10", "printed", {"T": math.inf}, (111.111111111, 1412179.20835, 10926016.5356)),
    ("sglu.cor3.10", "corrected", {"T": math.inf}, (35.5555555556, 849.298616416, 74.2537103967)),
    ("own.x", "tight", {"j0": "last"}, (0.464661207208, 0.0155362844715, 0.0323825044517)),
    ("sglu.def2.2", "tight", {"b": "n"}, (None, None, 0.5 * 5 * 0.0338415305722**2)),
]  # fmt: skip


@pytest.mark.parametrize(("id", "form", "changes", "values"), TABLE)
@pytest.mark.parametrize("setting", ["A", "B", "C"])
def test_reference_values(id, form, changes, values, setting):
    value = values["ABC".index(setting)]
    if value is None:
        pytest.skip("no reference at this setting")
    changed = dict(changes)
    if changed.get("j0") == "last":
        changed["j0"] = SETTINGS[setting]["J"] - 1
    if changed.get("b") == "n":
        changed["b"] = POINTS[setting]
    assert evaluate(id, form, setting, **changed) == pytest.approx(value, rel=2e-11)


def test_convex_target_t_plus_k():
    """Corollary 3.10 at finite T against T + K epochs on D', worst position."""
    values = {"A": 10.4166666667, "C": 0.063016365777}
    for setting, value in values.items():
        inputs = {k: v for k, v in SETTINGS[setting].items() if k != "m"}
        found = bounds.get("sglu.cor3.10")("corrected", **{**inputs, "R": math.inf})
        assert found == pytest.approx(value, rel=1e-10)


@pytest.mark.parametrize(
    ("setting", "hits", "printed", "corrected"),
    [
        ("A", {0: 1, 2: 2}, 4.0, 2.4070309831),
        ("B", {0: 1, 75: 2}, 1.76424150357, 0.130949355477),
        ("C", {0: 3}, 0.0472896355243, 0.0472896355243),
    ],
)
def test_batch_distance(setting, hits, printed, corrected):
    found = evaluate("sglu.cor3.12", "printed", setting, hits=hits)
    assert found == pytest.approx(printed, rel=1e-10)
    found = evaluate("sglu.cor3.12", "corrected", setting, hits=hits)
    assert found == pytest.approx(corrected, rel=1e-10)


def test_batch_distance_of_two_and_one_points():
    inputs = {**SETTINGS["A"], "T": 4, "R": math.inf, "hits": {0: 2, 2: 1}}
    formula = bounds.get("sglu.cor3.12")
    chosen = {k: v for k, v in inputs.items() if k in formula.symbols}
    assert formula("corrected", **chosen) == pytest.approx(1.7512815657, rel=1e-10)
    assert formula("printed", **chosen) == pytest.approx(2.994176, rel=1e-10)


@pytest.mark.parametrize(
    ("setting", "epsilon"), [("A", 1.83665158725), ("B", 0.0325902822004), ("C", 0.0780526873473)]
)
def test_exact_epsilon(setting, epsilon):
    mu = evaluate("own.x", "tight", setting, j0=SETTINGS[setting]["J"] - 1)
    assert float(epsilon_gdp(mu, DELTA[setting])) == pytest.approx(epsilon, rel=1e-10)


@pytest.mark.parametrize(
    ("id", "form", "values"),
    [
        ("sglu.eq7_13", "corrected", (1.9375, 5.55222222222, 2.93625)),
        ("sglu.eq7_13", "printed", (1.9875, 5.59444444444, 2.98125)),
        ("sglu.eq7_13", "tight", (1.215, 4.05, 2.025)),
        ("sglu.propd.3", "printed", (1.9375, 5.55222222222, 2.93625)),
        ("sglu.propd.3", "tight", (1.215, 4.05, 2.025)),
    ],
)
def test_weak_triangle(id, form, values):
    for setting, value in zip("ABC", values, strict=True):
        more = {"p": 2.0} if (id, form) == ("sglu.propd.3", "printed") else {}
        found = evaluate(id, form, setting, x=0.7, y=0.2, **more)
        assert found == pytest.approx(value, rel=1e-11)


def test_full_batch_learning():
    """A with b = n = 6, and CIFAR-10 full batch at sigma = .0653, T = 1000."""
    formula = bounds.get("sglu.def2.2")
    small = formula("tight", alpha=3.0, eta=0.8, m=0.5, M=1.0, b=6, sigma=0.3, T=5)
    assert math.sqrt(2 * small / 3) == pytest.approx(1.30010500058, rel=1e-11)
    large = formula(
        "tight", alpha=3.0, eta=1 / 0.259728, m=0.009728, M=1.0, b=9728, sigma=0.0653, T=1000
    )
    assert math.sqrt(2 * large / 3) == pytest.approx(0.0316210533786, rel=1e-11)


@pytest.mark.parametrize(
    ("setting", "mantissa", "exponent"),
    [("A", 7.58979872348, -35), ("B", 8.5859241652, -2421138), ("C", 9.73899058968, -492845)],
)
def test_doeblin_constant(setting, mantissa, exponent):
    s = SETTINGS[setting]
    found = float(
        log_kappa(numeric, *(np.asarray(x) for x in (s["R"], s["eta"], s["M"], s["sigma"], 1.0)))
    )
    assert found == pytest.approx(math.log(mantissa) + exponent * math.log(10), rel=1e-11)


def test_mean_radius_of_the_class():
    """mR: A 1.0 (allowed, M = 1), B .9728, C 1.1264 (empty class)."""
    values = [evaluate("sglu.appb", "corrected", s) for s in "ABC"]
    assert values == pytest.approx([1.0, 0.9728, 1.1264], rel=1e-12)


def test_averaged_order_lies_between_the_worst_and_its_share():
    """eps_worst - log(J)/(alpha - 1) <= eps_average <= eps_worst (Corollaries 3.8 and 3.9)."""
    for setting in "ABC":
        s = SETTINGS[setting]
        worst = evaluate("sglu.cor3.8", "printed", setting)
        average = evaluate("sglu.cor3.9", "printed", setting)
        share = math.log(s["J"]) / (s["alpha"] - 1)
        assert worst * (1 - 1e-12) - share <= average <= worst * (1 + 1e-12)


@pytest.mark.parametrize("width", [0.6, 1.0, 1.02, 1.2, 3.0])
def test_theorem_3_2_follows_the_runs_from_where_it_costs_least(width):
    """The least of X2 on the domain, which a shift may just cross: no start is left out."""
    for J, T, K, m in ((3, 39, 37, 0.002), (2, 20, 3, 0.01), (4, 6, 1, 0.3), (1, 5, 9, 0.1)):
        s = {"eta": 0.8, "m": m, "M": 1.0, "sigma": 0.3, "b": 2, "J": J, "T": T, "K": K, "alpha": 3}
        c, q, noise = 1 - s["eta"] * m, 2 * s["eta"] / s["b"], math.sqrt(2 * s["eta"]) * s["sigma"]
        far = width * q
        shifts = np.zeros(T * J)
        shifts[J - 1 : max(T - K, 0) * J : J] = q
        least = 3 / 2 * pabi_mu(c, shifts, noise, far, far) ** 2
        claim = bounds.get("sglu.thm3.2")
        found = float(claim("tight", R=far / 2, **s))
        chained = float(claim("corrected", R=far / 2, **s))
        assert found == pytest.approx(min(least, chained), rel=1e-10)
