"""Assumption 4.4 of hf, Definitions A.1 to A.3: where losses can satisfy all of it."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.hf.symbols import L, lam_positive

formula = Formula(
    id="hf.ass4.4",
    label="Assumption 4.4",
    left=r"\operatorname{diam}\mathcal{W}",
    symbols=(lam_positive, L),
)


@formula.form(
    "corrected",
    tex=r"\frac{2L}{\lambda}",
    note="on a convex W of this diameter; on all of R^d, as printed, no loss qualifies",
)
def corrected(lam: Array, L: Array) -> Array:
    """A set on which a lam-strongly convex loss is L-Lipschitz has at most this diameter.

    Source: hf, (43) and (44): lam |x - y| <= |g(x) - g(y)| <= 2L. Attained by (lam/2)|w|^2.
    """
    return np.asarray(2 * L / lam)


@corrected.expression
def _(sp: Any, lam: Any, L: Any) -> Any:
    return 2 * L / lam
