"""(30) of safe: the square of the tracking error, about the optimal model of the round before."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.symbols import Symbol

formula = Formula(
    id="safe.eq30",
    label="Equation (30)",
    left=r"\|w_t-w_t^*\|^2",
    symbols=(
        Symbol("model", "coordinates of w_t", "w_t", kind="list", typical=(-4, 6)),
        Symbol("ideal", "coordinates of w_t*", "w_t^*", kind="list", typical=(-4, 6)),
        Symbol("before", "coordinates of w_{t-1}*", r"w_{t-1}^*", kind="list", typical=(-4, 6)),
    ),
    requires=(
        Requirement(
            "three vectors of one dimension",
            lambda model, ideal, before: np.shape(model) == np.shape(ideal) == np.shape(before),
        ),
    ),
)


@formula.form(
    "printed",
    tex=r"||w_{t}-w^{*}_{t-1}||^{2}+||w^{*}_{t}-w^{*}_{t-1}||^{2}-2(w_{t}-w^{*}_{t-1})^{\top}"
    r"(w^{*}_{t}-w^{*}_{t-1})",
    note="an identity of all vectors",
)
def printed(model: Array, ideal: Array, before: Array) -> Array:
    """|w_t - w_t*|^2 equals this value for all vectors. Source: safe, eq (30)."""
    error, move = model - before, ideal - before
    return np.asarray(error @ error + move @ move - 2 * (error @ move))


@printed.expression
def _(sp: Any, model: Any, ideal: Any, before: Any) -> Any:
    triples = zip(model, ideal, before, strict=True)
    return sum((a - c) ** 2 + (b - c) ** 2 - 2 * (a - c) * (b - c) for a, b, c in triples)
