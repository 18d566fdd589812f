"""Appendix E of sglu: the induction step of Theorem 3.11, (27)-(30)."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.appe",
    label="(27)-(30)",
    left=r"W_\infty(\bar\nu_{\mathcal D_s|\mathcal B}, \nu_{\mathcal D_{s+1}|\mathcal B})",
    symbols=(
        Symbol("c", "contraction factor of one step", "c", low=0, high=1),
        Symbol("J", "batches an epoch, n / b", "J", low=1, kind="integer"),
        Symbol("K_before", "epochs of request s - 1", "K_{s-1}", low=0, kind="integer"),
        Symbol("K_s", "epochs of request s", "K_s", low=0, kind="integer"),
        Symbol("Z_s", "distance before request s", r"Z^{(s)}", low=0),
        Symbol("Z", "distance of adjacent stationary laws", "Z", low=0),
    ),
)


@formula.form(
    "printed",
    tex=r"c^{K_{s-1}n/b}Z_{\mathcal{B}}^{(s)}+Z_{\mathcal{B}}",
    note="the law published after request s has run K_s epochs on D_s, not K_{s-1}",
)
def printed(c: Array, J: Array, K_before: Array, Z_s: Array, Z: Array) -> Array:
    """The right side of (30), with the epochs of the request before.

    Source: sglu, (29) and (30). Too small whenever K_{s-1} > K_s; the theorem has K_s.
    """
    return c ** (K_before * J) * Z_s + Z


@printed.expression
def _(sp: Any, c: Any, J: Any, K_before: Any, Z_s: Any, Z: Any) -> Any:
    return c ** (K_before * J) * Z_s + Z


@formula.form(
    "corrected",
    tex=r"c^{K_{s}n/b}Z_{\mathcal{B}}^{(s)}+Z_{\mathcal{B}}",
    note="as in the statement of Theorem 3.11; attained by quadratics",
)
def corrected(c: Array, J: Array, K_s: Array, Z_s: Array, Z: Array) -> Array:
    """The distance before request s + 1 is at most this value, with equality for quadratics."""
    return c ** (K_s * J) * Z_s + Z


@corrected.expression
def _(sp: Any, c: Any, J: Any, K_s: Any, Z_s: Any, Z: Any) -> Any:
    return c ** (K_s * J) * Z_s + Z
