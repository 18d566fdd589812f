"""(28) of safe: the surrogate risk, for two classes with logits (w x, 0)."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.safe.stream import w
from bounds.safe.symbols import lam

signed = Symbol(
    "signed",
    "features of D_t, with the sign + for the first class and - for the second",
    r"\pm x",
    kind="list",
    typical=(-3, 3),
    unit="1/parameter",
)
deleted = Symbol(
    "deleted",
    "features of the samples that have left",
    "x",
    kind="list",
    typical=(-3, 3),
    length="m",
    unit="1/parameter",
)
targets = Symbol(
    "targets",
    "log odds of the normalised target q f(x; w_0) at each of these",
    r"\log\frac{q_1f_1}{q_2f_2}",
    kind="list",
    typical=(-3, 3),
    length="m",
    unit="1",
)

statement = Statement(
    "safe.eq28",
    "Equation (28)",
    "definition",
    words="The surrogate risk is the retention term of eq (14) plus the forgetting term of eq "
    "(25), with q f(x; w_0) in place of f(x; w_t*).",
    left=r"\widetilde{R}_t(w)",
    symbols=(signed, deleted, targets, w, lam),
    requires=(
        Hypothesis(
            "one target for every deleted sample",
            lambda deleted, targets: np.shape(deleted) == np.shape(targets),
        ),
    ),
    plot=Plot(
        "w",
        (
            -1.0,
            -0.8,
            -0.6,
            -0.3999999999999999,
            -0.19999999999999996,
            0.0,
            0.20000000000000018,
            0.40000000000000013,
            0.6000000000000001,
            0.8,
            1.0,
            1.2000000000000002,
            1.4000000000000004,
            1.6,
            1.8000000000000003,
            2.0,
            2.2,
            2.4000000000000004,
            2.6,
            2.8000000000000003,
            3.0,
            3.2,
            3.4000000000000004,
            3.6000000000000005,
            3.8000000000000007,
            4.0,
        ),
        {
            "signed": [1.0, 2.0, 0.5, 1.0, -0.0, 0.5],
            "deleted": [3.0, -2.0],
            "targets": [15.529132605243767, -2.1803104940298415],
            "lam": 0.7,
        },
    ),
    quantity="surrogate risk",
)
statement.interpreted_as("literal", "the target normalised")
statement.interpreted_as(
    "gradient", "its derivative at w_0 is g_t, by eqs (15) and (26)", stance="component"
)


@statement.form(
    "printed", tex=r"\widetilde{R}_{t}(w)=R_{t}^{\text{ret}}(w)+\widetilde{R}_{t}^{\text{fg}}(w)"
)
def surrogate(xp, signed, deleted, targets, w, lam):
    """The risk that SAFE descends, at w.

    Cross-entropy on D_t, and lambda times the mean of KL(f(x; w) || target) on what has left.

    Note: with the normalised target, of which (25) omits the normaliser
    Source: safe, eq (28), a definition
    """

    def divergence(_, x, odds):
        first, second = xp.softplus(-w * x), xp.softplus(w * x)
        return xp.exp(-first) * (xp.softplus(-odds) - first) + xp.exp(-second) * (
            xp.softplus(odds) - second
        )

    retention = xp.over(lambda _, x: xp.softplus(-w * x), signed) / xp.count(signed)
    return retention + lam * xp.over(divergence, deleted, targets) / xp.count(deleted)
