"""The compact L-BFGS product B u, and Mini-Unlearning with it in place of Hessian products.

B is the direct BFGS matrix (not the inverse) from B_0 = sigma I by the pairs (s_i, y_i), oldest
first: symmetric, positive definite when every s_i^T y_i > 0, with B s = y for the last pair.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from scipy.linalg import LinAlgError, cho_factor, cho_solve, cholesky, solve

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.inputs import mask_of, vector_of
from simulators.trajectory.model import Model
from simulators.trajectory.training import Training


class CompactBFGS:
    """B of Byrd, Nocedal and Schnabel (1994), Theorem 2.3, ready for products with vectors.

    S, Y: shape (p, m), columns s_i and y_i, oldest first.  sigma: default s^T y/(s^T s) of the last
    pair.  Raises ValueError unless every s_i^T y_i > 0: no such matrix is positive definite.
    """

    def __init__(self, S: np.ndarray, Y: np.ndarray, sigma: float | None = None) -> None:
        self.S, self.Y = _pairs(S, Y)
        inner = self.S.T @ self.Y
        self.diagonal = np.diag(inner)
        if not (self.diagonal > 0).all():
            bad = int(np.argmin(self.diagonal > 0))
            raise ValueError(
                f"pairs must have s^T y > 0 (gradients of one batch of a convex loss), pair {bad} "
                f"has {self.diagonal[bad]:.6g}"
            )
        last = float(inner[-1, -1] / (self.S[:, -1] @ self.S[:, -1]))
        self.sigma = (
            last
            if sigma is None
            else validation.scalar("sigma", sigma, low=0.0, low_open=True, high_open=True)
        )
        # S^T Y = L + D + (upper part): the theorem needs L and D only.
        self.lower = np.tril(inner, -1)
        # sigma S^T S + L D^{-1} L^T: the Schur complement of -D in the theorem's middle matrix.
        middle = self.sigma * self.S.T @ self.S + self.lower @ (self.lower / self.diagonal).T
        try:
            self.factor = cho_factor(middle, lower=True)
        except LinAlgError:
            raise ValueError("pairs must be apart by more than rounding, got closer ones") from None

    def __matmul__(self, u: np.ndarray) -> np.ndarray:
        """B u, by two triangular solves of size m."""
        # Eliminates y from [sigma S^T S, L; L^T, -D] (x, y) = (sigma S^T u, Y^T u).
        first, second = self.Y.T @ u, self.sigma * (self.S.T @ u)
        right = cho_solve(self.factor, second + self.lower @ (first / self.diagonal))
        left_part = (self.lower.T @ right - first) / self.diagonal
        product: np.ndarray = self.sigma * u - self.Y @ left_part - self.sigma * (self.S @ right)
        return product


@typed
def printed_product(S: np.ndarray, Y: np.ndarray, u: np.ndarray, sigma: float) -> np.ndarray:
    """B u by mini Algorithm 4 as printed (a negative control; for one pair, B s = -y).

    D for D^{-1} in J, D^{1/2} for D^{-1/2}, two signs, L^T for L and J^T for J.
    """
    S, Y = _pairs(S, Y)
    u = vector_of("u", u, len(S))
    sigma = validation.scalar("sigma", sigma, low=1e-100, high=1e100)
    m = S.shape[1]
    inner = S.T @ Y
    D, L = np.diag(np.diag(inner)), np.tril(inner, -1)
    J = cholesky(sigma * S.T @ S + L @ D @ L.T, lower=True)
    # As printed, wrong signs and transposes included: this is not to be corrected.
    root, zero = np.sqrt(D), np.zeros((m, m))
    right = np.concatenate([Y.T @ u, sigma * (S.T @ u)])
    inside = solve(np.block([[-root, zero], [-root @ L.T, J.T]]), right)
    p = solve(np.block([[-root, -root @ L.T], [zero, J.T]]), inside)
    product: np.ndarray = sigma * u - np.concatenate([Y, sigma * S], axis=1) @ p
    return product


def _pairs(S: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    first = validation.real("S", S, low_open=True, high_open=True)
    second = validation.real("Y", Y, low_open=True, high_open=True)
    if first.ndim != 2 or first.shape != second.shape:
        raise ValueError(f"S and Y must be two (p, m) arrays, got {first.shape}, {second.shape}")
    return first, second


@typed
def mini_lbfgs(
    model: Model, training: Training, forget: Iterable[int], k: int, *, pairs: int = 2
) -> np.ndarray:
    """Return w_T + v of mini eq 10 with L-BFGS Hessians, shape (p,).

    The pairs of H(l) are differences of w_{l-1-m}..w_{l-1} and of the gradients there of ONE batch,
    the kept samples of step l; with gradients of different batches s^T y may be negative.
    1 <= k <= T - m.  It costs m + 1 gradients a step where an exact product costs one.
    Raises ValueError for k out of range, or a pair with s^T y <= 0.
    """
    m = validation.count("pairs", pairs, low=1, high=training.length - 1)
    steps = training.length
    count = validation.count("k", k, low=1, high=steps - m)
    mask = mask_of("forget", forget, model.size)
    recent: list[torch.Tensor] = []
    v, point = np.zeros(model.parameters), np.empty(0)
    for t, w, tangent in training.walk(model):
        # m + 1 iterates up to w_t, for m differences.
        recent = [*recent[-m:], w]
        if t == steps:
            point = w.cpu().numpy()
        elif t >= steps - count:
            rows, eta = training.batches[t], float(training.steps[t])
            kept_rows = rows[~mask[rows]]
            mean = tangent.gradient(model.full(len(rows), 1.0 / len(rows))).cpu().numpy()
            # Nothing is kept: the retrained run stands still, so v takes the learned step back.
            if not len(kept_rows):
                v = v + eta * mean
                continue
            # Sums, not means: B stands for the sum of the kept Hessians.
            ones = model.full(len(kept_rows))
            slopes = [model.tangent(at, kept_rows).gradient(ones).cpu().numpy() for at in recent]
            S = np.diff(np.stack([at.cpu().numpy() for at in recent], axis=1), axis=1)
            B = CompactBFGS(S, np.diff(np.stack(slopes, axis=1), axis=1))
            # (I - eta H) v + G, G = eta (mean over the batch - mean over what is kept), both at w.
            v = v - eta / len(kept_rows) * (B @ v) + eta * (mean - slopes[-1] / len(kept_rows))
    solution: np.ndarray = point + v
    return solution
