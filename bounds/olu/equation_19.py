"""(19) of olu, printed again as (57): what a comparator that moves with the deletions costs."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.noise_terms import enough
from bounds.olu.symbols import L, T, mu, tau, within_rounds
from bounds.olu.theorem_2 import moving

formula = Formula(
    id="olu.eq19",
    label="(19), (57)",
    left=r"\big|\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\emptyset,\mathcal{T})]"
    r"-\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]\big|",
    symbols=(T, L, mu, tau),
    requires=(enough, within_rounds),
)


@formula.form(
    "printed",
    tex=r"\frac{(1+k)kL^2}{\mu}",
    note="every window taken as long as T, and Lemma 5's factor 2",
)
def printed(L: Array, mu: Array, tau: Array) -> Array:
    """At least the difference of the two regrets. Source: olu (19). Loose by about k."""
    k = np.size(tau)
    return k * (k + 1) * L**2 / mu


@printed.expression
def _(sp: Any, L: Any, mu: Any, tau: Any) -> Any:
    k = len(tau)
    return k * (k + 1) * L**2 / mu


@formula.form(
    "corrected",
    tex=r"\frac{L^2}{\mu T}\sum_{i=1}^k(T-\tau_i)\le\frac{kL^2}{\mu}",
    note="sum_i i (tau_{i+1} - tau_i) = sum_i (T - tau_i), and Lemma 5 without its 2",
)
def corrected(T: Array, L: Array, mu: Array, tau: Array) -> Array:
    """At least the difference of the regrets: i L/(mu T) a round after the i-th deletion."""
    return L**2 / mu * moving(T, tau)


@corrected.expression
def _(sp: Any, T: Any, L: Any, mu: Any, tau: Any) -> Any:
    return L**2 / (mu * T) * sum(T - t for t in tau)
