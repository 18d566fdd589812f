"""Values of mini: the recursion, Theorem 1, rewinding, and what k does."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

import bounds
from simulators.trajectory.recursion import Recursion, differences
from verify.mini import deterministic
from verify.mini.equation_5 import LOG_COSH
from verify.mini.logistic_runs import HESSIAN_LIPSCHITZ
from verify.mini.problems import FixedBatches, two_steps
from verify.mini.smaller_k import on_one_model, weights

CLOSE = {"rel": 1e-9}  # most values are given with ten digits


def value(id, form, **inputs):
    return float(bounds.get(id)(form, **inputs))


@pytest.mark.parametrize(
    ("w", "Dw", "remainder", "bound"),
    [
        (1, -1, -0.3416198143, 0.3849001795),
        (0.5, 0.5, -0.09374686779, 0.09622504486),
        (2, -0.1, -0.0007250394628, 0.003849001795),
    ],
)
def test_taylor_remainder(w, Dw, remainder, bound):
    found = np.tanh(w + Dw) - np.tanh(w) - Dw / np.cosh(w) ** 2
    assert found == pytest.approx(remainder, **CLOSE)
    assert value("mini.eq5", "corrected", M=LOG_COSH, Dw=Dw) == pytest.approx(bound, **CLOSE)
    assert value("mini.eq5", "printed", M=LOG_COSH, Dw=Dw) == 0


def test_hessian_lipschitz_constants():
    assert pytest.approx(0.7698003589, **CLOSE) == LOG_COSH
    assert pytest.approx(0.09622504486, **CLOSE) == HESSIAN_LIPSCHITZ
    for third, most in (
        (lambda z: mpmath.diff(mpmath.tanh, z, 2), LOG_COSH),
        (lambda z: mpmath.diff(lambda v: 1 / (1 + mpmath.exp(-v)), z, 2), HESSIAN_LIPSCHITZ),
    ):
        largest = max(abs(third(mpmath.mpf(z) / 100)) for z in range(-300, 301))
        assert largest <= most * (1 + 1e-12)
        assert largest > most * (1 - 1e-4)


@pytest.mark.parametrize(
    ("eta", "a", "expected"), [(0.01, 0.005, 0.99995), (0.5, 1.05, 0.475), (1, 2.1, -1.1)]
)
def test_factor(eta, a, expected):
    assert value("mini.eq8", "printed", eta=eta, curvatures=[a, a]) == pytest.approx(expected)
    spread = {"eta": eta, "curvatures": [a / 2, 3 * a / 2]}
    assert value("mini.hbar", "printed", u=-2, **spread) == pytest.approx(-2 * expected)


@pytest.mark.parametrize(
    ("eta", "b", "Dw", "approximation", "error", "bound"),
    [
        (0.5, 4, -1.569202922, -1.740012829, 0.1708099072, 0.1924500897),
        (0.5, 1, -0.3650406688, -0.3699981439, 0.004957475101, 0.01202813061),
        (0.1, 10, -0.9487882843, -0.9556776134, 0.006889329078, 0.009622504486),
    ],
)
def test_closed_form_against_equation_17(eta, b, Dw, approximation, error, bound):
    problem = two_steps(eta, b)
    path, other = problem.learn(), problem.retrain()
    assert other[2] - path[2] == pytest.approx(Dw, **CLOSE)
    newest = [problem.injection(2, path[1]), problem.injection(1, path[0])]
    factors = [problem.factor(2, path[1], 1.0), problem.factor(1, path[0], 1.0)]
    found = value("mini.eq10", "printed", injections=newest, factors=factors)
    assert found == pytest.approx(approximation, **CLOSE)
    assert found == pytest.approx(problem.mini(2, path), rel=1e-14)
    w1 = eta * b / 2
    assert Dw - approximation == pytest.approx(error, abs=2e-9)
    closed = eta * (mpmath.tanh(w1) - w1 * mpmath.sech(w1) ** 2)
    assert float(closed) == pytest.approx(error, **CLOSE)
    inputs = {"eta": eta, "mu": 0.1, "L": 1.1, "M": LOG_COSH, "distances": [w1, 0.0]}
    assert value("mini.eq17", "corrected", **inputs) == pytest.approx(bound, **CLOSE)
    assert value("mini.eq17", "printed", **inputs) == 0


@pytest.mark.parametrize(
    ("eta", "a", "s", "k", "limit", "error", "distance", "ratio"),
    [
        (0.1, 1, 50, 10, 0.5, 0.1717623324, 0.4974231124, 0.4926095585),
        (0.01, 0.005, 40, 10, 1, 0.001498163719, 0.001998051234, 0.001498913007),
        (0.01, 0.3, 2000, 10, 2, 1.935890556, 1.995087002, 1.994937150),
    ],
)
def test_exact_error_of_one_dimensional_quadratics(eta, a, s, k, limit, error, distance, ratio):
    """G is constant: |Dw_inf| = 2 beta Gm/mu."""
    rates = {"eta": eta, "mu": a, "L": a, "beta": 0.25, "Gm": 2 * limit * a}
    found = value("mini.thm1", "corrected", M=0, s=s, k=k, **rates)
    assert found == pytest.approx(error, **CLOSE)
    assert value("mini.thm1.drift", "tight", s=s, **rates) == pytest.approx(distance, **CLOSE)
    power = value("mini.thm1", "printed", eta=eta, mu=a, L=a, k=k, c=1)
    assert found / power == pytest.approx(ratio, **CLOSE)
    assert found == pytest.approx(value("mini.rewind.prior", "tight", s=s, k=k, **rates), rel=1e-12)


@pytest.mark.parametrize(
    ("n", "u", "d", "r", "k", "forgotten", "retained"),
    [
        (50, 5, 200, 0.9, 0, 0.9203152263, 0.9203152263),
        (50, 5, 200, 0.9, 10, 0.6849550139, 0.9297539992),
        (50, 5, 200, 0.9, 50, 0.5027598891, 0.9308959333),
        (1000, 100, 2000, 0.99995, 10, 0.8411633372, 0.8412976979),
    ],
)
def test_attack(n, u, d, r, k, forgotten, retained):
    inputs = {"n": n, "u": u, "d": d, "r": r, "k": k}
    assert value("mini.kpriv", "corrected", **inputs) == pytest.approx(forgotten, **CLOSE)
    assert value("mini.kpriv.retained", "corrected", **inputs) == pytest.approx(retained, **CLOSE)
    assert value("mini.kpriv", "tight", **inputs) > value("mini.kpriv", "printed", **inputs)
    assert weights(n, u, r, k)[0] == pytest.approx(r**k / n, rel=1e-10)


def test_exact_attack_by_imhof_against_sampling():
    rng = np.random.default_rng(5)
    for k, exact in ((0, 0.92161207), (10, 0.68489013), (50, 0.50275644)):
        a = weights(50, 5, 0.9, k)
        assert on_one_model(a, 0, 200) == pytest.approx(exact, abs=1e-8)
        x, fresh = rng.normal(size=(2, 20_000, 200))
        w = a[0] * x + np.sqrt((a[1:] ** 2).sum()) * rng.normal(size=x.shape)
        share = ((x * w).sum(axis=1) > (fresh * w).sum(axis=1)).mean()
        assert share == pytest.approx(exact, abs=0.018)  # five standard deviations


def test_attack_falls_to_a_coin_toss():
    assert value("mini.kpriv", "tight", n=50, u=5, d=200, r=0, k=1) == 0.5
    assert value("mini.kpriv", "corrected", n=50, u=5, d=200, r=0, k=1) == 0.5


# k -> w_T + eq (10), its error, the rewound point, its error
RUN = {
    5: ((0.8735108958, 0.5300986163), 0.125825371, (0.8735473504, 0.5301229005), 0.1258626069),
    10: ((0.8141179922, 0.5358892388), 0.06710317762, (0.8143926896, 0.5360661962), 0.06740117133),
    20: ((0.746300594, 0.5251128936), 0.001681455249, (0.7477536382, 0.5259590345), 0.0),
}  # fmt: skip


def by_hand():
    X = np.array(deterministic.ROWS) * np.array(deterministic.SIGNS)[:, None]

    def gradient(j, w):
        return -X[j] / (1 + np.exp(X[j] @ w)) + deterministic.RIDGE * w

    def hessian(j, w, v):
        p = 1 / (1 + np.exp(X[j] @ w))
        return p * (1 - p) * X[j] * (X[j] @ v) + deterministic.RIDGE * v

    batches = [deterministic.CYCLE[t % 4] for t in range(deterministic.STEPS)]
    return FixedBatches(gradient, hessian, batches, frozenset({0}), deterministic.ETA, np.zeros(2))


def test_deterministic_run():
    problem = by_hand()
    path, other = problem.learn(), problem.retrain()
    np.testing.assert_allclose(path[-1], (0.9307556582, 0.528063916), rtol=1e-9)
    np.testing.assert_allclose(other[-1], (0.7477536382, 0.5259590345), rtol=1e-9)
    assert np.linalg.norm(other[-1] - path[-1]) == pytest.approx(0.1830141247, **CLOSE)
    model, training = deterministic.model(), deterministic.training()
    np.testing.assert_allclose(training.run(model).last, path[-1], rtol=1e-12)
    np.testing.assert_allclose(training.run(model, [0], "mean").last, other[-1], rtol=1e-12)
    for k, (mini, error, redone, distance) in RUN.items():
        v = problem.mini(k, path)
        np.testing.assert_allclose(path[-1] + v, mini, rtol=1e-9)
        assert np.linalg.norm(path[-1] + v - other[-1]) == pytest.approx(error, **CLOSE)
        rewound = problem.redo(20 - k, path[20 - k])[-1]
        np.testing.assert_allclose(rewound, redone, rtol=1e-9)
        assert np.linalg.norm(rewound - other[-1]) == pytest.approx(distance, **CLOSE)
        choice = Recursion(hessian="kept", scaling="mean", last=k)
        found = differences(model, training, [[0]], choice).vectors[0]
        np.testing.assert_allclose(found, v, rtol=1e-11)
    one = problem.mini(1, path)
    assert np.linalg.norm(path[-1] + one - other[-1]) == pytest.approx(0.1830141247, **CLOSE)


def test_sign_of_equation_6_in_the_deterministic_run():
    """Worse than doing nothing."""
    problem = by_hand()
    path, other = problem.learn(), problem.retrain()
    wrong = {5: (0.9766018275, 0.5314369935), 10: (1.038551716, 0.5486327056),
             20: (1.128028605, 0.5656577245)}  # fmt: skip
    for k, expected in wrong.items():
        v = np.zeros(2)
        for t in range(21 - k, 21):
            w, rows = path[t - 1], problem.batches[t - 1]
            forgotten = sum((problem.gradient(j, w) for j in problem.dropped(t)), np.zeros(2))
            v = problem.injection(t, w) - 2 * 0.5 / len(rows) * forgotten + problem.factor(t, w, v)
        np.testing.assert_allclose(path[-1] + v, expected, rtol=1e-9)
        assert np.linalg.norm(path[-1] + v - other[-1]) > 0.1830141247


def test_products():
    entries = {"a11": 0.9, "a12": 0.1, "a22": 0.5, "b11": 0.2, "b12": 0.3, "b22": 0.8}
    assert value("mini.order", "corrected", **entries) == pytest.approx(0.17)
    assert value("mini.order", "printed", **entries) == pytest.approx(0.35)
    swapped = {name.translate(str.maketrans("ab", "ba")): v for name, v in entries.items()}
    assert value("mini.eq11", "printed", **swapped) == pytest.approx(0.17)
    first, then = np.array([[0.9, 0.1], [0.1, 0.5]]), np.array([[0.2, 0.3], [0.3, 0.8]])
    found = sum(np.outer(then @ u, first @ u) for u in np.eye(2))
    np.testing.assert_allclose(found, [[0.21, 0.17], [0.35, 0.43]], rtol=1e-13)
    for h in (0.9, 0.8):
        assert value("mini.basis", "printed", h=h, length=2**0.5) == h
        assert value("mini.basis", "corrected", h=h, length=2**0.5) == pytest.approx(2 * h)
    assert value("mini.text.inv", "corrected", a=3, u=1) == 3
    assert value("mini.text.inv", "printed", a=4, u=1) == 0.25


def test_long_horizons_keep_their_digits():
    """k log r, not (1 - eta mu)^k: a million tiny steps, against mpmath."""
    mpmath.mp.dps = 40
    eta, mu, k, s = 1e-3, 1e-6, 10**6, 2 * 10**6
    r = 1 - mpmath.mpf(eta) * mpmath.mpf(mu)
    rates = {"eta": eta, "mu": mu, "L": 1.0}
    assert value("mini.rewind", "tight", k=k, distance=1, **rates) == pytest.approx(
        float(r**k), rel=1e-13
    )
    drift = 2 * mpmath.mpf(eta) * (1 - r**s) / (1 - r)
    assert value("mini.thm1.drift", "tight", beta=1, Gm=1, s=s, **rates) == pytest.approx(
        float(drift), rel=1e-13
    )


def test_quadratic_error_is_exactly_of_the_order_of_the_power():
    r, limit = Fraction(1, 2), Fraction(1, 2)
    for k in (5, 20, 40):
        s = 2 * k
        exact = float((r**k - r**s) * limit)
        inputs = {"eta": 0.5, "mu": 1, "L": 1, "M": 0, "beta": 0.5, "Gm": 0.5, "s": s, "k": k}
        assert value("mini.thm1", "corrected", **inputs) == pytest.approx(exact, rel=1e-14)


IDS = [
    "mini.not",
    "mini.eq1",
    "mini.eq2",
    "mini.eq3",
    "mini.eq4",
    "mini.eq5",
    "mini.eq6",
    "mini.eq13",
    "mini.eq7",
    "mini.eq14",
    "mini.eq8",
    "mini.eq15",
    "mini.eig",
    "mini.eq9",
    "mini.eq16",
    "mini.eq10",
    "mini.eq17",
    "mini.thm1",
    "mini.thm1.use",
    "mini.kpriv",
    "mini.rewind",
    "mini.basis",
    "mini.order",
    "mini.eq11",
    "mini.eq12",
    "mini.Hbar",
    "mini.text.inv",
    "mini.setup",
]


@pytest.mark.parametrize("id", IDS)
def test_every_label_names_a_claim(id):
    assert bounds.get(id).paper == "mini"
