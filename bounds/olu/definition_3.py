"""Definition 3 of olu: how large L must be for strongly convex Lipschitz losses to exist."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.symbols import mu
from bounds.symbols import Symbol

formula = Formula(
    id="olu.def3",
    label="Definition 3",
    left=r"\min\{L:\ \text{some } \mu\text{-strongly convex } L\text{-Lipschitz } f"
    r"\text{ exists on } \mathcal K\}",
    symbols=(
        mu,
        Symbol("D", "diameter of the domain", "D", low=0, low_open=True, infinite=True),
    ),
)


@formula.form(
    "corrected",
    tex=r"\frac{\mu D}{2}",
    note="inf on R^d (D = inf): the three properties can hold together on bounded K only",
)
def corrected(mu: Array, D: Array) -> Array:
    """A mu-strongly convex loss on a domain of diameter D has a gradient at least this long.

    Source: olu, Definition 3: mu D <= |grad f(x) - grad f(y)| <= 2L across a diameter. Attained
    by (mu/2)|z - c|^2 on a ball with centre c.
    """
    return np.asarray(mu * D / 2)


@corrected.expression
def _(sp: Any, mu: Any, D: Any) -> Any:
    return mu * D / 2
