"""Losses, domains and data: values by hand in numpy, derivatives by complex steps."""

import hashlib
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from simulators import domains
from simulators.data.adjacency import differing_rows, replaced, row_in_batch
from simulators.data.dataset import Dataset
from simulators.data.lengths import row_norms
from simulators.data.rounds import rounds_of
from simulators.data.synthetic import opposite_labels
from simulators.domains import Ball
from simulators.losses.clipping import clipped
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic
from simulators.losses.regularisation import choose_regularisation, stationary_shift
from simulators.losses.ridge import Ridge
from simulators.losses.rounding import no_underflow, power_up, product_up, sum_up
from simulators.losses.softmax import Softmax
from verify.self_tests import Equality

X = np.array([[0.6, -0.2, 0.5], [-0.3, 0.8, 0.1], [0.9, 0.4, -0.7], [-1.1, 0.3, 0.2]])
LABELS = np.array([1.0, -1.0, -1.0, 1.0])
W = np.array([[0.3, -1.2, 0.7], [1.5, 0.2, -0.4]])
_RIDGE, _STEP = 0.3, 0.2
_SMALL = 1e-20j


def equalities() -> Iterator[Equality]:
    """Linear scores, the softmax, the quadratic, domains, data, the choice of lambda."""
    yield from _linear_scores()
    yield from _softmax()
    yield from _quadratic()
    yield from _domains()
    yield from _data()
    yield from _regularisation()
    yield from _rounded_up()


def _logistic(z: Any) -> Any:
    return np.log(1 + np.exp(z))


def _square(z: Any) -> Any:
    return z * z / 2


def _linear_scores() -> Iterator[Equality]:
    """Values, gradients, steps and constants of losses of one score, row by row."""
    targets = np.array([0.4, -0.9, 1.3, 0.2])
    for loss, phi, data, sign, offset in (
        (Logistic(_RIDGE), _logistic, Dataset(X, LABELS), -LABELS, 0.0),
        (Logistic(_RIDGE, clip=0.45), _logistic, Dataset(X, LABELS), -LABELS, 0.0),
        (Ridge(_RIDGE), _square, Dataset(X, targets), np.ones(4), targets),
        (Ridge(_RIDGE, clip=0.45), _square, Dataset(X, targets), np.ones(4), targets),
    ):
        name = repr(loss)
        rows = sign[:, None] * X
        scores = W @ rows.T - offset
        values = phi(scores) + _RIDGE / 2 * (W**2).sum(axis=1)[:, None]
        # Complex steps: the derivative without a difference, so without cancellation.
        slopes = phi(scores + _SMALL).imag / 1e-20
        pulls = slopes[:, :, None] * rows
        if loss.clip is not None:
            sizes = np.sqrt((pulls**2).sum(axis=2, keepdims=True))
            pulls = np.where(sizes > loss.clip, pulls * loss.clip / sizes, pulls)
        at = torch.tensor(W)
        yield Equality(f"{name}.value", loss.value(at, data), values)
        gradients = pulls + _RIDGE * W[:, None, :]
        yield Equality(f"{name}.gradient", loss.gradient(at, data), gradients)
        yield Equality(
            f"{name}.mean_gradient", loss.mean_gradient(at, data), gradients.mean(axis=1)
        )
        chosen = np.array([3, 0, 1])
        state = at.T.clone()
        (batch,) = loss.stage(data, chosen[None], torch.tensor)
        loss.descend_(state, batch, _STEP, loss.scratch(3, state))
        yield Equality(f"{name}.descend_", state.T, W - _STEP * gradients[:, chosen].mean(axis=1))
        yield Equality(f"{name}.parameter_shape", loss.parameter_shape(data), [3])
        norms = np.sqrt((X**2).sum(axis=1))
        # The largest score in the ball bounds the slope: the row's norm times 1.7, plus the offset.
        score_bounds = norms * 1.7 + np.abs(offset)
        steep = [float(phi(r + _SMALL).imag / 1e-20) for r in score_bounds]
        most = min(float(np.max(norms * steep)), loss.clip or math.inf)
        # Largest second and third derivatives: 1/4 and 1/(6 sqrt 3) of the logistic function.
        bend, third = (0.25, 1 / (6 * math.sqrt(3))) if phi is _logistic else (1.0, 0.0)
        constants = loss.constants(data, domain=Ball(1.7))
        yield Equality(
            f"{name}.constants",
            [
                constants.strong_convexity,
                constants.smoothness,
                constants.gradient_difference,
                constants.half_gradient_difference,
                constants.hessian_lipschitz,
            ],
            [
                _RIDGE,
                bend * norms.max() ** 2 + _RIDGE,
                2 * most,
                most,
                third * norms.max() ** 3 if loss.clip is None else math.inf,
            ],
        )
        m, L = constants.strong_convexity, constants.smoothness
        for eta in (0.1, 1.9 / L, 3.0):
            expected = max(abs(1 - eta * m), abs(1 - eta * L))
            yield Equality("Constants.contraction", constants.contraction(eta), expected)
        u = torch.linspace(-3, 3, 7, dtype=torch.float64)
        # Second differences, hence the tolerance of 1e-6.
        bends = np.real(phi(u.numpy() + 1e-4) - 2 * phi(u.numpy()) + phi(u.numpy() - 1e-4)) * 1e8
        yield Equality(f"{name}.curvature", loss.curvature(u), bends, 1e-6)
        free = loss.constants(data).half_gradient_difference
        least = loss.clip or (norms.max() if phi is _logistic else math.inf)
        yield Equality(f"{name} on the whole space", free, least)


