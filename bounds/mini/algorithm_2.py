"""Algorithm 2 of mini: how many iterates are stored, and how many Algorithm 4 reads."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

formula = Formula(
    id="mini.alg2",
    label="Algorithm 2",
    left=r"|W|",
    symbols=(
        Symbol("k", "steps followed", "k", low=2, kind="integer"),
        Symbol("m", "L-BFGS pairs; 0 for exact Hessians", "m", low=0, kind="integer"),
    ),
)


@formula.form(
    "printed",
    tex=r"W=\{\mathbf{w}_{T-k},\dots,\mathbf{w}_T\}",
    note="enough for equation (10) with exact Hessians",
)
def printed(k: Array) -> Array:
    """The iterates that Algorithm 2 keeps. Source: mini, Algorithm 2."""
    return k + 1


@printed.expression
def _(sp: Any, k: Any) -> Any:
    return k + 1


@formula.form(
    "corrected",
    tex=r"W=\{\mathbf{w}_{\min(T-k,\,T-k+1-m)},\dots,\mathbf{w}_T\}",
    note="m - 1 earlier ones for the pairs of H(T-k+2)",
)
def corrected(k: Array, m: Array) -> Array:
    """The iterates from which equation (10) can be computed with m pairs for every Hessian.

    H(l), l = T-k+2..T, takes its pairs from w_{l-1-m}..w_{l-1}; G(T-k+1) needs w_{T-k}.
    """
    return k + np.maximum(m, 1)


@corrected.expression
def _(sp: Any, k: Any, m: Any) -> Any:
    return k + sp.Max(m, 1)
