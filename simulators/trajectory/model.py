"""What the trajectory recursions need of a model: its samples' gradients and Hessians at a point.

Parameters are flat vectors w of p numbers.  A `Tangent` is the model at one point on one batch; it
moves many vectors (the lines of A, shape (m, p)) along the Hessians of the batch's samples, each
line leaving out the samples it is to forget.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import torch
from numpy.typing import ArrayLike

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
    def inner(self, V: torch.Tensor) -> torch.Tensor:
        """<g_i(w), V[j]> of every sample and line, shape (b, m)."""

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

    @abstractmethod
    def apply(self, V: torch.Tensor) -> torch.Tensor:
        """sum_i H_i(w) V[j] of every line, shape (m, p)."""

    @abstractmethod
    def products(self, V: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        """H_{columns[j]}(w) V[j], one sample for each line, shape (m, p)."""

    def sweep_(self, V: torch.Tensor, rate: float) -> torch.Tensor:
        """`inner`, then `contract_` with one rate; models that share work between them override."""
        inner_products = self.inner(V)
        self.contract_(V, rate)
        return inner_products

    @abstractmethod
    def hessian(self) -> torch.Tensor:
        """sum_i H_i(w), shape (p, p)."""


class Model(ABC):
    """n losses l_i of a parameter vector of p numbers.

    Attributes:
        size: n.
        parameters: p.
        scores: numbers per sample that a Hessian action passes through (1; classes for softmax).
        device: where its tensors, and the vectors that it moves, live.
    """

    size: int
    parameters: int
    scores: int = 1
    device: torch.device = torch.device("cpu")

    @abstractmethod
    def tangent(self, w: torch.Tensor, rows: np.ndarray) -> Tangent:
        """The samples `rows` at w (p,)."""

    @abstractmethod
    def values(self, w: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        """l_i(w) for the rows, shape (b,)."""

    def lengths(self, A: torch.Tensor) -> torch.Tensor:
        """Euclidean norms of the parameter vectors that the lines of A stand for, shape (m,)."""
        lengths: torch.Tensor = torch.linalg.vector_norm(A, dim=1)
        return lengths

    def everything(self) -> np.ndarray:
        """All rows."""
        return np.arange(self.size)

    def tensor(self, array: ArrayLike) -> torch.Tensor:
        """A copy in float64 where the model's tensors live."""
        return torch.tensor(np.asarray(array), dtype=torch.float64, device=self.device)

    def full(self, count: int, value: float = 1.0) -> torch.Tensor:
        """So many equal weights of samples, for `Tangent.gradient`."""
        return torch.full((count,), value, dtype=torch.float64, device=self.device)


def decay_(
    A: torch.Tensor,
    rate: float | torch.Tensor,
    ridge: float,
    samples: int,
    dropped: Dropped | None,
) -> None:
    """A[l] *= 1 - rate[l] ridge (number of samples that line l keeps)."""
    if ridge == 0.0:
        return
    # Every line keeps the whole batch at one rate: one factor serves all of them.
    if dropped is None and not isinstance(rate, torch.Tensor):
        A *= 1.0 - rate * ridge * samples
        return
    counts = torch.full((len(A),), float(samples), dtype=A.dtype, device=A.device)
    if dropped is not None:
        # A line stands in `dropped` once for every sample that it leaves out.
        counts.index_add_(0, dropped[0], torch.full_like(dropped[0], -1, dtype=A.dtype))
    A *= (1.0 - rate * ridge * counts)[:, None]


def weigh_(Z: torch.Tensor, rate: float | torch.Tensor) -> torch.Tensor:
    """Z[l] *= rate[l], whatever the shape of Z[l]."""
    # (m, 1, ..., 1): one rate for each line, whatever a line holds.
    return Z.mul_(rate.view(-1, *[1] * (Z.dim() - 1)) if isinstance(rate, torch.Tensor) else rate)
