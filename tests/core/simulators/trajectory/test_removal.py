"""Certified removal: reference numbers, bounds, the budget."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from accounting.curves.gaussian import mu_gdp
from simulators.data.dataset import Dataset
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.trajectory.models import LinearScore
from simulators.trajectory.newton import minimiser, newton_step
from simulators.trajectory.removal import (
    PRINTED_CURVATURE_LIPSCHITZ,
    CertifiedRemoval,
    exact_delta,
    printed_delta,
    residual,
)

FIVE = ((1, -0.5, 0.3, -0.9, 0.7), (1, -1, -1, -1, 1), 0.1)
SIX = ((0.2, 0.4, -0.6, 0.8, -1, 0.9), (1, 1, -1, -1, -1, 1), 0.005)
REFERENCE = [  # problem, U, w*, argmin over R, w^-, residual, worst case, data with 1/4, with sharp
    (FIVE, [0], 1.270726839, 1.145404365, 1.144248326, 0.0008569344559, 25.0,
     0.006558693904, 0.002524442460),
    (FIVE, [0, 3], 1.270726839, 0.8955549660, 0.8901278308, 0.002674834876, 133.3333333,
     0.03005753806, 0.01156915179),
    (SIX, [5], 1.707502189, 1.335080106, 1.304311598, 0.01348801728, 8000.0,
     0.08940945911, 0.03441371686),
]  # fmt: skip


def line(x, y, ridge):
    return LinearScore(Logistic(ridge), Dataset(np.array(x)[:, None], np.array(y, dtype=float)))


@pytest.mark.parametrize(
    ("problem", "U", "start", "target", "point", "left", "worst", "quarter", "sharp"), REFERENCE
)
def test_reference_numbers(problem, U, start, target, point, left, worst, quarter, sharp):
    model = line(*problem)
    w, kept = minimiser(model), np.setdiff1d(np.arange(model.size), U)
    step = newton_step(model, w, U)
    assert w[0] == pytest.approx(start, rel=1e-9)
    assert minimiser(model, kept)[0] == pytest.approx(target, rel=1e-9)
    assert (w + step)[0] == pytest.approx(point, rel=1e-9)
    printed = residual(model, w, step, kept, len(U), lipschitz=PRINTED_CURVATURE_LIPSCHITZ)
    ours = residual(model, w, step, kept, len(U))
    assert printed.measured == ours.measured == pytest.approx(left, rel=1e-8)
    assert printed.worst_case == pytest.approx(worst, rel=1e-9)
    assert printed.data_dependent == pytest.approx(quarter, rel=1e-9)
    assert ours.data_dependent == pytest.approx(sharp, rel=1e-9)
    assert ours.measured <= ours.bound <= 0.5 * ours.data_dependent * (1 + 1e-12)


@given(seed=st.integers(0, 10**6), m=st.integers(1, 8), spread=st.floats(0.1, 10.0))
def test_the_bound_holds_for_rows_of_any_length(seed, m, spread):
    random = np.random.default_rng(seed)
    X = spread * random.standard_normal((20, 3))
    y = np.where(random.random(20) < 0.5, -1.0, 1.0)
    model = LinearScore(Logistic(0.05), Dataset(X, y))
    w, kept = minimiser(model), np.arange(m, 20)
    step = newton_step(model, w, range(m))
    found = residual(model, w, step, kept, m)
    assert found.measured <= found.bound * (1 + 1e-9) + 1e-12
    gradient = model.tangent(torch.tensor(w + step), kept).gradient(torch.ones(20 - m).double())
    assert found.measured == pytest.approx(float(torch.linalg.vector_norm(gradient)), abs=1e-9)


def test_the_printed_delta():
    """guo.delta: (epsilon, c) -> claimed, exact; the first is a violation."""
    eps, c = np.array([20.0, 0.5, 1.0]), np.array([2.0, 4.0, 2.0])
    np.testing.assert_allclose(
        printed_delta(eps, c), [0.2030029249, 0.0005031939419, 0.2030029249], rtol=1e-9
    )
    np.testing.assert_allclose(
        exact_delta(eps, c), [0.9980291815, 1.144800228e-6, 0.006829594983], rtol=1e-9
    )
    for function in (printed_delta, exact_delta):
        for bad in ((0.0, 1.0), (1.0, 0.0), (np.nan, 1.0)):
            with pytest.raises(ValueError, match=r"epsilon must be|c must be"):
                function(*bad)


def test_removals_until_the_budget_is_spent():
    """The account is the sum of bounds; past the budget it trains again with fresh noise."""
    random = np.random.default_rng(0)
    X = random.standard_normal((200, 5))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    model = LinearScore(Logistic(0.01), Dataset(X, np.where(X[:, 0] > 0, 1.0, -1.0)))
    server = CertifiedRemoval(model, noise=0.05, epsilon=1.0, delta=1e-4, seed=3)
    assert server.budget == pytest.approx(0.05 * mu_gdp(1.0, 1e-4), rel=1e-15)
    first = server.point
    assert np.linalg.norm(first - minimiser(model)) > 1e-3
    spent = 0.0
    while server.retrainings == 0:
        before = server.point
        found = server.remove([int(server.gone.sum())])
        if server.retrainings == 0:
            spent += found.bound
            assert server.spent == pytest.approx(spent, rel=1e-12)
            assert server.spent <= server.budget
            kept = np.flatnonzero(~server.gone)
            step = server.point - before
            assert found.measured <= found.bound
            assert np.linalg.norm(step) > 0
    assert spent + found.bound > server.budget
    assert server.spent == 0.0
    assert 2 <= server.gone.sum() < 150
    # The trained point is exactly a minimiser over what is left, under noise of its own.
    kept = np.flatnonzero(~server.gone)
    slope = model.tangent(torch.tensor(server.point), kept).gradient(torch.ones(len(kept)).double())
    assert np.linalg.norm(slope.numpy()) == pytest.approx(0.05 * np.sqrt(5), rel=1.0)
    with pytest.raises(ValueError, match="forget must be rows not yet removed"):
        server.remove([0])
    with pytest.raises(ValueError, match="forget must leave at least one sample"):
        server.remove(kept)


def test_on_ridge_regression_nothing_is_ever_spent():
    random = np.random.default_rng(1)
    model = LinearScore(
        Ridge(0.1), Dataset(random.standard_normal((12, 2)), random.standard_normal(12))
    )
    server = CertifiedRemoval(model, noise=0.0, epsilon=1.0, delta=1e-5)
    for row in range(6):
        assert server.remove([row]).bound == 0.0
        np.testing.assert_allclose(
            server.point, minimiser(model, np.arange(row + 1, 12)), rtol=1e-9, atol=1e-12
        )
    assert (server.spent, server.retrainings) == (0.0, 0)


def test_a_request_whose_training_is_refused_can_be_made_again(monkeypatch):
    random = np.random.default_rng(2)
    rows = random.standard_normal((20, 2))
    model = LinearScore(Logistic(0.01), Dataset(rows, np.sign(rows[:, 0])))
    server = CertifiedRemoval(model, noise=1e-9, epsilon=0.1, delta=1e-5)
    before = server.point.copy(), server.linear.copy(), server.spent

    def refuse(*args, **options):
        raise ValueError("model must have a minimiser, got none")

    with monkeypatch.context() as patch:
        patch.setattr("simulators.trajectory.removal.minimiser", refuse)
        with pytest.raises(ValueError, match="minimiser"):
            server.remove([3])
    np.testing.assert_array_equal(server.point, before[0])
    np.testing.assert_array_equal(server.linear, before[1])
    assert (server.spent, server.retrainings, server.gone.any()) == (before[2], 0, False)
    server.remove([3])
    assert (server.retrainings, np.flatnonzero(server.gone).tolist()) == (1, [3])


def test_bad_settings():
    model = line(*FIVE)
    for options in ({"noise": -1.0}, {"epsilon": -1.0}, {"delta": 0.0}, {"seed": -1}):
        good = {"noise": 0.1, "epsilon": 1.0, "delta": 1e-5}
        with pytest.raises(ValueError, match=f"{next(iter(options))} must be"):
            CertifiedRemoval(model, **{**good, **options})
