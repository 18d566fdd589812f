"""Numbers of sglu on quadratics: equality cases of its lemmas, and its counterexamples."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from simulators.exact import linear_chain
from simulators.exact.gaussian import Gaussian, epoch, gradient_step, run
from simulators.exact.gaussian_divergence import (
    hockey_stick,
    hockey_stick_gauss,
    log_hockey_stick_gauss,
    renyi,
    separation,
    winf,
)
from simulators.exact.line_divergence import hockey_stick as line_hockey_stick
from simulators.exact.line_divergence import renyi as line_renyi
from simulators.exact.mixture import random_position


def setting(n, b, eta, m, sigma, M=1.0):
    return {
        "c": 1 - eta * m,
        "q": 2 * eta * M / b,
        "s": math.sqrt(2 * eta) * sigma,
        "batches": n // b,
    }


A = setting(6, 2, 0.8, 0.5, 0.3)
B = setting(9728, 128, 1 / 0.259728, 0.009728, 0.022)
C = setting(11264, 11264, 1 / 0.261264, 0.011264, 0.0489)
# mu of Theorem X at K = 1, exact epsilon at delta, alpha, D_alpha.
THEOREM_X = [
    (A, 0.464661207208, 1.83665158725, 1e-5, 3, 0.323865056227),
    (B, 0.0155362844715, 0.0325902822004, 1 / 9728, 10, 0.0012068806759),
    (C, 0.0323825044517, 0.0780526873473, 1 / 11264, 5, 0.00262156648641),
]


def exact_epsilon(mu, delta):
    return brentq(
        lambda e: log_hockey_stick_gauss(mu, 1, 0, 1, e) - math.log(delta), 0, 60, xtol=1e-13
    )


def worst_pair(eta=0.8, m=0.5, M=1.0, b=2, J=3, j0=2, sigma=0.3, others=(0.0, 0.0, 0.0)):
    """Epoch kernels of D and D' on the line; `others` are the batch sums of the other points."""
    s = math.sqrt(2 * eta) * sigma
    kernels = []
    for sign in (1, -1):
        sums = [d + (sign * M if j == j0 else 0) for j, d in enumerate(others)]
        steps = [
            gradient_step(np.full((b, 1, 1), m), [[d]] + [[0]] * (b - 1), eta, s) for d in sums
        ]
        kernels.append(epoch(steps))
    return kernels


@pytest.mark.parametrize(("chain", "mu", "epsilon", "delta", "alpha", "divergence"), THEOREM_X)
def test_theorem_x_reference_values(chain, mu, epsilon, delta, alpha, divergence):
    gap = linear_chain.learn_then_unlearn(
        **chain, position=chain["batches"] - 1, learning=math.inf, unlearning=1
    )
    assert float(gap.mu) == pytest.approx(mu, rel=1e-11)
    assert float(gap.renyi(alpha)) == pytest.approx(divergence, rel=1e-11)
    assert exact_epsilon(float(gap.mu), delta) == pytest.approx(epsilon, rel=1e-11)


def test_learning_only_is_the_noisy_gradient_descent_curve():
    """Def. 2.2: setting A with b = n = 6, T = 5."""
    full = setting(6, 6, 0.8, 0.5, 0.3)
    gap = linear_chain.learn_then_unlearn(**full, position=0, learning=5, unlearning=0)
    assert float(gap.mu) == pytest.approx(1.30010500058, rel=1e-11)
    learned, retrained = worst_pair(b=6, J=1, j0=0, others=(0.3,))
    start = Gaussian.point([0.7])
    laws = [run(start, [(kernel, 5)])[0] for kernel in (learned, retrained)]
    assert separation(*laws) == pytest.approx(1.30010500058, rel=1e-11)


def test_theorem_3_2_distance_to_the_law_of_learning_alone():
    """d_3(rho_K, nu'_T), started at 0; the other points' batch sums are (.1, -.05, -.05)."""
    learned, retrained = worst_pair(others=(0.1, -0.05, -0.05))
    expected = {
        (1, 1): (0.0543082917308, 45.6084, 5.22019),
        (2, 1): (0.243839978094, 5.08055, 0.863116),
        (4, 1): (0.319800933557, 2.56641, 0.343208),
        (8, 2): (0.0151085775443, 0.118052, 0.0151192),
    }
    for (T, K), (exact, printed, coupled) in expected.items():
        unlearned = run(Gaussian.point([0.0]), [(learned, T), (retrained, K)])[-1]
        target = run(Gaussian.point([0.0]), [(retrained, T)])[-1]
        value = renyi(unlearned, target, 3)
        assert value == pytest.approx(exact, rel=1e-11)
        assert max(value, renyi(target, unlearned, 3)) <= coupled <= printed


