"""Appendix E of sglu, (26)-(30): the induction step of Theorem 3.11, with its index slip."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.sglu.symbols import J
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.appe",
    label="(26)-(30)",
    left=r"W_\infty(\bar\nu_{\mathcal D_{s}|\mathcal B}, \nu_{\mathcal D_{s+1}|\mathcal B})",
    symbols=(
        Symbol("c", "contraction factor of one step", "c", low=0, high=1),
        J,
        Symbol("K_s", "epochs of request s", "K_s", low=0, kind="integer"),
        Symbol("K_before", "epochs of request s - 1", "K_{s-1}", low=0, kind="integer"),
        Symbol("Z_s", "distance bound at request s", "Z^{(s)}", low=0),
        Symbol("Z", "distance that one replaced point adds", "Z", low=0),
    ),
)


@formula.form(
    "printed",
    tex=r"c^{K_{s-1}n/b}Z_{\mathcal B}^{(s)}+Z_{\mathcal B}",
    note="(29)-(30) count the epochs of the request before",
)
def printed(c: Array, J: Array, K_before: Array, Z_s: Array, Z: Array) -> Array:
    """The right side of (30). Too small when K_{s-1} > K_s."""
    return c ** (K_before * J) * Z_s + Z


@printed.expression
def _(sp: Any, c: Any, J: Any, K_before: Any, Z_s: Any, Z: Any) -> Any:
    return c ** (K_before * J) * Z_s + Z


@formula.form(
    "corrected",
    tex=r"c^{K_sn/b}Z_{\mathcal B}^{(s)}+Z_{\mathcal B}",
    note="nubar_{D_s} is the output after K_s epochs on D_s, as in the statement",
)
def corrected(c: Array, J: Array, K_s: Array, Z_s: Array, Z: Array) -> Array:
    """W-infinity before request s + 1 is at most this value; equality on quadratics."""
    return c ** (K_s * J) * Z_s + Z


@corrected.expression
def _(sp: Any, c: Any, J: Any, K_s: Any, Z_s: Any, Z: Any) -> Any:
    return c ** (K_s * J) * Z_s + Z
