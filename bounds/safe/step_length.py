"""gamma of Theorem 2 of safe: the length of SAFE's step, as printed and for a K without a unit."""

import numpy as np

from bounds import Hypothesis, Plot, Statement
from bounds.safe.symbols import K, T, W

statement = Statement(
    "safe.gamma",
    "Learning rate of Theorem 2",
    "definition",
    words="gamma = sqrt(W)/(K sqrt T), the length of SAFE's step; K is a constant.",
    left=r"\gamma",
    symbols=(W, K, T),
    plot=Plot("W", tuple(np.geomspace(0.1, 100, 31).tolist()), {"K": 1.0, "T": 100}, log_x=True),
    quantity="length of the step",
    correction="The unit of K is not said. For a number K: gamma = W/(K sqrt T).",
)
statement.interpreted_as(
    "literal",
    "K has the unit of W^{-1/2}: gamma is a length, and Theorem 2's bounds are losses",
    {"printed": "=="},
)
statement.interpreted_as("number", "K is a number without a unit")
statement.interpreted_as("unit", "W = 1", where=(Hypothesis("W = 1", sets={"W": lambda: 1.0}),))


@statement.form("printed", tex=r"\gamma=\frac{\sqrt{W}}{K\sqrt{T}}")
def printed(xp, W, K, T):
    """The learning rate of Theorem 2 is set to this value.

    gamma multiplies a unit vector, so that it is a length: K has the unit of W^(-1/2), in which the
    bounds of Theorem 2 are losses as well. For a number K the unit of W matters.

    Note: a length if K is given in the unit of w to the power -1/2
    Fails (number): γ is a length and √W is none, so that K must carry the unit of W^(−½), which is
        not said. For a mere number K the step depends on the unit in which the weights are
        measured.
    Source: safe, Theorem 2
    """
    return xp.sqrt(W) / (K * xp.sqrt(T))


@statement.form("corrected", tex=r"\gamma=\frac{W}{K\sqrt{T}}")
def corrected(xp, W, K, T):
    """The learning rate whose step scales with the radius W, for K without a unit.

    Note: K without a unit; W -> cW gives gamma -> c gamma
    """
    return W / (K * xp.sqrt(T))
