"""Lemma 8 of olu: smooth functions bound their gradients by their values."""

from bounds import Plot, Statement, Symbol
from bounds.olu.symbols import beta

statement = Statement(
    "olu.lem8",
    "Lemma 8",
    "inequality",
    words="A beta-smooth f obeys |grad f(x)|^2 <= 2 beta (f(x) - inf f).",
    left=r"\|\nabla f(x)\|_*^2",
    reads={r"f(x)-\inf_{y\in\mathbb{R}^d}f(y)": "gap"},
    symbols=(beta, Symbol("gap", "f(x) - inf f over R^d", r"f(x)-\inf f", low=0, unit="parameter")),
    plot=Plot("gap", (0.1, 0.5, 1, 2, 5, 10), {"beta": 3.0}),
    quantity="squared gradient",
)
statement.interpreted_as("literal", "f beta-smooth on all of R^d")


@statement.form("printed", tex=r"2\beta\left[f(x)-\inf_{y\in\mathbb{R}^d}f(y)\right]")
def printed(xp, beta, gap):
    """|grad f(x)|^2 is at most this value for f beta-smooth on R^d.

    Note: attained by (beta/2)|x|^2; f must be smooth on all of R^d
    Proof: Srebro et al. 2010, Lemma 4.1: one step of length 1/beta
    Source: olu, Lemma 8
    """
    return 2 * beta * gap
