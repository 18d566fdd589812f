"""What the two paths show beside the minimisers that they go to."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.path_steps import MOST_PARAMETERS, Steps

SOLVED = 1e-10  # of a minimiser, beside its own size


class Optima(Steps):
    """Distances from the minimisers, and one-shot statistics at them."""

    @cached_property
    def minima(self) -> tuple[np.ndarray, np.ndarray]:
        """The minimisers over all rows, and over what is kept (p,)."""
        from simulators.trajectory.newton import minimiser

        world = self.world
        if not self.constants["lam"] > 0:
            raise NotMeasured("without strong convexity there may be no minimiser")
        if world.model.parameters > MOST_PARAMETERS:
            raise NotMeasured("its Hessians are too large")
        kept = np.setdiff1d(np.arange(world.model.size), world.forget)
        whole = minimiser(world.model)
        return whole, minimiser(world.model, kept, start=whole)

    @cached_property
    def away(self) -> tuple[np.ndarray, np.ndarray]:
        """|w_t - w^| of the learned path, and |v_t - w^-U| of the retrained one (T + 1,)."""
        paths = zip((self.learned, self.retrained), self.minima, strict=True)
        first, second = (np.linalg.norm(path - best, axis=1) for path, best in paths)
        return first, second

    def _row_gradients(self, point: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The gradients of rows at a point (rows, p)."""
        import torch

        model = self.world.model
        tangent = model.tangent(model.tensor(point), rows)
        lines = torch.arange(len(rows), device=model.device)
        found = model.tensor(np.zeros((len(rows), model.parameters)))
        tangent.add_gradients_(found, lines, lines, model.full(len(rows)))
        return np.asarray(found.cpu())

    def _near(self, values: Any, **at: Any) -> Observable:
        """Lengths that rest on minimisers."""
        size = max(1.0, *(float(np.linalg.norm(best)) for best in self.minima))
        return Observable(values, at=at, rounding=SOLVED * size, unit="length")

    def _rho(self, steps: Any) -> np.ndarray:
        k = self.constants
        low, high = np.abs(1 - steps * k["lam"]), np.abs(1 - steps * k["M"])
        return np.asarray(np.maximum(low, high))

    @property
    def _start_slope(self) -> float:
        everything = self.world.model.everything()
        return float(np.linalg.norm(self._row_gradients(self.learned[0], everything).mean(axis=0)))

    @observable
    def optimum_distance(self) -> Observable:
        """Distance of the learned path from the minimiser over all rows."""
        T, away = np.arange(1, len(self.learned)), self.away[0]
        largest = np.maximum.accumulate(self._rho(self.world.training.steps))
        near = {"start": float(away[0]), "now": away[1:], "L": self._start_slope}
        return self._near(away[1:], T=T, rho_max=largest, **near, beta=1, residual=0.0)

    @observable
    def next_distance(self) -> Observable:
        """Distance of the learned path from the minimiser, one step on."""
        away, rho = self.away[0], self._rho(self.world.training.steps)
        return self._near(away[1:], now=away[:-1], start=float(away[0]), rho_t=rho)

    @observable
    def kept_optimum_distance(self) -> Observable:
        """Distance of the retrained path's end from the minimiser over what is kept."""
        T, away = np.arange(1, len(self.learned)), self.away[1]
        kept = np.setdiff1d(np.arange(self.world.model.size), self.world.forget)
        slope = self._row_gradients(self.learned[0], kept).mean(axis=0)
        beta = len(kept) / self.world.model.size
        near = {"start": float(away[0]), "L": float(np.linalg.norm(slope))}
        return self._near(away[1:], T=T, **near, beta=beta, residual=0.0)

    @observable
    def sampled_optimum_distance(self) -> Observable:
        """Distance of the retrained end from its minimiser, whatever the batches."""
        away = self.away[1]
        near = {"start": float(away[0]), "residuals": self._batch_residuals.tolist()}
        return self._near(float(away[-1]), **near)

    @cached_property
    def _batch_residuals(self) -> np.ndarray:
        world, best = self.world, self.minima[1]
        gone = np.isin(np.arange(world.model.size), world.forget)
        parts = (rows[~gone[rows]] for rows in world.training.batches)
        means = [
            self._row_gradients(best, part).mean(axis=0) if len(part) else np.zeros_like(best)
            for part in parts
        ]
        return np.asarray(np.linalg.norm(means, axis=1))

    @observable
    def batch_gradient(self) -> Observable:
        """Largest mean gradient of a batch at the minimiser over what is kept."""
        return self._near(float(self._batch_residuals.max()))

    @observable
    def left_share(self) -> Observable:
        """What is left of the distance from the minimiser over all rows."""
        away = self.away[0]
        return Observable(float(away[-1] / away[0]), rounding=SOLVED / float(away[0]))

    @observable
    def objective_gap(self) -> Observable:
        """F(w_t) - F(w^) along the learned path."""
        model, every = self.world.model, self.world.model.everything()
        points = np.vstack([self.learned, self.minima[0]])
        risks = [float(model.values(model.tensor(w), every).mean()) for w in points]
        sizes = [np.linalg.norm(self._row_gradients(w, every), axis=1).max() for w in points]
        gap = np.array(risks[:-1]) - risks[-1]
        return Observable(gap, at={"L": float(max(sizes))}, rounding=1e-12, unit="loss")

    @cached_property
    def _shots(self) -> dict[str, np.ndarray]:
        """The way between the minimisers, and the two statistics that stand for it (p,)."""
        from simulators.trajectory.newton import infinitesimal_jackknife, newton_step

        world, (whole, kept) = self.world, self.minima
        arguments = (world.model, whole, world.forget)
        newton, jackknife = newton_step(*arguments), infinitesimal_jackknife(*arguments)
        return {"way": kept - whole, "newton": newton, "jackknife": jackknife}

    @property
    def _gone_slope(self) -> float:
        """Largest gradient of what is forgotten, at both minimisers."""
        sizes = (
            np.linalg.norm(self._row_gradients(w, self.world.forget), axis=1).max()
            for w in self.minima
        )
        return float(max(sizes))

    @observable
    def newton_error(self) -> Observable:
        """What the Newton step from the minimiser leaves of the way to the minimiser without U."""
        shots = self._shots
        left = float(np.linalg.norm(shots["way"] - shots["newton"]))
        return self._near(left, L=self._gone_slope, step=float(np.linalg.norm(shots["way"])))

    @observable
    def jackknife_error(self) -> Observable:
        """What the infinitesimal jackknife leaves of it: the limit of recollection's error."""
        shots = self._shots
        left = float(np.linalg.norm(shots["way"] - shots["jackknife"]))
        return self._near(left)

    @observable
    def statistics_gap(self) -> Observable:
        """Distance of the Newton step from the infinitesimal jackknife, at the minimiser."""
        shots = self._shots
        gap = float(np.linalg.norm(shots["newton"] - shots["jackknife"]))
        return self._near(gap, L=self._gone_slope)

    @observable
    def way(self) -> Observable:
        """Distance of the minimisers with and without what is forgotten."""
        total = np.linalg.norm(self._row_gradients(self.minima[0], self.world.forget).sum(axis=0))
        length = float(np.linalg.norm(self._shots["way"]))
        return self._near(length, G=float(total) / self.constants["lam"])
