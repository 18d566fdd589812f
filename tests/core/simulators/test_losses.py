"""Gradients and Hessians against autograd, and attempts to violate the certified constants."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import torch

from simulators.data.dataset import Dataset
from simulators.data.synthetic import worst_pair
from simulators.domains import Ball
from simulators.losses.hinge import SmoothedHinge
from simulators.losses.huber import Huber
from simulators.losses.logcosh import LogCosh
from simulators.losses.logistic import Logistic
from simulators.losses.pairs import pair_difference
from simulators.losses.quadratic import Quadratic, linear
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax
from simulators.losses.squared_hinge import SquaredHinge

D, N = 3, 6
RNG = np.random.default_rng(5)
FEATURES = RNG.standard_normal((N, D)) * RNG.uniform(0.2, 3.0, (N, 1))
SIGNS = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
BINARY = Dataset(FEATURES, SIGNS)
REAL = Dataset(FEATURES, RNG.standard_normal(N) * 2)
CLASSES = Dataset(FEATURES, np.arange(N) % 4)
POINTS = Dataset(FEATURES)

LOSSES = {
    "logistic": (Logistic(0.3), BINARY),
    "ridge": (Ridge(0.1), REAL),
    "huber": (Huber(0.2, None, 0.7), REAL),
    "hinge": (SmoothedHinge(0.2, None, 0.6), BINARY),
    "squared hinge": (SquaredHinge(0.2), BINARY),
    "logcosh": (LogCosh(0.05), REAL),
    "softmax": (Softmax(4, 0.2), CLASSES),
    "quadratic": (Quadratic(np.array([0.5, 1.0, 2.0])), POINTS),
    "quadratic one": (Quadratic(0.7), POINTS),
    "linear": (linear(), POINTS),
}
BY_NAME = pytest.mark.parametrize("name", LOSSES)


def draws(loss, data, count, scale, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shape = (count, *loss.parameter_shape(data))
    return scale * torch.randn(shape, generator=generator, dtype=torch.float64)


def hessians(loss, data, points):
    """(points, rows, parameters, parameters) by autograd, of all points at once."""
    flat = points.flatten(1).requires_grad_()
    values = loss.value(flat.view(points.shape), data)
    found = []
    for row in range(N):
        (slope,) = torch.autograd.grad(values[:, row].sum(), flat, create_graph=True)
        lines = (slope + 0.0 * flat).sum(0)  # where it is constant, there is no graph
        found.append([torch.autograd.grad(one, flat, retain_graph=True)[0] for one in lines])
    return torch.stack([torch.stack(lines, dim=1) for lines in found], dim=1)


@BY_NAME
def test_gradient_is_autograds(name):
    loss, data = LOSSES[name]
    for scale in (0.1, 1.0, 30.0):
        points = draws(loss, data, 4, scale).requires_grad_()
        for row in range(N):
            (expected,) = torch.autograd.grad(loss.value(points, data)[:, row].sum(), points)
            given = loss.gradient(points.detach().clone(), data)[:, row]
            assert torch.allclose(given, expected, rtol=1e-11, atol=1e-12)


@BY_NAME
def test_one_step_is_the_mean_gradient(name):
    loss, data = LOSSES[name]
    points = draws(loss, data, 5, 1.5)
    rows = np.array([4, 1, 2])
    kept = Dataset(data.features[rows], None if data.targets is None else data.targets[rows])
    expected = points - 0.3 * loss.mean_gradient(points.clone(), kept)
    state = points.movedim(0, -1).contiguous().clone()
    (batch,) = loss.stage(data, rows[None], torch.tensor)
    loss.descend_(state, batch, 0.3, loss.scratch(3, state))
    assert torch.allclose(state.movedim(-1, 0), expected, rtol=1e-12, atol=1e-13)


@BY_NAME
def test_hessians_lie_between_the_constants(name):
    loss, data = LOSSES[name]
    constants = loss.constants(data)
    for scale in (0.05, 1.0, 5.0):
        points = draws(loss, data, 3, scale, seed=int(scale * 100))
        values = torch.linalg.eigvalsh(hessians(loss, data, points))
        assert values.min() >= constants.strong_convexity - 1e-12
        assert values.max() <= constants.smoothness * (1 + 1e-12)


@BY_NAME
def test_smoothness_is_attained(name):
    """The certified L is the best one: some Hessian reaches it (so a smaller L would be false)."""
    loss, data = LOSSES[name]
    constants = loss.constants(data)
    largest = int(np.linalg.norm(data.features, axis=1).argmax())
    row = torch.tensor(data.features[largest])
    candidates = [torch.zeros(loss.parameter_shape(data), dtype=torch.float64)]
    if isinstance(loss, Softmax):
        # Two classes with probability 1/2 each, the others negligible.
        point = torch.zeros(D, 4, dtype=torch.float64)
        point[:, 2:] = -200.0 * row[:, None] / (row @ row)
        candidates = [point]
    elif data.targets is not None and not isinstance(loss, Logistic):
        score = data.targets[largest] * (
            0.9 if isinstance(loss, SmoothedHinge | SquaredHinge) else 1.0
        )
        candidates = [score * row / (row @ row)]
    found = hessians(loss, data, torch.stack(candidates))[:, largest]
    best = float(torch.linalg.eigvalsh(found).max())
    assert best == pytest.approx(constants.smoothness, rel=1e-9)


@BY_NAME
def test_gradient_differences_stay_below_2m(name):
    loss, data = LOSSES[name]
    domain = Ball(4.0)
    constants = loss.constants(data, domain=domain)
    worst = 0.0
    for scale in (0.1, 1.0, 100.0):
        points = draws(loss, data, 300, scale).flatten(1)
        points *= (4.0 / torch.linalg.vector_norm(points, dim=1, keepdim=True)).clamp(max=1.0)
        points = points.view(300, *loss.parameter_shape(data))
        gradients = loss.gradient(points, data).flatten(2)
        gaps = torch.cdist(gradients, gradients)
        worst = max(worst, float(gaps.max()))
    assert worst <= constants.gradient_difference * (1 + 1e-12)
    # The bound is not idle either: random points already reach a good part of it.
    assert worst >= 0.3 * constants.gradient_difference


@pytest.mark.parametrize("name", ["logistic", "ridge", "logcosh", "softmax", "quadratic", "linear"])
def test_hessians_are_lipschitz(name):
    loss, data = LOSSES[name]
    bound = loss.constants(data).hessian_lipschitz
    pairs = draws(loss, data, 40, 0.7, seed=3)
    moved = pairs + draws(loss, data, 40, 1e-3, seed=4)
    gaps = hessians(loss, data, pairs) - hessians(loss, data, moved)
    distances = torch.linalg.vector_norm((pairs - moved).flatten(1), dim=1)
    assert (torch.linalg.matrix_norm(gaps, 2) <= bound * distances[:, None] + 1e-9).all()


@pytest.mark.parametrize(
    ("loss", "slope", "at"),
    [
        (Logistic(), 1 / (6 * math.sqrt(3)), math.log(2 + math.sqrt(3))),
        (LogCosh(), 4 / (3 * math.sqrt(3)), math.atanh(1 / math.sqrt(3))),
    ],
)
def test_third_derivative_bound_is_attained(loss, slope, at):
    assert loss.curvature_lipschitz == pytest.approx(slope, rel=1e-15)
    step = 1e-4
    z = torch.tensor([at - step, at + step], dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(loss.link(z).sum(), z, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), z)
    assert abs(float(second[1] - second[0])) / (2 * step) == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("kind", [Logistic, Ridge, Huber, SmoothedHinge, LogCosh])
def test_clip_is_equation_72(kind):
    """Pi_C(phi' a) + lambda w, per sample, the regulariser outside the clip."""
    clip, regularisation = 0.4, 0.25
    data = BINARY if kind in (Logistic, SmoothedHinge) else REAL
    points = draws(kind(), data, 7, 2.0)
    free = kind(0.0).gradient(points.clone(), data)
    norms = torch.linalg.vector_norm(free, dim=2, keepdim=True)
    expected = free * torch.minimum(torch.ones(()), clip / norms)
    expected = expected + regularisation * points[:, None, :]
    loss = kind(regularisation, clip)
    assert torch.allclose(loss.gradient(points.clone(), data), expected, rtol=1e-12, atol=1e-14)
    assert float(norms.max()) > clip
    state = points.T.contiguous().clone()
    (batch,) = loss.stage(data, np.arange(N)[None], torch.tensor)
    loss.descend_(state, batch, 0.2, loss.scratch(N, state))
    assert torch.allclose(state.T, points - 0.2 * expected.mean(dim=1), rtol=1e-12, atol=1e-14)
    constants = loss.constants(data)
    assert constants.half_gradient_difference == clip
    assert constants.hessian_lipschitz == math.inf


def test_clipped_softmax_step_and_its_missing_certificate():
    loss = Softmax(4, 0.1, clip=0.3)
    points = draws(loss, CLASSES, 5, 1.0)
    expected = points - 0.2 * loss.mean_gradient(points, CLASSES)
    state = points.movedim(0, -1).contiguous().clone()
    (batch,) = loss.stage(CLASSES, np.arange(N)[None], torch.tensor)
    loss.descend_(state, batch, 0.2, loss.scratch(N, state))
    assert torch.allclose(state.movedim(-1, 0), expected, rtol=1e-12, atol=1e-13)
    with pytest.raises(ValueError, match="clip must be >= "):
        loss.constants(CLASSES)
    assert Softmax(4, 0.1, clip=100.0).constants(CLASSES) == Softmax(4, 0.1).constants(CLASSES)


def test_softmax_gradient_difference_is_approached():
    """2 sqrt 2 |x| is the supremum: nearly opposite rows share a wrong class far out."""
    angle = 0.02
    rows = np.array([[math.sin(angle), math.cos(angle)], [math.sin(angle), -math.cos(angle)]])
    data = Dataset(rows, np.array([1.0, 2.0]))
    loss = Softmax(3)
    point = torch.zeros(1, 2, 3, dtype=torch.float64)
    point[0, 0, 0] = 1e5
    first, second = loss.gradient(point, data)[0]
    gap = float(torch.linalg.vector_norm(first - second))
    bound = loss.constants(data).gradient_difference
    # Rows share class 0 but have different labels here: sqrt(4 + 2) of the sqrt 8 possible.
    assert gap == pytest.approx(math.sqrt(6), rel=1e-3)
    same = Dataset(rows, np.array([1.0, 1.0]))
    first, second = loss.gradient(point, same)[0]
    gap = float(torch.linalg.vector_norm(first - second))
    assert 0.999 * bound < gap <= bound


def test_values_without_overflow():
    data = Dataset(np.array([[1.0]]), np.array([1.0]))
    far = torch.tensor([[-1e4], [1e4]], dtype=torch.float64)
    assert Logistic().value(far, data).flatten().tolist() == [1e4, 0.0]
    assert torch.isfinite(LogCosh().value(far, data)).all()
    assert torch.isfinite(Softmax(2).value(far[:, :, None].expand(2, 1, 2), data)).all()


def test_quadratic_gradient_difference_is_attained():
    data, adjacent = worst_pair(4, 3, bound=1.3, batch_size=2)
    loss = Quadratic(0.5)
    points = draws(loss, data, 3, 2.0)
    gap = (loss.gradient(points, data) - loss.gradient(points, adjacent))[:, 2]
    bound = loss.constants(data, adjacent).gradient_difference
    assert torch.linalg.vector_norm(gap, dim=1).tolist() == pytest.approx([bound] * 3, rel=1e-14)


SIZES = {"tiny": 1e-170, "huge": 1e200, "subnormal": 3e-323, "one": 1.0, "three": 3.0}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("decay", [0.0, 0.1, 1e3])
@pytest.mark.parametrize("name", ["logistic", "ridge", "huber", "hinge", "logcosh", "softmax"])
def test_certified_constants_are_never_below_the_truth(name, decay, size):
    """One feature of a known size, against the sup of the derivatives in exact arithmetic."""
    a = SIZES[size]
    kind = type(LOSSES[name][0])
    loss = kind(2, decay) if name == "softmax" else kind(decay)
    targets = {"softmax": 0.0, "ridge": 0.0, "huber": 0.0, "logcosh": 0.0}.get(name, 1.0)
    data = Dataset([[a]], [targets])
    found = loss.constants(data, domain=Ball(2.0))
    with mpmath.workdps(800):
        a = mpmath.mpf(a)
        second = {"logistic": a**2 / 4, "softmax": a**2 / 2}.get(name, a**2)
        assert mpmath.mpf(found.smoothness) >= second + decay
        assert (
            found.smoothness == math.inf
            or found.smoothness <= (second + decay) * (1 + mpmath.mpf("1e-14")) + 5e-324
        )
        third = {
            "logistic": a**3 / (6 * mpmath.sqrt(3)),
            "ridge": mpmath.mpf(0),
            "logcosh": 4 * a**3 / (3 * mpmath.sqrt(3)),
        }.get(name)
        if third is not None:
            assert found.hessian_lipschitz >= third
        slope = {
            "logistic": a / (1 + mpmath.exp(-2 * a)),
            "ridge": 2 * a * a,
            "hinge": a,
            "huber": a * min(2 * a, 1),
            "logcosh": a * mpmath.tanh(2 * a),
            "softmax": mpmath.sqrt(2) * a,
        }[name]
        assert found.gradient_difference >= 2 * slope


def test_constants_cover_all_given_data():
    bigger = Dataset(10 * FEATURES, SIGNS)
    loss = Logistic(0.1)
    assert loss.constants(BINARY, bigger) == loss.constants(bigger)
    assert loss.constants(bigger).contraction(0.01) == pytest.approx(
        max(abs(1 - 0.01 * 0.1), abs(1 - 0.01 * loss.constants(bigger).smoothness))
    )


def test_bounded_domain_refines_logistic_slope():
    loss, data = Logistic(), Dataset(np.array([[2.0]]), np.array([1.0]))
    bound = loss.constants(data, domain=Ball(1.5)).half_gradient_difference
    assert bound == pytest.approx(2 / (1 + math.exp(-3.0)), rel=1e-14)
    edge = loss.gradient(torch.tensor([[-1.5]], dtype=torch.float64), data)
    assert abs(float(edge)) == pytest.approx(bound, rel=1e-14)
    assert Ridge().constants(Dataset(FEATURES, SIGNS)).gradient_difference == math.inf


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf, "1", None, True, 1j, []])
def test_invalid_loss_parameters(bad):
    for make in (
        lambda: Logistic(bad),
        lambda: Softmax(3, bad),
        lambda: Quadratic(bad),
        lambda: Huber(threshold=bad),
        lambda: SmoothedHinge(width=bad),
    ):
        with pytest.raises(ValueError, match="must be"):
            make()
    if bad is not None:
        with pytest.raises(ValueError, match="clip must be"):
            Logistic(0.1, clip=bad)


