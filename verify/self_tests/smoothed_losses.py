"""Losses of a bounded slope: the smoothed hinge, Huber's loss and log cosh, by hand in numpy."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch

from simulators.data.dataset import Dataset
from simulators.domains import Ball
from simulators.losses.hinge import SmoothedHinge
from simulators.losses.huber import Huber
from simulators.losses.linear_model import LinearModel
from simulators.losses.logcosh import LogCosh
from verify.self_tests import Equality

_X = np.array([[0.6, -0.2, 0.5], [-0.3, 0.8, 0.1], [0.9, 0.4, -0.7], [-1.1, 0.3, 0.2]])
_LABELS = np.array([1.0, -1.0, -1.0, 1.0])
_TARGETS = np.array([0.4, -0.9, 1.3, 0.2])
# Scores on every piece of the losses, and none where two pieces meet.
_W = np.array([[0.3, -1.2, 0.7], [1.5, 0.2, -0.4], [-2.5, 0.4, 1.9]])
_RIDGE, _STEP, _RADIUS = 0.3, 0.2, 0.9
_WIDTH, _THRESHOLD = 0.5, 0.7

Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class _Link:
    """phi, its slope, the largest slope for |z| <= r, and the suprema of phi'' and |phi'''|."""

    value: Function
    slope: Function
    steepest: Function
    curvature: float
    third: float


_HINGE = _Link(
    value=lambda z: np.select(
        [z >= 1, z > 1 - _WIDTH], [0 * z, (1 - z) ** 2 / (2 * _WIDTH)], 1 - z - _WIDTH / 2
    ),
    slope=lambda z: np.select([z >= 1, z > 1 - _WIDTH], [0 * z, (z - 1) / _WIDTH], -1.0),
    steepest=lambda r: np.where(1 + r < _WIDTH, (1 + r) / _WIDTH, 1.0),
    curvature=1 / _WIDTH,
    third=math.inf,
)
_HUBER = _Link(
    value=lambda z: np.where(
        np.abs(z) < _THRESHOLD, z**2 / 2, _THRESHOLD * np.abs(z) - _THRESHOLD**2 / 2
    ),
    slope=lambda z: np.where(np.abs(z) < _THRESHOLD, z, _THRESHOLD * np.sign(z)),
    steepest=lambda r: np.where(r < _THRESHOLD, r, _THRESHOLD),
    curvature=1.0,
    third=math.inf,
)
# |phi'''| = 2 t (1 - t^2) with t = |tanh z| is largest at t = 1/sqrt 3.
_LOG_COSH = _Link(
    value=lambda z: np.log(np.cosh(z)),
    slope=lambda z: np.sinh(z) / np.cosh(z),
    steepest=lambda r: np.sinh(r) / np.cosh(r),
    curvature=1.0,
    third=4 / (3 * math.sqrt(3)),
)


def equalities() -> Iterator[Equality]:
    """Values, gradients, steps and constants, row by row."""
    labelled, valued = Dataset(_X, _LABELS), Dataset(_X, _TARGETS)
    none = np.zeros(4)
    yield from _loss(SmoothedHinge(_RIDGE, width=_WIDTH), _HINGE, labelled, _LABELS, none)
    yield from _loss(Huber(_RIDGE, threshold=_THRESHOLD), _HUBER, valued, np.ones(4), _TARGETS)
    yield from _loss(LogCosh(_RIDGE), _LOG_COSH, valued, np.ones(4), _TARGETS)


def _loss(
    loss: LinearModel, link: _Link, data: Dataset, sign: np.ndarray, offset: np.ndarray
) -> Iterator[Equality]:
    """A loss phi(<a, w> - t) + (lambda/2)|w|^2 with a = sign x and t = offset."""
    name = repr(loss)
    rows = sign[:, None] * _X
    scores = _W @ rows.T - offset
    at = torch.tensor(_W)
    values = link.value(scores) + _RIDGE / 2 * (_W**2).sum(axis=1)[:, None]
    yield Equality(f"{name}.value", loss.value(at, data), values)
    gradients = link.slope(scores)[:, :, None] * rows + _RIDGE * _W[:, None, :]
    yield Equality(f"{name}.gradient", loss.gradient(at, data), gradients)
    chosen = np.array([3, 0, 1])
    state = at.T.clone()
    (batch,) = loss.stage(data, chosen[None], torch.tensor)
    loss.descend_(state, batch, _STEP, loss.scratch(3, state))
    yield Equality(f"{name}.descend_", state.T, _W - _STEP * gradients[:, chosen].mean(axis=1))
    # Where no kink lies between, a difference of slopes is the curvature.
    inside = np.array([-2.1, -0.3, 0.3, 0.6, 0.65, 1.4])
    bends = (link.slope(inside + 1e-6) - link.slope(inside - 1e-6)) / 2e-6
    yield Equality(f"{name}.curvature", loss.curvature(torch.tensor(inside)), bends, 1e-6)
    norms = np.sqrt((_X**2).sum(axis=1))
    steepest = float(np.max(norms * link.steepest(norms * _RADIUS + np.abs(offset))))
    constants = loss.constants(data, domain=Ball(_RADIUS))
    yield Equality(
        f"{name}.constants",
        [
            constants.strong_convexity,
            constants.smoothness,
            constants.gradient_difference,
            constants.hessian_lipschitz,
        ],
        [
            _RIDGE,
            link.curvature * norms.max() ** 2 + _RIDGE,
            2 * steepest,
            link.third * norms.max() ** 3,
        ],
    )
