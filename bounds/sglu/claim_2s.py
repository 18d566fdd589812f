"""Appendix M of sglu: sequences cost SGLU a linear distance, Langevin unlearning an order 2^s."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu.symbols import J, K, S
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.claim.2s",
    label="Appendix M, sequential unlearning",
    left=r"Z_{\mathcal B}^{(s)}",
    symbols=(
        Symbol("c", "contraction factor of one step", "c", low=0, high=1),
        J,
        K,
        Symbol("Z", "distance that one replaced point adds", "Z", low=0),
        S,
    ),
)


@formula.form(
    "printed",
    tex=r"Z_{\mathcal B}^{(s)}\le s\,Z_{\mathcal B}",
    note="attained for c = 1 (or K = 0), the convex case",
)
def printed(Z: Array, S: Array) -> Array:
    """The distance before request S is at most this value.

    Source: sglu, Appendix M ("at most linearly in s").
    """
    return S * Z


@printed.expression
def _(sp: Any, Z: Any, S: Any) -> Any:
    return S * Z


@formula.form(
    "tight",
    tex=r"Z\,\frac{1-c^{sKJ}}{1-c^{KJ}}",
    note="attained by quadratics whose every request moves its point by 2M; bounded for c < 1",
)
def tight(c: Array, J: Array, K: Array, Z: Array, S: Array) -> Array:
    """The distance before request S when each of the earlier ones ran K epochs (Theorem 3.11)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log_power = np.where(K == 0, 0.0, K * J * np.log(c))
        series = np.expm1(S * log_power) / np.expm1(log_power)
    return np.where(log_power == 0, S, series) * Z


@tight.expression
def _(sp: Any, c: Any, J: Any, K: Any, Z: Any, S: Any) -> Any:
    power = sp.Float(c, 200) ** (K * J)  # as a fraction its powers would be huge
    return Z * (S if power == 1 else (1 - power**S) / (1 - power))
