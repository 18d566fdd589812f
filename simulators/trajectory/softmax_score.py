"""Multinomial logistic regression as a trajectory model: two matrix products move all lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.device.placement import device_of_a_model, factory
from simulators.losses.softmax import Softmax
from simulators.trajectory.model import Dropped, Model, Tangent, decay_, weigh_

# Entries of the gradients that `norms` holds at a time: 8 MiB.
_BLOCK = 1 << 20


@typed
@dataclass(eq=False)
class SoftmaxScore(Model):
    """The `Softmax` loss on a data set; the flat vector lists the classes' weights one by one.

    p = classes x d: `vector` and `matrix` convert from and to the (d, classes) of the loss.
    where: "cpu", "cuda", or "auto"; None: that of the run, else the CPU.
    """

    loss: Softmax
    data: Dataset
    where: str | None = None

    def __post_init__(self) -> None:
        if self.loss.clip is not None:
            raise ValueError(
                f"clip must be None for a softmax trajectory (its clipped field is no gradient), "
                f"got {self.loss.clip!r}"
            )
        size = self.loss.classes * self.data.dimension
        self.device = device_of_a_model(self.where, len(self.data), size)
        tensor = factory(self.device, torch.float64)
        self.rows = tensor(self.data.features)
        self.target = tensor(self.loss.one_hot(self.data))
        self.size = len(self.rows)
        self.scores = self.loss.classes
        self.parameters = self.scores * self.data.dimension

    @typed
    def vector(self, weights: np.ndarray) -> np.ndarray:
        """Weights (d, classes) as a flat vector."""
        return np.ascontiguousarray(np.asarray(weights).T).reshape(-1)

    @typed
    def matrix(self, w: np.ndarray) -> np.ndarray:
        """A flat vector as weights (d, classes)."""
        return np.asarray(w).reshape(self.scores, -1).T

    def values(self, w: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        """log-sum-exp - chosen logit + (lambda/2)|W|^2."""
        logits = self.rows[rows] @ w.view(self.scores, -1).T
        chosen = (logits * self.target[rows]).sum(dim=1)
        return torch.logsumexp(logits, dim=1) - chosen + 0.5 * self.loss.regularisation * (w @ w)

    def tangent(self, w: torch.Tensor, rows: np.ndarray) -> Tangent:
        """Class probabilities and residuals."""
        X = self.rows[rows]
        P = torch.softmax(X @ w.view(self.scores, -1).T, dim=1)
        return _SoftmaxTangent(w, X, P, P - self.target[rows], self.loss.regularisation)


def bend_(Z: torch.Tensor, P: torch.Tensor) -> torch.Tensor:
    """Z[l, :, i] <- (diag p_i - p_i p_i^T) Z[l, :, i], in place: (m, classes, b), (b, classes)."""
    # (diag p - p p^T) z = p * (z - <p, z>) entry by entry: no (classes, classes) matrix is made.
    weights = P.T.contiguous()
    mean = (Z * weights).sum(dim=1, keepdim=True)
    return Z.sub_(mean).mul_(weights)


@dataclass(eq=False)
class _SoftmaxTangent(Tangent):
    w: torch.Tensor
    X: torch.Tensor
    P: torch.Tensor
    residual: torch.Tensor
    ridge: float

    def _scored(self, V: torch.Tensor) -> torch.Tensor:
        """(m, classes, b): the change of the logits along every line."""
        b, d = self.X.shape
        return (V.view(-1, d) @ self.X.T).view(len(V), -1, b)

    def gradient(self, weights: torch.Tensor) -> torch.Tensor:
        # (classes, d), listed class by class like w.
        gradient = (weights[:, None] * self.residual).T @ self.X
        return gradient.reshape(-1) + self.ridge * weights.sum() * self.w

    def norms(self) -> torch.Tensor:
        norms = []
        rows = max(1, _BLOCK // len(self.w))
        for low in range(0, len(self.X), rows):
            r, X = self.residual[low : low + rows], self.X[low : low + rows]
            full = (r[:, :, None] * X[:, None, :]).flatten(1).add_(self.ridge * self.w)
            norms.append(torch.linalg.vector_norm(full, dim=1))
        return torch.cat(norms)

    def inner(self, V: torch.Tensor) -> torch.Tensor:
        inner_products = (self._scored(V) * self.residual.T).sum(dim=1).T
        return inner_products + self.ridge * (V @ self.w)

    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        pull = scale[:, None] * self.residual[columns]
        gradients = (pull[:, :, None] * self.X[columns][:, None, :]).flatten(1)
        if self.ridge != 0.0:
            gradients.addcmul_(scale[:, None], self.w[None, :], value=self.ridge)
        A.index_add_(0, lines, gradients)

    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        b, d = self.X.shape
        # The scores are those of A before the step: they are read before `decay_` changes it.
        Z = bend_(self._scored(A), self.P)
        if dropped is not None:
            Z[dropped[0], :, dropped[1]] = 0.0
        weigh_(Z, rate)
        decay_(A, rate, self.ridge, b, dropped)
        A.view(-1, d).addmm_(Z.view(-1, b), self.X, alpha=-1.0)

    def sweep_(self, V: torch.Tensor, rate: float) -> torch.Tensor:
        b, d = self.X.shape
        Z = self._scored(V)
        inner_products = (Z * self.residual.T).sum(dim=1).T + self.ridge * (V @ self.w)
        # In place only now: the inner products above need the scores as they were.
        bend_(Z, self.P).mul_(rate)
        decay_(V, rate, self.ridge, b, None)
        V.view(-1, d).addmm_(Z.view(-1, b), self.X, alpha=-1.0)
        return inner_products

    def apply(self, V: torch.Tensor) -> torch.Tensor:
        Z = bend_(self._scored(V), self.P)
        image = (Z.view(-1, len(self.X)) @ self.X).view(V.shape)
        return image.add_(V, alpha=self.ridge * len(self.X))

    def products(self, V: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        X, P = self.X[columns], self.P[columns]
        Z = (V.view(len(V), -1, X.shape[1]) * X[:, None, :]).sum(dim=2)
        # As `bend_`, with a sample of its own for every line.
        Z = P * (Z - (P * Z).sum(dim=1, keepdim=True))
        return (Z[:, :, None] * X[:, None, :]).flatten(1).add_(V, alpha=self.ridge)

    def hessian(self) -> torch.Tensor:
        (b, d), classes = self.X.shape, self.P.shape[1]
        H = self.X.new_empty((classes, d, classes, d))
        # Block (k, j) is X^T diag(p_k (1[j = k] - p_j)) X, and so is block (j, k).
        for k in range(classes):
            for j in range(k + 1):
                bent = self.P[:, k] * ((1.0 if j == k else 0.0) - self.P[:, j])
                H[k, :, j, :] = (self.X.T * bent) @ self.X
                H[j, :, k, :] = H[k, :, j, :]
        flat = H.view(classes * d, classes * d)
        flat.diagonal().add_(self.ridge * b)
        return flat
