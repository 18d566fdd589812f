"""Ridge regression in a few dimensions, run in plain numpy: exact values for mini's algorithms.

Losses (<x_i, w> - y_i)^2/2 + (ridge/2)|w|^2: quadratics whose batch Hessians do not commute.  On
them equation (10) equals restarting at w_{T-k} and taking the last k steps on the kept samples.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from simulators.data.dataset import Dataset


@dataclass(frozen=True, eq=False)
class SmallRun:
    """Features (n, p), targets (n,), batches (row lists), step sizes (T,), start (p,)."""

    X: np.ndarray
    y: np.ndarray
    ridge: float
    batches: tuple[np.ndarray, ...]
    steps: np.ndarray
    start: np.ndarray

    def gradient(self, w: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Mean over the rows."""
        X = self.X[rows]
        return np.asarray(X.T @ (X @ w - self.y[rows]) / len(rows) + self.ridge * w)

    def hessian(self, rows: np.ndarray) -> np.ndarray:
        """Mean over the rows."""
        X = self.X[rows]
        return np.asarray(X.T @ X / len(rows) + self.ridge * np.eye(X.shape[1]))

    def path(self, gone: set[int] | None = None, first: int = 0, w: Any = None) -> np.ndarray:
        """Iterates from step `first` on, without `gone`: the mean of what a batch keeps."""
        points = [self.start if w is None else w]
        for t in range(first, len(self.batches)):
            kept = self.kept(t, gone or set())
            move = self.gradient(points[-1], kept) if len(kept) else 0.0
            points.append(points[-1] - self.steps[t] * move)
        return np.array(points)

    def kept(self, t: int, gone: set[int]) -> np.ndarray:
        """Rows of batch t that stay."""
        return np.array([i for i in self.batches[t] if int(i) not in gone], dtype=int)

    def rewound(self, gone: set[int], k: int) -> np.ndarray:
        """k plain steps on the kept samples from w_{T-k}."""
        T = len(self.batches)
        found: np.ndarray = self.path(gone, T - k, self.path()[T - k])[-1]
        return found

    def pieces(self, gone: set[int], k: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """H(l) and G(l) of mini (7) and (8) for l = T-k..T, dense, oldest first."""
        points, T = self.path(), len(self.batches)
        H, G = [], []
        for t in range(T - k - 1, T):
            kept, rate = self.kept(t, gone), self.steps[t]
            inner = self.gradient(points[t], kept) if len(kept) else 0.0
            G.append(rate * (self.gradient(points[t], self.batches[t]) - inner))
            bend = self.hessian(kept) if len(kept) else np.zeros((len(self.start),) * 2)
            H.append(np.eye(len(self.start)) - rate * bend)
        return H, G

    def subject(self) -> tuple[Any, Any]:
        """The same problem for the simulators: (model, training)."""
        from simulators.losses.ridge import Ridge
        from simulators.trajectory.linear_score import LinearScore
        from simulators.trajectory.training import Training

        model = LinearScore(Ridge(self.ridge), Dataset(self.X, self.y))
        return model, Training(self.batches, self.steps, self.start)


def random_run(
    rng: np.random.Generator, *, p: int = 3, length: int = 12
) -> tuple[SmallRun, set[int]]:
    """A run of `length` steps on random batches, and a random set to forget."""
    n = int(rng.integers(5, 10))
    X = rng.normal(size=(n, p))
    batches = tuple(rng.permutation(n)[: rng.integers(2, n)] for _ in range(length))
    top = float((X**2).sum(axis=1).max()) + 0.1
    steps = rng.uniform(0.2, 1.5, length) / top
    deletions = {int(i) for i in rng.permutation(n)[: rng.integers(1, n // 2 + 1)]}
    return SmallRun(X, rng.normal(size=n) * 2, 0.1, batches, steps, rng.normal(size=p)), deletions


def line(h: float, k: int, g: float, extra: int = 1) -> tuple[SmallRun, set[int]]:
    """Two samples on a line whose every step has H = h (< 1) and G = g; k + extra steps."""
    eta = 1.0 - h
    T = k + extra
    batches = (np.arange(2),) * T
    targets = np.array([0.0, -2.0 * g / eta])
    return SmallRun(np.ones((2, 1)), targets, 0.0, batches, np.full(T, eta), np.zeros(1)), {1}
