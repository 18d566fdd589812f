"""Logistic regression by whole batches: the error of hf's recursion after every step."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def data(rng: np.random.Generator, n: int, p: int, scale: float = 1.0) -> tuple[Array, Array]:
    """Gaussian rows (n, p), and labels 0 or 1 (n,) drawn by a logistic model of them."""
    X = rng.normal(size=(n, p)) * scale
    labels = rng.random(n) < 1 / (1 + np.exp(-X @ rng.normal(size=p)))
    return X, labels.astype(np.float64)


def errors(X: Array, y: Array, gone: Sequence[int], steps: Array, ridge: float = 0.0) -> Array:
    """|v_t - w_t - A_t| for t = 0..T, shape (len(gone), T + 1), from 0, by the stated recursion.

    `gone` holds how many of the first rows are forgotten; `steps` the T step sizes of the mean
    gradient over all rows; the forgotten rows drop out of the sums, which are still over n.
    """
    n, p = X.shape
    w = np.zeros(p)
    runs = [(np.zeros(p), np.zeros(p)) for _ in gone]
    error_table = np.zeros((len(gone), len(steps) + 1))
    for t, eta in enumerate(steps / n):
        s = 1 / (1 + np.exp(-X @ w))
        g = s - y
        for i, m in enumerate(gone):
            v, a = runs[i]
            r = 1 / (1 + np.exp(-X[m:] @ v))
            curved = X.T @ (s * (1 - s) * (X @ a)) + n * ridge * a
            a = a - eta * (curved - X[:m].T @ g[:m] - m * ridge * w)
            v = v - eta * (X[m:].T @ (r - y[m:]) + (n - m) * ridge * v)
            runs[i] = (v, a)
        w = w - eta * (X.T @ g + n * ridge * w)
        error_table[:, t + 1] = [np.linalg.norm(v - w - a) for v, a in runs]
    return error_table
