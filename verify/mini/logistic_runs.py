"""Thousands of random ridge-logistic runs of mini at once, with their retraining and eq (10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit

HESSIAN_LIPSCHITZ = 1 / (6 * np.sqrt(3))  # of log(1 + e^z)


@dataclass(frozen=True)
class LogisticRuns:
    """All trials follow the same batches on their own data.

    Attributes:
        X: signed rows y_i x_i, (trials, n, p).
        gone: whether a sample is forgotten, (trials, n); every batch keeps one.
        batches: rows of each step, (s, B).
        eta, ridge: (trials,).
        start: (trials, p).
    """

    X: np.ndarray
    gone: np.ndarray
    batches: np.ndarray
    eta: np.ndarray
    ridge: np.ndarray
    start: np.ndarray

    @classmethod
    def random(cls, rng: np.random.Generator, trials: int, s: int, p: int) -> LogisticRuns:
        """Data of random size, eta L from 0.05 to 1.95, one to three of six forgotten."""
        n, B = 6, 4
        X = rng.normal(size=(trials, n, p)) * np.exp(rng.uniform(-1, 2, (trials, 1, 1)))
        gone = rng.uniform(size=(trials, n)).argsort(axis=1) < rng.integers(1, 4, (trials, 1))
        batches = rng.uniform(size=(s, n)).argsort(axis=1)[:, :B]
        ridge = np.exp(rng.uniform(-5, 0.5, trials))
        L = ridge + (X**2).sum(axis=2).max(axis=1) / 4
        eta = rng.uniform(0.05, 1.95, trials) / L
        return cls(X, gone, batches, eta, ridge, rng.normal(size=(trials, p)))

    @cached_property
    def constants(self) -> dict[str, np.ndarray]:
        """mu, L, M of the per-sample losses, eta and beta."""
        length = np.linalg.norm(self.X, axis=2).max(axis=1)
        shares = self.gone[:, self.batches].mean(axis=2)
        return {
            "eta": self.eta,
            "mu": self.ridge,
            "L": self.ridge + length**2 / 4,
            "M": length**3 * HESSIAN_LIPSCHITZ,
            "beta": shares.max(axis=1),
        }

    @cached_property
    def learned(self) -> np.ndarray:
        """w_0, ..., w_s: (s + 1, trials, p)."""
        return self._path(0, self.start, kept=False)

    @cached_property
    def retrained(self) -> np.ndarray:
        """w*_0, ..., w*_s."""
        return self._path(0, self.start, kept=True)

    @cached_property
    def distances(self) -> np.ndarray:
        """|Dw_0|, ..., |Dw_s|: (trials, s + 1)."""
        return np.asarray(np.linalg.norm(self.retrained - self.learned, axis=2).T)

    @cached_property
    def largest_gradient(self) -> np.ndarray:
        """Gm: the largest un-regularised gradient met by the learned run, (trials,)."""
        met = [
            np.linalg.norm(self.X * expit(-self.X @ w[:, :, None]), axis=2).max(axis=1)
            for w in self.learned[:-1]
        ]
        return np.asarray(np.max(met, axis=0))

    def rewound(self, k: int) -> np.ndarray:
        """Distance to w*_s of k steps on kept data from w_{s-k}."""
        begin = len(self.batches) - k
        end = self._path(begin, self.learned[begin], kept=True)[-1]
        return np.asarray(np.linalg.norm(end - self.retrained[-1], axis=1))

    def injection_norm(self, t: int) -> np.ndarray:
        """|G(t)| along the learned run."""
        return np.asarray(np.linalg.norm(self._injection(t), axis=1))

    def error(self, k: int) -> np.ndarray:
        """Error of eq (10)."""
        s = len(self.batches)
        v = np.zeros_like(self.start)
        for t in range(s - k + 1, s + 1):
            w = self.learned[t - 1]
            rows = self.X[:, self.batches[t - 1]]
            kept = self._weights(t, kept=True)
            score = (rows @ w[:, :, None])[..., 0]
            curvature = kept * expit(score) * expit(-score)
            action = np.einsum("tb,tbp->tp", curvature * (rows @ v[:, :, None])[..., 0], rows)
            v = v + self._injection(t) - self.eta[:, None] * (action + self.ridge[:, None] * v)
        return np.asarray(np.linalg.norm(self.retrained[-1] - self.learned[-1] - v, axis=1))

    def _injection(self, t: int) -> np.ndarray:
        """G(t): eta (mean gradient of the batch - mean gradient of what is kept)."""
        w = self.learned[t - 1]
        rows = self.X[:, self.batches[t - 1]]
        weights = self._weights(t, kept=True) - self._weights(t, kept=False)
        slope = expit(-(rows @ w[:, :, None])[..., 0])
        return np.asarray(self.eta[:, None] * np.einsum("tb,tbp->tp", weights * slope, rows))

    def _weights(self, t: int, kept: bool) -> np.ndarray:
        """Weight of every sample of batch t in the mean, (trials, B)."""
        rows = self.batches[t - 1]
        stays = ~self.gone[:, rows] if kept else np.ones((len(self.X), len(rows)), dtype=bool)
        return np.asarray(stays / stays.sum(axis=1, keepdims=True))

    def _path(self, begin: int, w: np.ndarray, kept: bool) -> np.ndarray:
        path = [w]
        for t in range(begin + 1, len(self.batches) + 1):
            rows, w = self.X[:, self.batches[t - 1]], path[-1]
            score = (rows @ w[:, :, None])[..., 0]
            pull = np.einsum("tb,tbp->tp", self._weights(t, kept) * expit(-score), rows)
            path.append(w + self.eta[:, None] * (pull - self.ridge[:, None] * w))
        return np.array(path)