def test_wrong_targets_are_named():
    with pytest.raises(ValueError, match=r"-1 or \+1, got 0.5 in row 2"):
        Logistic().constants(Dataset(np.ones((3, 1)), np.array([1.0, -1.0, 0.5])))
    with pytest.raises(ValueError, match=r"0\.\.2, got 3.0 in row 1"):
        Softmax(3).constants(Dataset(np.ones((2, 1)), np.array([0.0, 3.0])))
    with pytest.raises(ValueError, match="got none"):
        Ridge().constants(POINTS)
    with pytest.raises(ValueError, match="curvature must have 3 entries"):
        Quadratic(np.ones(2)).constants(POINTS)
    with pytest.raises(ValueError, match="at least one Dataset"):
        Logistic().constants()


def test_differences_of_gradients_are_rounded_up():
    """|x| |y - y'| of squares, compared in exact arithmetic."""
    random = np.random.default_rng(0)
    for _ in range(200):
        row, targets = random.normal(size=(1, 3)), random.normal(size=2)
        pair = [Dataset(row, np.array([target]), "one row", ()) for target in targets]
        square = sum(Fraction(x) ** 2 for x in row[0].tolist())
        change = Fraction(float(targets[0])) - Fraction(float(targets[1]))
        assert Fraction(pair_difference(Ridge(0.1), *pair)) ** 2 >= square * change**2
