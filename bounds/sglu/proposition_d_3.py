"""Proposition D.3 of sglu: the weak triangle inequality, evaluated on Gaussians on a line."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import alpha

p = Symbol("p", "Hölder exponent", "p", low=1, low_open=True, unit="1")
x = Symbol("x", "Gaussian-DP parameter of P and Q", "x", low=0, unit="1")
y = Symbol("y", "Gaussian-DP parameter of Q and R", "y", low=0, unit="1")

statement = Statement(
    "sglu.propd.3",
    "Proposition D.3",
    "inequality",
    words="D_alpha(P||R) <= (alpha - 1/p)/(alpha - 1) D_{p alpha}(P||Q) + D_{q(alpha - 1/p)}"
    "(Q||R) for 1/p + 1/q = 1.",
    left=r"D_\alpha(P\|R),\quad D_\beta(P\|Q)=\beta x^2/2,\ D_\beta(Q\|R)=\beta y^2/2",
    reads={
        r"D_{p\alpha}(P\|Q)": r"\frac{p\alpha x^2}2",
        r"D_{q(\alpha-1/p)}(Q\|R)": r"\frac{q(\alpha-1/p)y^2}2",
        "q": r"\frac{p}{p-1}",
    },
    symbols=(alpha, p, x, y),
    aliases=("sglu.propD.3",),
    plot=Plot(
        "p", tuple(np.linspace(1.05, 4, 40).tolist()), {"alpha": 3, "x": 0.7, "y": 0.2}, log_y=False
    ),
    quantity="D_alpha(P || R) on Gaussians",
)
statement.interpreted_as("literal", "alpha > 1, p, q > 1, laws with one support")


@statement.form(
    "printed", tex=r"\frac{\alpha-\frac{1}{p}}{\alpha-1}D_{p\alpha}(P\|Q)+D_{q(\alpha-1/p)}(Q\|R)"
)
def printed(xp, alpha, p, x, y):
    """D_alpha(P || R) is at most this value for every p > 1, 1/p + 1/q = 1.

    Note: an equality on Gaussians on a line at p = 1 + (alpha - 1) y/(alpha x)
    Proof: Hölder's inequality with exponents p and q for the two ratios
    Source: sglu, Proposition D.3 (Mironov 2017, Corollary 4), for linear Rényi curves
    """
    first = (alpha - 1 / p) / (alpha - 1) * p * alpha * x**2 / 2
    return first + (p * alpha - 1) / (p - 1) * y**2 / 2


@statement.form(
    "tight", tex=r"\min_p=\frac{\alpha}{2}(x+y)^2,\quad p=1+\frac{(\alpha-1)y}{\alpha x}"
)
def tight(xp, alpha, x, y):
    """D_alpha(P || R) is at most this value.

    Note: by the inequality of arithmetic and geometric means in p - 1
    Proof: the printed bound at the best p; equality for Gaussians on a line
    """
    return alpha / 2 * (x + y) ** 2
