"""Equation (20) of safe: how a deletion changes the share of a label."""

from bounds import Hypothesis, Plot, Statement, Symbol

nty = Symbol("nty", "kept samples with the label", "n_t(y)", low=0, kind="integer")
n0y = Symbol("n0y", "samples with the label at first", "n_0(y)", low=1, kind="integer")
nt = Symbol("nt", "kept samples", "|D_t|", low=1, kind="integer")
n0 = Symbol("n0", "samples at first", "|D_0|", low=1, kind="integer")
counted = Hypothesis(
    "0 <= n0y - nty <= n0 - nt, nty <= nt and n0y <= n0",
    lambda nty, n0y, nt, n0: (nty <= n0y) & (n0y - nty <= n0 - nt) & (nty <= nt) & (n0y <= n0),
)

statement = Statement(
    "safe.eq20",
    "Equation (20)",
    "equality",
    words="p_t(y)/p_0(y) = (n_t(y)/n_0(y)) (|D_0|/|D_t|).",
    left=r"\frac{p_t(y)}{p_0(y)}",
    symbols=(nty, n0y, nt, n0),
    requires=(counted,),
    plot=Plot(
        "nty",
        tuple(map(float, range(0, 101, 10))),
        {"n0y": 100.0, "nt": 900.0, "n0": 1000.0},
        log_y=False,
    ),
    quantity="ratio of label shares",
)
statement.interpreted_as("literal", "p_t and p_0 are the empirical laws of the labels")


@statement.form("printed", tex=r"\frac{n_t(y)}{n_0(y)}\cdot\frac{|D_0|}{|D_t|}")
def printed(xp, nty, n0y, nt, n0):
    """The ratio of the empirical label shares of D_t and D_0 equals this value, >= 0.

    Note: exact for the labels' empirical laws; |D_0|/|D_t| cancels when eq (19) is normalised
    Proof: shares of a count
    Source: safe, eq (20)
    """
    return nty / n0y * (n0 / nt)
