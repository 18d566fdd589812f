"""Training with weighted samples and its derivative, by routes that know nothing of (9)-(11)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from torch.func import vmap

from simulators.trajectory.generic import FunctionModel
from simulators.trajectory.training import Training


def by_reverse_mode(model: FunctionModel, training: Training, sample: int) -> np.ndarray:
    """dW_T/ds at 0 where the sample has weight 1 - s at every visit: back through all steps."""
    s = torch.zeros((), dtype=torch.float64, requires_grad=True)
    w = torch.tensor(training.start, requires_grad=True)
    for rows, step in zip(training.batches, training.steps, strict=True):
        own = torch.from_numpy((rows == sample).astype(float))
        losses = vmap(model.loss, (None, 0, 0))(w, model.features[rows], model.targets[rows])
        total = ((1 - s * own) * losses).sum()
        w = w - float(step) / len(rows) * torch.autograd.grad(total, w, create_graph=True)[0]
    derivatives = [torch.autograd.grad(x, s, retain_graph=True)[0] for x in w]
    return np.array([float(x) for x in derivatives])


def by_power_series(
    losses: Sequence[tuple[Fraction, ...]], batches: Any, steps: Any, start: Fraction, sample: int
) -> tuple[Fraction, Fraction]:
    """(derivative, statistic (9)-(11)), in rationals, for losses with gradient a + b w + c w^2.

    The derivative is the coefficient of s in w_T(s), carried as a polynomial modulo s^2.
    """
    w = (start, Fraction(0))
    point, statistic = start, Fraction(0)
    for rows, step in zip(batches, steps, strict=True):
        move, rate = [Fraction(0), Fraction(0)], step / len(rows)
        slope = Fraction(0)
        hessian = Fraction(0)
        own = Fraction(0)
        for i in rows:
            a, b, c = losses[i]
            value = a + b * w[0] + c * w[0] ** 2
            first = (b + 2 * c * w[0]) * w[1] - (value if i == sample else 0)
            move = [move[0] + value, move[1] + first]
            gradient = a + b * point + c * point**2
            slope += gradient
            hessian += b + 2 * c * point
            own += gradient if i == sample else 0
        w = (w[0] - rate * move[0], w[1] - rate * move[1])
        statistic = (1 - rate * hessian) * statistic + rate * own
        point -= rate * slope
    return w[1], statistic
