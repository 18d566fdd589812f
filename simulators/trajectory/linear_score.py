"""Losses of a linear score as a trajectory model: two matrix products move all lines a step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.device.placement import device_of_a_model, factory
from simulators.losses.linear_model import LinearModel
from simulators.trajectory.model import Dropped, Model, Tangent, decay_, weigh_


@typed
@dataclass(eq=False)
class LinearScore(Model):
    """A `LinearModel` loss on a data set: l_i = phi(<a_i, w> - t_i) + (lambda/2)|w|^2, p = d.

    A per-sample clip (`loss.clip`) truncates phi', which leaves a convex loss: its curvature is 0
    where the clip is active.  where: "cpu", "cuda", or "auto"; None: that of the run, else the CPU.
    """

    loss: LinearModel
    data: Dataset
    where: str | None = None

    def __post_init__(self) -> None:
        self.device = device_of_a_model(self.where, len(self.data), self.data.dimension)
        tensor = factory(self.device, torch.float64)
        rows, offset = self.loss.signed(self.data)
        self.rows = tensor(rows)
        self.offset = tensor(np.zeros(len(rows)) if offset is None else offset)
        self.size, self.parameters = self.rows.shape
        self.largest_rows = torch.linalg.vector_norm(self.rows, dim=1)

    def values(self, w: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        """phi(z_i) + (lambda/2)|w|^2."""
        score = self.rows[rows] @ w - self.offset[rows]
        return self.loss.link(score) + 0.5 * self.loss.regularisation * (w @ w)

    def tangent(self, w: torch.Tensor, rows: np.ndarray) -> Tangent:
        """Slopes and curvatures of the scores."""
        X = self.rows[rows]
        slope, curvature = self.derivatives(X @ w - self.offset[rows], rows)
        return _LinearTangent(w, X, slope, curvature, self.loss.regularisation)

    def derivatives(
        self, score: torch.Tensor, rows: np.ndarray
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """phi'(z) and phi''(z) of the rows, clipped; the scores are overwritten."""
        # In this order: `slope_` overwrites the scores.
        curvature = self.loss.curvature(score)
        slope = self.loss.slope_(score)
        if self.loss.clip is not None:
            # A data gradient has the norm |slope| |a|: the clip of the norm is C/|a| on the slope.
            cap = self.loss.clip / self.largest_rows[rows]
            curvature = torch.where(slope.abs() > cap, 0.0, curvature)
            slope = torch.clamp(slope, -cap, cap)
        return slope, curvature


@dataclass(eq=False)
class _LinearTangent(Tangent):
    w: torch.Tensor
    X: torch.Tensor
    slope: torch.Tensor
    curvature: torch.Tensor
    ridge: float

    def gradient(self, weights: torch.Tensor) -> torch.Tensor:
        return (weights * self.slope) @ self.X + self.ridge * weights.sum() * self.w

    def norms(self) -> torch.Tensor:
        full = self.slope[:, None] * self.X + self.ridge * self.w
        norms: torch.Tensor = torch.linalg.vector_norm(full, dim=1)
        return norms

    def inner(self, V: torch.Tensor) -> torch.Tensor:
        return self.slope[:, None] * (self.X @ V.T) + self.ridge * (V @ self.w)

    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        gradients = (scale * self.slope[columns])[:, None] * self.X[columns]
        if self.ridge != 0.0:
            gradients.addcmul_(scale[:, None], self.w[None, :], value=self.ridge)
        A.index_add_(0, lines, gradients)

    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        # The scores are those of A before the step: they are read before `decay_` changes it.
        Z = A @ self.X.T
        Z *= self.curvature
        if dropped is not None:
            Z[dropped] = 0.0
        weigh_(Z, rate)
        decay_(A, rate, self.ridge, len(self.X), dropped)
        A.addmm_(Z, self.X, alpha=-1.0)

    def sweep_(self, V: torch.Tensor, rate: float) -> torch.Tensor:
        Z = V @ self.X.T
        inner_products = (Z * self.slope).T + self.ridge * (V @ self.w)
        # In place only now: the inner products above need the scores as they were.
        Z *= rate * self.curvature
        decay_(V, rate, self.ridge, len(self.X), None)
        V.addmm_(Z, self.X, alpha=-1.0)
        return inner_products

    def apply(self, V: torch.Tensor) -> torch.Tensor:
        image = ((V @ self.X.T) * self.curvature) @ self.X
        return image.add_(V, alpha=self.ridge * len(self.X))

    def products(self, V: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        X = self.X[columns]
        return (self.curvature[columns] * (V * X).sum(dim=1))[:, None] * X + self.ridge * V

    def hessian(self) -> torch.Tensor:
        H = (self.X.T * self.curvature) @ self.X
        H.diagonal().add_(self.ridge * len(self.X))
        return H
