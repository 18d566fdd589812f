"""Newton steps and the infinitesimal jackknife."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from simulators.data.dataset import Dataset
from simulators.losses.ridge import Ridge
from simulators.trajectory.models import LinearScore
from simulators.trajectory.newton import infinitesimal_jackknife, minimiser, newton_step, solve


@pytest.mark.parametrize(
    ("n", "m", "jackknife", "newton"),
    [(10, 1, 0.1, 0.1111111111), (10, 3, 0.1, 0.1428571429), (1000, 300, 0.001, 0.001428571429)],
)
def test_equal_hessians(problems, n, m, jackknife, newton):
    """hf.eq17-18: sum_U g/h = 1."""
    c = np.zeros(n)
    c[:m], c[m:] = -1 / m, 1 / (n - m)
    model, w = problems.points_on_a_line(c), np.zeros(1)
    assert infinitesimal_jackknife(model, w, range(m))[0] == pytest.approx(jackknife, rel=1e-9)
    assert newton_step(model, w, range(m))[0] == pytest.approx(newton, rel=1e-9)
    assert c[m:].mean() == pytest.approx(newton, rel=1e-9)


@pytest.mark.parametrize("solver", ["cholesky", "cg"])
def test_the_newton_step_is_exact_on_ridge_regression(solver):
    """At the minimiser over S it lands on that over S minus U; the jackknife does not."""
    random = np.random.default_rng(0)
    model = LinearScore(
        Ridge(0.2), Dataset(random.standard_normal((30, 6)), random.standard_normal(30))
    )
    U, kept = [1, 5, 8, 20], np.setdiff1d(np.arange(30), [1, 5, 8, 20])
    w, target = minimiser(model), minimiser(model, kept)
    found = newton_step(model, w, U, solver=solver)
    np.testing.assert_allclose(w + found, target, rtol=1e-9, atol=1e-11)
    jackknife = infinitesimal_jackknife(model, w, U, solver=solver)
    assert np.linalg.norm(w + jackknife - target) > 0.01 * np.linalg.norm(target - w)
    # From elsewhere only the step with the whole gradient arrives.
    elsewhere = w + 1.0
    whole = newton_step(model, elsewhere, U, solver=solver, whole_gradient=True)
    np.testing.assert_allclose(elsewhere + whole, target, rtol=1e-9, atol=1e-11)
    missed = elsewhere + newton_step(model, elsewhere, U, solver=solver)
    assert np.linalg.norm(missed - target) > 0.5


def test_conjugate_gradients_agree_with_cholesky(problems):
    problem = problems.softmax()
    w = np.random.default_rng(0).standard_normal(9)
    for function in (newton_step, infinitesimal_jackknife):
        direct = function(problem.model, w, [1, 3])
        np.testing.assert_allclose(
            function(problem.model, w, [1, 3], solver="cg"), direct, rtol=1e-9, atol=1e-12
        )


def test_minimisers(problems):
    """The reference run of mini: w* over six points, over five, and the step between them."""
    model = problems.deterministic().model
    w = minimiser(model)
    np.testing.assert_allclose(w, [1.067816205, 0.6162535374], rtol=1e-9)
    np.testing.assert_allclose(
        w + newton_step(model, w, [0]), [0.9158864936, 0.6207171565], rtol=1e-9
    )
    np.testing.assert_allclose(
        minimiser(model, np.arange(1, 6)), [0.9172382186, 0.6214607232], rtol=1e-9
    )
    push = np.array([0.3, -0.2])
    pushed = minimiser(model, linear=push, start=np.array([20.0, -30.0]))
    gradient = model.tangent(torch.tensor(pushed), np.arange(6)).gradient(torch.ones(6).double())
    np.testing.assert_allclose(gradient.numpy(), -push, atol=1e-12)


def test_bad_input(problems):
    problem = problems.logistic(ridge=0.0, n=3, d=4, batch=3)
    w = np.zeros(4)
    with pytest.raises(ValueError, match="model must have a positive definite Hessian"):
        newton_step(problem.model, w, [0])
    with pytest.raises(ValueError, match="forget must leave at least one sample"):
        newton_step(problem.model, w, [0, 1, 2])
    with pytest.raises(ValueError, match=r"w must have shape \(4,\)"):
        infinitesimal_jackknife(problem.model, np.zeros(3), [0])
    with pytest.raises(ValueError, match="solver must be one of"):
        newton_step(problems.logistic().model, w, [0], solver="lu")
    with pytest.raises(ValueError, match="most must be enough steps"):
        minimiser(problems.logistic().model, most=2)


def test_a_pivot_of_the_size_of_rounding_is_none():
    """Cholesky's last pivot is exactly one unit of rounding, where a singular matrix leaves it."""
    ulp = torch.finfo(torch.float64).eps
    H = torch.tensor([[1.0, 1.0], [1.0, 1.0 + ulp]], dtype=torch.float64)
    assert int(torch.linalg.cholesky_ex(H).info) == 0
    with pytest.raises(ValueError, match="model must have a positive definite Hessian"):
        solve(SimpleNamespace(hessian=lambda: H), torch.ones(2, dtype=torch.float64))
