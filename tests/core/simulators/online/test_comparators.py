"""Comparators: optimality to 1e-10, against closed forms and against scipy's trust-constr."""

import numpy as np
import pytest
import torch
from scipy.optimize import Bounds, NonlinearConstraint, minimize

from simulators.data.sklearn_sets import digits
from simulators.data.synthetic import regression, two_gaussians
from simulators.domains import Ball, Box, WholeSpace
from simulators.losses.huber import Huber
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.online.comparators import comparators, gradient_mapping
from simulators.online.linear import Linear
from simulators.online.quadratics import Quadratics
from simulators.online.rows import Rows
from tests.equality import same_bits

LABELLED, REAL = two_gaussians(60, 4, seed=2), regression(60, 4, seed=2)
DOMAINS = {"free": WholeSpace(), "inside": Ball(50.0), "ball": Ball(0.4), "box": Box(-0.1, 0.3)}
LOSSES = {
    "logistic": (Logistic(0.05), LABELLED),
    "ridge": (Ridge(0.01), REAL),
    "huber": (Huber(0.05, threshold=0.2), REAL),
}


def by_trust_constr(stream, removed):
    def value(z):
        return float(stream.value_total(torch.tensor(z[None]), None, removed)[0]) / 10

    def gradient(z):
        return stream.gradient_total(torch.tensor(z[None]), None, removed)[0].numpy() / 10

    options = {"gtol": 1e-12, "xtol": 1e-14, "barrier_tol": 1e-12, "maxiter": 2000}
    domain, extra = stream.domain, {}
    if isinstance(domain, Ball):
        extra["constraints"] = NonlinearConstraint(
            lambda z: z @ z, -np.inf, domain.radius**2, jac=lambda z: 2 * z[None]
        )
    if isinstance(domain, Box):
        extra["bounds"] = Bounds(domain.low, domain.high)
    start = np.full(stream.dimension, 0.05)
    with np.errstate(all="ignore"):
        return minimize(
            value, start, jac=gradient, method="trust-constr", options=options, **extra
        ).x


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("home", DOMAINS)
@pytest.mark.parametrize("name", LOSSES)
def test_against_trust_constr(name, home):
    loss, data = LOSSES[name]
    stream = Rows.of(loss, data, DOMAINS[home])
    removed = [3, 40, 17]
    found = comparators(stream, removed)
    assert len(found) == 4
    for i, star in enumerate(found):
        assert gradient_mapping(stream, star, removed[:i]) < 1e-10
    for i in (0, 3):
        assert found[i] == pytest.approx(by_trust_constr(stream, removed[:i]), abs=2e-5)
    if home in ("ball", "box"):
        assert abs(gradient_mapping(stream, np.zeros(4))) > 1e-2
        edge = {"ball": np.linalg.norm(found[0]), "box": np.abs(found[0] - 0.1).max() + 0.2}[home]
        assert edge == pytest.approx(0.4, abs=1e-12)


@pytest.mark.parametrize("domain", [Ball(2.0), Ball(100.0), Box(-1.0, 1.0)])
def test_digits_without_many_rows(domain, full):
    stream = Rows.of(Logistic(1e-3), digits().normalised(), domain)
    gone = 100 if full else 40
    order = np.random.default_rng(0).permutation(357)[:gone] + 1
    found = comparators(stream, order)
    worst = max(gradient_mapping(stream, found[i], order[:i]) for i in range(0, gone + 1, 10))
    assert worst <= 1e-10 * stream.constants.lipschitz


def test_quadratics_are_projected_means():
    points = np.random.default_rng(1).normal(size=(20, 3))
    found = comparators(Quadratics(points, 2.0, Ball(0.1)), [4, 9])
    mean = np.delete(points, [3, 8], axis=0).mean(axis=0)
    assert found[2] == pytest.approx(0.1 * mean / np.linalg.norm(mean), rel=1e-12)
    box = comparators(Quadratics(points, np.arange(1, 21), Box(-0.05, 0.05)), [4])
    weights = np.arange(1.0, 21)
    weights[3] = 0
    assert box[1] == pytest.approx(np.clip(weights @ points / weights.sum(), -0.05, 0.05))


def test_linear_sums_have_their_minimiser_at_the_edge():
    stream = Linear([[1.0, 0.0], [0.0, 2.0], [0.0, -2.0]], domain=Ball(3.0))
    assert comparators(stream, [1, 2]).tolist() == [[-3, 0], [0, 0], [0, 3]]
    box = Linear([[1.0, 0.0], [0.0, 2.0]], domain=Box(-1.0, 2.0))
    assert comparators(box, [1]).tolist() == [[-1, -1], [0, -1]]


@pytest.mark.parametrize("domain", [Box(0.0, 1.0), Ball(1.0)])
def test_the_line_is_solved_by_its_derivative(domain):
    stream = Rows(Huber(threshold=0.1), np.ones((9, 1)), np.linspace(0.2, 0.4, 9), 1.0, domain)
    found = comparators(stream, [9])
    assert max(gradient_mapping(stream, found[i], [9][:i]) for i in (0, 1)) < 1e-13
    edge = Rows(Huber(threshold=0.1), np.ones((9, 1)), np.linspace(2.2, 2.4, 9), 1.0, domain)
    assert comparators(edge).tolist() == [[1.0]]


def test_a_repeated_deletion_changes_nothing():
    stream = Rows.of(Logistic(0.1), LABELLED, Ball(1.0))
    found = comparators(stream, [5, 5, 6])
    same_bits(found[1], found[2])
    assert (found[2] != found[3]).any()


@pytest.mark.parametrize(
    ("stream", "indices", "message"),
    [
        (Rows.of(Logistic(0.0), digits().normalised()), [], "minimiser"),
        (Linear([1.0]), [], "domain"),
        (Quadratics([1.0, 2.0]), [1, 2], "indices"),
        (Quadratics([1.0, 2.0]), [3], "indices"),
        (Quadratics([1.0, 2.0]), [1.5], "indices"),
        (Quadratics([1.0, 2.0], 0.0), [], "curvature"),
        (3, [], "stream"),
    ],
)
def test_invalid_input(stream, indices, message):
    with pytest.raises(ValueError, match=message):
        comparators(stream, indices)


@pytest.mark.parametrize("domain", [WholeSpace(), Ball(0.3), Box(-0.1, 0.2)])
def test_models_are_minimised_exactly(domain):
    """The projected gradient step leaves the minimiser of the model where it is, to 1e-13."""
    from simulators.online._models import model
    from simulators.online.streams import projected

    random = np.random.default_rng(7)
    root = random.normal(size=(5, 5))
    hessian, z, gradient = root @ root.T, 0.1 * random.normal(size=5), random.normal(size=5)
    y = model(domain, hessian).least(z, gradient)
    slope = gradient + hessian @ (y - z)
    assert projected(domain, y - 0.01 * slope) == pytest.approx(y, abs=1e-13)
    if not isinstance(domain, WholeSpace):
        assert np.linalg.norm(slope) > 0.1


def test_losses_without_curvature_are_minimised_on_the_sphere():
    """Targets so far away that every Huber loss is linear: no curvature at all on the ball."""
    far = regression(20, 3, seed=4)
    far = type(far)(far.features, np.full(20, 300.0), far.name, far.record)
    (found,) = comparators(Rows.of(Huber(), far, Ball(2.0)))
    total = far.features.sum(axis=0)
    np.testing.assert_allclose(found, 2.0 * total / np.linalg.norm(total), rtol=1e-9)
