"""Closed-form gradients and Hessian actions against automatic differentiation."""

import numpy as np
import pytest
import torch

from simulators.data.dataset import Dataset
from simulators.losses.huber import Huber
from simulators.losses.logistic import Logistic
from simulators.losses.softmax import Softmax
from simulators.trajectory.explicit import Explicit
from simulators.trajectory.generic import FunctionModel
from simulators.trajectory.gram import Gram
from simulators.trajectory.models import LinearScore, SoftmaxScore

ROWS = np.array([9, 2, 5, 11])
COLUMNS = torch.tensor([0, 3, 3, 1, 0])


def exact_derivatives(values, w, rows):
    """Per-sample gradients (b, p) and Hessians (b, p, p) of l_i(w) by torch.func."""
    g = torch.func.jacrev(lambda v: values(v, rows))(w)
    H = torch.func.hessian(lambda v: values(v, rows))(w)
    return g, H


def models(problems):
    log, soft = problems.logistic(), problems.softmax()
    return {
        "logistic": (log.model, log.model),
        "softmax": (soft.model, soft.model),
        "function": (soft.generic, soft.model),
        "explicit": (Explicit(soft.model), soft.model),
        "quadratics": (problems.quadratics(1, n=12).model,) * 2,
    }


@pytest.mark.parametrize("name", ["logistic", "softmax", "function", "explicit", "quadratics"])
def test_every_operation_of_a_tangent(problems, name):
    model, reference = models(problems)[name]
    random = torch.Generator().manual_seed(0)
    w = torch.randn(model.parameters, dtype=torch.float64, generator=random)
    V = torch.randn((5, model.parameters), dtype=torch.float64, generator=random)
    weights = torch.randn(4, dtype=torch.float64, generator=random)
    g, H = exact_derivatives(reference.values, w, ROWS)
    tangent = model.tangent(w, ROWS)
    close = lambda a, b: torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-13)  # noqa: E731
    close(model.values(w, ROWS), reference.values(w, ROWS))
    close(tangent.gradient(weights), weights @ g)
    close(tangent.norms(), torch.linalg.vector_norm(g, dim=1))
    close(tangent.inner(V), g @ V.T)
    close(tangent.apply(V), V @ H.sum(0))
    close(tangent.hessian(), H.sum(0))
    close(tangent.products(V, COLUMNS), torch.einsum("jab,jb->ja", H[COLUMNS], V))
    lines = torch.tensor([4, 0, 0, 1])
    columns, scale = torch.tensor([1, 1, 2, 0]), torch.tensor([0.5, -2.0, 1.0, 3.0]).double()
    A = V.clone()
    tangent.add_gradients_(A, lines, columns, scale)
    expected = V.clone().index_add_(0, lines, scale[:, None] * g[columns])
    close(A, expected)
    kept = torch.ones((5, 4), dtype=torch.float64)
    kept[lines, columns] = 0.0
    rate = torch.tensor([0.1, 0.2, 0.3, 0.4, 0.5]).double()
    moved = torch.einsum("li,iab,lb->la", kept, H, V)
    A = V.clone()
    tangent.contract_(A, rate, (lines, columns))
    close(A, V - rate[:, None] * moved)
    A = V.clone()
    tangent.contract_(A, 0.3, (lines, columns))
    close(A, V - 0.3 * moved)
    A = V.clone()
    close(tangent.sweep_(A, 0.3), g @ V.T)
    close(A, V - 0.3 * V @ H.sum(0))


