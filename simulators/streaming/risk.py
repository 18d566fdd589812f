"""The retention risk of every trial: the mean loss over the rows that its stream has left."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch

from accounting.numerics import validation
from simulators.data.dataset import Dataset
from simulators.device.placement import device_of_a_model
from simulators.engine.blocks import near
from simulators.losses.base import LossConstants
from simulators.losses.linear_model import LinearModel
from simulators.losses.softmax import Softmax
from simulators.streaming.public_constants import public_constants

ENTRIES = {"cpu": 1 << 18, "cuda": 1 << 24}
"""Aimed number of scores (trials x rows x outputs) that are worked on at a time."""
MOST_TRIALS = {"cpu": 8, "cuda": 1024}
Work = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
Product = Callable[[torch.Tensor], torch.Tensor]


@dataclass(frozen=True, eq=False)
class Risk:
    """R_t^ret(w) = (1/n_t) sum_{i in D_t} l(w; i), l = data term + (lambda/2)|w|^2 (safe, eq 14).

    data: all rows of D_0.  loss: Softmax, or a loss of one linear score such as Logistic, without
    clip.  Parameters are float64 tensors (trials, *shape) on `place`; masks (trials, n) are boolean
    arrays whose rows hold at least one True.  Trials are worked on in blocks of one shape, so that
    on the CPU a trial's result is the same for any number of trials; on a device blocks are near
    that number.

    row_norm: a public bound on the norms of all rows, from which the constants are taken.  None:
    they are taken from max|x| of the data, and depend on whose rows these are: noise that is
    calibrated with them is certified only where the norms are public (rows scaled to one length).

    Raises ValueError for another loss, data that do not fit it, or a row longer than row_norm.
    """

    data: Dataset
    loss: Softmax | LinearModel
    device: str = "auto"
    row_norm: float | None = None
    constants: LossConstants = field(init=False)
    place: torch.device = field(init=False)
    rows: torch.Tensor = field(init=False, repr=False)
    target: torch.Tensor | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        loss = self.loss
        if not isinstance(self.data, Dataset):
            raise ValueError(f"data must be a Dataset, got {self.data!r}")
        if not isinstance(loss, Softmax | LinearModel) or loss.clip is not None:
            raise ValueError(f"loss must be Softmax or a LinearModel without clip, got {loss!r}")
        set_ = object.__setattr__
        set_(self, "constants", public_constants(loss, self.data, self.row_norm))
        set_(self, "place", device_of_a_model(self.device, len(self.data), self.size))
        target: np.ndarray | None
        if isinstance(loss, Softmax):
            rows, target = self.data.features, loss.one_hot(self.data)
        else:
            rows, offset = loss.signed(self.data)
            target = None if offset is None else offset[:, None]
        set_(self, "rows", torch.tensor(rows, device=self.place))
        set_(self, "target", None if target is None else torch.tensor(target, device=self.place))

    @property
    def shape(self) -> tuple[int, ...]:
        """(d,), or (d, classes)."""
        return self.loss.parameter_shape(self.data)

    @property
    def size(self) -> int:
        """Number of parameters."""
        return math.prod(self.shape)

    @property
    def outputs(self) -> int:
        """Scores per row: the classes, or 1."""
        return self.shape[1] if len(self.shape) == 2 else 1

    @property
    def strong_convexity(self) -> float:
        """lambda: every R_t^ret is that strongly convex on R^d."""
        return self.constants.strong_convexity

    @property
    def smoothness(self) -> float:
        """Every R_t^ret has a gradient with this Lipschitz constant on R^d."""
        return self.constants.smoothness

    @property
    def lipschitz(self) -> float:
        """Lipschitz constant of the data terms alone (softmax: sqrt 2 max|x|; inf for squares)."""
        return self.constants.half_gradient_difference

    @property
    def radius(self) -> float:
        """Bounds every minimiser: mu|w*| <= L_h, and (mu/2)|w*|^2 <= R(0) <= max_i l(0; i).

        inf without strong convexity.  The losses at 0 depend on the data where targets are real
        numbers; of softmax and logistic losses they are ln(classes).
        """
        mu = self.strong_convexity
        if mu == 0.0:
            return math.inf
        zero = torch.zeros((1, *self.shape), dtype=torch.float64, device=self.place)
        worst = float(self._losses(self._scores(self._matrices(zero))).max())
        # Up by more than these operations round off: a bound must not fall short.
        return min(self.lipschitz / mu, math.sqrt(2.0 * max(worst, 0.0) / mu)) * (1 + 1e-12)

    def largest_row_gradient(self, points: torch.Tensor) -> float:
        """max |grad of a row's data term| over rows and points (trials, *shape)."""
        trials = len(points) if isinstance(points, torch.Tensor) and points.ndim else 1
        matrices = self._matrices(self._points(points, trials))
        # A row's gradient is x times its pull, so that the norms multiply.
        sizes = torch.linalg.vector_norm(self._pull(matrices), dim=1)
        return float((sizes * torch.linalg.vector_norm(self.rows, dim=1)[:, None]).max())

    def value(self, parameters: torch.Tensor, mask: np.ndarray) -> torch.Tensor:
        """R^ret (trials,) over the rows of each trial's mask."""
        points, weights = self.checked(parameters, mask)
        return self.in_blocks(self.block_value, points, weights)

    def gradient(self, parameters: torch.Tensor, mask: np.ndarray) -> torch.Tensor:
        """Its gradient (trials, *shape)."""
        points, weights = self.checked(parameters, mask)
        return self.in_blocks(self.block_gradient, points, weights)

    def gradient_sum(self, parameters: torch.Tensor, mask: np.ndarray) -> torch.Tensor:
        """sum over the mask's rows of grad l (trials, *shape); 0 where the mask holds none."""
        rows = self._mask(mask).to(torch.float64)
        points = self._points(parameters, len(rows))
        return self.in_blocks(self.block_gradient, points, rows)

    def checked(
        self, parameters: torch.Tensor, mask: np.ndarray
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The parameters, and the weight 1/n_t of every row that is kept (trials, n)."""
        weights = self.weights(mask)
        return self._points(parameters, len(weights)), weights

    def weights(self, mask: np.ndarray) -> torch.Tensor:
        """1/n_t where the mask holds, 0 elsewhere (trials, n)."""
        rows = self._mask(mask).to(torch.float64)
        if not np.asarray(mask).any(axis=1).all():
            raise ValueError("mask must hold at least one row of every trial, got none in one")
        return rows / rows.sum(dim=1, keepdim=True)

    def _mask(self, mask: np.ndarray) -> torch.Tensor:
        array = np.asarray(mask)
        if array.dtype != np.bool_ or array.ndim != 2 or array.shape[1] != len(self.data):
            raise ValueError(
                f"mask must be boolean with shape (trials, {len(self.data)}), "
                f"got {array.dtype} with shape {array.shape}"
            )
        if not len(array):
            raise ValueError("mask must have at least one trial, got none")
        return torch.tensor(array, device=self.place)

    def _points(self, parameters: torch.Tensor, trials: int) -> torch.Tensor:
        shape = (trials, *self.shape)
        if not isinstance(parameters, torch.Tensor) or parameters.dtype != torch.float64:
            raise ValueError(f"parameters must be a float64 tensor, got {type(parameters)}")
        if parameters.shape != shape:
            raise ValueError(
                f"parameters must have shape {shape}, got shape {tuple(parameters.shape)}"
            )
        if not bool(torch.isfinite(parameters).all()):
            raise ValueError("parameters must be finite, got inf or NaN")
        return parameters.to(self.place)

    def block(self, trials: int) -> int:
        """Trials per block, on the CPU a function of the problem only."""
        place, number = self.place.type, validation.count("trials", trials, low=1)
        most = max(1, ENTRIES[place] // (len(self.data) * self.outputs))
        most = min(MOST_TRIALS[place], most)
        return most if place == "cpu" else near(number, most, fewest=1)

    def in_blocks(self, work: Work, points: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """work(points, weights) of blocks of one size, the last one padded with its first trial."""
        pieces, block = [], self.block(len(points))
        for start in range(0, len(points), block):
            part = points[start : start + block]
            # One shape for all blocks: with others, sums would round otherwise.
            chosen = torch.arange(block, device=self.place)
            chosen = torch.where(chosen < len(part), chosen, 0) + start
            pieces.append(work(points[chosen], weights[chosen])[: len(part)])
        return torch.cat(pieces)

    def block_value(self, points: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """sum_i weights_i l(points; i), per trial."""
        matrices = self._matrices(points)
        data = (weights * self._losses(self._scores(matrices)).T).sum(dim=1)
        square = (matrices * matrices).sum(dim=(1, 2))
        return data + 0.5 * self.strong_convexity * square * weights.sum(dim=1)

    def block_gradient(self, points: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Its gradient in the points."""
        pull = self._pull(self._matrices(points))
        return self._back(pull.mul_(weights.T[:, None]), points, weights)

    def block_hessian(self, points: torch.Tensor, weights: torch.Tensor) -> Product:
        """Its Hessian, as the map of vectors (trials, *shape) to products of that shape."""
        scores = self._scores(self._matrices(points))
        curved = (
            torch.softmax(scores, dim=1)
            if isinstance(self.loss, Softmax)
            else self.loss.curvature(scores)
        )

        def product(vectors: torch.Tensor) -> torch.Tensor:
            products = self._products(self._matrices(vectors))
            # (diag p - p p^T) z = p * (z - <p, z>).
            if isinstance(self.loss, Softmax):
                products -= (curved * products).sum(dim=1, keepdim=True)
            return self._back(curved * products * weights.T[:, None], vectors, weights)

        return product

    def _matrices(self, points: torch.Tensor) -> torch.Tensor:
        return points.reshape(len(points), self.shape[0], self.outputs)

    def _products(self, matrices: torch.Tensor) -> torch.Tensor:
        """Rows times matrices (n, outputs, trials): one product with the trials side by side.

        The outputs are not the last axis: sums over a short last axis cost far more.
        """
        trials, d, outputs = matrices.shape
        beside = matrices.permute(1, 2, 0).reshape(d, outputs * trials)
        return torch.mm(self.rows, beside).view(-1, outputs, trials)

    def _scores(self, matrices: torch.Tensor) -> torch.Tensor:
        scores = self._products(matrices)
        if isinstance(self.loss, Softmax) or self.target is None:
            return scores
        return scores - self.target[:, :, None]

    def _pull(self, matrices: torch.Tensor) -> torch.Tensor:
        """The derivative of every loss in its scores (n, outputs, trials)."""
        scores = self._scores(matrices)
        if isinstance(self.loss, Softmax):
            assert self.target is not None
            return torch.softmax(scores, dim=1).sub_(self.target[:, :, None])
        return self.loss.slope_(scores)

    def _losses(self, scores: torch.Tensor) -> torch.Tensor:
        if isinstance(self.loss, Softmax):
            assert self.target is not None
            own = (scores * self.target[:, :, None]).sum(dim=1)
            return torch.logsumexp(scores, dim=1) - own
        return self.loss.link(scores)[:, 0]

    def _back(
        self, pull: torch.Tensor, points: torch.Tensor, weights: torch.Tensor
    ) -> torch.Tensor:
        n, outputs, trials = pull.shape
        # In this order twice as fast as the rows, turned, times the pull.
        flat = torch.mm(pull.reshape(n, outputs * trials).T, self.rows)
        gradient = flat.view(outputs, trials, -1).permute(1, 2, 0).reshape(points.shape)
        total = weights.sum(dim=1).reshape(-1, *[1] * (points.ndim - 1))
        return gradient + self.strong_convexity * total * points


def zeros(risk: Risk, trials: int) -> torch.Tensor:
    """The origin, once per trial."""
    if not isinstance(risk, Risk):
        raise ValueError(f"risk must be a Risk, got {risk!r}")
    count = validation.count("trials", trials, low=1)
    return torch.zeros((count, *risk.shape), dtype=torch.float64, device=risk.place)
