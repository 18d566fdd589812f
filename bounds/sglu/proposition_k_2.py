"""Proposition K.2 of sglu: from Rényi unlearning to (epsilon, delta)-unlearning."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import alpha, delta

eps_r = Symbol("eps_r", "Rényi difference of order alpha", r"\varepsilon", low=0, unit="1")

statement = Statement(
    "sglu.propk.2",
    "Proposition K.2",
    "inequality",
    words="(alpha, eps)-Rényi unlearning is (eps + log(1/delta)/(alpha - 1), delta)-unlearning.",
    left=r"\epsilon",
    symbols=(eps_r, alpha, delta),
    aliases=("sglu.propK.2", "sglu.eq68"),
    plot=Plot(
        "alpha",
        tuple(float(a) for a in np.geomspace(1.2, 60, 25)),
        {"eps_r": 0.1, "delta": 1e-5},
        log_x=True,
    ),
    quantity="epsilon at delta",
    correction="Subtract log(alpha/(alpha - 1)) + log(alpha)/(alpha - 1); for Gaussian laws use "
    "their trade-off curve.",
)
statement.interpreted_as(
    "literal", "Rényi differences of order alpha in both directions at most eps"
)


@statement.form("printed", tex=r"\epsilon=\varepsilon+\frac{\log(1/\delta)}{\alpha-1}")
def printed(xp, eps_r, alpha, delta):
    """(alpha, eps_r)-Rényi unlearning is (this value, delta)-unlearning.

    Note: the conversion of Mironov (2017, Proposition 3)
    Proof: Mironov 2017, Proposition 3
    Source: sglu, Proposition K.2 and (68)
    """
    return eps_r - xp.log(delta) / (alpha - 1)


@statement.form(
    "corrected",
    tex=r"\epsilon=\varepsilon+\log\frac{\alpha-1}{\alpha}"
    r"+\frac{\log(1/\delta)-\log\alpha}{\alpha-1}",
)
def corrected(xp, eps_r, alpha, delta):
    """(alpha, eps_r)-Rényi unlearning is (this value, delta)-unlearning, where it is >= 0.

    p = P(E) and q = Q(E) satisfy p^alpha q^(1-alpha) <= exp((alpha-1) eps_r), under which (p -
    delta)/q is largest at p = alpha delta.

    Note: Canonne, Kamath and Steinke (2020, Proposition 12); nearly attained by two-point laws
    Proof: the best event of probability alpha delta
    """
    raised = xp.log1p(-1 / alpha) - xp.log(alpha * delta) / (alpha - 1)
    return xp.maximum(eps_r + raised, 0)
