"""The minimisers that the learned and the retrained path go to; other views measure from them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View
from simulators.runs.path_run import PathRun
from verify.hf.views.steps import MOST_PARAMETERS

SOLVED = 1e-10  # of a minimiser, beside its own size


class Minima(View, of=PathRun):
    """The minimisers over all rows and over those that stay; it measures nothing itself."""

    run: PathRun

    @cached_property
    def learned(self) -> np.ndarray:
        """The minimiser over all rows (p,). Raises NotMeasured where there is none to be had."""
        if not self.run.constants["lam"] > 0:
            raise NotMeasured("without strong convexity there may be no minimiser")
        if self.run.task.model.parameters > MOST_PARAMETERS:
            raise NotMeasured("its Hessians are too large")
        return self._minimiser(self.run.task.model.everything(), None)

    @cached_property
    def retrained(self) -> np.ndarray:
        """The minimiser over the rows that stay (p,)."""
        return self._minimiser(self.run.task.remaining, self.learned)

    def _minimiser(self, rows: np.ndarray, start: np.ndarray | None) -> np.ndarray:
        from simulators.trajectory.newton import minimiser

        return minimiser(self.run.task.model, rows, start=start)

    @cached_property
    def learned_distances(self) -> np.ndarray:
        """|w_t - minimiser over all rows| (T + 1,)."""
        return np.asarray(np.linalg.norm(self.run.learned - self.learned, axis=1))

    @cached_property
    def retrained_distances(self) -> np.ndarray:
        """|v_t - minimiser over the rows that stay| (T + 1,)."""
        return np.asarray(np.linalg.norm(self.run.retrained - self.retrained, axis=1))

    def row_gradients(self, point: np.ndarray, rows: Iterable[int]) -> np.ndarray:
        """The gradients of rows at a point (rows, p)."""
        import torch

        model, rows = self.run.task.model, np.asarray(rows)
        tangent = model.tangent(model.tensor(point), rows)
        lines = torch.arange(len(rows), device=model.device)
        gradients = model.tensor(np.zeros((len(rows), model.parameters)))
        tangent.add_gradients_(gradients, lines, lines, model.full(len(rows)))
        return np.asarray(gradients.cpu())

    def length(self, values: Any, **at: Any) -> Observable:
        """Lengths that rest on minimisers."""
        sizes = [float(np.linalg.norm(point)) for point in (self.learned, self.retrained)]
        return Observable(values, at=at, rounding=SOLVED * max(1.0, *sizes), unit="length")
