"""What removal by one Newton step leaves, and what the noise of its objective moves."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from simulators.exact.gaussian_divergence import hockey_stick_gauss
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.removal_run import RemovalRun

NOISY = 8  # draws of the objective's noise of which the residual is taken


class RemovalResiduals(View, of=RemovalRun):
    """Newton steps from minimisers over all rows towards those over the rows that stay."""

    run: RemovalRun

    def _newton_step(self, point: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, float]:
        """The step on the rows that stay from the minimiser with noise b (p,), and the norm of
        their gradient after it, b included."""
        import torch

        from simulators.trajectory.newton import solve

        model, rows = self.run.model, self.run.task.remaining
        ones = model.full(len(rows))

        def gradient(w: np.ndarray) -> Any:
            return model.tangent(model.tensor(w), rows).gradient(ones) + model.tensor(noise)

        step = -solve(model.tangent(model.tensor(point), rows), gradient(point))
        return step, float(torch.linalg.vector_norm(gradient(point + step)))

    @cached_property
    def _plain(self) -> tuple[np.ndarray, float]:
        """The step without noise, and what it leaves."""
        return self._newton_step(self.run.minimum, np.zeros(self.run.model.parameters))

    def _gradient(self, values: Any, **at: Any) -> Observable:
        """Sums of gradients over the kept rows, whose minimiser leaves 1e-12 of a row's each."""
        return Observable(values, at=at, rounding=1e-11 * self.run.model.size, unit="gradient")

    @observable
    def residual(self) -> Observable:
        """Gradient over what is kept after one Newton step from the minimiser."""
        step, residual = self._plain
        return self._gradient(residual, step=float(np.linalg.norm(step)), **self._norms(step))

    def _norms(self, step: np.ndarray) -> dict[str, float]:
        """|X|_2, |D|, |X D| and |(X D)^2| of the kept rows X and the step D."""
        rows = np.asarray(self.run.model.rows[self.run.task.remaining].cpu())
        scores = rows @ step
        return {
            "norm_X": float(np.linalg.norm(rows, 2)),
            "norm_D": float(np.linalg.norm(step)),
            "norm_XD": float(np.linalg.norm(scores)),
            "norm_XD2": float(np.linalg.norm(scores**2)),
        }

    @observable
    def noisy_residual(self) -> Observable:
        """The same from minimisers of noisy objectives, noise included."""
        draws = self.run.objective_noise[:NOISY]
        points = [self.run.noisy_minimum(b) for b in draws]
        steps = [self._newton_step(w, b) for w, b in zip(points, draws, strict=True)]
        residuals = [residual for _, residual in steps]
        return self._gradient(np.array(residuals))

    @observable
    def shift(self) -> Observable:
        """Root mean square distance by which the objective's noise moves the minimiser."""
        if not self.run.experiment.noise > 0:
            raise NotMeasured("there is no noise")
        draws = self.run.objective_noise
        shifts = [self.run.noisy_minimum(b) - self.run.minimum for b in draws]
        squares = np.array([float(np.sum(shift**2)) for shift in shifts])
        root = float(np.sqrt(squares.mean()))
        # Of a root, by the first order of its change with the mean.
        error = float(squares.std(ddof=1) / np.sqrt(len(draws)) / (2 * root))
        return Observable(root, basis="mean", error=error, unit="length")

    @observable
    def release_delta(self) -> Observable:
        """delta(epsilon) of two Gaussians a residual apart, with noise of c/epsilon residuals."""
        return self._release([0.5, 1.0, 6.0, 20.0], [4.0, 2.0, 3.0, 2.0])

    @observable
    def small_release_delta(self) -> Observable:
        """The same for epsilon up to 1.5."""
        return self._release([0.1, 0.5, 1.0, 1.5], [0.3, 1.0, 2.0, 3.0])

    def _release(self, epsilons: list[float], ratios: list[float]) -> Observable:
        _, gap = self._plain
        deltas = []
        for epsilon, c in zip(epsilons, ratios, strict=True):
            variance = (c * gap / epsilon) ** 2
            deltas.append(hockey_stick_gauss(0.0, variance, gap, variance, epsilon))
        at = {"epsilon": np.array(epsilons), "c": np.array(ratios)}
        return Observable(np.array(deltas), at=at, basis="law")
