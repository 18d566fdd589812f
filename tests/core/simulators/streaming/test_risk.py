"""The retention risk against the losses' own values, and its minimisers against other solvers."""

import math

import numpy as np
import pytest
import torch
from scipy.optimize import minimize
from torch.utils._python_dispatch import TorchDispatchMode

from simulators.data.dataset import Dataset
from simulators.data.sklearn_sets import digits
from simulators.data.synthetic import regression, two_gaussians
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax
from simulators.streaming.deletions import given, random_subsets
from simulators.streaming.minimise import Minimiser, _first_of_their_kind
from simulators.streaming.risk import Risk, zeros
from tests.equality import same_bits

NUMBERS = digits(None).first(60).normalised()
CASES = {
    "softmax": (NUMBERS, Softmax(10, 0.05)),
    "logistic": (two_gaussians(60, 3, seed=2), Logistic(0.02)),
    "ridge": (regression(60, 4, seed=1), Ridge(0.1)),
}


@pytest.fixture(params=CASES)
def risk(request):
    data, loss = CASES[request.param]
    return Risk(data, loss)


def somewhere(risk, trials, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn((trials, *risk.shape), dtype=torch.float64, generator=generator)


def test_value_and_gradient_are_means_over_the_rows_kept(risk):
    stream = random_subsets(60, [20, 30], trials=3)
    points = somewhere(risk, 3)
    for t in range(3):
        mask = stream.kept(t)
        weights = torch.tensor(mask / mask.sum(axis=1, keepdims=True))
        values = (risk.loss.value(points, risk.data) * weights).sum(dim=1)
        torch.testing.assert_close(risk.value(points, mask), values, rtol=1e-13, atol=0)
        each = risk.loss.gradient(points, risk.data)
        mean = torch.einsum("tn,tn...->t...", weights, each)
        torch.testing.assert_close(risk.gradient(points, mask), mean, rtol=1e-11, atol=1e-13)


def test_the_recursion_of_eq_15(risk):
    stream = random_subsets(60, [20, 0, 30], trials=3)
    points = somewhere(risk, 3)
    gradient = risk.gradient(points, stream.kept(0))
    n = torch.tensor(stream.remaining, dtype=torch.float64)
    n = n.reshape(3, 4, *[1] * len(risk.shape))
    for t in range(1, 4):
        lost = risk.gradient_sum(points, stream.forgotten(t))
        gradient = (n[:, t - 1] * gradient - lost) / n[:, t]
        direct = risk.gradient(points, stream.kept(t))
        torch.testing.assert_close(gradient, direct, rtol=1e-10, atol=1e-12)


def test_the_minimisers_have_no_gradient_and_scipy_agrees(risk):
    stream = random_subsets(60, [20, 30], trials=3)
    path = Minimiser(risk).path(stream)
    for t in range(3):
        mask = stream.kept(t)
        gradient = risk.gradient(path[:, t], mask).reshape(3, -1)
        assert float(torch.linalg.vector_norm(gradient, dim=1).max()) < 1e-11
        for r in (0, 2):
            one = mask[r : r + 1]

            def objective(flat, one=one):
                w = torch.tensor(flat.reshape(1, *risk.shape))
                return float(risk.value(w, one)), risk.gradient(w, one).numpy().ravel()

            found = minimize(
                objective,
                np.zeros(risk.size),
                jac=True,
                method="L-BFGS-B",
                options={"ftol": 1e-16, "gtol": 1e-9, "maxiter": 5000, "maxfun": 10000},
            )
            distance = np.linalg.norm(found.x - path[r, t].numpy().ravel())
            assert distance <= np.linalg.norm(found.jac) / risk.strong_convexity + 1e-9


def test_squares_have_a_closed_form():
    data, loss = CASES["ridge"]
    risk = Risk(data, loss)
    stream = random_subsets(60, [50], trials=2)
    found = Minimiser(risk)(stream.kept(1))
    for r in range(2):
        x, y = data.features[stream.kept(1)[r]], data.targets[stream.kept(1)[r]]
        exact = np.linalg.solve(x.T @ x / 10 + 0.1 * np.eye(4), x.T @ y / 10)
        np.testing.assert_allclose(found[r].numpy(), exact, rtol=1e-11)
    assert risk.lipschitz == math.inf
    assert np.linalg.norm(exact) <= risk.radius < math.inf


def test_many_parameters_need_no_factorisation(monkeypatch, risk):
    stream = given(60, [[1, 2], [3]], trials=2)
    dense = Minimiser(risk).path(stream)
    monkeypatch.setattr("simulators.streaming.minimise.DENSE", 0)
    torch.testing.assert_close(Minimiser(risk).path(stream), dense, rtol=1e-9, atol=1e-10)


def test_a_trial_keeps_its_place_among_those_before_it():
    """A kernel's bits depend on the column: an order by value would let later trials move it."""
    rows = np.array([[3, 1], [1, 1], [3, 1], [2, 9], [1, 1], [0, 0]])
    chosen, number = _first_of_their_kind(rows)
    assert chosen.tolist() == [0, 1, 3, 5]
    assert number.tolist() == [0, 1, 0, 2, 1, 3]


def test_a_trial_does_not_depend_on_the_others(risk):
    many = random_subsets(60, [5, 30], trials=7, seed=4)
    few = random_subsets(60, [5, 30], trials=2, seed=4)
    same_bits(Minimiser(risk).path(many)[:2], Minimiser(risk).path(few))
    points = somewhere(risk, 7)
    same_bits(risk.gradient(points, many.kept(1))[:2], risk.gradient(points[:2], few.kept(1)))


def test_constants_dominate_what_is_measured(risk):
    a, b = somewhere(risk, 40, 1), somewhere(risk, 40, 2)
    mask = random_subsets(60, [50], trials=40).kept(1)
    moved = (risk.gradient(a, mask) - risk.gradient(b, mask)).reshape(40, -1)
    apart = (a - b).reshape(40, -1)
    ratio = torch.linalg.vector_norm(moved, dim=1) / torch.linalg.vector_norm(apart, dim=1)
    assert bool((ratio <= risk.smoothness).all())
    assert bool((ratio >= risk.strong_convexity).all())
    assert risk.largest_row_gradient(10 * a) <= risk.lipschitz
    if isinstance(risk.loss, Softmax):
        assert risk.lipschitz == pytest.approx(math.sqrt(2.0), rel=1e-12)
        assert risk.largest_row_gradient(100 * a) > 0.99 * risk.lipschitz
    path = Minimiser(risk).path(random_subsets(60, [50], trials=5)).reshape(10, -1)
    assert float(torch.linalg.vector_norm(path, dim=1).max()) <= risk.radius


def test_the_bound_on_minimisers_is_attained():
    one = Risk(Dataset(np.array([[3.0]]), np.array([1.0])), Logistic(1e4))
    found = Minimiser(one)(np.ones((1, 1), dtype=bool))
    assert 0.49 * one.radius < abs(float(found)) <= one.radius


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: Risk(r.data, None), "loss must be"),
        (lambda r: Risk(r.data, Logistic(0.1, clip=1.0)), "loss must be"),
        (lambda r: Risk(None, r.loss), "data must be"),
        (lambda r: Risk(r.data, r.loss, "gpu"), "device must be"),
        (lambda r: r.value(zeros(r, 1), np.zeros((1, 60), bool)), "mask must hold"),
        (lambda r: r.value(zeros(r, 1), np.ones((1, 60))), "mask must be boolean"),
        (lambda r: r.value(zeros(r, 1), np.ones((1, 59), bool)), "mask must be boolean"),
        (lambda r: r.value(zeros(r, 2), np.ones((1, 60), bool)), "parameters must have shape"),
        (lambda r: r.value(np.zeros((1, 3)), np.ones((1, 60), bool)), "parameters must be"),
        (lambda r: zeros(r, 0), "trials must be"),
        (lambda r: Minimiser(None), "risk must be"),
        (lambda r: Minimiser(r, 0.0), "tolerance must be"),
        (lambda r: Minimiser(Risk(r.data, Logistic(0.0))), "risk must have regularisation > 0"),
        (lambda r: Minimiser(r).path(None), "deletions must be"),
    ],
)
def test_bad_input_is_named(call, message):
    data, loss = CASES["logistic"]
    with pytest.raises(ValueError, match=message):
        call(Risk(data, loss))


class Softmaxes(TorchDispatchMode):
    """Records the axes, from the end, that softmax and logsumexp run over."""

    def __init__(self):
        super().__init__()
        self.axes = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function.name() in ("aten::_softmax", "aten::logsumexp"):
            axis = args[1][0] if isinstance(args[1], list) else args[1]
            self.axes.append(axis % args[0].ndim - args[0].ndim)
        return function(*args, **(kwargs or {}))


def test_classes_are_never_the_last_axis():
    """A sum over a short last axis costs several times the products of the step."""
    random = np.random.default_rng(0)
    data = Dataset(random.standard_normal((12, 2)), np.arange(12) % 3.0)
    risk = Risk(data, Softmax(3, 0.1), "cpu")
    points = torch.tensor(random.standard_normal((5, 2, 3)))
    points, weights = risk.checked(points, np.ones((5, 12), dtype=bool))
    with Softmaxes() as seen:
        risk.block_value(points, weights)
        risk.block_gradient(points, weights)
        risk.block_hessian(points, weights)(points)
    assert seen.axes == [-2, -2, -2]
