"""(30) of safe: the square of the tracking error, about the optimal model of the round before."""

import numpy as np

from bounds import Hypothesis, Statement, Symbol

model = Symbol("model", "coordinates of w_t", "w_t", kind="list", typical=(-4, 6), unit="parameter")
ideal = Symbol(
    "ideal", "coordinates of w_t*", "w_t^*", kind="list", typical=(-4, 6), unit="parameter"
)
before = Symbol(
    "before",
    "coordinates of w_{t-1}*",
    r"w_{t-1}^*",
    kind="list",
    typical=(-4, 6),
    unit="parameter",
)

statement = Statement(
    "safe.eq30",
    "Equation (30)",
    "equality",
    words="|w_t - w_t*|^2 = |w_t - w_{t-1}*|^2 + |w_t* - w_{t-1}*|^2 - "
    "2 (w_t - w_{t-1}*)^T (w_t* - w_{t-1}*).",
    left=r"\|w_t-w_t^*\|^2",
    symbols=(model, ideal, before),
    requires=(
        Hypothesis(
            "three vectors of one dimension",
            lambda model, ideal, before: np.shape(model) == np.shape(ideal) == np.shape(before),
        ),
    ),
    quantity="square of the tracking error",
)
statement.interpreted_as("literal", "any three vectors")


@statement.form(
    "printed",
    tex=r"||w_{t}-w^{*}_{t-1}||^{2}+||w^{*}_{t}-w^{*}_{t-1}||^{2}-2(w_{t}-w^{*}_{t-1})^{\top}"
    r"(w^{*}_{t}-w^{*}_{t-1})",
)
def printed(xp, model, ideal, before):
    """|w_t - w_t*|^2 equals this value for all vectors.

    Note: an identity of all vectors
    Proof: |a - b|^2 with a, b measured from w_{t-1}*
    Source: safe, eq (30)
    """

    def term(_, w, best, last):
        return (w - last) ** 2 + (best - last) ** 2 - 2 * (w - last) * (best - last)

    return xp.over(term, model, ideal, before)
