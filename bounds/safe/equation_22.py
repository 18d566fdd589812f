"""Equation (22) of safe: the mean of a class after a deletion, and the count that leaves."""

from bounds import Edit, Hypothesis, Plot, Statement, Symbol
from bounds.safe.moments import gone_mean, m, mean, n, one_stays

statement = Statement(
    "safe.eq22",
    "Equation (22)",
    "equality",
    words="mu_t = (n_{t-1} mu_{t-1} - (n_{t-1} - n_t) mu~_t)/n_t, per class.",
    left=r"\boldsymbol{\mu}_t^{(y)}",
    symbols=(n, m, mean, gone_mean),
    requires=(one_stays,),
    plot=Plot(
        "m",
        tuple(map(float, range(1, 20))),
        {"n": 20.0, "mean": 1.0, "gone_mean": 0.5},
        log_y=False,
    ),
    quantity="mean of what stays",
    correction="A class that runs out (n_t = 0) has no mean: leave it out of eq (24).",
)
statement.interpreted_as("literal", "n_t >= 1 samples of the class stay")
before = Symbol("before", "samples of the class before", "n_{t-1}(y)", low=0, kind="integer")
after = Symbol("after", "samples of the class afterwards", "n_t(y)", low=0, kind="integer")

removed = Statement(
    "safe.eq22.removed",
    "Text before equation (22)",
    "equality",
    words="The number of points with label y that were removed in step t is n_t(y) - n_{t-1}(y).",
    left=r"\text{samples of the class that leave}",
    symbols=(before, after),
    requires=(Hypothesis("after <= before", lambda before, after: after <= before),),
    correction="n_{t-1}(y) - n_t(y), as eqs (22) and (23) use it.",
)
removed.interpreted_as(
    "literal",
    "F_t is removed from D_{t-1}",
    edits={"printed": Edit("the two counts exchanged", "n_t(y)-n_{t-1}(y)", "n_{t-1}(y)-n_t(y)")},
)


@statement.form(
    "printed",
    tex=r"\frac{n_{t-1}(y)\cdot\boldsymbol{\mu}_{t-1}^{(y)}-\left(n_{t-1}(y)-n_t(y)\right)\cdot"
    r"\boldsymbol{\widetilde{\mu}}_t^{(y)}}{n_t(y)}",
    reads={"n_t(y)": "n_{t-1}(y)-m"},
)
def printed(xp, n, m, mean, gone_mean):
    """The mean of the n - m >= 1 samples that stay equals this value.

    At m = n the class has no mean: that is refused.

    Note: undefined once the class is empty
    Proof: the sum of the class is that of what stays and of what leaves
    Source: safe, eq (22)
    """
    return (n * mean - m * gone_mean) / (n - m)


@removed.form("printed", tex=r"n_t(y)-n_{t-1}(y)")
def signed(xp, before, after):
    """The number of samples that leave, as the text before eq (22) has it. A typo: the sign.

    Note: negative
    Fails: The difference has the wrong sign: of {before} points {after} stay, so that {measured}
        left, and n_t(y) − n_(t−1)(y) is {bound}. (22) and (23) themselves use n_(t−1)(y) − n_t(y).
    Source: safe, the text before eq (22)
    """
    return after - before


@removed.form("corrected", tex=r"n_{t-1}(y)-n_t(y)")
def counted(xp, before, after):
    """The number of samples of the class that leave in round t equals this value.

    Note: as eq (22) itself uses it
    Proof: D_{t-1} is D_t and F_t, disjoint: counting
    """
    return before - after
