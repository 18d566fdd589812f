"""Proposition 1 of olu: group privacy of Rényi differential privacy."""

from typing import Any

import numpy as np

from accounting.group_privacy import group_factor
from bounds.formula import Array, Formula, Requirement
from bounds.olu.symbols import epsilon, k
from bounds.symbols import Symbol

formula = Formula(
    id="olu.prop1",
    label="Proposition 1 (Lemmas 1 and 2)",
    left=r"D_{\alpha/k}(\mathcal A(S)\,\|\,\mathcal A(S'))",
    symbols=(
        Symbol("alpha", "order of the guarantee for one replaced element", r"\alpha", low=2),
        k,
        epsilon,
    ),
    requires=(Requirement("alpha >= 2k", lambda alpha, k: alpha >= 2 * k),),
)


@formula.form(
    "printed",
    tex=r"k^{1.6}\varepsilon",
    note="true for every k, though the cited proof serves powers of 2 only",
)
def printed(alpha: Array, k: Array, epsilon: Array) -> Array:
    """D_{alpha/k} between data sets k replacements apart is at most this value, alpha >= 2k.

    Source: olu, Proposition 1 and Lemmas 1, 2 (Mironov 2017, Proposition 2, is for k = 2^c, with
    3^c eps). Holds since 2k - 1 <= k^1.6; loose by k^0.6 and more.
    """
    return k**1.6 * (1 + 2.0**-48) * epsilon


@printed.expression
def _(sp: Any, alpha: Any, k: Any, epsilon: Any) -> Any:
    return k ** sp.Rational(8, 5) * epsilon


@formula.form(
    "corrected",
    tex=r"C_k(\alpha)\,\varepsilon,\quad C_k=1+(\alpha-1)"
    r"\frac{1-(1-1/\alpha)^{k-1}}{1-k/\alpha}\le 2k-1",
    note="proved for every k and alpha > k; tends to k as alpha/k grows",
)
def corrected(alpha: Array, k: Array, epsilon: Array) -> Array:
    """D_{alpha/k} between data sets k replacements apart is at most this value.

    Proof: the weak triangle inequality (Mironov 2017, Proposition 11) k - 1 times with
    p_j = alpha/b_j, b_0 = alpha/k, so 1 - 1/b_j = (1 - k/alpha)(alpha/(alpha - 1))^j; by Bernoulli
    b_{k-1} <= alpha. The weights are (1 - 1/alpha)^{j+1}/(1 - k/alpha), and 1 for the last step.
    """
    return group_factor(k.astype(np.int64), alpha) * epsilon


@corrected.expression
def _(sp: Any, alpha: Any, k: Any, epsilon: Any) -> Any:
    return (1 + (alpha - 1) * (1 - (1 - 1 / alpha) ** (k - 1)) / (1 - k / alpha)) * epsilon
