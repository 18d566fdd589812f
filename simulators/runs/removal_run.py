"""A run of certified removal: a model that is minimised, and the noise of its objective."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.comparison import UnlearningRun
from simulators.runs.experiment import NotMeasured

DRAWS = 32  # of the objective's noise


class RemovalRun(UnlearningRun):
    """A model of a linear score that is minimised over all rows, and the rows to forget."""

    @cached_property
    def model(self) -> Any:
        """The loss on the n rows, of a linear score. Raises NotMeasured where it is none."""
        from simulators.trajectory.linear_score import LinearScore

        model = self.task.model
        if not isinstance(model, LinearScore):
            raise NotMeasured("the loss is none of a linear score")
        return model

    @cached_property
    def minimum(self) -> np.ndarray:
        """The minimiser over all rows, without noise (p,)."""
        return self._minimiser(np.zeros(self.model.parameters), None)

    def noisy_minimum(self, noise: np.ndarray) -> np.ndarray:
        """The minimiser over all rows of the sum of losses with <b, w> added, b of shape (p,)."""
        return self._minimiser(noise, self.minimum)

    def _minimiser(self, noise: np.ndarray, start: np.ndarray | None) -> np.ndarray:
        from simulators.trajectory.newton import minimiser

        return minimiser(self.model, linear=noise, start=start)

    @cached_property
    def objective_noise(self) -> np.ndarray:
        """Draws of b, which adds <b, w> to the sum of the losses (DRAWS, p)."""
        random = np.random.default_rng(self.experiment.seed)
        draws = random.standard_normal((DRAWS, self.model.parameters))
        return np.asarray(self.experiment.noise * draws)

    @property
    def _slope_bound(self) -> float:
        return float(self.model.loss.slope_bound(np.array([np.inf]))[0])

    @property
    def constants(self) -> dict[str, Any]:
        """gam and C of the loss as a function of its score; the ridge and the counts."""
        return {
            "gam": self.model.loss.curvature_lipschitz,
            "C": self._slope_bound,
            "lam": self.experiment.regularisation,
            "n": self.model.size,
            "m": len(self.task.forget),
            "p": self.model.parameters,
            "sigma": self.experiment.noise,
        }

    @property
    def hypotheses(self) -> dict[str, bool]:
        return {
            "rows of norm at most 1": bool(self.model.largest_rows.max() <= 1 + 1e-12),
            "strong convexity": self.experiment.regularisation > 0,
            "bounded slopes": bool(np.isfinite(self._slope_bound)),
            "logistic": self.experiment.loss == "logistic",
        }