def _softmax() -> Iterator[Equality]:
    """The same of the softmax loss, whose scores are a matrix."""
    data = Dataset(X, np.array([2.0, 0.0, 1.0, 2.0]))
    parameters = np.random.default_rng(3).normal(size=(2, 3, 3))
    for clip in (None, 0.5):
        loss = Softmax(3, _RIDGE, clip)
        scores = np.einsum("nd,tdk->tnk", X, parameters)
        odds = np.exp(scores)
        hot = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        values = np.log(odds.sum(axis=2)) - (scores * hot).sum(axis=2)
        values += _RIDGE / 2 * (parameters**2).sum(axis=(1, 2))[:, None]
        pulls = X[None, :, :, None] * (odds / odds.sum(axis=2, keepdims=True) - hot)[:, :, None]
        if clip is not None:
            sizes = np.sqrt((pulls**2).sum(axis=(2, 3), keepdims=True))
            pulls = np.where(sizes > clip, pulls * clip / sizes, pulls)
        gradients = pulls + _RIDGE * parameters[:, None]
        at = torch.tensor(parameters)
        yield Equality("Softmax.value", loss.value(at, data), values)
        yield Equality("Softmax.gradient", loss.gradient(at, data), gradients)
        yield Equality("Softmax.one_hot", loss.one_hot(data), hot)
        yield Equality("Softmax.parameter_shape", loss.parameter_shape(data), [3, 3])
        state = at.movedim(0, -1).contiguous()
        rows = np.array([1, 3])
        (batch,) = loss.stage(data, rows[None], torch.tensor)
        loss.descend_(state, batch, _STEP, loss.scratch(2, state))
        expected = parameters - _STEP * gradients[:, rows].mean(axis=1)
        yield Equality("Softmax.descend_", state.movedim(-1, 0), expected)
    constants = Softmax(3, _RIDGE).constants(data)
    r = float(np.sqrt((X**2).sum(axis=1)).max())
    yield Equality(
        "Softmax.constants",
        [
            constants.strong_convexity,
            constants.smoothness,
            constants.gradient_difference,
            constants.hessian_lipschitz,
        ],
        [_RIDGE, r * r / 2 + _RIDGE, 2 * math.sqrt(2) * r, math.sqrt(8 / 108) * r**3],
    )


