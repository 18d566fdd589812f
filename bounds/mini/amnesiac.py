"""Amnesiac unlearning, a baseline of mini: how many batches hold no forgotten sample."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.mini.symbols import B, n, u

formula = Formula(
    id="mini.base.amn",
    label="Amnesiac Unlearning (Section 5.1)",
    left=r"P(\mathbb{B}_l\cap\mathbb{D}_U=\emptyset)",
    symbols=(n, u, B),
    requires=(
        Requirement("u <= n", lambda u, n: u <= n),
        Requirement("n >= B", lambda n, B: n >= B),
    ),
)


@formula.form(
    "corrected",
    tex=r"(1-|\mathbb{D}_U|/n)^B",
    note="an upper bound; equality for batches drawn with replacement",
)
def corrected(n: Array, u: Array, B: Array) -> Array:
    """At most this share of random batches is left untouched; the rest Amnesiac takes back."""
    return (1 - u / n) ** B


@corrected.expression
def _(sp: Any, n: Any, u: Any, B: Any) -> Any:
    return (1 - u / n) ** B


@formula.form(
    "tight",
    tex=r"\binom{n-|\mathbb{D}_U|}{B}\Big/\binom nB",
    note="batches of distinct samples; where it is nearly 0, Amnesiac returns w_0",
)
def tight(n: Array, u: Array, B: Array) -> Array:
    """The probability that a random batch of B distinct samples has no forgotten one."""
    return np.asarray(_untouched(n, u, B))


@np.vectorize
def _untouched(n: float, u: float, B: float) -> float:
    few, many = sorted((u, B))
    if many > n - few:
        return 0.0
    return float(np.exp(np.log1p(-many / (n - np.arange(few))).sum()))


@tight.expression
def _(sp: Any, n: Any, u: Any, B: Any) -> Any:
    return sp.binomial(n - u, B) / sp.binomial(n, B)