@pytest.mark.parametrize("name", ["logistic", "softmax"])
def test_gram_coordinates_stand_for_the_same_vectors(problems, name):
    model = models(problems)[name][0]
    random = np.random.default_rng(0)
    home = Gram(model, random.standard_normal(model.parameters))
    w = random.standard_normal(home.parameters)
    V = random.standard_normal((5, home.parameters))
    W, there = torch.tensor(home.vectors(w)), torch.tensor(home.vectors(V))
    mine, theirs = home.tangent(torch.tensor(w), ROWS), model.tangent(W, ROWS)
    back = lambda a: torch.from_numpy(home.vectors(a.numpy()))  # noqa: E731
    close = lambda a, b: torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-11)  # noqa: E731
    U = torch.tensor(V)
    weights = torch.tensor([1.0, -0.5, 2.0, 0.3]).double()
    close(back(mine.gradient(weights)), theirs.gradient(weights))
    close(mine.norms(), theirs.norms())
    close(mine.inner(U), theirs.inner(there))
    close(back(mine.apply(U)), theirs.apply(there))
    close(back(U @ mine.hessian().T), theirs.apply(there))
    close(back(mine.products(U, COLUMNS)), theirs.products(there, COLUMNS))
    close(home.lengths(U), torch.linalg.vector_norm(there, dim=1))
    close(home.values(torch.tensor(w), ROWS), model.values(W, ROWS))
    np.testing.assert_allclose(home.vectors(home.origin), home.start, rtol=1e-15)
    # What is written to is seen as one row of memory after the other.
    fixed = np.empty((5, model.parameters))
    fixed.flags.writeable = False
    for output in (np.empty((model.parameters, 5)).T, fixed):
        with pytest.raises(ValueError, match="out must be writeable and in C order"):
            home.vectors(V, out=output)


def test_a_clipped_linear_loss_is_a_truncated_slope():
    """Its derivative follows the clipped gradient, and is 0 where the clip is active."""
    random = np.random.default_rng(1)
    data = Dataset(3 * random.standard_normal((12, 3)), random.standard_normal(12))
    loss = Huber(threshold=1.0, regularisation=0.1, clip=0.7)
    model = LinearScore(loss, data)
    w = torch.tensor(random.standard_normal(3))
    rows = np.arange(12)
    tangent = model.tangent(w, rows)
    data_term = loss.gradient(w[None, :], data)[0]
    for row in rows:
        one = torch.zeros(12, dtype=torch.float64)
        one[row] = 1.0
        torch.testing.assert_close(tangent.gradient(one), data_term[row])
    v, h = torch.tensor(random.standard_normal((1, 3))), 1e-6
    ones = torch.ones(12, dtype=torch.float64)
    slope = lambda at: model.tangent(at, rows).gradient(ones)  # noqa: E731
    difference = (slope(w + h * v[0]) - slope(w - h * v[0])) / (2 * h)
    torch.testing.assert_close(tangent.apply(v)[0], difference, rtol=1e-7, atol=1e-7)


def test_softmax_vectors_and_matrices(problems):
    model = problems.softmax().model
    W = np.random.default_rng(0).standard_normal((3, 3))
    np.testing.assert_array_equal(model.matrix(model.vector(W)), W)
    other = Softmax(classes=3, regularisation=0.05)
    found = other.value(torch.tensor(W)[None], model.data)[0].numpy()
    ours = model.values(torch.tensor(model.vector(W)), np.arange(17)).numpy()
    np.testing.assert_allclose(ours, found, rtol=1e-14)


def test_bad_models():
    data = Dataset(np.ones((4, 2)), np.array([0.0, 1, 2, 0]))
    with pytest.raises(ValueError, match="clip must be None for a softmax trajectory"):
        SoftmaxScore(Softmax(classes=3, regularisation=0.1, clip=1.0), data)
    with pytest.raises(ValueError, match="targets must be labels"):
        LinearScore(Logistic(0.1), data)
    with pytest.raises(ValueError, match="targets must have one row for each"):
        FunctionModel(lambda w, x, y: w @ x, np.ones((4, 2)), np.ones(3), 2)
    with pytest.raises(ValueError, match="parameters must be an integer >= 1"):
        FunctionModel(lambda w, x, y: w @ x, np.ones((4, 2)), np.ones(4), 0)
