"""What removal by one Newton step leaves, and what the noise of its objective moves."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.path_observables import Compared

DRAWS = 32  # of the objective's noise


class Removed(Compared):
    """A model that is minimised, the rows to forget, and one Newton step for them."""

    @cached_property
    def model(self) -> Any:
        """Of a linear score."""
        from simulators.trajectory.linear_score import LinearScore

        found = self.world.model
        if not isinstance(found, LinearScore):
            raise NotMeasured("the loss is none of a linear score")
        return found

    @cached_property
    def kept(self) -> np.ndarray:
        """The rows that stay."""
        return np.setdiff1d(np.arange(self.model.size), self.world.forget)

    @property
    def _slope_bound(self) -> float:
        return float(self.model.loss.slope_bound(np.array([np.inf]))[0])

    @property
    def constants(self) -> dict[str, Any]:
        """gam and C of the loss as a function of its score; the ridge and the counts."""
        loss = self.model.loss
        return {
            "gam": loss.curvature_lipschitz,
            "C": self._slope_bound,
            "lam": self.experiment.regularisation,
            "n": self.model.size,
            "m": len(self.world.forget),
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

    @cached_property
    def _pushes(self) -> np.ndarray:
        """Draws of b (DRAWS, p)."""
        random = np.random.default_rng(self.experiment.seed)
        return np.asarray(
            self.experiment.noise * random.standard_normal((DRAWS, self.model.parameters))
        )

    @cached_property
    def centre(self) -> np.ndarray:
        """The minimiser over all rows, without noise (p,)."""
        from simulators.trajectory.newton import minimiser

        return minimiser(self.model)

    def _step(self, push: np.ndarray | None) -> tuple[np.ndarray, float]:
        """The Newton step from the minimiser with <b, w> added, and the gradient after it."""
        import torch

        from simulators.trajectory.newton import minimiser, solve

        point, b = self.centre, np.zeros(self.model.parameters)
        if push is not None:
            b, point = push, minimiser(self.model, linear=push, start=self.centre)
        tensor = self.model.tensor
        ones = self.model.full(len(self.kept))

        def slope(w: np.ndarray) -> Any:
            return self.model.tangent(tensor(w), self.kept).gradient(ones) + tensor(b)

        here = self.model.tangent(tensor(point), self.kept)
        step = -solve(here, slope(point))
        return step, float(torch.linalg.vector_norm(slope(point + step)))

    def _gradient(self, values: Any, **at: Any) -> Observable:
        """Sums of gradients over the kept rows, whose minimiser leaves 1e-12 of a row's each."""
        return Observable(values, at=at, rounding=1e-11 * self.model.size, unit="gradient")

    @observable
    def residual(self) -> Observable:
        """Gradient over what is kept after one Newton step from the minimiser."""
        step, left = self._step(None)
        return self._gradient(left, step=float(np.linalg.norm(step)), **self._of_the_step(step))

    @observable
    def noisy_residual(self) -> Observable:
        """The same from minimisers of noisy objectives, noise included."""
        return self._gradient(np.array([self._step(push)[1] for push in self._pushes[:8]]))

    def _of_the_step(self, step: np.ndarray) -> dict[str, float]:
        """|X|_2, |D|, |X D| and |(X D)^2| of the kept rows X and the step D."""
        rows = np.asarray(self.model.rows[self.kept].cpu())
        along = rows @ step
        return {
            "norm_X": float(np.linalg.norm(rows, 2)),
            "norm_D": float(np.linalg.norm(step)),
            "norm_XD": float(np.linalg.norm(along)),
            "norm_XD2": float(np.linalg.norm(along**2)),
        }

    @observable
    def shift(self) -> Observable:
        """Root mean square distance by which the objective's noise moves the minimiser."""
        from simulators.trajectory.newton import minimiser

        if not self.experiment.noise > 0:
            raise NotMeasured("there is no noise")
        moved = (minimiser(self.model, linear=b, start=self.centre) for b in self._pushes)
        squares = np.array([float(np.sum((w - self.centre) ** 2)) for w in moved])
        root = float(np.sqrt(squares.mean()))
        error = float(squares.std(ddof=1) / np.sqrt(DRAWS) / (2 * root))
        return Observable(root, basis="mean", error=error, unit="length")

    @observable
    def release_delta(self) -> Observable:
        """delta(epsilon) of two Gaussians a residual apart, with noise of c/epsilon residuals."""
        return self._released([0.5, 1.0, 6.0, 20.0], [4.0, 2.0, 3.0, 2.0])

    @observable
    def small_release_delta(self) -> Observable:
        """The same for epsilon up to 1.5."""
        return self._released([0.1, 0.5, 1.0, 1.5], [0.3, 1.0, 2.0, 3.0])

    def _released(self, epsilons: list[float], ratios: list[float]) -> Observable:
        from simulators.exact.gaussian_divergence import hockey_stick_gauss

        apart = float(self.residual().values)
        found = []
        for epsilon, c in zip(epsilons, ratios, strict=True):
            variance = (c * apart / epsilon) ** 2
            found.append(hockey_stick_gauss(0.0, variance, apart, variance, epsilon))
        at = {"epsilon": np.array(epsilons), "c": np.array(ratios)}
        return Observable(np.array(found), at=at, basis="law")
