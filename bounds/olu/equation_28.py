"""(28) of olu: what moving comparators cost, in the proof of Theorem 3."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.symbols import L, T, kappa, tau, within_rounds

formula = Formula(
    id="olu.eq28",
    label="(28)",
    left=r"\left|\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\emptyset,\mathcal{T})]"
    r"-\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]\right|",
    symbols=(T, L, kappa, tau),
    requires=(within_rounds,),
)


@formula.form(
    "printed",
    tex=r"\frac{L^2(k^2+k)}{\kappa}",
    note="asks quadratic growth of sum_{t<=T} f_t in a different parameter for every block",
)
def printed_28(L: Array, kappa: Array, tau: Array) -> Array:
    """The cost of moving comparators is claimed to be at most this value. Source: olu, (28).

    False under the hypothesis of Theorem 3, which is about the prefixes up to tau_i.
    """
    k = np.size(tau)
    return L**2 * (k**2 + k) / kappa


@printed_28.expression
def _(sp: Any, L: Any, kappa: Any, tau: Any) -> Any:
    k = len(tau)
    return L**2 * (k**2 + k) / kappa


@formula.form(
    "corrected",
    tex=r"\frac{2L^2}{\kappa T}\sum_{i=1}^k(T-\tau_i)",
    note="when sum_{t<=T} f_t itself has quadratic growth with parameter kappa T",
)
def corrected_28(T: Array, L: Array, kappa: Array, tau: Array) -> Array:
    """The cost is at most this value if sum_{t<=T} f_t has quadratic growth kappa T.

    Proof: Lemma 6 gives |z_0* - z_i*| <= 2 i L/(kappa T), and
    sum_i i (tau_{i+1} - tau_i) = sum_i (T - tau_i). At most 2 k L^2/kappa.
    """
    left = [T - t for t in np.ravel(tau)]
    return 2 * L**2 / (kappa * T) * sum(left)


@corrected_28.expression
def _(sp: Any, T: Any, L: Any, kappa: Any, tau: Any) -> Any:
    return 2 * L**2 / (kappa * T) * sum(T - t for t in tau)
