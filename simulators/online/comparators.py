"""The moving comparator of olu eq (5): minimisers z_0*..z_k* of the sum without u_1..u_i.

Closed forms where the stream has one; otherwise Newton's method on the domain: each step
minimises the quadratic model over K exactly (a linear system on R^d, the secular equation on a
ball, bounded least squares on a box) and backtracks.  The Hessian, and its factorisation, are
kept as long as the steps make the gradient mapping ten times smaller: from one comparator to the
next only one loss of many is missing.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from accounting.numerics.root import bracketed_root
from simulators import domains
from simulators.online._models import HessianModel, model
from simulators.online.streams import Stream, projected

MOST_STEPS = 200


@typed
def comparators(
    stream: Stream, indices: ArrayLike | None = None, tolerance: float = 1e-10
) -> np.ndarray:
    """Return z_0*..z_k* (k + 1, d), the minimisers over K of all losses without u_1..u_i.

    tolerance: of the mean loss's gradient mapping beta |z - P(z - grad/beta)|, relative to the mean
    size of the losses' gradients at P(0).  Where minimisers are not unique, one of them.

    Raises ValueError where there is no minimiser (a linear sum, or separable data, on R^d).
    """
    if not isinstance(stream, Stream):
        raise ValueError(f"stream must be a Stream, got {stream!r}")
    requests: list[int] = []
    if indices is not None and np.size(indices):
        u = np.atleast_1d(validation.integer("indices", indices, low=1, high=stream.rounds))
        requests = u.tolist()
    small = validation.scalar("tolerance", tolerance, low=0.0, low_open=True, high_open=True)
    solver: NewtonComparator | None = None
    minimisers: list[np.ndarray] = []
    for i in range(len(requests) + 1):
        removed = sorted(set(requests[:i]))
        # A loss that is asked for again changes no sum.
        if i and requests[i - 1] in requests[: i - 1]:
            minimisers.append(minimisers[-1])
            continue
        if len(removed) == stream.rounds:
            raise ValueError("indices must leave a loss, got all of them")
        closed = stream.minimiser(removed)
        if closed is not None:
            minimisers.append(closed)
            continue
        if stream.dimension == 1 and not isinstance(stream.domain, domains.WholeSpace):
            minimisers.append(on_interval(LossSum(stream, removed)))
            continue
        solver = solver or NewtonComparator(stream, small)
        # One loss less moves the minimiser little: the last one is a good start.
        start = (
            minimisers[-1] if minimisers else projected(stream.domain, np.zeros(stream.dimension))
        )
        minimisers.append(solver.minimise(LossSum(stream, removed), start))
    return np.array(minimisers)


@typed
def gradient_mapping(stream: Stream, point: ArrayLike, removed: Iterable[int] = ()) -> float:
    """beta |z - P(z - g/beta)|, g the gradient at z of the mean of the losses not removed; 0
    exactly at minimisers over K."""
    z = validation.real("point", point, low_open=True, high_open=True)
    if z.shape != (stream.dimension,):
        raise ValueError(f"point must have shape ({stream.dimension},), got {z.shape}")
    left_out = list(removed)
    gradient = LossSum(stream, left_out).gradient(z)
    return _mapping(stream, z, gradient)


def _mapping(stream: Stream, z: np.ndarray, gradient: np.ndarray) -> float:
    # Linear losses have beta = 0; the mapping vanishes at the same points for any positive number.
    beta = stream.constants.smoothness or 1.0
    return float(beta * np.linalg.norm(z - projected(stream.domain, z - gradient / beta)))


class LossSum:
    """The mean of the losses 1..last (None: all) that are not removed, at single points.

    evaluations: of gradients of single losses, so far.
    """

    def __init__(self, stream: Stream, removed: list[int], last: int | None = None) -> None:
        self.stream, self.removed, self.last = stream, removed, last
        self.count = stream.kept(last, removed)
        self.evaluations = 0

    def value(self, z: np.ndarray) -> float:
        """At z."""
        return float(self.stream.value_total(_row(z), self.last, self.removed)[0]) / self.count

    def gradient(self, z: np.ndarray) -> np.ndarray:
        """At z (d,)."""
        self.evaluations += self.count
        total = self.stream.gradient_total(_row(z), self.last, self.removed)[0]
        mean: np.ndarray = total.numpy() / self.count
        return mean

    def hessian(self, z: np.ndarray) -> np.ndarray:
        """At z (d, d)."""
        total = self.stream.hessian_total(_row(z), self.last, self.removed)[0]
        mean: np.ndarray = total.numpy() / self.count
        return mean


def _row(z: np.ndarray) -> torch.Tensor:
    return torch.tensor(z, dtype=torch.float64)[None, :]


class NewtonComparator:
    """Minimisers over the domain of one sum after another; the Hessian is kept while it serves."""

    def __init__(self, stream: Stream, tolerance: float) -> None:
        self.stream, self.tolerance = stream, tolerance
        self.model: HessianModel | None = None
        self.scale = 0.0

    def minimise(self, problem: LossSum, start: np.ndarray) -> np.ndarray:
        """Of one sum. Raises ValueError where none is found."""
        z, gradient = start, problem.gradient(start)
        size = _mapping(self.stream, z, gradient)
        if not self.scale:
            self.scale = self.stream.gradient_size(_row(z))
        scale = self.scale
        for _ in range(MOST_STEPS):
            if size <= self.tolerance * scale and self._stays(problem, z, gradient):
                return z
            fresh = self.model is None
            if self.model is None:
                self.model = model(self.stream.domain, problem.hessian(z))
            step = self.model.least(z, gradient) - z
            trial = self._search(problem, z, gradient, step, size)
            # A kept Hessian may be too old to descend with: a fresh one is tried before the end.
            if trial is None:
                if fresh:
                    break
                self.model = None
                continue
            z, gradient, now = trial
            # Less than a digit was gained: the kept Hessian no longer serves.
            if now > 0.1 * size:
                self.model = None
            size = now
        raise ValueError(
            f"domain must hold a minimiser of the losses left; none was found (on R^d, data that "
            f"can be separated have none), the gradient mapping stays at {size:.3g}"
        )

    def _stays(self, problem: LossSum, z: np.ndarray, gradient: np.ndarray) -> bool:
        """Whether a Newton step hardly moves z: at infinity gradients vanish, but steps do not."""
        if self.stream.constants.strong_convexity > 0:
            return True
        if not isinstance(self.stream.domain, domains.WholeSpace):
            return True
        step = model(self.stream.domain, problem.hessian(z)).least(z, gradient) - z
        return float(np.linalg.norm(step)) <= 1e-3 * float(np.linalg.norm(z)) or not step.any()

    def _search(
        self,
        problem: LossSum,
        z: np.ndarray,
        gradient: np.ndarray,
        step: np.ndarray,
        size: float,
    ) -> tuple[np.ndarray, np.ndarray, float] | None:
        """The first of z + step, z + step/2, ... that lowers the value, or the mapping, enough."""
        slope = float(gradient @ step)
        before = None
        length = 1.0
        for _ in range(40):
            point = projected(self.stream.domain, z + length * step)
            new = problem.gradient(point)
            now = _mapping(self.stream, point, new)
            # Enough without the values, which cost one more pass over the losses.
            if now <= 0.5 * size:
                return point, new, now
            before = problem.value(z) if before is None else before
            if problem.value(point) < before + 1e-4 * length * slope:
                return point, new, now
            length /= 2.0
        return None


def on_interval(problem: LossSum) -> np.ndarray:
    """d = 1: the root of the increasing derivative, or the end it points to."""
    domain = problem.stream.domain
    low, high = (
        (domain.low, domain.high)
        if isinstance(domain, domains.Box)
        else (-domain.radius, domain.radius)
    )

    def derivative(z: float) -> float:
        return float(problem.gradient(np.array([z]))[0])

    if derivative(low) >= 0.0:
        return np.array([low])
    if derivative(high) <= 0.0:
        return np.array([high])
    # The relative tolerance alone decides, also for a root near 0.
    return np.array([bracketed_root(derivative, low, high, absolute=1e-300, relative=1e-15)])
