"""Any differentiable loss as a trajectory model, through torch's automatic differentiation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.func import vmap

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.device.placement import device_of_a_model
from simulators.trajectory.model import Dropped, Model, Tangent, weigh_

LossFunction = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
Total = Callable[[torch.Tensor], torch.Tensor]


def _rows(name: str, given: Any) -> torch.Tensor:
    """One row for each sample; integers stay what they are."""
    # Checked as floats, returned as given: class numbers must stay integers for an index.
    values = validation.real(name, given)
    if not values.ndim:
        raise ValueError(f"{name} must have one row for each sample, got {given!r}")
    return torch.as_tensor(given)


@typed
@dataclass(eq=False)
class FunctionModel(Model):
    """n losses l(w, x_i, y_i) of a flat vector w of p numbers, any torch function of one sample.

    `features` (n, ...) and `targets` (n, ...) are what l gets, row by row; l returns one number,
    must be twice differentiable by torch and take `torch.func.vmap`; tensors of its own are for it
    to put where `where` ("cpu", "cuda", "auto"; None: that of the run, else the CPU) says.  `chunk`
    lines, or samples, are differentiated at once: memory is chunk times what one evaluation on a
    batch keeps.

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
        return _slope(lambda v: (weights * self._losses(v)).sum(), self.w)

    def _gradients(self, columns: torch.Tensor) -> torch.Tensor:
        # A copy of w for each sample: the gradient of the summed losses lists their own.
        every = self.w.expand(len(columns), -1)
        return _slope(lambda v: self._own(v, columns).sum(), every)

    def _own(self, v: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        """The loss of each of these samples at a point of its own."""
        return vmap(self.loss, (0, 0, 0))(v, self.X[columns], self.Y[columns])

    def norms(self) -> torch.Tensor:
        parts = _parts(len(self.X), self.chunk, self.w.device)
        return torch.cat([torch.linalg.vector_norm(self._gradients(i), dim=1) for i in parts])

    def inner(self, V: torch.Tensor) -> torch.Tensor:
        parts = _parts(len(self.X), self.chunk, self.w.device)
        return torch.cat([self._gradients(i) @ V.T for i in parts])

    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        for part in _parts(len(lines), self.chunk, A.device):
            gradients = scale[part, None] * self._gradients(columns[part])
            A.index_add_(0, lines[part], gradients)

    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        # Both images are of A before the step: it is moved only at the end.
        image = self.apply(A)
        if dropped is not None:
            lines, columns = dropped
            for part in _parts(len(lines), self.chunk, A.device):
                products = self.products(A[lines[part]], columns[part])
                image.index_add_(0, lines[part], products, alpha=-1.0)
        A -= weigh_(image, rate)

    def apply(self, V: torch.Tensor) -> torch.Tensor:
        def losses(v: torch.Tensor) -> torch.Tensor:
            # v has a copy of w for each line: the derivatives of the sum are the lines' own.
            return vmap(self._losses)(v).sum()

        return torch.cat([_along(losses, self.w, part) for part in torch.split(V, self.chunk)])

    def products(self, V: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        return _along(lambda v: self._own(v, columns).sum(), self.w, V)

    def hessian(self) -> torch.Tensor:
        return self.apply(torch.eye(len(self.w), dtype=self.w.dtype, device=self.w.device))


@torch.enable_grad()
def _slope(total: Total, w: torch.Tensor) -> torch.Tensor:
    """The gradient of a number.  (`torch.func.grad` imports torch's compiler, for a second.)"""
    at = w.detach().clone().requires_grad_()
    return _derivative(total(at), at)


@torch.enable_grad()
def _along(total: Total, w: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """The derivatives of the gradients at w along V[j]; `total` sums a number of every row."""
    at = w.detach().repeat(len(V), 1).requires_grad_()
    # H v is the gradient of <gradient, v> (Pearlmutter 1994): no Hessian is formed.
    slopes = _derivative(total(at), at, create_graph=True)
    return _derivative((slopes * V).sum(), at)


def _derivative(value: torch.Tensor, at: torch.Tensor, create_graph: bool = False) -> torch.Tensor:
    """0 where the value does not depend on the point."""
    if not value.requires_grad:
        return torch.zeros_like(at)
    return torch.autograd.grad(value, at, create_graph=create_graph, materialize_grads=True)[0]


def _parts(count: int, chunk: int, device: torch.device) -> list[torch.Tensor]:
    """0..count-1 in pieces of at most `chunk`; none for 0."""
    return [torch.arange(i, min(i + chunk, count), device=device) for i in range(0, count, chunk)]
