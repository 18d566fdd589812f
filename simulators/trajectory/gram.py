"""The same recursion in the coordinates of the samples: n numbers for a vector, not d.

Gradients and Hessian actions of a loss of linear scores stay in the span of the rows x_1..x_n and
of w_0.  A vector is held as its coefficients there; with the Gram matrix K one of the two matrix
products of a step becomes a copy (hf Table 1, corrected: cheaper when n < 2d).  Results are those
of the original coordinates, whatever w_0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from accounting.numerics.arguments import typed
from simulators.trajectory.inputs import vector_of
from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.model import Dropped, Model, Tangent, decay_, weigh_
from simulators.trajectory.softmax_score import SoftmaxScore, bend_

Bend = Callable[[torch.Tensor], torch.Tensor]
# Entries of the vectors that `lengths` converts at a time: 8 MiB.
_BLOCK = 1 << 20


@typed
@dataclass(eq=False)
class Gram(Model):
    """`model` in the coordinates of its rows and of a start; parameters are scores x (n + scores).

    The coefficients of a vector list, class by class, one number for each row and one for each
    class's part of the start.  `origin` is w_0 in these coordinates; `vectors` converts back.
    """

    model: LinearScore | SoftmaxScore
    start: np.ndarray

    def __post_init__(self) -> None:
        self.start = vector_of("start", self.start, self.model.parameters)
        self.size, self.scores = self.model.size, self.model.scores
        self.device = self.model.device
        parts = self.model.rows.new_tensor(self.start).view(self.scores, -1)
        # The n rows, then one row for each class's part of w_0: `span` of them.
        self.basis = torch.cat([self.model.rows, parts])
        self.span = len(self.basis)
        self.parameters = self.scores * self.span
        self.gram = self.basis @ self.basis.T
        origin = np.zeros((self.scores, self.span))
        origin[:, self.size :] = np.eye(self.scores)
        self.origin = origin.reshape(-1)

    @typed
    def vectors(self, coefficients: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Coefficients (..., scores x span) as parameter vectors (..., p), written to `out`."""
        coefficients = np.ascontiguousarray(coefficients, dtype=np.float64)
        if coefficients.shape[-1] != self.parameters or not np.isfinite(coefficients).all():
            raise ValueError(
                f"coefficients must be finite and {self.parameters} in each row, got shape "
                f"{coefficients.shape}"
            )
        shape = (*coefficients.shape[:-1], self.model.parameters)
        output = np.empty(shape) if out is None else out
        if (
            not isinstance(output, np.ndarray)
            or output.shape != shape
            or output.dtype != np.float64
        ):
            raise ValueError(f"out must be a float64 array of shape {shape}, got {out!r}")
        # The product is written through a flat view of the same memory.
        if not (output.flags.c_contiguous and output.flags.writeable):
            raise ValueError(
                f"out must be writeable and in C order, got strides {output.strides}, writeable "
                f"{output.flags.writeable}"
            )
        width = self.basis.shape[1]
        flat = torch.from_numpy(coefficients).view(-1, self.span)
        # On the CPU the product goes straight to `out`, which may be a file mapped to memory.
        if self.device.type == "cpu":
            torch.mm(flat, self.basis, out=torch.from_numpy(output).view(-1, width))
        else:
            image = flat.to(self.device) @ self.basis
            output.reshape(-1, width)[...] = image.cpu().numpy()
        return output

    def lengths(self, A: torch.Tensor) -> torch.Tensor:
        """Norms of the vectors themselves: sqrt(alpha K alpha^T) would lose half the digits."""
        lines = max(1, _BLOCK // self.model.parameters)
        lengths = A.new_empty(len(A))
        for low in range(0, len(A), lines):
            V = (A[low : low + lines].view(-1, self.span) @ self.basis).view(
                -1, self.model.parameters
            )
            lengths[low : low + lines] = torch.linalg.vector_norm(V, dim=1)
        return lengths

    def values(self, w: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        """l_i of the rows."""
        return self.model.values(w.new_tensor(self.vectors(w.cpu().numpy())), rows)

    def tangent(self, w: torch.Tensor, rows: np.ndarray) -> Tangent:
        """Residuals and curvatures of the scores K[B] om."""
        K = self.gram[rows]
        scored = K @ w.view(self.scores, -1).T
        if isinstance(self.model, SoftmaxScore):
            P = torch.softmax(scored, dim=1)
            pull = P - self.model.target[rows]

            def bend(Z: torch.Tensor) -> torch.Tensor:
                return bend_(Z, P)
        else:
            slope, curvature = self.model.derivatives(scored[:, 0] - self.model.offset[rows], rows)
            pull = slope[:, None]

            def bend(Z: torch.Tensor) -> torch.Tensor:
                return Z.mul_(curvature)

        index = torch.from_numpy(np.asarray(rows)).to(self.device)
        # Rows that follow each other are a slice: updated in place, where an index copies.
        in_a_row = bool((np.diff(np.asarray(rows)) == 1).all())
        place = slice(int(rows[0]), int(rows[0]) + len(rows)) if in_a_row else index
        return _GramTangent(self, w, index, place, K, pull, bend, self.model.loss.regularisation)


@dataclass(eq=False)
class _GramTangent(Tangent):
    home: Gram
    w: torch.Tensor
    rows: torch.Tensor
    place: torch.Tensor | slice  # the same rows; a slice where they follow each other
    K: torch.Tensor
    pull: torch.Tensor
    bend: Bend
    ridge: float

    def _scored(self, V: torch.Tensor) -> torch.Tensor:
        """(m, scores, b)."""
        return (V.view(-1, self.home.span) @ self.K.T).view(len(V), -1, len(self.rows))

    def gradient(self, weights: torch.Tensor) -> torch.Tensor:
        gradient = (self.ridge * weights.sum() * self.w).view(self.home.scores, -1).clone()
        # A data term's gradient is its pull, at its row's coefficients; rows of a batch differ.
        gradient[:, self.rows] += (weights[:, None] * self.pull).T
        return gradient.view(-1)

    def norms(self) -> torch.Tensor:
        b = len(self.rows)
        A = self.w.new_zeros((b, self.home.parameters))
        every = torch.arange(b, device=A.device)
        self.add_gradients_(A, every, every, A.new_ones(b))
        return self.home.lengths(A)

    def inner(self, V: torch.Tensor) -> torch.Tensor:
        inner_products = (self._scored(V) * self.pull.T).sum(dim=1).T
        # <V, w> of the vectors is that of their coefficients in the metric K, class by class.
        flat = (V.view(-1, self.home.span) @ self.home.gram).view(V.shape)
        return inner_products + self.ridge * (flat @ self.w)

    def add_gradients_(
        self, A: torch.Tensor, lines: torch.Tensor, columns: torch.Tensor, scale: torch.Tensor
    ) -> None:
        cube = A.view(len(A), -1, self.home.span)
        # Entry (line, class, row) of A has place (line x classes + class) x span + row.
        flat = lines[:, None] * cube.shape[1] + torch.arange(cube.shape[1], device=A.device)
        place = flat * self.home.span + self.rows[columns][:, None]
        gradients = scale[:, None] * self.pull[columns]
        A.view(-1).index_add_(0, place.view(-1), gradients.view(-1))
        if self.ridge != 0.0:
            # The ridge pulls every sample along w: the scales of a line's samples add up.
            share = A.new_zeros(len(A)).index_add_(0, lines, scale)
            A.addcmul_(share[:, None], self.w[None, :], value=self.ridge)

    def contract_(
        self, A: torch.Tensor, rate: float | torch.Tensor, dropped: Dropped | None = None
    ) -> None:
        # The scores are those of A before the step: they are read before `decay_` changes it.
        Z = self.bend(self._scored(A))
        if dropped is not None:
            Z[dropped[0], :, dropped[1]] = 0.0
        weigh_(Z, rate)
        decay_(A, rate, self.ridge, len(self.rows), dropped)
        cube = A.view(len(A), -1, self.home.span)
        cube[:, :, self.place] -= Z

    def apply(self, V: torch.Tensor) -> torch.Tensor:
        image = V * (self.ridge * len(self.rows))
        image.view(len(V), -1, self.home.span)[:, :, self.rows] += self.bend(self._scored(V))
        return image

    def products(self, V: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        Z = self.bend(self._scored(V))
        every = torch.arange(len(V), device=V.device)
        image = self.ridge * V
        cube = image.view(len(V), -1, self.home.span)
        cube[every, :, self.rows[columns]] += Z[every, :, columns]
        return image

    def hessian(self) -> torch.Tensor:
        """The matrix that acts on coefficients; it is not symmetric."""
        # Line j of `apply` is the image of the j-th unit vector, hence a column of the matrix.
        return self.apply(
            torch.eye(self.home.parameters, dtype=self.w.dtype, device=self.w.device)
        ).T
