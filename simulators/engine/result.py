"""What a run returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accounting.numerics.arguments import typed


@dataclass(frozen=True, eq=False)
class Run:
    """Published iterates of a run, one row per trial: (trials, d) or (trials, d, classes).

    learned: after learning.  unlearned: after the (last) unlearning request; None when there was
    none.  retrained: from scratch on the adjacent data; None unless asked for.  requests: the
    iterates published after each request.

    gradient_evaluations and steps: per phase ("learn", "unlearn", "retrain", "request 1", ...)
    and per trial: per-sample gradients computed, counted as they are taken, and updates.
    settings: everything needed to run it again, with the data's hash and batch position(s) j0.
    """

    learned: np.ndarray | None
    unlearned: np.ndarray | None = None
    retrained: np.ndarray | None = None
    requests: tuple[np.ndarray, ...] = ()
    gradient_evaluations: Mapping[str, int] = field(default_factory=dict)
    steps: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    @typed
    def moments(self, name: str = "unlearned") -> tuple[np.ndarray, np.ndarray]:
        """Sample mean (d,) and covariance (d, d) over trials of the iterates called `name`.

        Matrices of parameters are flattened.  The covariance divides by trials - 1 and needs two
        trials; ValueError otherwise, or when the run has no such iterates.
        """
        values = {"learned": self.learned, "unlearned": self.unlearned, "retrained": self.retrained}
        if name not in values:
            raise ValueError(f"name must be one of {sorted(values)}, got {name!r}")
        iterates = values[name]
        if iterates is None:
            raise ValueError(f"name must be iterates the run has, got {name!r}, which it has not")
        if not len(iterates) > 1:
            raise ValueError(f"trials must be >= 2 for a covariance, got {len(iterates)}")
        flat = iterates.reshape(len(iterates), -1).astype(np.float64)
        mean = flat.mean(axis=0)
        centred = flat - mean
        return mean, centred.T @ centred / (len(flat) - 1)