def _quadratic() -> Iterator[Equality]:
    data, diagonal = Dataset(X), np.array([0.5, 1.5, 0.2])
    for curvature, clip in ((0.7, None), (diagonal, None), (diagonal, 0.9)):
        loss = Quadratic(curvature, clip)
        bowl = np.broadcast_to(curvature, 3)
        norms = np.sqrt((X**2).sum(axis=1))
        rows = X if clip is None else X * np.minimum(1, clip / norms)[:, None]
        at = torch.tensor(W)
        values = (bowl * W**2).sum(axis=1)[:, None] / 2 - W @ X.T
        gradients = (bowl * W)[:, None, :] - rows
        yield Equality("Quadratic.value", loss.value(at, data), values)
        yield Equality("Quadratic.gradient", loss.gradient(at, data), gradients)
        state = at.T.clone()
        (batch,) = loss.stage(data, np.array([[0, 3]]), torch.tensor)
        loss.descend_(state, batch, _STEP, None)
        expected = W - _STEP * gradients[:, [0, 3]].mean(axis=1)
        yield Equality("Quadratic.descend_", state.T, expected)
        constants = loss.constants(data)
        most = min(float(norms.max()), clip or math.inf)
        yield Equality(
            "Quadratic.constants",
            [
                constants.strong_convexity,
                constants.smoothness,
                constants.gradient_difference,
                constants.hessian_lipschitz,
            ],
            [bowl.min(), bowl.max(), 2 * most, 0.0],
        )
        yield Equality("clipped", clipped(X, clip), rows)


def _domains() -> Iterator[Equality]:
    """Projections, norms and diameters of every domain."""
    iterates: Any
    state = np.array([[3.0, 0.3, 0.0], [4.0, -0.4, 0.0]])
    iterates = torch.tensor(state)
    yield Equality("trial_norms", domains.trial_norms(iterates), [5.0, 0.5, 0.0])
    domains.Ball(2.0).project_(iterates)
    yield Equality("Ball.project_", iterates, [[1.2, 0.3, 0.0], [1.6, -0.4, 0.0]])
    iterates = torch.tensor(state)
    domains.Box(-0.1, 3.5).project_(iterates)
    yield Equality("Box.project_", iterates, [[3.0, 0.3, 0.0], [3.5, -0.1, 0.0]])
    rows = domains.project(domains.Ball(2.5), [[3.0, 4.0], [0.1, 0.2]])
    yield Equality("domains.project", rows, [[1.5, 2.0], [0.1, 0.2]])
    yield Equality("Ball.diameter", domains.Ball(2.0).diameter, 4.0)
    box = domains.Box(-3.0, 1.0)
    yield Equality("Box, its reach", [box.radius_in(4), box.diameter_in(4)], [6.0, 8.0])
    iterates = [domains.largest_norm(d, 4) for d in (box, domains.Ball(2.0), domains.check(None))]
    yield Equality("largest_norm", iterates, [6.0, 2.0, math.inf])


def _data() -> Iterator[Equality]:
    data = Dataset(X, LABELS)
    norms = np.sqrt((X**2).sum(axis=1))
    yield Equality("row_norms", row_norms(X), norms, 1e-14)
    yield Equality("row_norms, rounded up", (row_norms(X) >= norms).sum(), 4)
    yield Equality("Dataset's sizes", [len(data), data.dimension], [4, 3])
    yield Equality("Dataset.normalised", data.normalised(2.0).features, 2 * X / norms[:, None])
    yield Equality("Dataset.trimmed", data.trimmed(3).features, X[:3])
    trimmed = data.trimmed(3)
    assert trimmed.targets is not None
    yield Equality("Dataset.trimmed, targets", trimmed.targets, LABELS[:3])
    message = "last 1 of 4 rows dropped: n = 3 for 3"
    # row_norms rounds up, as Lipschitz constants must not come out too small.
    yield Equality("Dataset.trimmed, its record", trimmed.record[-1] == message, True)
    yield Equality("Dataset.first", data.first(2).features, X[:2])
    yield Equality("Dataset.largest_norm", data.largest_norm(), norms.max(), 1e-14)
    order = np.lexsort(data.shuffled(5).features.T)
    yield Equality("Dataset.shuffled", data.shuffled(5).features[order], X[np.lexsort(X.T)])
    text = repr(X.shape).encode() + X.tobytes() + b"targets" + LABELS.tobytes()
    yield Equality("Dataset.sha256", data.sha256 == hashlib.sha256(text).hexdigest(), True)
    other = replaced(data, [1, 3], [[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]], [1.0, 1.0])
    expected = np.array([X[0], [1.0, 2.0, 3.0], X[2], [0.0, 0.0, 1.0]])
    yield Equality("replaced", other.features, expected)
    assert other.targets is not None
    yield Equality("replaced, targets", other.targets, [1.0, 1.0, -1.0, 1.0])
    yield Equality("differing_rows", differing_rows(data, other), [1, 3])
    yield Equality("row_in_batch", row_in_batch(3, 4), 12)
    flipped = opposite_labels(data, 2)
    yield Equality("opposite_labels", differing_rows(data, flipped), [2])
    assert flipped.targets is not None
    yield Equality("opposite_labels, the label", flipped.targets, [1.0, -1.0, 1.0, 1.0])


