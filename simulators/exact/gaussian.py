"""Gaussian laws under affine maps: the exact laws of noisy gradient steps on quadratics.

A step on f(x) = x'Hx/2 - h'x maps x to (I - eta H) x + eta h + s N(0, I); without projection every
law met is Gaussian and its mean and covariance follow an affine recursion. Steps need not commute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solve_discrete_lyapunov

from accounting.numerics import validation
from accounting.numerics.arguments import typed

Array = NDArray[np.float64]
_Parts = tuple[Array, Array, Array]
"""Matrix, offset and covariance of a kernel."""


def _vector(name: str, value: ArrayLike) -> Array:
    array = np.atleast_1d(validation.real(name, value, low_open=True, high_open=True))
    if not array.ndim == 1:
        raise ValueError(f"{name} must be a vector, got shape {array.shape}")
    return array


def _square(name: str, value: ArrayLike, beside: str, size: int) -> Array:
    array = np.atleast_2d(validation.real(name, value, low_open=True, high_open=True))
    if not array.shape == (size, size):
        raise ValueError(f"{name} must have shape ({size}, {size}) as {beside}, got {array.shape}")
    return array


def _covariance(name: str, value: ArrayLike, beside: str, size: int) -> Array:
    array = _square(name, value, beside, size)
    if size > 1:
        array = (array + array.T) / 2
    # Products of matrices leave a singular covariance with eigenvalues a few roundings below 0.
    lowest = float(np.linalg.eigvalsh(array)[0] if size > 1 else array[0, 0])
    if not lowest >= -1e-12 * max(float(np.abs(array).max()), 1e-300):
        raise ValueError(f"{name} must be positive semidefinite, got least eigenvalue {lowest}")
    return array


@typed
@dataclass(frozen=True)
class Gaussian:
    """The law N(mean, cov); mean (d,), cov (d, d) positive semidefinite (zero is a point mass)."""

    mean: Array
    cov: Array

    def __post_init__(self) -> None:
        mean = _vector("mean", self.mean)
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "cov", _covariance("cov", self.cov, "mean", mean.size))

    @classmethod
    @typed
    def point(cls, location: ArrayLike) -> Gaussian:
        """The point mass at `location`."""
        mean = _vector("location", location)
        return cls(mean, np.zeros((mean.size, mean.size)))

    @typed
    def shifted(self, by: ArrayLike) -> Gaussian:
        """The same law moved by the vector `by`."""
        move = _vector("by", by)
        if move.size not in (1, self.mean.size):
            raise ValueError(f"by must have {self.mean.size} entries, got {move.size}")
        return Gaussian(self.mean + move, self.cov)


@typed
@dataclass(frozen=True)
class AffineKernel:
    """The Markov kernel x -> N(matrix x + offset, cov): one step, an epoch, or a whole run."""

    matrix: Array
    offset: Array
    cov: Array

    def __post_init__(self) -> None:
        offset = _vector("offset", self.offset)
        size = offset.size
        object.__setattr__(self, "offset", offset)
        object.__setattr__(self, "matrix", _square("matrix", self.matrix, "offset", size))
        object.__setattr__(self, "cov", _covariance("cov", self.cov, "offset", size))

    @property
    def _parts(self) -> _Parts:
        return self.matrix, self.offset, self.cov

    @typed
    def then(self, after: AffineKernel) -> AffineKernel:
        """This kernel followed by `after`."""
        if after.offset.size != self.offset.size:
            raise ValueError(
                f"after must be of dimension {self.offset.size}, got {after.offset.size}"
            )
        return AffineKernel(*_followed(self._parts, after._parts))

    def power(self, times: int) -> AffineKernel:
        """This kernel repeated `times` >= 0 times, in O(log times) products."""
        remaining = validation.count("times", times, low=0)
        size = self.offset.size
        # Powers of one kernel commute, so binary powering may compose them in any order; the parts
        # are composed bare, and the kernel's checks run once at the end.
        result: _Parts = (np.eye(size), np.zeros(size), np.zeros((size, size)))
        square = self._parts
        while remaining:
            if remaining % 2:
                result = _followed(result, square)
            remaining //= 2
            if remaining:
                square = _followed(square, square)
        return AffineKernel(*result)

    @typed
    def apply(self, law: Gaussian) -> Gaussian:
        """The law of one draw from the kernel started from `law`."""
        return Gaussian(
            self.matrix @ law.mean + self.offset,
            self.matrix @ law.cov @ self.matrix.T + self.cov,
        )

    def stationary(self) -> Gaussian:
        """The invariant law, from the discrete Lyapunov equation V = A V A' + Q.

        Raises ValueError when the spectral radius of the matrix is not below 1.
        """
        line = self.offset.size == 1
        values = self.matrix if line else np.linalg.eigvals(self.matrix)
        radius = float(np.abs(values).max())
        if not radius < 1:
            raise ValueError(f"matrix must have spectral radius < 1, got {radius}")
        # On the line the mean and the variance solve m = c m + b and V = c^2 V + Q directly.
        if line:
            c = self.matrix[0, 0]
            return Gaussian(self.offset / (1 - c), self.cov / (1 - c * c))
        mean = np.linalg.solve(np.eye(self.offset.size) - self.matrix, self.offset)
        cov = solve_discrete_lyapunov(self.matrix, self.cov)
        return Gaussian(np.asarray(mean, dtype=np.float64), cov)


def _followed(first: _Parts, after: _Parts) -> _Parts:
    """The first kernel followed by the other; the covariance stays symmetric."""
    matrix, offset, cov = after
    # A V A' is symmetric up to rounding only; the mean with its transpose keeps errors from
    # growing.
    noise = matrix @ first[2] @ matrix.T + cov
    return matrix @ first[0], matrix @ first[1] + offset, (noise + noise.T) / 2


@typed
def step(matrix: ArrayLike, offset: ArrayLike, noise: float) -> AffineKernel:
    """The step x -> matrix x + offset + noise N(0, I); `noise` >= 0 is a standard deviation."""
    deviation = validation.scalar("noise", noise, low=0.0, high_open=True)
    vector = _vector("offset", offset)
    return AffineKernel(np.asarray(matrix), vector, deviation**2 * np.eye(vector.size))


@typed
def gradient_step(
    hessians: ArrayLike, linears: ArrayLike, step_size: float, noise: float
) -> AffineKernel:
    """One noisy mini-batch gradient step on losses x'H_i x/2 - h_i'x (sglu, Algorithm 1).

    `hessians` (b, d, d) symmetric and `linears` (b, d) are the batch; `noise` = sqrt(2 eta) sigma.
    """
    rate = validation.scalar("step_size", step_size, low=0.0, low_open=True)
    curvature, slope = validation.real("hessians", hessians), validation.real("linears", linears)
    if not (slope.ndim == 2 and curvature.shape == (*slope.shape, slope.shape[1])):
        raise ValueError(
            f"hessians must have shape (b, d, d) and linears (b, d), got {curvature.shape}, "
            f"{slope.shape}"
        )
    matrix = np.eye(slope.shape[1]) - rate * curvature.mean(axis=0)
    return step(matrix, rate * slope.mean(axis=0), noise)


@typed
def epoch(steps: Sequence[AffineKernel]) -> AffineKernel:
    """The kernel of one pass over the batches, in the order given."""
    if not len(steps) > 0:
        raise ValueError("steps must hold at least one kernel, got none")
    return reduce(AffineKernel.then, steps)


@typed
def run(start: Gaussian, phases: Iterable[tuple[AffineKernel, int]]) -> list[Gaussian]:
    """The laws at the end of each phase (kernel, repetitions): learning, then each request."""
    laws, law = [], start
    for kernel, times in phases:
        law = kernel.power(times).apply(law)
        laws.append(law)
    return laws
