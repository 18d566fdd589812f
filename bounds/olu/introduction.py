"""The introduction of olu: regret O(log T + k^2 d) for strongly convex losses."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.symbols import L, T, d, epsilon, k, mu

formula = Formula(
    id="olu.intro",
    label="Section 1",
    left=r"\mathbb{E}[\mathrm{Regret}_T]",
    symbols=(T, k, d, epsilon, L, mu),
)


@formula.form(
    "printed", tex=r"O(\log T+k^2d)", note="evaluated with the constant L^2/mu; eps is dropped"
)
def printed(T: Array, k: Array, d: Array, L: Array, mu: Array) -> Array:
    """The announced order, in units of L^2/mu. Source: olu Section 1."""
    return L**2 / mu * (np.log(T) + k**2 * d)


@printed.expression
def _(sp: Any, T: Any, k: Any, d: Any, L: Any, mu: Any) -> Any:
    return L**2 / mu * (sp.log(T) + k**2 * d)


@formula.form(
    "corrected",
    tex=r"\frac{L^2}{\mu}\left(\frac{1+\log T}{2}+k+\frac{dk}{2\varepsilon}\right)",
    note="linear in k; Theorem 2 repaired",
)
def corrected(T: Array, k: Array, d: Array, epsilon: Array, L: Array, mu: Array) -> Array:
    """At least the expected regret with the least noise that unlearns, k <= T deletions."""
    return L**2 / mu * ((1 + np.log(T)) / 2 + k + d * k / (2 * epsilon))


@corrected.expression
def _(sp: Any, T: Any, k: Any, d: Any, epsilon: Any, L: Any, mu: Any) -> Any:
    return L**2 / mu * ((1 + sp.log(T)) / 2 + k + d * k / (2 * epsilon))
