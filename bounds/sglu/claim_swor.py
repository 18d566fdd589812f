"""The remark on sampling strategies of sglu: a fresh batch without replacement at every step."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.series import learned
from bounds.sglu.symbols import M, b, contractive, eta, m

steps = Symbol("steps", "learning steps", "N", low=0, kind="integer", infinite=True)

statement = Statement(
    "sglu.claim.swor",
    "Sampling without replacement at each step (Section 3.2)",
    "claim",
    words="Drawing a fresh batch without replacement at each step degrades the factor "
    "1/(1 - c^{n/b}) of the distance bound to 1/(1 - c).",
    left=r"W_\infty(\nu, \nu')",
    symbols=(eta, m, M, b, steps),
    requires=(contractive,),
    plot=Plot(
        "steps",
        tuple(map(float, range(1, 11))),
        {"eta": 0.5, "m": 0.3, "M": 1, "b": 2, "n": 6},
        log_y=False,
    ),
    quantity="W-infinity distance of learning on D and on D'",
)
statement.interpreted_as(
    "literal", "both runs draw the same batches; W-infinity takes the essential supremum over them"
)


@statement.form(
    "printed", tex=r"\frac{1-c^{N}}{1-c}\frac{2\eta M}{b}\ \to\ \frac{1}{1-c}\frac{2\eta M}{b}"
)
def printed(xp, eta, m, M, b, steps):
    """W-infinity after this many steps with fresh batches is at most this value.

    Note: 1/(1 - c) in place of 1/(1 - c^{n/b}): the modified point may be drawn at every step
    Proof: synchronous coupling with a shift q at every step
    Equality: quadratics, for random batches too
    Source: sglu, Section 3.2
    """
    return learned(xp, eta, m, M, b, 1, steps)


@statement.form("tight", tex=r"q\sum_{i<N}c^i")
def tight(xp, eta, m, M, b, steps):
    """W-infinity after this many steps with fresh batches is at most this value.

    Note: the printed value is attained
    Proof: quadratics; the far quantiles of the mixtures are q sum c^i apart
    """
    return printed.formula(xp, eta, m, M, b, steps)
