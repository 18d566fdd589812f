"""What every loss provides: values, gradients, certified constants, a fast step."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch

from accounting.numerics import validation
from simulators import domains
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData

_Rows = TypeVar("_Rows", bound=RowData)
Factory = Callable[[np.ndarray], torch.Tensor]
"""Turns a numpy array into a tensor of the run's dtype on the run's device."""


@dataclass(frozen=True)
class LossConstants:
    """Certified constants of x -> f(x; d), valid for every d of the data they were asked for.

    strong_convexity m: f - (m/2)|x|^2 is convex on R^d.
    smoothness L: x -> grad f(x; d) is L-Lipschitz on R^d.
    gradient_difference 2M: |grad f(x; d) - grad f(x; d')| <= 2M on the domain (sglu, Remark 3.7).
    hessian_lipschitz: Lipschitz constant of x -> Hess f(x; d) in operator norm; inf where the
    Hessian jumps.
    """

    strong_convexity: float
    smoothness: float
    gradient_difference: float
    hessian_lipschitz: float

    @property
    def half_gradient_difference(self) -> float:
        """M of Remark 3.7."""
        return self.gradient_difference / 2.0

    def contraction(self, step_size: float) -> float:
        """Lipschitz constant max(|1 - eta m|, |1 - eta L|) of one gradient step (sglu, (14)-(17)).

        For m <= Hess f <= L the step x -> x - eta grad f(x; d) has this constant, also as an
        average over a batch; it is below 1 exactly for m > 0 and eta < 2/L.
        """
        step = validation.scalar("step_size", step_size, low=0.0, low_open=True, high_open=True)
        return max(abs(1.0 - step * self.strong_convexity), abs(1.0 - step * self.smoothness))


class Loss(ABC):
    """f(x; d) = data term + regulariser.

    `clip` C limits the data term's gradient, per sample, to norm C; the regulariser stays outside
    the clip (sglu, eq. (72)).  `value` is always the unclipped loss.
    """

    clip: float | None

    @abstractmethod
    def parameter_shape(self, data: RowData) -> tuple[int, ...]:
        """Shape of one parameter: (d,) or (d, classes)."""

    @abstractmethod
    def value(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        """Losses (trials, n) of parameters (trials, *shape) at every row, differentiable."""

    @abstractmethod
    def gradient(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        """Gradients (trials, n, *shape) at every row, clipped when `clip` is set."""

    @abstractmethod
    def constants(self, *data: RowData, domain: domains.Domain | None = None) -> LossConstants:
        """Constants valid for every row of all given data sets together."""

    @abstractmethod
    def stage(self, data: Dataset, batches: np.ndarray, tensor: Factory) -> list[Any]:
        """What `descend_` needs of each of the batches (J, b), moved to the device once.

        The tensors may share the memory of the data: they are read only.
        """

    @abstractmethod
    def scratch(self, batch_size: int, state: torch.Tensor) -> torch.Tensor | None:
        """The buffer `descend_` works in, shared by all steps (None: needs none)."""

    @abstractmethod
    def descend_(
        self, state: torch.Tensor, batch: Any, step_size: float, scratch: torch.Tensor | None
    ) -> None:
        """state <- state - step_size * (gradient averaged over the batch), in place.

        `state` has shape (*shape, trials).
        """

    def mean_gradient(self, parameters: torch.Tensor, data: Dataset) -> torch.Tensor:
        """Gradient (trials, *shape) averaged over the rows; what `descend_` is tested with."""
        return self.gradient(parameters, data).mean(dim=1)


def checked_data(data: tuple[_Rows, ...]) -> tuple[_Rows, ...]:
    """The data sets; ValueError when there is none, or something else, or dimensions differ."""
    if not data:
        raise ValueError("data must be at least one Dataset, got none")
    for item in data:
        if not isinstance(item, RowData):
            raise ValueError(f"data must be a Dataset, got {type(item).__name__}")
        if item.dimension != data[0].dimension:
            raise ValueError(
                f"data must share one dimension, got {data[0].dimension} and {item.dimension}"
            )
    return data


def pieces_of(data: tuple[RowData, ...]) -> Iterator[Dataset]:
    """Every row of all data sets, some at a time; errors as of `checked_data`."""
    for item in checked_data(data):
        yield from item.pieces()


def like(array: np.ndarray, parameters: torch.Tensor) -> torch.Tensor:
    """The array as a tensor of the parameters' dtype and device."""
    return torch.tensor(array, dtype=parameters.dtype, device=parameters.device)


def reach(domain: domains.Domain | None, size: int) -> float:
    """Largest norm of a parameter with `size` entries in the domain (None: R^d, inf)."""
    return math.inf if domain is None else domains.largest_norm(domains.check(domain), size)
