"""Section 4.4 of hf: operations of the Newton step (NS) and of what NS and IJ pre-compute."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.hf.symbols import d, m, n
from bounds.hf.table_1 import K

step = Formula(
    id="hf.table1.newton",
    label="Section 4.4, unlearning by NS",
    left=r"\text{operations of a request}",
    symbols=(m, d, K),
)
hessian = Formula(
    id="hf.table1.hessian",
    label="Section 4.4, pre-computation of NS",
    left=r"\text{operations of the Hessian}",
    symbols=(n, d, K),
)
inverse = Formula(
    id="hf.table1.inverse",
    label="Section 4.4, pre-computation of IJ",
    left=r"\text{operations of the inverse Hessian}",
    symbols=(n, d, K),
)


def elimination(size: Array, columns: Array | int) -> Array:
    """Operations of Gaussian elimination without pivots, and of the back substitution."""
    down = (size - 1) * size * (2 * size - 1) / 3 + (1 + 2 * columns) * size * (size - 1) / 2
    return np.asarray(down + columns * size**2)


@step.form("printed", tex=r"\mathcal{O}(d^3+md^2+md)", note="with any constant K given to it")
def printed(m: Array, d: Array, K: Array) -> Array:
    """A request of m samples takes this many operations. Source: hf, Section 4.4.

    Enough with the Hessian at hand; not needed, as the inverse can be updated.
    """
    return K * (d**3 + m * d**2 + m * d)


@printed.expression
def _(sp: Any, m: Any, d: Any, K: Any) -> Any:
    return K * (d**3 + m * d**2 + m * d)


@step.form(
    "corrected",
    tex=r"2(m+1)d^2+2m^2d+6md+m+d+\text{elimination}(m)",
    note="Sherman-Morrison-Woodbury from a stored inverse; linear scores",
)
def corrected(m: Array, d: Array) -> Array:
    """A request takes this many operations from a stored inverse: O(md^2) for m <= d."""
    plain = 2 * (m + 1) * d**2 + 2 * m**2 * d + 6 * m * d + m + d
    return np.asarray(plain + elimination(m, 1))


@corrected.expression
def _(sp: Any, m: Any, d: Any) -> Any:
    small = sum(2 * r**2 + 3 * r for r in range(1, int(m))) + m**2
    return 2 * (m + 1) * d**2 + 2 * m**2 * d + 6 * m * d + m + d + small


@hessian.form("printed", tex=r"\mathcal{O}(nd^2)", note="with any constant K given to it")
def by_samples(n: Array, d: Array, K: Array) -> Array:
    """The Hessian of all samples takes at most this many operations. Source: hf, Section 4.4."""
    return K * n * d**2


@by_samples.expression
def _(sp: Any, n: Any, d: Any, K: Any) -> Any:
    return K * n * d**2


@inverse.form("printed", tex=r"\mathcal{O}(d^3+nd^2)", note="with any constant K given to it")
def with_inverse(n: Array, d: Array, K: Array) -> Array:
    """The inverse Hessian takes at most this many operations. Source: hf, Section 4.4."""
    return K * (d**3 + n * d**2)


@with_inverse.expression
def _(sp: Any, n: Any, d: Any, K: Any) -> Any:
    return K * (d**3 + n * d**2)
