"""Multinomial logistic loss: log sum_k exp(<x, w_k>) - <x, w_y> + (lambda/2)|W|^2."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset, taken
from simulators.data.lengths import row_lengths, row_norms
from simulators.data.row_data import RowData
from simulators.domains import Domain
from simulators.losses.base import Factory, Loss, LossConstants, like, pieces_of
from simulators.losses.clipping import checked_clip
from simulators.losses.rounding import power_up, product_up, sum_up


@dataclass(frozen=True)
class SoftmaxBatch:
    """A staged batch: rows (b, d), one-hot targets (b, classes, 1), rows' norms (b, 1, 1)."""

    rows: torch.Tensor
    target: torch.Tensor
    norms: torch.Tensor


@dataclass(frozen=True)
class Softmax(Loss):
    """Parameters W are (d, classes); targets are the integers 0..classes-1; norms are Frobenius'.

    With logits u = x^T W and p = softmax(u): gradient x (p - e_y)^T + lambda W, Hessian
    (diag p - p p^T) (x) x x^T + lambda I.  For every row:

    - m = lambda: diag p - p p^T is positive semidefinite and singular.
    - L = |x|^2/2 + lambda: v^T (diag p - p p^T) v is the variance under p of the values v_k, which
      lie in an interval of length max_{j,k} |v_j - v_k| <= sqrt 2 |v|; a variance on an interval of
      length r is at most r^2/4.
    - |p - e_y|^2 = (1 - p_y)^2 + sum_{k != y} p_k^2 <= 2 (1 - p_y)^2 <= 2, so M = sqrt 2 |x|; two
      rows differ by at most 2M (approached for nearly opposite rows far from the origin).
    - D^3 in the direction V is a third central moment on an interval of length
      r = sqrt 2 |V| |x|, at most r^3/(6 sqrt 3) in size (two-point laws are extreme: p(1-p)(1-2p));
      a symmetric trilinear form attains its norm on one vector (Banach), so the Hessian is
      (2 sqrt 2/(6 sqrt 3)) |x|^3-Lipschitz.
    - with a clip C on the data term's Frobenius norm nothing is certified once it is active
      (C < M): the clipped field has Jacobian (C/|g|)(I - g g^T/|g|^2) H, a product that is not
      symmetric, so it is no gradient and its step need not contract.
    """

    classes: int
    regularisation: float = 0.0
    clip: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", validation.count("classes", self.classes, low=2))
        value = validation.scalar("regularisation", self.regularisation, low=0.0, high_open=True)
        object.__setattr__(self, "regularisation", value)
        object.__setattr__(self, "clip", checked_clip(self.clip))

    @typed
    def parameter_shape(self, data: RowData) -> tuple[int, ...]:
        """(d, classes)."""
        return (data.dimension, self.classes)

    def _labels(self, data: Dataset) -> np.ndarray:
        range_text = f"class numbers 0..{self.classes - 1}"
        if data.targets is None:
            raise ValueError(f"targets must be {range_text}, got none in {data.name!r}")
        labels = data.targets.astype(np.int64)
        wrong = np.flatnonzero((labels != data.targets) | (labels < 0) | (labels >= self.classes))
        if len(wrong):
            raise ValueError(
                f"targets must be {range_text}, got {data.targets[wrong[0]]} in row {wrong[0]}"
            )
        return labels

    @typed
    def one_hot(self, data: Dataset) -> np.ndarray:
        """Indicators (n, classes) of the labels; ValueError for other targets."""
        hot: np.ndarray = np.eye(self.classes)[self._labels(data)]
        return hot

    def value(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        """Shape (trials, n), for parameters (trials, d, classes)."""
        logits = torch.einsum("nd,tdk->tnk", like(data.features, parameters), parameters)
        chosen = (logits * like(self.one_hot(data), parameters)).sum(dim=2)
        square = (parameters * parameters).sum(dim=(1, 2))[:, None]
        return torch.logsumexp(logits, dim=2) - chosen + 0.5 * self.regularisation * square

    def gradient(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        """clip(x (p - e_y)^T) + lambda W, shape (trials, n, d, classes)."""
        rows = like(data.features, parameters)
        logits = torch.einsum("nd,tdk->tnk", rows, parameters)
        pull = torch.softmax(logits, dim=2) - like(self.one_hot(data), parameters)
        term = rows[None, :, :, None] * pull[:, :, None, :]
        if self.clip is not None:
            # A zero gradient gives C/0 = inf, which the clamp makes 1.
            norms = torch.linalg.matrix_norm(term)[:, :, None, None]
            term = term * (self.clip / norms).clamp(max=1.0)
        return term + self.regularisation * parameters[:, None]

    @typed
    def constants(self, *data: RowData, domain: Domain | None = None) -> LossConstants:
        """Derived in the class's docstring; the domain does not refine them.

        Raises ValueError when the clip is active, that is below sqrt 2 max |x|.
        """
        largest = 0.0
        for item in pieces_of(data):
            self._labels(item)
            largest = max(largest, float(row_norms(item.features).max()))
        # The floats of sqrt 2 and of the third derivative's factor are above the true values.
        slope = product_up(math.sqrt(2.0), largest)
        third = product_up(2.0 * math.sqrt(2.0) / (6.0 * math.sqrt(3.0)), power_up(largest, 3))
        if self.clip is not None and self.clip < slope:
            raise ValueError(
                f"clip must be >= {validation.shortest(slope)} = sqrt 2 max |x| for certified "
                f"constants: an active clip makes the field no gradient; got "
                f"{validation.shortest(self.clip)}"
            )
        return LossConstants(
            strong_convexity=self.regularisation,
            smoothness=sum_up(product_up(power_up(largest, 2), 0.5), self.regularisation),
            gradient_difference=2.0 * slope,
            hessian_lipschitz=third,
        )

    def stage(self, data: Dataset, batches: np.ndarray, tensor: Factory) -> list[SoftmaxBatch]:
        """Rows, one-hot targets and norms."""
        order, size = batches.reshape(-1), batches.shape[1]
        rows, target = taken(data.features, order), taken(self.one_hot(data), order)
        norms = row_lengths(rows)
        arrays = (rows, target[:, :, None], norms[:, None, None])
        return list(map(SoftmaxBatch, *(torch.split(tensor(array), size) for array in arrays)))

    def scratch(self, batch_size: int, state: torch.Tensor) -> torch.Tensor:
        """Room for logits and probabilities (2, b, classes, trials)."""
        return state.new_empty((2, batch_size, self.classes, state.shape[-1]))

    def descend_(
        self,
        state: torch.Tensor,
        batch: SoftmaxBatch,
        step_size: float,
        scratch: torch.Tensor | None,
    ) -> None:
        """Two matrix products over (classes x trials) columns at once."""
        assert scratch is not None
        logits, pull = scratch[0], scratch[1]
        size, dimension = batch.rows.shape
        # Columns (class, trial): one product serves all classes of all trials.
        flat = state.view(dimension, -1)
        torch.mm(batch.rows, flat, out=logits.view(size, -1))
        torch.softmax(logits, dim=1, out=pull)
        pull.sub_(batch.target)
        if self.clip is not None:
            # |x (p - e_y)^T| = |x| |p - e_y|: the gradient itself is never formed.
            norms = (pull * pull).sum(dim=1, keepdim=True).sqrt_().mul_(batch.norms)
            pull.mul_((self.clip / norms).clamp_(max=1.0))
        flat.addmm_(
            batch.rows.t(),
            pull.view(size, -1),
            beta=1.0 - step_size * self.regularisation,
            alpha=-step_size / size,
        )
