"""Values of mini's algorithms, baselines and tables (independent high precision)."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

import bounds
from bounds.mini.last_steps import counted_once, counter_reset, horner
from verify.mini import printed_tables
from verify.mini.logistic_newton import gradient, newton
from verify.mini.small_runs import random_run

SHARP = 1 / (6 * np.sqrt(3))


def near(value, digits=9):
    return pytest.approx(value, rel=10.0 ** (1 - digits) / 2, abs=0)


@pytest.mark.parametrize(
    ("h", "k", "correct", "printed"),
    [
        (0.9, 4, 3.439000000, 2.710000000),
        (0.99995, 10, 9.997750300, 8.998200210),
        (0.5, 3, 1.750000000, 1.500000000),
    ],
)
def test_algorithm_1_with_constant_steps(h, k, correct, printed):
    formula = bounds.get("mini.alg1")
    assert float(formula("corrected", h=h, k=k, g=1)) == near(correct)
    assert float(formula("printed", h=h, k=k, g=1)) == near(printed)
    assert horner([h] * (k + 1), [1] * (k + 1)) == near(correct)
    assert counted_once([h] * (k + 1), [1] * (k + 1)) == near(printed)


def test_algorithm_1_with_steps_of_their_own():
    h, G = [Fraction(9, 10)] * 5, [1, 2, 3, 4, 5]
    assert horner(h, G) == Fraction(12488, 1000)
    assert counted_once(h, G) == Fraction(994, 100)
    last_only = [0, 0, 0, 0, 1]
    assert (horner(h, last_only), counted_once(h, last_only)) == (1, 0)
    with pytest.raises(ValueError, match="k must be <= 3"):
        counter_reset(h, G)


def test_algorithm_4():
    formula = bounds.get("mini.alg4")
    pair = {"move": [1, 2], "bend": [3, 1]}
    u = np.array([1.0, -1.0])
    for form, product in (("corrected", (2.4, -0.2)), ("printed", (0.0, -1.0))):
        assert float(formula(form, **pair, along=u)) == near(u @ product)
    line = {"move": [2], "bend": [6], "along": [1]}
    assert float(formula("corrected", **line)) == near(3.0)
    assert float(formula("printed", **line)) == near(-3.0)
    with pytest.raises(ValueError, match=r"move \. bend > 0"):
        formula("corrected", move=[1.0], bend=[-1.0], along=[1.0])


def test_deltagrad_counts():
    formula = bounds.get("mini.base.dg")
    assert formula("printed", T=20, T0=5, j0=3) == 7
    assert formula("printed", T=2000, T0=5, j0=10) == 11 + 397
    for T0, j0 in ((1, 1), (7, 50)):
        assert formula("printed", T=40, T0=T0, j0=j0) == 40


@pytest.mark.parametrize(
    ("x", "y", "lam", "gone", "values"),
    [
        (
            (1, -0.5, 0.3, -0.9, 0.7), (1, -1, -1, -1, 1), 0.1, [0],
            (1.270726839, 1.145404365, 1.144248326, 0.0008569344559, 25.0, 0.006558693904,
             0.002524442460),
        ),
        (
            (1, -0.5, 0.3, -0.9, 0.7), (1, -1, -1, -1, 1), 0.1, [0, 3],
            (1.270726839, 0.8955549660, 0.8901278308, 0.002674834876, 133.3333333, 0.03005753806,
             0.01156915179),
        ),
        (
            (0.2, 0.4, -0.6, 0.8, -1, 0.9), (1, 1, -1, -1, -1, 1), 0.005, [5],
            (1.707502189, 1.335080106, 1.304311598, 0.01348801728, 8000.0, 0.08940945911,
             0.03441371686),
        ),
    ],
)  # fmt: skip
def test_certified_removal_on_a_line(x, y, lam, gone, values):
    start, target, after, left, worst, loose, sharp = values
    order = [*gone, *(i for i in range(len(x)) if i not in gone)]
    rows = (-np.array(x, dtype=float) * np.array(y))[order][:, None]
    m = len(gone)
    w, moved = newton(rows, lam, m)
    assert float(w[0]) == near(start)
    assert float(moved[0]) == near(after)
    assert float(newton(rows[m:], lam, 1)[0][0]) == near(target)
    assert float(np.abs(gradient(rows[m:], moved, lam))[0]) == near(left)
    stated = bounds.get("guo.residual")
    inputs = {"m": m, "C": 1, "lam": lam, "n": len(x)}
    assert float(stated("printed", gam=0.25, **inputs)) == near(worst)
    tight = float(stated("tight", gam=SHARP, **inputs))
    assert left <= tight < float(stated("corrected", gam=SHARP, **inputs))
    data = bounds.get("guo.data")
    shape = {"rows": rows[m:, 0], "step": float(np.abs(moved - w)[0])}
    assert float(data("printed", gam=0.25, **shape)) == near(loose)
    assert float(data("printed", gam=SHARP, **shape)) == near(sharp)
    assert left <= float(data("corrected", gam=SHARP, **shape)) <= sharp / 2


def test_precision_against_students_law():
    formula = bounds.get("mini.mia.precision")
    for a, spread, d, share in ((0.02, 0.14, 50, 0.5), (-0.3, 0.2, 3, 0.25), (-1.0, 0.1, 8, 0.5)):
        with mpmath.workdps(40):
            # P(t_d < -z) as a regularised incomplete beta function.
            z2 = (mpmath.mpf(a) / mpmath.mpf(spread)) ** 2 * d
            tail = mpmath.betainc(mpmath.mpf(d) / 2, 0.5, 0, d / (d + z2), regularized=True) / 2
            hit = 1 - tail if a > 0 else tail
            exact = share * hit / (share * hit + (1 - mpmath.mpf(share)) / 2)
        inputs = {"weight": a, "spread": spread, "d": d, "prevalence": share}
        assert float(formula("tight", **inputs)) == pytest.approx(float(exact), rel=1e-12)


def test_the_exact_side_restarts_the_last_steps():
    """Horner's rule with dense H and G against plain steps from w_{T-k}, which shares nothing."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        run, gone = random_run(rng)
        H, G = run.pieces(gone, 5)
        v = np.zeros(3)
        for matrix, vector in zip(H[1:], G[1:], strict=True):
            v = vector + matrix @ v
        np.testing.assert_allclose(run.path()[-1] + v, run.rewound(gone, 5), rtol=1e-9, atol=1e-10)


def test_printed_tables_are_whole():
    cells = [v for rows in printed_tables.ATTACK.values() for row in rows for v in row]
    assert (len(printed_tables.ACCURACY), len(printed_tables.ATTACK), len(cells)) == (15, 15, 180)
    # Sums of the printed digits, taken from the paper once more.
    assert round(sum(cells) * 10**4) == 1022207
    assert round(sum(v for row in printed_tables.ACCURACY.values() for v in row) * 100) == 2231
    assert round(sum(v for row in printed_tables.ABLATION.values() for v in row) * 100) == 1062
    assert printed_tables.ATTACK["Mini", 0.15][1] == (0.3843, 0.4125, 0.6064, 0.6798)
    assert printed_tables.ACCURACY["Certified", "MNIST"] == (0.33, 0.25, 0.31)
