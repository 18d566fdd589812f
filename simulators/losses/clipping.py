"""Clipping of vectors to a norm: the projection Pi_{C_M} of sglu, eq. (72)."""

from __future__ import annotations

import numpy as np

from accounting.numerics import validation
from simulators.data.lengths import moderate


def checked_clip(clip: object) -> float | None:
    """The clipping norm as a positive finite float, or None for no clipping."""
    if clip is None:
        return None
    return validation.scalar("clip", clip, low=0.0, low_open=True, high_open=True)


def clipped(vectors: np.ndarray, clip: float | None) -> np.ndarray:
    """Rows (n, d) scaled down to norm `clip` where they are longer; others unchanged."""
    if clip is None:
        return vectors
    # Lengths of rows whose squares leave the floats are taken after division by powers of two.
    scaled, exponents = moderate(vectors)
    lengths = np.linalg.norm(scaled, axis=1)
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        long = np.ldexp(lengths, exponents) > clip
        # The direction is that of the scaled rows; a row of zeros gives NaN here, which is not
        # taken.
        shorter = scaled * (clip / lengths)[:, None]
    return np.where(long[:, None], shorter, vectors)
