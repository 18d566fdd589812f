"""Mean gradients and Hessians of batches along the learned and the retrained path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class BatchMeans:
    """Means over some rows of every batch, a line a step; a batch without such rows has zeros.

    Attributes:
        learned: mean gradient at w_t (T, p).
        retrained: mean gradient at v_t (T, p).
        bend: mean Hessian at w_t times v_t - w_t (T, p).
    """

    learned: np.ndarray
    retrained: np.ndarray
    bend: np.ndarray

    @property
    def remainders(self) -> np.ndarray:
        """|g(v_t) - g(w_t) - H(w_t)(v_t - w_t)|: what Taylor's first terms leave (T,)."""
        rest = self.retrained - self.learned - self.bend
        return np.asarray(np.linalg.norm(rest, axis=1))


def batch_means(
    model: Any, parts: Iterable[np.ndarray], learned: np.ndarray, retrained: np.ndarray
) -> BatchMeans:
    """The means over these rows of every step, along the two paths (T + 1, p)."""
    import torch

    at_learned, at_retrained, bends = [], [], []
    for t, rows in enumerate(parts):
        w, v = model.tensor(learned[t]), model.tensor(retrained[t])
        count = max(len(rows), 1)
        share = model.full(len(rows), 1 / count)
        tangent = model.tangent(w, rows)
        at_learned.append(tangent.gradient(share))
        at_retrained.append(model.tangent(v, rows).gradient(share))
        bends.append(tangent.apply((v - w)[None])[0] / count)
    columns = (torch.stack(lines).cpu().numpy() for lines in (at_learned, at_retrained, bends))
    return BatchMeans(*columns)
