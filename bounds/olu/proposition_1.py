"""Proposition 1 of olu: group privacy of Rényi differential privacy."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.symbols import epsilon, k

alpha = Symbol(
    "alpha", "order of the guarantee for one replaced element", r"\alpha", low=2, unit="1"
)

statement = Statement(
    "olu.prop1",
    "Proposition 1 (Lemmas 1 and 2)",
    "inequality",
    words="If A is (alpha, eps)-RDP and alpha >= 2k, then D_{alpha/k}(A(S) || A(S')) <= "
    "k^1.6 eps for data sets that differ in at most k elements.",
    left=r"D_{\alpha/k}(\mathcal A(S)\,\|\,\mathcal A(S'))",
    symbols=(alpha, k, epsilon),
    requires=(Hypothesis("alpha >= 2k", lambda alpha, k: alpha >= 2 * k),),
    aliases=("olu.lem1", "olu.lem2"),
    plot=Plot("k", tuple(map(float, range(1, 13))), {"alpha": 24.0, "epsilon": 1.0}),
    quantity="D_{alpha/k} of the ends of a chain",
    correction="Factor C_k(alpha) <= 2k - 1; the second copy's (k alpha, eps) is a slip.",
)
statement.interpreted_as(
    "literal", "replacing an element (by the skip symbol) is one step; alpha >= 2k"
)


@statement.form("printed", tex=r"k^{1.6}\varepsilon")
def printed(xp, alpha, k, epsilon):
    """D_{alpha/k} between data sets k replacements apart is at most this value, alpha >= 2k.

    Loose by k^0.6 and more.

    Note: true for every k, though the cited proof serves powers of 2 only
    Proof: C_k <= 2k - 1 <= k^1.6 for every k (the cited proof: k = 2^c only)
    Source: olu, Proposition 1 and Lemmas 1, 2 (Mironov 2017, Proposition 2, is for k = 2^c, with
        3^c eps)
    """
    return k ** xp.rational(8, 5) * epsilon


@statement.form(
    "corrected",
    tex=r"C_k(\alpha)\,\varepsilon,\quad C_k=1+(\alpha-1)"
    r"\frac{1-(1-1/\alpha)^{k-1}}{1-k/\alpha}\le 2k-1",
    reads={r"C_k(\alpha)": "C_k"},
)
def corrected(xp, alpha, k, epsilon):
    """D_{alpha/k} between data sets k replacements apart is at most this value.

    The weak triangle inequality (Mironov 2017, Proposition 11) is used with p_j = alpha/b_j and b_0
    = alpha/k, so that 1 - 1/b_j = (1 - k/alpha)(alpha/(alpha - 1))^j; by Bernoulli b_{k-1} <=
    alpha. The weights are (1 - 1/alpha)^{j+1}/(1 - k/alpha), and 1 for the last step.

    Note: proved for every k and alpha > k; tends to k as alpha/k grows
    Proof: weak triangle inequality k - 1 times, orders alpha/k up to alpha
    """
    return (1 + (alpha - 1) * xp.geometric(1 / alpha, k - 1) / (alpha - k)) * epsilon
