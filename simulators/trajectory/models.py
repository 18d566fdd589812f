"""What the trajectory recursions need of a model: its samples' gradients and Hessians at a point.

Parameters are flat vectors w of p numbers.  A `Tangent` is the model at one point on one batch; it
moves many vectors (the lines of A, shape (m, p)) along the Hessians of the batch's samples, each
line leaving out the samples it is to forget.  Nothing of size b x p or p x p is formed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import torch

from simulators.data.dataset import Dataset
from simulators.losses.linear_model import LinearModel
from simulators.losses.softmax import Softmax

Dropped = tuple[torch.Tensor, torch.Tensor]
"""(lines, columns): line A[lines[j]] leaves out the sample in column columns[j] of the batch."""


class Tangent(ABC):
    """The samples of one batch at one point w."""

    @abstractmethod
    def gradient(self, weights: torch.Tensor) -> torch.Tensor:
        """sum_i weights[i] g_i(w), shape (p,); weights (b,)."""

    @abstractmethod
    def norms(self) -> torch.Tensor:
        """|g_i(w)| of every sample, shape (b,)."""

    @abstractmethod
    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        """A[lines[j]] += scale[j] g_{columns[j]}(w), in place; lines may repeat."""

    @abstractmethod
    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        """A[l] -= rate[l] sum_i H_i(w) A[l], in place, over the samples that line l keeps.

        rate is one number or (m,).
        """


class Model(ABC):
    """n losses l_i of a parameter vector of p numbers."""

    size: int
    parameters: int

    @abstractmethod
    def tangent(self, w: torch.Tensor, rows: np.ndarray) -> Tangent:
        """The samples `rows` at w (p,)."""

    @abstractmethod
    def values(self, w: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        """l_i(w) for the rows, shape (b,)."""


@dataclass(eq=False)
class LinearScore(Model):
    """A `LinearModel` loss on a data set: l_i = phi(<a_i, w> - t_i) + (lambda/2)|w|^2, p = d.

    A per-sample clip (`loss.clip`) truncates phi', which leaves a convex loss: its curvature is 0
    where the clip is active.
    """

    loss: LinearModel
    data: Dataset

    def __post_init__(self) -> None:
        rows, offset = self.loss.signed(self.data)
        self.rows = torch.tensor(rows, dtype=torch.float64)
        self.offset = torch.zeros(len(rows), dtype=torch.float64)
        if offset is not None:
            self.offset = torch.tensor(offset, dtype=torch.float64)
        self.size, self.parameters = self.rows.shape
        self.lengths = torch.linalg.vector_norm(self.rows, dim=1)

    def values(self, w: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        """phi(z_i) + (lambda/2)|w|^2."""
        score = self.rows[rows] @ w - self.offset[rows]
        return self.loss.link(score) + 0.5 * self.loss.regularisation * (w @ w)

    def tangent(self, w: torch.Tensor, rows: np.ndarray) -> Tangent:
        """Slopes and curvatures of the scores."""
        X = self.rows[rows]
        score = X @ w - self.offset[rows]
        curvature = self.loss.curvature(score)
        slope = self.loss.slope_(score)
        if self.loss.clip is not None:
            cap = self.loss.clip / self.lengths[rows]
            curvature = torch.where(slope.abs() > cap, 0.0, curvature)
            slope = torch.clamp(slope, -cap, cap)
        return _LinearTangent(w, X, slope, curvature, self.loss.regularisation)


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
        return full.square().sum(dim=1).sqrt()

    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        found = (scale * self.slope[columns])[:, None] * self.X[columns]
        A.index_add_(0, lines, found + (self.ridge * scale)[:, None] * self.w)

    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        Z = A @ self.X.T
        Z *= self.curvature if isinstance(rate, torch.Tensor) else rate * self.curvature
        _drop_(Z, dropped)
        if isinstance(rate, torch.Tensor):
            Z *= rate[:, None]
        _decay_(A, rate, self.ridge, len(self.X), dropped)
        A.addmm_(Z, self.X, alpha=-1.0)


@dataclass(eq=False)
class SoftmaxScore(Model):
    """The `Softmax` loss on a data set; the flat vector lists the classes' weights one by one.

    p = classes x d: `vector` and `matrix` convert from and to the (d, classes) of the loss.
    """

    loss: Softmax
    data: Dataset

    def __post_init__(self) -> None:
        if self.loss.clip is not None:
            raise ValueError(
                f"clip must be None for a softmax trajectory (its clipped field is no gradient), "
                f"got {self.loss.clip!r}"
            )
        self.rows = torch.tensor(self.data.features, dtype=torch.float64)
        labels = self.loss.one_hot(self.data)
        self.target = torch.tensor(labels, dtype=torch.float64)
        self.size = len(self.rows)
        self.parameters = self.loss.classes * self.data.dimension

    def vector(self, weights: np.ndarray) -> np.ndarray:
        """Weights (d, classes) as a flat vector."""
        return np.ascontiguousarray(np.asarray(weights).T).reshape(-1)

    def matrix(self, w: np.ndarray) -> np.ndarray:
        """A flat vector as weights (d, classes)."""
        return np.asarray(w).reshape(self.loss.classes, -1).T

    def values(self, w: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        """log-sum-exp - chosen logit + (lambda/2)|W|^2."""
        logits = self.rows[rows] @ w.view(self.loss.classes, -1).T
        chosen = (logits * self.target[rows]).sum(dim=1)
        return torch.logsumexp(logits, dim=1) - chosen + 0.5 * self.loss.regularisation * (w @ w)

    def tangent(self, w: torch.Tensor, rows: np.ndarray) -> Tangent:
        """Class probabilities and residuals."""
        X = self.rows[rows]
        P = torch.softmax(X @ w.view(self.loss.classes, -1).T, dim=1)
        return _SoftmaxTangent(w, X, P, P - self.target[rows], self.loss.regularisation)


@dataclass(eq=False)
class _SoftmaxTangent(Tangent):
    w: torch.Tensor
    X: torch.Tensor
    P: torch.Tensor
    residual: torch.Tensor
    ridge: float

    def gradient(self, weights: torch.Tensor) -> torch.Tensor:
        found = (weights[:, None] * self.residual).T @ self.X
        return found.reshape(-1) + self.ridge * weights.sum() * self.w

    def norms(self) -> torch.Tensor:
        full = self.residual[:, :, None] * self.X[:, None, :]
        return (full.flatten(1) + self.ridge * self.w).square().sum(dim=1).sqrt()

    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        pull = scale[:, None] * self.residual[columns]
        found = (pull[:, :, None] * self.X[columns][:, None, :]).flatten(1)
        A.index_add_(0, lines, found + (self.ridge * scale)[:, None] * self.w)

    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        lines, (b, d) = len(A), self.X.shape
        flat = A.view(-1, d)
        Z = (flat @ self.X.T).view(lines, -1, b)
        weights = self.P.T
        Z *= weights
        Z -= weights * Z.sum(dim=1, keepdim=True)
        if dropped is not None:
            Z[dropped[0], :, dropped[1]] = 0.0
        Z *= rate[:, None, None] if isinstance(rate, torch.Tensor) else rate
        _decay_(A, rate, self.ridge, b, dropped)
        flat.addmm_(Z.view(-1, b), self.X, alpha=-1.0)


def _drop_(Z: torch.Tensor, dropped: Dropped | None) -> None:
    if dropped is not None:
        Z[dropped] = 0.0


def _decay_(
    A: torch.Tensor,
    rate: float | torch.Tensor,
    ridge: float,
    samples: int,
    dropped: Dropped | None,
) -> None:
    """A[l] *= 1 - rate[l] ridge (number of samples that line l keeps)."""
    if ridge == 0.0:
        return
    if dropped is None and not isinstance(rate, torch.Tensor):
        A *= 1.0 - rate * ridge * samples
        return
    kept = torch.full((len(A),), float(samples), dtype=A.dtype, device=A.device)
    if dropped is not None:
        kept.index_add_(0, dropped[0], torch.full_like(dropped[0], -1, dtype=A.dtype))
    A *= (1.0 - rate * ridge * kept)[:, None]
