"""Any differentiable loss as a trajectory model, through torch.func."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.func import grad, hessian, jvp, vmap

from accounting import validation
from accounting.arguments import typed
from simulators.device import device_of_a_model
from simulators.trajectory.model import Dropped, Model, Tangent, weigh_

LossFunction = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def _rows(name: str, given: Any) -> torch.Tensor:
    """One row for each sample; integers stay what they are."""
    values = validation.real(name, given)
    if not values.ndim:
        raise ValueError(f"{name} must have one row for each sample, got {given!r}")
    return torch.as_tensor(given)


@typed
@dataclass(eq=False)
class FunctionModel(Model):
    """n losses l(w, x_i, y_i) of a flat vector w of p numbers, any torch function of one sample.

    `features` (n, ...) and `targets` (n, ...) are what l gets, row by row; l returns one number and
    must be twice differentiable by torch.func; tensors of its own are for it to put where `where`
    ("cpu", "cuda", "auto"; None: that of the run, else the CPU) says.  `chunk` lines, or samples,
    are differentiated at once: memory is chunk times what one evaluation on a batch keeps.

    Cost of moving m lines over a batch: m Hessian-vector products (2 to 3 gradients each).
    """

    loss: LossFunction
    features: Any
    targets: Any
    parameters: int
    chunk: int = 64
    where: str | None = None

    def __post_init__(self) -> None:
        features = _rows("features", self.features)
        self.device = device_of_a_model(self.where, len(features), self.parameters)
        self.features = features.to(self.device)
        self.targets = _rows("targets", self.targets).to(self.device)
        if self.features.is_floating_point():
            self.features = self.features.to(torch.float64)
        if self.targets.is_floating_point():
            self.targets = self.targets.to(torch.float64)
        self.size = len(self.features)
        if self.size == 0 or len(self.targets) != self.size:
            raise ValueError(
                f"targets must have one row for each of the features' >= 1 rows, got "
                f"{len(self.targets)} for {self.size}"
            )
        self.parameters = validation.count("parameters", self.parameters, low=1)
        self.chunk = validation.count("chunk", self.chunk, low=1)

    def values(self, w: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        """l(w, x_i, y_i) of the rows."""
        return vmap(self.loss, (None, 0, 0))(w, self.features[rows], self.targets[rows])

    def tangent(self, w: torch.Tensor, rows: np.ndarray) -> Tangent:
        """The loss function, the batch and w."""
        return _FunctionTangent(self.loss, w, self.features[rows], self.targets[rows], self.chunk)


@dataclass(eq=False)
class _FunctionTangent(Tangent):
    loss: LossFunction
    w: torch.Tensor
    X: torch.Tensor
    Y: torch.Tensor
    chunk: int

    def _losses(self, v: torch.Tensor) -> torch.Tensor:
        return vmap(self.loss, (None, 0, 0))(v, self.X, self.Y)

    def gradient(self, weights: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = grad(lambda v: (weights * self._losses(v)).sum())(self.w)
        return found

    def _gradients(self, columns: torch.Tensor) -> torch.Tensor:
        every = vmap(grad(self.loss), (None, 0, 0))
        found: torch.Tensor = every(self.w, self.X[columns], self.Y[columns])
        return found

    def norms(self) -> torch.Tensor:
        parts = _parts(len(self.X), self.chunk, self.w.device)
        return torch.cat([torch.linalg.vector_norm(self._gradients(i), dim=1) for i in parts])

    def inner(self, V: torch.Tensor) -> torch.Tensor:
        along = vmap(lambda v: jvp(self._losses, (self.w,), (v,))[1], chunk_size=self.chunk)
        found: torch.Tensor = along(V).T
        return found

    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        for part in _parts(len(lines), self.chunk, A.device):
            found = scale[part, None] * self._gradients(columns[part])
            A.index_add_(0, lines[part], found)

    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        moved = self.apply(A)
        if dropped is not None:
            lines, columns = dropped
            for part in _parts(len(lines), self.chunk, A.device):
                found = self.products(A[lines[part]], columns[part])
                moved.index_add_(0, lines[part], found, alpha=-1.0)
        A -= weigh_(moved, rate)

    def apply(self, V: torch.Tensor) -> torch.Tensor:
        slope = grad(lambda v: self._losses(v).sum())
        along = vmap(lambda a: jvp(slope, (self.w,), (a,))[1], chunk_size=self.chunk)
        found: torch.Tensor = along(V)
        return found

    def products(self, V: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        def one(v: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            moved: torch.Tensor = jvp(lambda w: grad(self.loss)(w, x, y), (self.w,), (v,))[1]
            return moved

        found: torch.Tensor = vmap(one)(V, self.X[columns], self.Y[columns])
        return found

    def hessian(self) -> torch.Tensor:
        found: torch.Tensor = hessian(lambda v: self._losses(v).sum())(self.w)
        return found


def _parts(count: int, chunk: int, device: torch.device) -> list[torch.Tensor]:
    """0..count-1 in pieces of at most `chunk`; none for 0."""
    return [torch.arange(i, min(i + chunk, count), device=device) for i in range(0, count, chunk)]
