"""Lemma G.1 of sglu: Rényi divergence of mixtures with common weights."""

import numpy as np

from bounds import Hypothesis, Statement, Symbol
from bounds.forms import Array

alpha = Symbol("alpha", "Rényi order", r"\alpha", low=1, unit="1")
w = Symbol("w", "mixture weights; p is w scaled to sum 1", "p_i", low=0, kind="list", unit="1")
D = Symbol(
    "D", "divergences of the pairs", r"D_\alpha(\nu_i\|\nu'_i)", low=0, kind="list", unit="1"
)

statement = Statement(
    "sglu.lemg.1",
    "Lemma G.1",
    "inequality",
    words="exp((alpha - 1) D_alpha) of two mixtures with common weights is at most the mean of "
    "those of the pairs, for alpha >= 1.",
    left=r"D_\alpha\Big(\sum_i p_i\nu_i\,\Big\|\,\sum_i p_i\nu'_i\Big)",
    symbols=(alpha, w, D),
    requires=(
        Hypothesis("one weight for each divergence", lambda w, D: w.shape == D.shape),
        Hypothesis("a positive weight", lambda w: np.sum(w) > 0),
    ),
    aliases=("sglu.lemG.1",),
    quantity="D_alpha of the mixtures",
    correction="Named after the joint convexity of KL; what is used is that of exp((alpha - 1) D).",
)
statement.interpreted_as("literal", "any laws, any weights, alpha >= 1")


@statement.form(
    "printed",
    tex=r"\exp((\alpha-1)D_{\alpha}(\sum_{i=1}^{m}p_{i}\nu_{i}||\sum_{i=1}^{m}p_{i}\nu_{i}'))"
    r"\leq\sum_{i=1}^{m}p_{i}\exp((\alpha-1)D_{\alpha}(\nu_{i}||\nu_{i}'))",
)
def printed(xp, alpha, w, D):
    """D_alpha of the mixtures is at most log(sum_i p_i exp((alpha - 1) D_i))/(alpha - 1).

    Note: the divergence itself; at alpha = 1 the mean; attained by pairs of disjoint supports
    Proof: x^alpha y^(1 - alpha) is jointly convex and homogeneous
    Equality: pairs that live on disjoint sets, or share their likelihood ratios
    Source: sglu, Lemma G.1
    """
    whole = xp.over(lambda i, x: x, w)

    def mean():
        return xp.over(lambda i, x, y: x * y, w, D) / whole

    def moment():
        raised = xp.over(lambda i, x, y: x * xp.exp((alpha - 1) * y), w, D)
        return xp.log(raised / whole) / (alpha - 1)

    return xp.where(alpha > 1, moment, mean)


@printed.numeric
def _(alpha: Array, w: Array, D: Array) -> Array:
    """The largest divergence apart, so that no moment overflows and none cancels."""
    alpha, p, D = alpha[..., None], w[w > 0] / np.sum(w), D[w > 0]
    top = np.max(D)
    order = np.where(alpha > 1, alpha - 1, 1.0)
    lowered = np.log1p(np.sum(p * np.expm1(order * (D - top)), -1)) / order[..., 0]
    mean = np.sum(p * (D - top), -1)
    value: Array = top + np.where(alpha[..., 0] > 1, lowered, mean)
    return value
