"""Theorem 5 of olu: expected regret with a constant step size."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.regret_symbols import P
from bounds.olu.symbols import D, L, T, d, epsilon, k, kappa

formula = Formula(
    id="olu.thm5",
    label="Theorem 5",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]",
    symbols=(T, k, d, epsilon, L, D, kappa, P),
)


@formula.form(
    "printed",
    tex=r"L\left(D+k^{1.1}\sqrt{\nicefrac{d}{\varepsilon}}\right)\sqrt{2T}+\frac{2L^2k^2}{\kappa}",
    note="adds a length to a number; no constant step size attains it on alternating losses",
)
def printed(
    T: Array, k: Array, d: Array, epsilon: Array, L: Array, D: Array, kappa: Array
) -> Array:
    """Some constant step size is claimed to have at most this expected regret.

    Source: olu, Theorem 5. False for every step size under the paper's hypotheses, and for the
    proof's step size even with one comparator; see `corrected`.
    """
    return L * (D + k**1.1 * np.sqrt(d / epsilon)) * np.sqrt(2 * T) + 2 * L**2 * k**2 / kappa


@printed.expression
def _(sp: Any, T: Any, k: Any, d: Any, epsilon: Any, L: Any, D: Any, kappa: Any) -> Any:
    noise = k ** sp.Rational(11, 10) * sp.sqrt(d / epsilon)
    return L * (D + noise) * sp.sqrt(2 * T) + 2 * L**2 * k**2 / kappa


@formula.form(
    "corrected",
    tex=r"L\sqrt{D(D+2P)}\sqrt{T+\frac{dk^2}{2\varepsilon}},\quad"
    r"\eta^\star=\frac{\sqrt{D(D+2P)}}{L\sqrt{T+dk^2/(2\varepsilon)}}",
    note="least noise; the k noise terms are not multiplied by T; needs eta* <= 2/beta",
)
def corrected(T: Array, k: Array, d: Array, epsilon: Array, L: Array, D: Array, P: Array) -> Array:
    """The expected regret with eta* is at most this value (and at most L D T in any case).

    Least noise sigma_i^2 = (2i - 1) eta^2 L^2/(2 epsilon), before the projection; P is the path
    length of the comparators. Proof: D^2/(2 eta) + D P/eta + eta L^2 (T + d k^2/(2 epsilon))/2
    at its minimum.
    """
    return L * np.sqrt(D * (D + 2 * P)) * np.sqrt(T + d * k**2 / (2 * epsilon))


@corrected.expression
def _(sp: Any, T: Any, k: Any, d: Any, epsilon: Any, L: Any, D: Any, P: Any) -> Any:
    return L * sp.sqrt(D * (D + 2 * P)) * sp.sqrt(T + d * k**2 / (2 * epsilon))
