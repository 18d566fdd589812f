"""The compact product against the dense BFGS matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.trajectory.lbfgs import CompactBFGS, mini_lbfgs, printed_product
from simulators.trajectory.mini import mini

U = np.array([1.0, -1.0])


def dense(S, Y, sigma):
    """B by its rank-two updates, one pair after the other."""
    B = sigma * np.eye(len(S))
    for s, y in zip(S.T, Y.T, strict=True):
        B = B - np.outer(B @ s, B @ s) / (s @ B @ s) + np.outer(y, y) / (s @ y)
    return B


@given(
    seed=st.integers(0, 10**6),
    p=st.integers(1, 7),
    m=st.integers(1, 4),
    given_sigma=st.one_of(st.none(), st.floats(0.1, 10.0)),
)
def test_the_compact_form_is_the_dense_one(seed, p, m, given_sigma):
    random = np.random.default_rng(seed)
    m = min(m, p)
    A = random.standard_normal((p, p))
    A = A @ A.T + 0.5 * np.eye(p)
    S = random.standard_normal((p, m))
    product = CompactBFGS(S, A @ S, given_sigma)
    if given_sigma is None:
        s, y = S[:, -1], A @ S[:, -1]
        assert product.sigma == pytest.approx(s @ y / (s @ s), rel=1e-12)
    B = dense(S, A @ S, product.sigma)
    ours = np.stack([product @ e for e in np.eye(p)], axis=1)
    scale = np.abs(B).max()
    np.testing.assert_allclose(ours, B, atol=1e-8 * scale)
    np.testing.assert_allclose(ours, ours.T, atol=1e-8 * scale)
    np.testing.assert_allclose(product @ S[:, -1], A @ S[:, -1], atol=1e-8 * scale)
    assert np.linalg.eigvalsh((ours + ours.T) / 2).min() > 0


def test_reference_values():
    """mini.alg4: one pair, two pairs, one dimension; the printed form beside each."""
    s, y = np.array([[1.0], [2.0]]), np.array([[3.0], [1.0]])
    product = CompactBFGS(s, y)
    np.testing.assert_allclose(product @ U, [2.4, -0.2], rtol=1e-12)
    np.testing.assert_allclose(printed_product(s, y, U, product.sigma), [0.0, -1.0], atol=1e-12)
    np.testing.assert_allclose(printed_product(s, y, s[:, 0], product.sigma), -y[:, 0], rtol=1e-12)
    S = np.array([[1.0, 0.0], [1.0, 1.0]])
    Y = np.array([[2.0, 0.5], [0.5, 1.0]]) @ S
    product = CompactBFGS(S, Y)
    np.testing.assert_allclose(product @ U, [1.632352941, -0.5], rtol=1e-9)
    np.testing.assert_allclose(
        printed_product(S, Y, U, product.sigma), [-0.687076288, -1.923918393], rtol=1e-9
    )
    one = (np.array([[2.0]]), np.array([[6.0]]))
    assert CompactBFGS(*one) @ np.ones(1) == pytest.approx(3.0)
    assert printed_product(*one, np.ones(1), 3.0) == pytest.approx(-3.0)


def test_pairs_of_different_batches_are_refused():
    """mini.Hbar: curvature 1, gradients of batch means 0 and 2: s = 1, y = -1."""
    with pytest.raises(ValueError, match=r"pairs must have s\^T y > 0.*pair 0 has -1"):
        CompactBFGS(np.array([[1.0]]), np.array([[-1.0]]))
    with pytest.raises(ValueError, match="S and Y must be two"):
        CompactBFGS(np.ones((2, 1)), np.ones((2, 2)))
    with pytest.raises(ValueError, match="sigma must be > 0"):
        CompactBFGS(np.ones((2, 1)), np.ones((2, 1)), 0.0)


def test_mini_with_lbfgs(problems):
    """In one dimension the last secant is the Hessian of a quadratic: nothing is lost."""
    problem = problems.quadratics(2, d=1, convex=True)
    for pairs in (1, 2):
        found = mini_lbfgs(problem.model, problem.training, [0, 5], 6, pairs=pairs)
        np.testing.assert_allclose(
            found, mini(problem.model, problem.training, [0, 5], 6), rtol=1e-6
        )
    run = problems.deterministic()
    exact = mini(run.model, run.training, [0], 10)
    found = mini_lbfgs(run.model, run.training, [0], 10)
    assert 0 < np.linalg.norm(found - exact) < 0.01
    for k, pairs in ((19, 2), (0, 2), (1, 20)):
        with pytest.raises(ValueError, match=r"k must be|pairs must be"):
            mini_lbfgs(run.model, run.training, [0], k, pairs=pairs)
