"""The low-dimensional features z = A(V^T x - c) in which SAFE follows each class (safe, eq 21)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.dataset import Dataset
from simulators.random.seeds import Purpose, generator


@typed
def frozen_features(
    data: Dataset,
    projection: int | ArrayLike,
    *,
    standardise: bool = True,
    seed: int = 0,
    claim: int = 0,
) -> np.ndarray:
    """Return z = A(V^T x - c) of every row of `data`, shape (n, q), all frozen before deletions.

    projection: q, for V (d, q) with independent standard normal entries from (seed, claim), or V
    itself.  standardise: c and A are the mean of V^T x over all rows and the inverse Cholesky
    factor of its covariance (ddof 1); otherwise c = 0 and A = I.  Density ratios do not depend on
    A and c as long as they stay the same in all rounds.

    Source: safe, eq 21, corrected (standardised once, over all of D_0).
    Raises ValueError on bad input, and when V^T x lies in a hyperplane and is to be standardised.
    """
    V = _projection(data.dimension, projection, seed, claim)
    z: np.ndarray = data.features @ V
    if not flag("standardise", standardise):
        return z
    if len(z) <= V.shape[1]:
        raise ValueError(
            f"projection must have fewer columns than data has rows ({len(z)}), got {V.shape[1]}"
        )
    z = z - z.mean(axis=0)
    spread = z.T @ z / (len(z) - 1)
    try:
        factor = np.linalg.cholesky(spread)
        # A squared pivot is the variance that the columns before leave: this small, it is rounding.
        singular = not (factor.diagonal() ** 2 > 1e-12 * spread.diagonal()).all()
    except np.linalg.LinAlgError:
        singular = True
    if singular:
        raise ValueError(
            f"projection must leave features with a nonsingular covariance, got {V.shape[1]} "
            "columns whose features are linearly dependent"
        )
    standard: np.ndarray = np.linalg.solve(factor, z.T).T
    return np.ascontiguousarray(standard)


def flag(name: str, value: object) -> bool:
    """True or False; ValueError for anything else."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return value


def _projection(dimension: int, projection: object, seed: int, claim: int) -> np.ndarray:
    if isinstance(projection, int | np.integer) and not isinstance(projection, bool):
        q = validation.count("projection", projection, low=1, high=dimension)
        matrix = generator(seed, claim, 0, Purpose.PROJECTION).standard_normal((dimension, q))
        return np.asarray(matrix)
    V = validation.real("projection", projection, low_open=True, high_open=True)
    if V.ndim != 2 or V.shape[0] != dimension:
        raise ValueError(
            f"projection must be a number of columns in [1, {dimension}] or an array of shape "
            f"({dimension}, q), got shape {V.shape}"
        )
    return V
