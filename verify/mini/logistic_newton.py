"""Ridge-regularised logistic regression by Newton's method in plain numpy: exact values for
removal.

Objective sum_i log(1 + exp(<rows_i, w>)) + (lam n/2)|w|^2, rows = -y x, n the number of rows.
"""

import numpy as np
from scipy.special import expit


def newton(rows: np.ndarray, lam: float, m: int) -> tuple[np.ndarray, np.ndarray]:
    """(w*, w^-) for sum_i log(1 + exp(<rows_i, w>)) + (lam n/2)|w|^2; the first m rows leave."""
    w = np.zeros(rows.shape[1])
    for _ in range(200):
        step = np.linalg.solve(hessian(rows, w, lam), gradient(rows, w, lam))
        slope, share = float(gradient(rows, w, lam) @ step), 1.0
        if slope > 1e-12:
            while value(rows, w - share * step, lam) > value(rows, w, lam) - share * slope / 4:
                share /= 2
        w = w - share * step
        if np.abs(step).max() < 1e-15 * (1 + np.abs(w).max()):
            break
    removed = m * lam * w + rows[:m].T @ expit(rows[:m] @ w)
    return w, w + np.linalg.solve(hessian(rows[m:], w, lam), removed)


def value(rows: np.ndarray, w: np.ndarray, lam: float) -> float:
    """The objective."""
    return float(np.logaddexp(0, rows @ w).sum() + lam * len(rows) / 2 * (w @ w))


def gradient(rows: np.ndarray, w: np.ndarray, lam: float) -> np.ndarray:
    """Its gradient, shape (p,)."""
    return np.asarray(rows.T @ expit(rows @ w) + lam * len(rows) * w)


def hessian(rows: np.ndarray, w: np.ndarray, lam: float) -> np.ndarray:
    """Its Hessian, shape (p, p)."""
    s = expit(rows @ w)
    return np.asarray((rows.T * (s * (1 - s))) @ rows + lam * len(rows) * np.eye(rows.shape[1]))
