"""(7)-(13) of sglu: the weak triangle inequality as the proof of Theorem 3.2 uses it, p = q = 2."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import alpha

x = Symbol("x", "Gaussian-DP parameter of P and Q", "x", low=0, unit="1")
y = Symbol("y", "Gaussian-DP parameter of Q and R", "y", low=0, unit="1")

statement = Statement(
    "sglu.eq7_13",
    "(7)-(13)",
    "inequality",
    words="d_alpha(P,R) <= (alpha - 1/2)/(alpha - 1) (d_{2 alpha}(P,Q) + d_{2 alpha}(Q,R)).",
    left=r"d_\alpha(P, R),\quad d_\beta(P,Q)=\beta x^2/2,\ d_\beta(Q,R)=\beta y^2/2",
    reads={
        r"d_{2\alpha}(P,Q)": r"\alpha x^2",
        r"d_{2\alpha}(Q,R)": r"\alpha y^2",
        r"D_{2\alpha}(P\|Q)": r"\alpha x^2",
        r"D_{2\alpha-1}(Q\|R)": r"\frac{(2\alpha-1)y^2}2",
    },
    symbols=(alpha, x, y),
    aliases=("sglu.eq7-13",),
    plot=Plot("alpha", tuple(np.linspace(1.05, 8, 40).tolist()), {"x": 0.7, "y": 0.2}),
    quantity="d_alpha(P, R) on Gaussians",
)
statement.interpreted_as("literal", "alpha > 1, laws with one support")


@statement.form(
    "printed",
    tex=r"\frac{\alpha-\frac{1}{2}}{\alpha-1}\left(d_{2\alpha}(P,Q)+d_{2\alpha}(Q,R)\right)",
)
def printed(xp, alpha, x, y):
    """d_alpha(P, R) is at most this value. Loose by at least 2.

    Note: order 2 alpha and the factor on both terms
    Proof: Proposition D.3 at p = 2, monotonicity in the order
    Source: sglu, (7) and (11)
    """
    half = xp.rational(1, 2)
    return (alpha - half) / (alpha - 1) * alpha * (x**2 + y**2)


@statement.form(
    "corrected", tex=r"\frac{\alpha-\frac{1}{2}}{\alpha-1}D_{2\alpha}(P\|Q)+D_{2\alpha-1}(Q\|R)"
)
def corrected(xp, alpha, x, y):
    """D_alpha(P || R) is at most this value.

    Note: (8), before the steps that make it symmetric
    Proof: Proposition D.3 at p = 2
    Source: sglu, (8)
    """
    half = xp.rational(1, 2)
    return (alpha - half) / (alpha - 1) * alpha * x**2 + (2 * alpha - 1) * y**2 / 2


@statement.form("tight", tex=r"\frac{\alpha}{2}(x+y)^2")
def tight(xp, alpha, x, y):
    """d_alpha(P, R) is at most this value for Gaussian-DP pairs.

    Note: the best p; attained by Gaussians on a line
    Proof: Proposition D.3 at the best p, for Gaussian-DP pairs
    """
    return alpha / 2 * (x + y) ** 2
