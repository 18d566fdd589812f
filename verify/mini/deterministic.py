"""One small ridge-logistic run through the product's own trajectories, for several claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulators.data.dataset import Dataset

if TYPE_CHECKING:  # claims are listed without torch
    from simulators.trajectory.models import LinearScore
    from simulators.trajectory.training import Training

ROWS = ((1.0, 0.2), (-0.5, 1.0), (0.3, -0.8), (-0.9, -0.4), (0.7, 0.6), (-0.2, 0.5))
SIGNS = (1, -1, -1, -1, 1, 1)
RIDGE, ETA, STEPS = 0.1, 0.5, 20
FORGOTTEN = (0,)
CYCLE = ((0, 1, 2), (2, 3, 4), (0, 3, 5), (1, 4, 5))


def model() -> LinearScore:
    """Six samples on the plane, log(1 + exp(-y <x, w>)) + 0.05 |w|^2."""
    from simulators.losses.logistic import Logistic
    from simulators.trajectory.models import LinearScore

    data = Dataset(np.array(ROWS), np.array(SIGNS), "six samples")
    return LinearScore(Logistic(regularisation=RIDGE), data)


def training(steps: int = STEPS) -> Training:
    """Batches of three in a cycle of four, from 0."""
    from simulators.trajectory.training import Training

    batches = tuple(np.array(CYCLE[t % len(CYCLE)]) for t in range(steps))
    return Training(batches, np.full(steps, ETA), np.zeros(2))


def constants() -> dict[str, float]:
    """eta, mu, L and M of the per-sample losses."""
    length = float(np.linalg.norm(ROWS, axis=1).max())
    return {"eta": ETA, "mu": RIDGE, "L": RIDGE + length**2 / 4, "M": length**3 / (6 * np.sqrt(3))}
