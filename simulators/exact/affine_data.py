"""Exact laws of noisy gradient descent on rows of data, for losses whose gradients are affine."""

from __future__ import annotations

import numpy as np

from simulators.data.dataset import Dataset
from simulators.exact.gaussian import AffineKernel, epoch, step
from simulators.losses.base import Loss
from simulators.losses.quadratic import Quadratic
from simulators.losses.ridge import Ridge


def is_affine(loss: Loss) -> bool:
    """Whether the gradient of a row is an affine function of the parameter."""
    return isinstance(loss, Quadratic | Ridge) and loss.clip is None


def steps(
    loss: Loss, data: Dataset, batches: np.ndarray, step_size: float, noise: float
) -> list[AffineKernel]:
    """The kernels of the steps of one epoch, one for each batch (J, b) of rows.

    noise: standard deviation of each coordinate and step. Raises ValueError for another loss.
    """
    if not is_affine(loss):
        raise ValueError(f"loss must have affine gradients, got {loss!r}")
    size = data.dimension
    transitions = []
    for rows in batches:
        x = data.features[rows]
        if isinstance(loss, Ridge):
            assert data.targets is not None
            hessian = x.T @ x / len(rows) + loss.regularisation * np.eye(size)
            linear = x.T @ data.targets[rows] / len(rows)
        else:
            assert isinstance(loss, Quadratic)
            hessian = np.diag(np.broadcast_to(np.asarray(loss.curvature), (size,)))
            linear = x.mean(axis=0)
        transitions.append(step(np.eye(size) - step_size * hessian, step_size * linear, noise))
    return transitions


def one_epoch(
    loss: Loss, data: Dataset, batches: np.ndarray, step_size: float, noise: float
) -> AffineKernel:
    """The kernel of one epoch; see `steps`."""
    return epoch(steps(loss, data, batches, step_size, noise))
