"""Mini-Unlearning and rewinding: the deterministic run, exact facts, and the printed forms."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from simulators.trajectory.generic import FunctionModel
from simulators.trajectory.mini import (
    mini,
    pieces,
    printed_algorithm_1,
    printed_algorithm_3,
    printed_sign,
)
from simulators.trajectory.newton import minimiser, newton_step
from simulators.trajectory.rewind import rewind
from simulators.trajectory.training import Training
from tests.equality import same_bits

RUN = [  # k, Mini, rewind, printed sign of eq 6
    (1, (0.9307556582, 0.528063916), None, None),
    (5, (0.8735108958, 0.5300986163), (0.8735473504, 0.5301229005), (0.9766018275, 0.5314369935)),
    (10, (0.8141179922, 0.5358892388), (0.8143926896, 0.5360661962), (1.038551716, 0.5486327056)),
    (20, (0.746300594, 0.5251128936), (0.7477536382, 0.5259590345), (1.128028605, 0.5656577245)),
]


@pytest.mark.parametrize(("k", "expected", "rewound", "sign"), RUN)
def test_the_deterministic_run(problems, k, expected, rewound, sign):
    """mini.eq10: all numbers of the reference run, and the printed sign of eq 6."""
    problem = problems.deterministic()
    arguments = (problem.model, problem.training, [0])
    np.testing.assert_allclose(
        problem.training.run(problem.model).last, (0.9307556582, 0.528063916), rtol=1e-9
    )
    np.testing.assert_allclose(
        problem.training.run(problem.model, [0], "mean").last,
        (0.7477536382, 0.5259590345),
        rtol=1e-9,
    )
    np.testing.assert_allclose(mini(*arguments, k), expected, rtol=1e-9)
    if rewound is not None:
        np.testing.assert_allclose(rewind(*arguments, k), rewound, rtol=1e-9)
        np.testing.assert_allclose(printed_sign(*arguments, k), sign, rtol=1e-9)


def test_the_printed_algorithm_1_on_the_deterministic_run(problems):
    problem = problems.deterministic()
    for k, expected in ((5, (0.8404354716, 0.541336038)), (10, (0.8061648158, 0.5388883963))):
        found = printed_algorithm_1(problem.model, problem.training, [0], k)
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def one_dimension(h, G):
    """Full-batch steps l with H(l) = h_l and G(l) = G_l in 1-D: half the samples are forgotten.

    The steps have samples of their own: l_kept = (1-h)w^2/2, l_gone = l_kept + 2 G w, eta = 1;
    mean kept Hessian 1-h, and eta (m/b)(g_U - g_K) = G.
    """
    x = np.array([[1 - a, s] for a, g in zip(h, G, strict=True) for s in (0.0, 2 * g)])
    model = FunctionModel(lambda w, x, y: 0.5 * x[0] * w[0] ** 2 + x[1] * w[0], x, x[:, 0], 1)
    T = len(h)
    training = Training(
        tuple(np.array([2 * t, 2 * t + 1]) for t in range(T)), np.ones(T), np.zeros(1)
    )
    return model, training, [2 * t + 1 for t in range(T)]


def moved(function, model, training, forget, k):
    return function(model, training, forget, k)[0] - training.run(model).last[0]


@pytest.mark.parametrize(
    ("h", "k", "right", "printed"),
    [(0.9, 4, 3.439, 2.71), (0.99995, 10, 9.9977503, 8.99820021), (0.5, 3, 1.75, 1.5)],
)
def test_constant_steps(h, k, right, printed):
    """mini.alg1: (1-h^k)/(1-h), and one term fewer as printed."""
    problem = one_dimension([h] * (k + 2), [1.0] * (k + 2))
    assert moved(mini, *problem, k) == pytest.approx(right, rel=1e-8)
    assert moved(printed_algorithm_1, *problem, k) == pytest.approx(printed, rel=1e-8)


def test_growing_gradients():
    """G = 1..5, h = .9, k = 4: 12.488, and 9.94 as printed."""
    problem = one_dimension([0.9] * 5, [1.0, 2, 3, 4, 5])
    assert moved(mini, *problem, 4) == pytest.approx(12.488, rel=1e-12)
    assert moved(printed_algorithm_1, *problem, 4) == pytest.approx(9.94, rel=1e-12)


def test_the_last_gradient_is_never_used_as_printed():
    problem = one_dimension([0.9] * 6, [0.0] * 5 + [1.0])
    assert moved(mini, *problem, 4) == pytest.approx(1.0)
    assert moved(printed_algorithm_1, *problem, 4) == 0.0


@pytest.mark.parametrize(("k", "right", "printed"), [(3, 6.64, 7.22), (2, 5.8, 6.1), (1, 4.0, 4.0)])
def test_the_window_of_algorithm_3(k, right, printed):
    """mini.alg3: H = .9, .8, .7, .6 and G = 1..4; as printed each Hessian is one step early."""
    problem = one_dimension([0.9, 0.8, 0.7, 0.6], [1.0, 2, 3, 4])
    assert moved(mini, *problem, k) == pytest.approx(right, rel=1e-12)
    assert moved(printed_algorithm_3, *problem, k) == pytest.approx(printed, rel=1e-12)


@pytest.mark.parametrize(
    ("eta", "start", "kept", "gone", "printed", "right"),
    [
        (0.5, 0.0, [1], [3], 1.0, -0.5),
        (0.1, 2.0, [0, 1, 4], [7], 0.1166666667, -0.1333333333),
        (0.01, -1.0, [1, 2, 3, 4, 5], [10, -4, 6], 0.03375, -0.00375),
    ],
)
def test_the_sign_of_equation_6(problems, eta, start, kept, gone, printed, right):
    model = problems.points_on_a_line(kept + gone)
    n = len(kept) + len(gone)
    training = Training((np.arange(n),), np.array([eta]), np.array([start]))
    forget = range(len(kept), n)
    assert moved(mini, model, training, forget, 1) == pytest.approx(right, rel=1e-9)
    assert moved(printed_sign, model, training, forget, 1) == pytest.approx(printed, rel=1e-9)


@given(seed=st.integers(0, 10**6), k=st.integers(0, 9), m=st.integers(1, 6))
def test_on_quadratics_mini_is_rewinding(problems, seed, k, m):
    """mini.eq10 (1), and exact for k = T (3)."""
    problem = problems.quadratics(seed)
    forget = np.random.default_rng(seed).permutation(problem.n)[:m]
    found = mini(problem.model, problem.training, forget, k)
    other = rewind(problem.model, problem.training, forget, k)
    np.testing.assert_allclose(found, other, rtol=1e-9, atol=1e-11)
    if k == 9:
        exact = problem.training.run(problem.model, forget, "mean").last
        np.testing.assert_allclose(found, exact, rtol=1e-9, atol=1e-11)


def test_at_the_minimiser_of_quadratics_it_is_a_part_of_the_newton_step(problems):
    """mini.eq10 (2): v = (I - H^k) x Newton step, full batch."""
    problem, U = problems.quadratics(4, convex=True), [0, 3]
    w = minimiser(problem.model)
    training = Training((np.arange(7),) * 6, np.full(6, 0.05), w)
    kept = [i for i in range(7) if i not in U]
    H = np.eye(3) - 0.05 * problem.A[kept].mean(axis=0)
    step = newton_step(problem.model, w, U)
    expected = step - np.linalg.matrix_power(H, 6) @ step
    np.testing.assert_allclose(mini(problem.model, training, U, 6) - w, expected, rtol=1e-9)


def test_rewinding_never_leaves_its_bound(problems):
    """|u_T - w_T*| <= r^k |w*_{T-k} - w_{T-k}| on a convex loss, eta < 2/L."""
    problem, U = problems.logistic(epochs=4, ridge=0.3, step=0.5), [0, 4, 9]
    L = 0.3 + 0.25 * (problem.X**2).sum(axis=1).max()
    learned = problem.training.run(problem.model).points
    retrained = problem.training.run(problem.model, U, "mean").points
    T = problem.training.length
    for k in (0, 1, 3, 8, T):
        found = rewind(problem.model, problem.training, U, k, from_point=learned[T - k])
        same_bits(found, rewind(problem.model, problem.training, U, k))
        eta = problem.training.steps[T - k :]
        r = np.prod(np.maximum(np.abs(1 - eta * 0.3), np.abs(1 - eta * L)))
        apart = np.linalg.norm(retrained[T - k] - learned[T - k])
        assert np.linalg.norm(found - retrained[-1]) <= r * apart * (1 + 1e-12) + 1e-14
    assert np.linalg.norm(rewind(problem.model, problem.training, U, T) - retrained[-1]) == 0.0


def test_pieces_agree_with_the_recursion(problems):
    """v <- G(l) + H(l) v, where one batch is forgotten wholly."""
    problem = problems.logistic()
    U = list(problem.training.batches[7])
    v = torch.zeros(problem.d, dtype=torch.float64)
    steps = list(pieces(problem.model, problem.training, U, 3))
    for _, _, injected, action in steps:
        v = injected + action(v)
    w = steps[-1][1]
    T = problem.training.length
    np.testing.assert_allclose(
        (w + v).numpy(), mini(problem.model, problem.training, U, T - 2), rtol=1e-12
    )


def test_bad_input(problems):
    problem = problems.deterministic()
    arguments = (problem.model, problem.training, [0])
    for function, bad in (
        (mini, 21),
        (mini, -1),
        (rewind, 21),
        (rewind, 1.5),
        (printed_sign, 0),
        (printed_algorithm_1, 20),
        (printed_algorithm_1, 1),
        (printed_algorithm_3, 20),
    ):
        with pytest.raises(ValueError, match=r"k must be|last must be"):
            function(*arguments, bad)