def _regularisation() -> Iterator[Equality]:
    def shift(value: float, n: int, size: int, bound: float, bend: float) -> float:
        # The stationary shift: 2 eta bound/b each epoch, contracted by (1 - eta lambda) a step.
        eta = 1 / (bend + value)
        return 2 * eta * bound / size / (1 - (1 - eta * value) ** (n // size))

    for case in ((0.2, 60, 10, 1.3, 0.25), (1e-3, 40, 40, 0.7, 1.0)):
        value, n, size, bound, bend = case
        solution = stationary_shift(value, n=n, batch_size=size, bound=bound, curvature=bend)
        yield Equality("stationary_shift", solution, shift(*case), 1e-9)
    solution = stationary_shift(0.5, n=9, batch_size=3, bound=1.0, curvature=0.0)
    yield Equality("stationary_shift without curvature", solution, 4 / 3)
    # Once the paper's lambda is too small for the radius, once it is enough.
    for n, size, radius in ((300, 20, 3.0), (200_000, 20, 50.0)):
        chosen = choose_regularisation(
            n, batch_size=size, bound=1.0, curvature=0.25, radius=radius, fraction=0.05
        )
        paper = 1e-6 * n
        yield Equality("choose_regularisation, the paper's", chosen.paper_value, paper)
        before = shift(paper, n, size, 1.0, 0.25)
        yield Equality("choose_regularisation, its shift", chosen.paper_shift, before, 1e-8)
        enough = before <= 0.1 * radius
        yield Equality(
            "choose_regularisation", chosen.shift, before if enough else 0.1 * radius, 1e-8
        )
        now = shift(chosen.value, n, size, 1.0, 0.25)
        yield Equality("choose_regularisation, lambda", chosen.shift, now, 1e-8)
        yield Equality("choose_regularisation, 2R", chosen.diameter, 2 * radius)


def _rounded_up() -> Iterator[Equality]:
    """Rounded up: never below the exact value, and the float before it is below."""
    tenths, third = (Fraction(x) for x in (0.1, 1 / 3))
    for name, upper_value, exact in (
        ("power_up", power_up(0.1, 3), tenths**3),
        ("product_up", product_up(0.1, 1 / 3, 0.1), tenths * third * tenths),
        ("sum_up", sum_up(0.1, 1 / 3, 0.1), tenths + third + tenths),
    ):
        before = Fraction(math.nextafter(upper_value, 0.0))
        yield Equality(name, [Fraction(upper_value) >= exact, before < exact], [1, 1])
    # A positive product must not become 0: the least subnormal is the next float up.
    small = [product_up(1e-200, 1e-200), power_up(1e-200, 2), product_up(0.0, math.inf)]
    yield Equality("rounded up, underflow", small, [5e-324, 5e-324, 0.0])
    yield Equality(
        "rounded up, overflow",
        [sum_up(1e308, 1e308), product_up(1e200, 1e200), power_up(math.inf, 2)],
        [math.inf] * 3,
    )
    products = no_underflow(np.array([1e-200, 0.0, 3.0]), np.array([1e-200, math.inf, 0.5]))
    yield Equality("no_underflow", products, [5e-324, 0.0, 1.5])
    yield Equality("rounds_of", rounds_of("rounds", [2.0, 5.0], 5), [2, 5])
    yield Equality("rounds_of, none", len(rounds_of("rounds", [], 5)), 0)