@pytest.mark.parametrize(
    ("c", "ratios"),
    [(0.5, (1, 1.332, 1.3333)), (0.95, (1, 4.116, 8.938)), (0.999, (1, 4.980, 19.62))],
)
def test_lemma_3_4_is_loose_by_the_variance_ratio(c, ratios):
    gap = linear_chain.two_points(c, 1.0, 1.0, np.array([1, 5, 20]))
    printed = 3 / 2 * c ** (2 * np.array([1.0, 5.0, 20.0]))
    np.testing.assert_allclose(printed / gap.renyi(3), ratios, rtol=4e-4)


@pytest.mark.parametrize(
    ("chain", "steps", "alpha", "value"),
    [(A, 3, 3, 0.0469817400644), (B, 76, 10, 0.00111336153083), (C, 1, 5, 2.28907953477)],
)
def test_lemma_3_4_tight_reference_values(chain, steps, alpha, value):
    gap = linear_chain.two_points(chain["c"], 1.0, 1.0, steps)
    assert float(gap.renyi(alpha)) == pytest.approx(value, rel=1e-11)


@pytest.mark.parametrize("J", [1, 3, 4])
@pytest.mark.parametrize("T", [1, 2, 5])
def test_lemma_3_5_is_attained_at_every_position(J, T):
    for j0 in range(J):
        pair = worst_pair(J=J, j0=j0, others=tuple(0.1 * j for j in range(J)))
        laws = [run(Gaussian.point([0.4]), [(kernel, T)])[0] for kernel in pair]
        bound = (1 - 0.6 ** (T * J)) / (1 - 0.6**J) * 0.6 ** (J - 1 - j0) * 0.8
        assert winf(*laws) == pytest.approx(bound, rel=1e-13)


@pytest.mark.parametrize(
    ("chain", "T", "last", "first"),
    [
        (A, 5, 1.01992838267, 0.367174217761),
        (B, 20, 0.0636574390695, 0.00363447733853),
        (C, 1000, 0.0157632118414, 0.0157632118414),
    ],
)
def test_lemma_3_5_reference_values(chain, T, last, first):
    J = chain["batches"]
    values = linear_chain.learned_shift(chain["c"], chain["q"], J, np.array([J - 1, 0]), T)
    np.testing.assert_allclose(values, [last, first], rtol=1e-11)


@pytest.mark.parametrize(
    ("chain", "T", "factor"),
    [(A, 5, 0.000470184984576), (B, 20, 6.31365421834e-26), (C, 1000, 7.25165241475e-20)],
)
def test_lemma_3_6_is_attained_from_a_shifted_stationary_start(chain, T, factor):
    gap = linear_chain.shifted_stationary(chain["c"], chain["s"], 1.0, T * chain["batches"])
    assert float(gap.shift) == pytest.approx(factor, rel=1e-11)
    kept = chain["c"] ** 2 * gap.variance + chain["s"] ** 2
    assert float(kept) == pytest.approx(float(gap.variance), rel=1e-14)


def test_corollary_3_8_is_false_for_the_target_of_finite_learning():
    """n = b = 1, m = 1, eta = 1/2, sigma = 1, D = {0}, D' = {1}: exceeds 2 * 4^-K from K = 5 on."""
    old, new = (epoch([gradient_step([[[1.0]]], [[d]], 0.5, 1.0)]) for d in (0.0, 1.0))
    start = old.stationary()
    assert float(start.cov[0, 0]) == pytest.approx(4 / 3, rel=1e-14)
    target = run(start, [(new, 1)])[0]
    for K, exact in ((5, 0.1647949219), (20, 0.1874992847)):
        value = renyi(run(start, [(new, K)])[0], target, 2)
        assert value == pytest.approx(exact, abs=5e-11)
        assert value > 2 * 4.0**-K


def test_corollary_3_9_exact_mixture():
    """Setting A, K = 1, alpha = 3; the larger direction is retrained || unlearned."""
    unlearned, retrained = random_position(A["c"], A["q"], A["s"], 3, 1)
    assert line_renyi(retrained, unlearned, 3) == pytest.approx(0.15331215, abs=5e-9)
    assert line_renyi(unlearned, retrained, 3) == pytest.approx(0.118244427, abs=5e-9)
    assert 0.15331215 < 0.17549038 < 0.64700078
    for epsilon in (0.1, 0.5):
        mus = [
            float(
                linear_chain.learn_then_unlearn(**A, position=j, learning=math.inf, unlearning=1).mu
            )
            for j in range(3)
        ]
        average = np.mean([hockey_stick_gauss(mu, 1, 0, 1, epsilon) for mu in mus])
        assert line_hockey_stick(retrained, unlearned, epsilon) < average
    # A single position is the fixed batch order.
    p, q = random_position(A["c"], A["q"], A["s"], 1, 2)
    gap = linear_chain.learn_then_unlearn(
        A["c"], A["q"], A["s"], 1, 0, learning=math.inf, unlearning=2
    )
    assert line_renyi(p, q, 3) == pytest.approx(float(gap.renyi(3)), rel=1e-11)


