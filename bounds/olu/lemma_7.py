"""Lemma 7 of olu (Orabona): sums of a decreasing function of partial sums."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

formula = Formula(
    id="olu.lem7",
    label="Lemma 7",
    left=r"\sum_{t=1}^T a_tf\Big(a_0+\sum_{i=1}^ta_i\Big),\quad f(x)=x^{-1/2}",
    symbols=(
        Symbol("a0", "first term", "a_0", low=0),
        Symbol("a", "terms a_1..a_T", "a_t", low=0, kind="list", typical=(1, 9)),
    ),
)


@formula.form(
    "printed",
    tex=r"\int_{a_0}^{\sum_{t=0}^Ta_t}f(x)dx",
    note="for f(x) = x^(-1/2), as the paper uses it: 2 (sqrt(s_T) - sqrt(a_0))",
)
def printed(a0: Array, a: Array) -> Array:
    """The sum is at most this value, here for f(x) = x^(-1/2).

    Source: olu, Lemma 7, which forgets to say a_t >= 0. Holds; approached by many small terms.
    """
    total = np.sum(a)
    # (sqrt(s) - sqrt(a0)) without cancellation for small sums
    return 2 * total / (np.sqrt(a0 + total) + np.sqrt(a0)) if total > 0 else 0.0 * a0


@printed.expression
def _(sp: Any, a0: Any, a: Any) -> Any:
    return 2 * (sp.sqrt(a0 + sum(a)) - sp.sqrt(a0))
