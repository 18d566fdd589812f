"""Losses of one prediction a target: convex, with a bounded second derivative.

l(p, y) of the prediction p = <w, x>.  A step needs the slope l' alone; clipping a row's gradient
l'(p, y) x to C is clamping l' to [-C/|x|, C/|x|], which keeps it monotone and no steeper
(`bounds/own/clipped_losses.md`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ScalarLoss:
    """A loss of one prediction.

    Attributes:
        curvature: the largest second derivative in p; a row's loss is curvature |x|^2-smooth.
        signs: whether targets are -1 and +1, or numbers.
        slope: l'(p, y), for tensors of one shape.
        words: the loss as a formula.
    """

    curvature: float
    signs: bool
    slope: Callable[[Any, Any], Any]
    words: str


def _logistic(prediction: Any, target: Any) -> Any:
    # sigmoid, not 1/(1 + exp): no overflow at large margins.
    return -target * (-target * prediction).sigmoid()


def _squared_hinge(prediction: Any, target: Any) -> Any:
    return -target * (1 - target * prediction).clamp(min=0)


def _hinge(prediction: Any, target: Any) -> Any:
    # max(0, 1 - yp) with a parabola over the last half before the corner: l'' is 0 or 2.
    return -target * (2 * (1 - target * prediction)).clamp(min=0, max=1)


def _squares(prediction: Any, target: Any) -> Any:
    return prediction - target


def _huber(prediction: Any, target: Any) -> Any:
    return (prediction - target).clamp(min=-1, max=1)


LOSSES = {
    "logistic": ScalarLoss(0.25, True, _logistic, "log(1 + exp(-y p))"),
    "hinge": ScalarLoss(
        2.0, True, _hinge, "0, (1 - y p)^2, or 1 - y p - 1/4: hinge with its corner rounded"
    ),
    "squared_hinge": ScalarLoss(1.0, True, _squared_hinge, "max(0, 1 - y p)^2/2"),
    "squares": ScalarLoss(1.0, False, _squares, "(p - y)^2/2"),
    "huber": ScalarLoss(1.0, False, _huber, "Huber's loss of p - y with the threshold 1"),
}
"""By name; all but these are losses of any kind, for which no step contracts."""
