"""The same recursion with each step's Hessian as a p x p matrix: cheaper when d < 2b.

One product of the lines with a p x p matrix replaces two with the batch (hf Table 1, corrected).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from accounting.numerics.arguments import typed
from simulators.trajectory.model import Dropped, Model, Tangent, weigh_


@typed
@dataclass(eq=False)
class Explicit(Model):
    """`model`, whose tangents form sum_i H_i once a step."""

    model: Model

    def __post_init__(self) -> None:
        self.size, self.parameters = self.model.size, self.model.parameters
        self.scores, self.device = self.model.scores, self.model.device

    def lengths(self, A: torch.Tensor) -> torch.Tensor:
        """As in `model`."""
        return self.model.lengths(A)

    def values(self, w: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        """As in `model`."""
        return self.model.values(w, rows)

    def tangent(self, w: torch.Tensor, rows: np.ndarray) -> Tangent:
        """The tangent of `model`, with its Hessian when that is first used."""
        return _ExplicitTangent(self.model.tangent(w, rows))


@dataclass(eq=False)
class _ExplicitTangent(Tangent):
    tangent: Tangent

    def __post_init__(self) -> None:
        self._hessian: torch.Tensor | None = None

    def gradient(self, weights: torch.Tensor) -> torch.Tensor:
        return self.tangent.gradient(weights)

    def norms(self) -> torch.Tensor:
        return self.tangent.norms()

    def inner(self, V: torch.Tensor) -> torch.Tensor:
        return self.tangent.inner(V)

    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        self.tangent.add_gradients_(A, lines, columns, scale)

    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        # Over the whole batch first; what forgotten samples did to their lines is taken back.
        image = self.apply(A)
        if dropped is not None and len(dropped[0]):
            lines, columns = dropped
            image.index_add_(0, lines, self.tangent.products(A[lines], columns), alpha=-1.0)
        A -= weigh_(image, rate)

    def apply(self, V: torch.Tensor) -> torch.Tensor:
        # The Hessian is symmetric, so lines may stand on its left.
        return V @ self.hessian()

    def products(self, V: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        return self.tangent.products(V, columns)

    def hessian(self) -> torch.Tensor:
        if self._hessian is None:
            self._hessian = self.tangent.hessian()
        return self._hessian