@pytest.mark.parametrize(
    ("chain", "second", "fifth", "fixed"),
    [
        (A, 1.24081632653, 1.30092905953, 1.30154102457),
        (B, 0.0671557886299, 0.0673591896201, 0.0673592233851),
        (C, 0.0308468167788, 0.0723067306377, 0.365621429203),
    ],
)
def test_theorem_3_11_reference_values(chain, second, fifth, fixed):
    J = chain["batches"]
    jump = float(linear_chain.learned_shift(chain["c"], chain["q"], J, J - 1, math.inf))
    shifts = linear_chain.request_shifts(chain["c"], J, np.full(3000, jump), np.full(3000, 1))
    np.testing.assert_allclose(shifts[[1, 4, -1]], [second, fifth, fixed], rtol=2e-11)


def test_theorem_3_11_is_attained_with_unequal_epochs():
    """Three requests move three points of the last batch from M to -M; K_s = 1, 3, 2."""
    eta, m, b, J, s, K = 0.5, 0.4, 4, 2, 0.3, [1, 3, 2]

    def kernel(moved):
        last = [[-1.0]] * moved + [[1.0]] * (b - moved)
        curvature = np.full((b, 1, 1), m)
        return epoch([gradient_step(curvature, rows, eta, s) for rows in ([[0.2]] * b, last)])

    kernels = [kernel(moved) for moved in range(4)]
    law = kernels[0].stationary()
    c, q = 1 - eta * m, 2 * eta / b
    shifts = linear_chain.request_shifts(c, J, np.full(3, q / (1 - c**J)), np.array(K))
    for request, epochs in enumerate(K):
        target = kernels[request + 1].stationary()
        assert winf(law, target) == pytest.approx(shifts[request], rel=1e-12)
        law = run(law, [(kernels[request + 1], epochs)])[0]
        mu = shifts[request] * c ** (epochs * J) * math.sqrt(1 - c * c) / s
        assert separation(law, target, 1e-10) == pytest.approx(mu, rel=1e-9)


def test_corollary_3_12_batch_of_replacements():
    """Setting A, T = 4, two replaced points in batch 0 and one in batch 2."""
    q, J, T = A["q"], 3, 4
    shift = 0.0
    for _ in range(T):
        for j in range(J):
            shift = A["c"] * shift + {0: 2 * q, 2: q}.get(j, 0.0)
    assert shift == pytest.approx(1.7512815657, rel=3e-11)
    parts = linear_chain.learned_shift(A["c"], [2 * q, q], J, [0, 2], T)
    assert float(parts.sum()) == pytest.approx(shift, rel=1e-14)
    assert (1 - 0.6**T) / (1 - 0.6) * (2 * q * 0.36 + q) == pytest.approx(2.994176, rel=1e-12)


def test_algorithms_6_to_8_under_calibrate():
    """n = b = 100, eta = 1, m = .01: request 100 has epsilon 3.76 where 1 was promised."""
    n, sigma = 100, 9.70309923388
    s = math.sqrt(2) * sigma

    def kernel(moved):
        points = np.array([[-1.0]] * moved + [[1.0]] * (n - moved))
        return epoch([gradient_step(np.full((n, 1, 1), 0.01), points, 1.0, s)])

    law = kernel(0).stationary()
    mus = {}
    for request in range(1, 101):
        now = kernel(request)
        law = run(law, [(now, 2)])[0]
        mus[request] = law, now.stationary()
    for request, epsilon in ((20, 1.27897322684), (50, 2.63845858476), (100, 3.76237935704)):
        assert exact_epsilon(separation(*mus[request], 1e-9), 1e-5) == pytest.approx(
            epsilon, rel=1e-9
        )
    assert separation(*mus[100], 1e-9) == pytest.approx(0.876953287953, rel=1e-10)
    assert hockey_stick(*mus[100], 1.0) == pytest.approx(0.085926209399, rel=1e-9)
    shifts = linear_chain.request_shifts(0.99, 1, np.full(100, 2.0), np.full(100, 2))
    assert shifts[-1] == pytest.approx(87.0372186072, rel=1e-11)
