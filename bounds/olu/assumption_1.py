"""Assumption 1 of olu: quadratic growth, and its largest parameter for a linear function."""

from bounds import Plot, Statement, Symbol
from bounds.olu.symbols import D

statement = Statement(
    "olu.ass1",
    "Assumption 1",
    "definition",
    words="F has quadratic growth kappa on K if F(z) - F(z*) >= (kappa/2)|z - z*|^2 on K.",
    left=r"\max\{\kappa: F(z)-F(z^*)\ge\tfrac{\kappa}{2}\|z-z^*\|^2 \text{ on } [0,D]\}",
    symbols=(Symbol("slope", "slope of the linear function F", "g", unit="loss"), D),
    plot=Plot("D", (0.25, 0.5, 1.0, 2.0, 4.0), {"slope": 1.0}, log_x=True),
    quantity="largest kappa",
    correction="z* unique; kappa (tau_i - tau_{i-1}) <= 2 n L/D for a sum of n losses.",
)
statement.interpreted_as("literal", "linear functions on [0, D]")
statement.interpreted_as(
    "kept",
    "kept when convex losses are added, as its use for prefix sums supposes: "
    "printed is kappa before, measured kappa after adding -g z to g |z| on [-D, D]",
    {"printed": ">="},
    stance="amended",
)


@statement.form("printed", tex=r"F(z)-F(z^\star)\geq\frac{\kappa}{2}\|z-z^\star\|_2^2")
def printed(xp, slope, D):
    """The largest kappa for F(z) = slope z on [0, D].

    Note: evaluated for F(z) = g z on [0, D]: kappa = 2|g|/D
    Fails (kept): Adding convex losses may destroy quadratic growth, which the proof of Theorem 3
        carries from prefixes to the whole sum: on [-1, 1] |z| has κ = {bound}, and |z| - z has κ =
        {measured}.
    Source: olu, Assumption 1
    """
    return 2 * abs(slope) / D
