"""Streams of regression losses: one row of data per round."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import torch
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators import domains
from simulators.data.dataset import Dataset
from simulators.data.lengths import row_norms
from simulators.losses.linear_model import LinearModel
from simulators.losses.rounding import no_underflow, product_up, sum_up
from simulators.online.streams import DeviceArrays, Select, Stream, StreamConstants, diameter

CHUNK = 1 << 22  # numbers of one intermediate array
PRODUCT = 1 << 12  # numbers from which on a matrix product moves states faster than `addr_`


class Rows(Stream):
    """f_t(z) = c_t phi(<a_t, z> - b_t) + (lambda/2)|z|^2, phi and lambda those of `loss`.

    Args:
        loss: logistic, ridge, Huber, log-cosh, or smoothed hinge; without a clip, which would
            make the gradient another function's.
        rows: a_1..a_T (T, d).  offsets: b_t, one number or (T,).  weights: c_t >= 0, likewise.
        domain: K; None is R^d.

    mu = lambda, beta = max c|a|^2 sup phi'' + lambda, L = max c|a| sup|phi'| + lambda R with the
    supremum over the scores that K (of radius R) allows.
    """

    def __init__(
        self,
        loss: LinearModel,
        rows: ArrayLike,
        offsets: ArrayLike = 0.0,
        weights: ArrayLike = 1.0,
        domain: domains.Domain | None = None,
    ) -> None:
        if not isinstance(loss, LinearModel):
            raise ValueError(f"loss must be a loss of a linear score, got {loss!r}")
        if loss.clip is not None:
            raise ValueError(f"clip of the loss must be None in a stream, got {loss.clip!r}")
        a = validation.real("rows", rows, low_open=True, high_open=True)
        if a.ndim != 2:
            raise ValueError(f"rows must have shape (T, d), got {a.shape}")
        b = validation.real("offsets", offsets, low_open=True, high_open=True)
        c = validation.real("weights", weights, low=0.0, high_open=True)
        for name, value in (("offsets", b), ("weights", c)):
            if value.shape not in ((), (len(a),)):
                raise ValueError(f"{name} must be a number or {len(a)} numbers, got {value.shape}")
        self.loss = loss
        self.rows = a
        self.offsets = np.array(np.broadcast_to(b, len(a)))
        self.weights = np.array(np.broadcast_to(c, len(a)))
        self.domain = domains.check(domain)
        self._lambda = loss.regularisation
        self._device_arrays = DeviceArrays(a=a, b=self.offsets, c=self.weights)
        self._listed: tuple[torch.Tensor, list[float], list[float], list[float]] | None = None

    @classmethod
    @typed
    def of(
        cls,
        loss: LinearModel,
        data: Dataset,
        domain: domains.Domain | None = None,
        *,
        rounds: int | None = None,
        seed: int | None = None,
    ) -> Rows:
        """The first `rounds` rows of the data (None: all), shuffled first when a seed is given.

        A row serves one round only, so that deleting that round deletes the row.
        """
        if not isinstance(loss, LinearModel):
            raise ValueError(f"loss must be a loss of a linear score, got {loss!r}")
        if seed is not None:
            data = data.shuffled(seed)
        if rounds is not None:
            data = data.first(validation.count("rounds", rounds, low=1, high=len(data)))
        signed, offset = loss.signed(data)
        return cls(loss, signed, 0.0 if offset is None else offset, domain=domain)

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.rows)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.rows.shape[1])

    @cached_property
    def constants(self) -> StreamConstants:
        """See the class."""
        # Other rounds are the ridge alone and add nothing to the maxima.
        used = (self.weights > 0) & self.rows.any(axis=1)
        norms, weights = row_norms(self.rows[used]), self.weights[used]
        radius = domains.largest_norm(self.domain, self.dimension)
        # The farthest that the domain lets a score go: |<a, z> - b| <= |a| R + |b|.
        scores = no_underflow(norms, radius) + np.abs(self.offsets[used])
        slopes = no_underflow(weights, no_underflow(norms, self.loss.slope_bound(scores)))
        decay = product_up(self._lambda, radius) if self._lambda > 0 else 0.0
        squares = no_underflow(norms, norms)
        curves = no_underflow(weights, no_underflow(squares, self.loss.curvature_bound))
        # The Hessian's Lipschitz constant is c |a|^3 times that of phi''.
        cubes = no_underflow(norms, squares)
        thirds = no_underflow(weights, no_underflow(cubes, self.loss.curvature_lipschitz))
        return StreamConstants(
            strong_convexity=self._lambda,
            smoothness=sum_up(float(curves.max(initial=0.0)), self._lambda),
            lipschitz=sum_up(float(slopes.max(initial=0.0)), decay),
            diameter=diameter(self.domain, self.dimension),
            hessian_lipschitz=float(thirds.max(initial=0.0)),
        )

    @cached_property
    def _distinct(self) -> Stream | None:
        """On the line, the distinct losses with their weights added up, where few are distinct.

        Only for sums over all rounds.
        """
        # A merged loss would have one ridge in place of one for each of its rounds.
        if self.dimension != 1 or self._lambda:
            return None
        triples = np.column_stack((self.rows, self.offsets))
        unique_rows, which = np.unique(triples, axis=0, return_inverse=True)
        # Fewer than four rounds to a loss are not worth a stream of their own.
        if 4 * len(unique_rows) > self.rounds:
            return None
        weights = np.bincount(which.ravel(), self.weights)
        return Rows(self.loss, unique_rows[:, :1], unique_rows[:, 1], weights)

    def _score(self, t: int, W: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, float]:
        row = self._device_arrays.on(W.device)["a"][t - 1]
        return torch.mv(W, row).sub_(float(self.offsets[t - 1])), row, float(self.weights[t - 1])

    def evaluate(self, t: int, W: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """c phi(z) + (lambda/2)|w|^2 and c phi'(z) a + lambda w."""
        score, row, weight = self._score(t, W)
        value = self.loss.link(score).mul_(weight)
        if self._lambda:
            norms = torch.linalg.vector_norm(W, dim=1)
            value.addcmul_(norms, norms, value=0.5 * self._lambda)
        return value, self._pull(score, row, weight, W)

    def gradients(self, t: int, W: torch.Tensor) -> torch.Tensor:
        """c phi'(z) a + lambda w."""
        return self._pull(*self._score(t, W), W)

    def step_(
        self, t: int, W: torch.Tensor, squares: torch.Tensor, eta: float, *, valued: bool
    ) -> torch.Tensor | None:
        """W <- W - eta grad f_t(W) in place, on the CPU; f_t (points,) before it, if asked for.

        squares (points,) holds |w|^2 and is carried along without a pass over W: the square of
        b w - s a is b^2 |w|^2 - 2 b s <w, a> + s^2 |a|^2, up to rounding of these terms.
        """
        row, weight, length, offset = self._on_cpu(t)
        # <w, a> without the offset: the new square below needs it.
        score = torch.mv(W, row)
        slope = torch.sub(score, offset)
        value = None
        if valued:
            value = self.loss.link(slope)
            if weight != 1.0:
                value.mul_(weight)
            value.add_(squares, alpha=0.5 * self._lambda)
        self.loss.slope_(slope)
        step, decay = eta * weight, 1.0 - eta * self._lambda
        if W.numel() < PRODUCT:
            W.addr_(slope, row, beta=decay, alpha=-step)
        else:
            torch.addmm(W, slope[:, None], row[None], beta=decay, alpha=-step, out=W)
        squares.mul_(decay * decay).addcmul_(slope, score, value=-2.0 * decay * step)
        squares.addcmul_(slope, slope, value=step * step * length)
        return value

    @cached_property
    def pushes(self) -> list[float]:
        """c_t |a_t| sup |phi'| (T,): at most how long the gradient of f_t's data term is."""
        steepest = float(self.loss.slope_bound(np.array([np.inf]))[0])
        sizes = no_underflow(self.weights, no_underflow(row_norms(self.rows), steepest))
        # Up: a bound on how far states go must not fall short.
        bounds: list[float] = np.nextafter(sizes, np.inf).tolist()
        return bounds

    def _on_cpu(self, t: int) -> tuple[torch.Tensor, float, float, float]:
        """a_t, c_t, |a_t|^2 and b_t."""
        if self._listed is None:
            with np.errstate(over="ignore"):
                lengths = np.einsum("td,td->t", self.rows, self.rows)
            lists = self.weights.tolist(), lengths.tolist(), self.offsets.tolist()
            self._listed = (self._device_arrays.on(torch.device("cpu"))["a"], *lists)
        rows, weights, squares, offsets = self._listed
        return rows[t - 1], weights[t - 1], squares[t - 1], offsets[t - 1]

    def _pull(
        self, score: torch.Tensor, row: torch.Tensor, weight: float, W: torch.Tensor
    ) -> torch.Tensor:
        slope = self.loss.slope_(score)
        if not self._lambda:
            return torch.outer(slope.mul_(weight), row)
        return torch.addr(W, slope, row, beta=self._lambda, alpha=weight)

    def _parts(self, W: torch.Tensor, rounds: Select) -> tuple[torch.Tensor, ...]:
        tensors = self._device_arrays.on(W.device)
        rows, weights = tensors["a"][rounds], tensors["c"][rounds]
        return rows, weights, W @ rows.T - tensors["b"][rounds]

    def losses(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """c_s phi(z_s) + (lambda/2)|w|^2."""
        _, weights, scores = self._parts(W, rounds)
        bowl = (0.5 * self._lambda) * (W * W).sum(dim=1, keepdim=True)
        return self.loss.link(scores) * weights + bowl

    def value_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """In pieces of bounded memory."""
        total = W.new_zeros(len(W))
        for part in self._pieces(W, rounds):
            total += self.losses(W, part).sum(dim=1)
        return total

    def gradient_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """sum_s c_s phi'(z_s) a_s + n lambda w, in pieces of bounded memory."""
        if rounds == slice(0, self.rounds) and self._distinct is not None:
            return self._distinct.gradient_sum(W, slice(0, self._distinct.rounds))
        total = torch.zeros_like(W)
        for part in self._pieces(W, rounds):
            rows, weights, scores = self._parts(W, part)
            total.addmm_(self.loss.slope_(scores).mul_(weights), rows)
        return total.add_(W, alpha=self._lambda * self._count(rounds))

    def gradient_size(self, point: torch.Tensor) -> float:
        """The mean over rounds of |c_s phi'(z_s) a_s|, plus lambda |w|."""
        total = 0.0
        for part in self._pieces(point, slice(0, self.rounds), width=self.dimension):
            rows, weights, scores = self._parts(point, part)
            slopes = self.loss.slope_(scores).mul_(weights).abs_()[0]
            total += float(slopes @ rows.norm(dim=1))
        return total / self.rounds + self._lambda * float(point.norm())

    def hessian_sum(self, W: torch.Tensor, rounds: Select) -> torch.Tensor:
        """sum_s c_s phi''(z_s) a_s a_s^T + n lambda I, of as many points as fit at a time."""
        total = W.new_zeros(len(W), self.dimension, self.dimension)
        for part in self._pieces(W, rounds, width=self.dimension):
            rows, weights, scores = self._parts(W, part)
            bends = self.loss.curvature(scores).mul_(weights)
            # A point's products are as many numbers as the rows.
            few = max(1, CHUNK // rows.numel())
            for low in range(0, len(W), few):
                bend = bends[low : low + few]
                total[low : low + few].baddbmm_(
                    rows.T.expand(len(bend), -1, -1), rows * bend[:, :, None]
                )
        eye = torch.eye(self.dimension, dtype=W.dtype, device=W.device)
        return total.add_(eye, alpha=self._lambda * self._count(rounds))

    def _count(self, rounds: Select) -> int:
        return (
            len(range(*rounds.indices(self.rounds))) if isinstance(rounds, slice) else len(rounds)
        )

    def _pieces(self, W: torch.Tensor, rounds: Select, width: int = 1) -> list[Select]:
        # A list names removed rounds, which are few: one piece.
        if not isinstance(rounds, slice):
            return [rounds]
        start, stop, _ = rounds.indices(self.rounds)
        size = max(1, CHUNK // max(len(W), width))
        return [slice(s, min(s + size, stop)) for s in range(start, stop, size)]
