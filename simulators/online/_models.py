"""Minimisers over a domain of the quadratic model <g, y - z> + (1/2)<y - z, H (y - z)>."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from accounting.numerics.root import bracketed_root
from simulators import domains

FLOOR = 1e-13  # relative to the largest eigenvalue: what makes a singular model solvable


class HessianModel(ABC):
    """The model of one Hessian, factorised once."""

    @abstractmethod
    def least(self, z: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """The minimiser over the domain, for the gradient at z."""


class _Free(HessianModel):
    def __init__(self, hessian: np.ndarray) -> None:
        self.values, self.vectors = _eigen(hessian)

    def least(self, z: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        minimiser: np.ndarray = z - self.vectors @ ((self.vectors.T @ gradient) / self.values)
        return minimiser


class _OnBall(HessianModel):
    """y(nu) = (H + nu)^{-1}(H z - g), with nu >= 0 the least for which |y| <= R."""

    def __init__(self, radius: float, hessian: np.ndarray) -> None:
        self.radius = radius
        self.values, self.vectors = _eigen(hessian)

    def least(self, z: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        target = self.values * (self.vectors.T @ z) - self.vectors.T @ gradient

        def length(nu: float) -> float:
            with np.errstate(over="ignore"):  # losses without curvature: y is at infinity
                return float(np.linalg.norm(target / (self.values + nu)))

        if length(0.0) <= self.radius:
            inside: np.ndarray = self.vectors @ (target / self.values)
            return inside
        # |y(nu)| <= |target|/nu, so the root lies below |target|/R; 1/|y| is nearly linear in nu.
        most = float(np.linalg.norm(target)) / self.radius
        nu = bracketed_root(
            lambda t: 1.0 / length(t) - 1.0 / self.radius,
            0.0,
            2.0 * most,
            absolute=1e-300,
            relative=1e-15,
        )
        y: np.ndarray = self.vectors @ (target / (self.values + nu))
        # The root is rounded: this puts y on the sphere again.
        y *= self.radius / np.linalg.norm(y)
        return y


class _OnBox(HessianModel):
    """(1/2)|C^T y - C^{-1}(H z - g)|^2 with H = C C^T: bounded least squares."""

    def __init__(self, box: domains.Box, hessian: np.ndarray) -> None:
        self.box = box
        values, vectors = _eigen(hessian)
        # root^T root = H with its eigenvalues floored: root^T is the C of the class.
        self.root = np.sqrt(values)[:, None] * vectors.T
        self.hessian = self.root.T @ self.root

    def least(self, z: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        from scipy.optimize import lsq_linear

        target = np.linalg.solve(self.root.T, self.hessian @ z - gradient)
        minimiser: np.ndarray = lsq_linear(
            self.root, target, (self.box.low, self.box.high), method="bvls", tol=1e-15
        ).x
        return minimiser


def _eigen(hessian: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    values, vectors = np.linalg.eigh(hessian)
    # Never 0, so that every model can be divided by it, that of a zero Hessian as well.
    return np.maximum(values, max(FLOOR * float(values[-1]), np.finfo(np.float64).tiny)), vectors


def model(domain: domains.Domain, hessian: np.ndarray) -> HessianModel:
    """The model on that domain."""
    if isinstance(domain, domains.Ball):
        return _OnBall(domain.radius, hessian)
    if isinstance(domain, domains.Box):
        return _OnBox(domain, hessian)
    return _Free(hessian)
