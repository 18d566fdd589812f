"""Assumption 2 of olu: the losses of a block share a minimiser near the minimiser of all so far."""

from bounds import Edit, Hypothesis, Plot, Statement, Symbol
from bounds.olu.active_symbols import tau_i

statement = Statement(
    "olu.ass2",
    "Assumption 2",
    "definition",
    words="For every i some a_i in K has |a_i - z_i*| <= 1/tau_i and zero gradient for all "
    "losses strictly between the requests i - 1 and i.",
    left=r"\|a_i-z_i^\star\|",
    symbols=(tau_i, Symbol("A", "a length", "A", low=0, low_open=True, unit="parameter")),
    plot=Plot("tau_i", tuple(float(t) for t in range(10, 101, 10)), {"A": 1.0}),
    quantity="|a_i - z_i*|",
    correction="A/tau_i with a length A. Theorem 6's conclusion needs no such assumption.",
)
statement.interpreted_as(
    "literal",
    "lengths are numbers",
    {"printed": "<=", "corrected": "<="},
    where=(Hypothesis("unit lengths, A <= 1; else see units", lambda A: A <= 1),),
)
statement.interpreted_as(
    "units",
    "the same stream, measured in another unit of length",
    {"printed": "<=", "corrected": "<="},
    edits={"printed": Edit("1/tau_i should be A/tau_i with a length A", "{1}", "{A}")},
)


@statement.form("printed", tex=r"\frac{1}{\tau[i]}")
def printed(xp, tau_i):
    """The common minimiser of block i is at most this far from that of the first tau_i losses.

    A definition; changes its meaning with the unit of length.

    Note: not a length
    Fails (units): 1/τ_i is a number and |a_i - z_i*| a length: with all lengths multiplied by {A}
        the distance is {measured}, above 1/τ_i = {bound}, so that a change of unit makes and breaks
        the assumption.
    Source: olu, Assumption 2
    """
    return 1 / tau_i


@statement.form("corrected", tex=r"\frac{A}{\tau[i]}")
def corrected(xp, tau_i, A):
    """The same with a length A.

    Note: A a length, chosen with the unit
    Source: olu, Assumption 2 with its units restored
    """
    return A / tau_i
