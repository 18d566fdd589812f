"""The derivative of what a Newton step leaves, against difference quotients of the step itself."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.guo.self_tests.removals import SumsByHand, removal_run
from verify.hf.self_tests.runs import REMAINING, equality, norm
from verify.own.views.newton_changes import NewtonChanges
from verify.self_tests import Equality

H = 1e-5  # of a quotient: its error is about H^2, and rounding over H


def equalities() -> Iterator[Equality]:
    """Of four draws of the noise, on twelve rows."""
    run = removal_run(noise=0.3)
    view, hand = run.view(NewtonChanges), SumsByHand(run)
    draws = 0.3 * np.random.default_rng(0).standard_normal((32, 3))[:4]
    yield Equality("lengths of b", view.lengths, [norm(b) for b in draws])
    derivatives = np.array([_derivative(hand, b) for b in draws])
    yield Equality("derivatives", view.derivatives, derivatives, 1e-7)
    singular = np.linalg.svd(derivatives, compute_uv=False)
    yield equality(run, "change", singular.sum(axis=1), 1e-7)
    volumes = [abs(np.log(abs(np.linalg.det(np.eye(3) - slope)))) for slope in derivatives]
    yield equality(run, "volume", volumes, 1e-7)


def _residual(hand: SumsByHand, b: Any) -> Any:
    """r(b): the gradient over the rows that stay after the step, b included (3,)."""
    step, _ = hand.newton_step(b)
    return hand.gradient(hand.minimiser(b) + step, REMAINING, b)


def _derivative(hand: SumsByHand, b: Any) -> Any:
    """r'(b), a column a coordinate (3, 3)."""
    columns = [_residual(hand, b + H * e) - _residual(hand, b - H * e) for e in np.eye(3)]
    return np.stack(columns, axis=1) / (2 * H)
