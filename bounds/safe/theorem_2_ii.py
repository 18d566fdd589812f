"""Theorem 2(ii) of safe: the regret of SAFE, printed with its proof's constants and corrected."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.safe.symbols import K, T, U, V, W, d, phi

formula = Formula(
    id="safe.thm2ii",
    label="Theorem 2(ii)",
    left=r"\mathbb{E}\sum_{t=1}^{T}\left(R_t(w_t)-R_t(w_t^*)\right)",
    symbols=(U, W, K, T, V, d, phi),
)


def step_length(W: Array, K: Array, T: Array) -> Array:
    """gamma = sqrt(W)/(K sqrt T), as safe sets it."""
    return np.asarray(np.sqrt(W / T) / K)


@formula.form(
    "printed",
    tex=r"\frac{UV_T}{2}+\frac{TU\gamma}{2}+\frac{9UW^2}{2\gamma}=O(\sqrt{T}+V_T),\quad "
    r"\gamma=\frac{\sqrt{W}}{K\sqrt{T}}",
    note="the constants that its proof gives",
)
def printed(U: Array, W: Array, K: Array, T: Array, V: Array) -> Array:
    """The expected regret is at most this value, says safe.

    Source: safe, Theorem 2(ii) and the last line of its proof (Theorem 3 of the appendix).
    False: the regret is of order T as soon as phi > 0, or once w_t* stays away from w_0.
    """
    gamma = step_length(W, K, T)
    return np.asarray(U * V / 2 + T * U * gamma / 2 + 9 * U * W**2 / (2 * gamma))


@printed.expression
def _(sp: Any, U: Any, W: Any, K: Any, T: Any, V: Any) -> Any:
    gamma = sp.sqrt(W) / (K * sp.sqrt(T))
    return U * V / 2 + T * U * gamma / 2 + 9 * U * W**2 / (2 * gamma)


@formula.form(
    "corrected",
    tex=r"UT\sqrt{(V_T+\gamma)^2+d\phi}",
    note="no more is true: of order T, and approached where w_t* jumps once and the step goes away",
)
def corrected(U: Array, W: Array, K: Array, T: Array, V: Array, d: Array, phi: Array) -> Array:
    """The expected regret is at most this value for U-Lipschitz risks and w_0 = w_0*.

    Lipschitz and Jensen with |w_0 - gamma g/|g| - w_t*| <= V_T + gamma.  phi may be the largest of
    the variances.  Neither convexity nor a ball is needed.
    """
    return np.asarray(U * T * np.sqrt((V + step_length(W, K, T)) ** 2 + d * phi))


@corrected.expression
def _(sp: Any, U: Any, W: Any, K: Any, T: Any, V: Any, d: Any, phi: Any) -> Any:
    return U * T * sp.sqrt((V + sp.sqrt(W) / (K * sp.sqrt(T))) ** 2 + d * phi)
