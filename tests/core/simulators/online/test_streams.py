"""Streams: gradients against differences, sums against loops, constants against samples."""

import numpy as np
import pytest
import torch
from scipy.optimize import approx_fprime

from simulators.data.sklearn_sets import digits
from simulators.data.synthetic import regression, two_gaussians
from simulators.domains import Ball, Box
from simulators.losses.hinge import SmoothedHinge
from simulators.losses.huber import Huber
from simulators.losses.logcosh import LogCosh
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.online.linear import Linear
from simulators.online.quadratics import Quadratics
from simulators.online.rows import Rows

RANDOM = np.random.default_rng(5)
LABELLED, REAL = two_gaussians(30, 3, seed=1), regression(30, 3, seed=1)
BALL = Ball(0.7)
STREAMS = {
    "quadratics": Quadratics(RANDOM.normal(size=(30, 3)), RANDOM.uniform(0.1, 2, 30), BALL),
    "linear": Linear(RANDOM.normal(size=(30, 3)), RANDOM.normal(size=30), BALL),
    "logistic": Rows.of(Logistic(0.1), LABELLED, BALL),
    "ridge": Rows.of(Ridge(0.2), REAL, Box(-0.5, 0.8)),
    "logcosh": Rows.of(LogCosh(0.0), REAL, BALL, seed=3),
    "huber": Rows(Huber(0.05, threshold=0.3), REAL.features, REAL.targets, 2.0, BALL),
    "hinge": Rows.of(SmoothedHinge(0.1, width=0.5), LABELLED, BALL, rounds=20),
}
POINTS = torch.tensor(RANDOM.uniform(-0.4, 0.4, (4, 3)))
each = pytest.mark.parametrize("name", STREAMS)


@each
def test_gradients_are_those_of_the_values(name):
    stream = STREAMS[name]
    for t in (1, 7, 20):
        gradient = stream.gradient(t, POINTS).numpy()
        for point, slope in zip(POINTS.numpy(), gradient, strict=True):
            numeric = approx_fprime(
                point, lambda z, t=t: float(stream.value(t, torch.tensor(z[None]))[0]), 1e-7
            )
            assert slope == pytest.approx(numeric, abs=2e-6)


@each
def test_hessian_total_is_the_derivative_of_gradient_total(name):
    stream = STREAMS[name]
    hessian = stream.hessian_total(POINTS, 17, [3, 5])[0].numpy()
    z = POINTS[0].numpy()
    step = 1e-6
    for j in range(3):
        ends = torch.tensor(z + step * np.array([[1.0], [-1.0]]) * np.eye(3)[j])
        up, down = stream.gradient_total(ends, 17, [3, 5]).numpy()
        assert hessian[j] == pytest.approx((up - down) / (2 * step), abs=1e-6)


@each
def test_totals_are_sums_over_rounds(name):
    """Removed rounds count once, and only up to `last`."""
    stream = STREAMS[name]
    rounds = [t for t in range(1, 18) if t not in (3, 5)]
    removed = [5, 3, 3, 19]
    value = sum(stream.value(t, POINTS) for t in rounds)
    gradient = sum(stream.gradient(t, POINTS) for t in rounds)
    assert stream.value_total(POINTS, 17, removed).numpy() == pytest.approx(value.numpy())
    assert stream.gradient_total(POINTS, 17, removed).numpy() == pytest.approx(gradient.numpy())
    assert stream.kept(17, removed) == len(rounds)
    losses = stream.losses(POINTS, slice(0, stream.rounds)).numpy()
    for t in (1, 20):
        assert losses[:, t - 1] == pytest.approx(stream.value(t, POINTS).numpy())


@each
def test_constants_hold_at_random_points(name):
    """|grad| <= L, mu <= Hess <= beta, on 2,000 points of the domain; L within 40%."""
    stream = STREAMS[name]
    c = stream.constants
    points = torch.tensor(np.random.default_rng(0).normal(size=(2000, 3)))
    points *= (1.0 / points.norm(dim=1, keepdim=True)).nan_to_num()
    stream.domain.project_(points.T)
    norms = np.array(
        [stream.gradient(t, points).norm(dim=1).max() for t in range(1, stream.rounds + 1)]
    )
    assert norms.max() <= c.lipschitz * (1 + 1e-12)
    assert norms.max() >= 0.6 * c.lipschitz
    for t in (1, 4, 9):
        eigen = np.linalg.eigvalsh(stream.hessian_sum(points[:50], [t - 1]).numpy())
        assert c.strong_convexity - 1e-12 <= eigen.min()
        assert eigen.max() <= c.smoothness + 1e-12
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    assert gaps.max() <= c.diameter * (1 + 1e-12)


def test_huge_sums_are_cut_into_pieces(monkeypatch):
    stream = STREAMS["logistic"]
    whole = [f(POINTS) for f in (stream.value_total, stream.gradient_total, stream.hessian_total)]
    monkeypatch.setattr("simulators.online.rows.CHUNK", 16)
    parts = [f(POINTS) for f in (stream.value_total, stream.gradient_total, stream.hessian_total)]
    for one, other in zip(whole, parts, strict=True):
        assert other.numpy() == pytest.approx(one.numpy(), rel=1e-12)


def test_equal_losses_on_the_line_are_added_up():
    stream = Rows(Huber(threshold=0.2), np.resize([1.0, -1.0], (40, 1)), 0.1, 3.0, Box(0.0, 1.0))
    assert stream._distinct.rounds == 2
    z = torch.tensor([[0.05], [0.6]], dtype=torch.float64)
    plain = sum(stream.gradient(t, z) for t in range(1, 41))
    assert stream.gradient_total(z).numpy() == pytest.approx(plain.numpy(), rel=1e-13)
    kept = sum(stream.gradient(t, z) for t in range(1, 41) if t != 3)
    assert stream.gradient_total(z, None, [3]).numpy() == pytest.approx(kept.numpy(), rel=1e-13)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Quadratics([np.nan]), "points"),
        (lambda: Quadratics([1.0], -1.0), "curvature"),
        (lambda: Quadratics([1.0, 2.0], [1.0]), "curvature"),
        (lambda: Quadratics([1.0], domain=3), "domain"),
        (lambda: Linear(np.zeros((2, 2, 2))), "slopes"),
        (lambda: Linear([1.0], [1.0, 2.0]), "offsets"),
        (lambda: Rows(Logistic(0.1, clip=1.0), [[1.0]]), "clip"),
        (lambda: Rows(3, [[1.0]]), "loss"),
        (lambda: Rows(Ridge(), [1.0]), "rows"),
        (lambda: Rows(Ridge(), [[1.0]], weights=-1.0), "weights"),
        (lambda: Rows.of(Logistic(), digits(), rounds=358), "rounds"),
        (lambda: STREAMS["linear"].value(0, POINTS), "t must"),
        (lambda: STREAMS["linear"].gradient(31, POINTS), "t must"),
        (lambda: STREAMS["linear"].gradient_total(POINTS, None, [0]), "removed"),
        (lambda: Linear([1.0]).minimiser(), "domain"),
    ],
)
def test_invalid_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_projection_of_points_whose_norms_overflow():
    from simulators.online.streams import project_rows_

    points = torch.tensor([[3.0, 4.0], [0.1, 0.2], [np.inf, 0.0]], dtype=torch.float64)
    project_rows_(Ball(1.0), points)
    assert points[:2].numpy() == pytest.approx(np.array([[0.6, 0.8], [0.1, 0.2]]))
    assert not torch.isfinite(points[2]).any()
