"""Theorem 3.11 of sglu: how the distance to retraining accumulates over sequential requests."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu.symbols import J, R
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.thm3.11",
    label="Theorem 3.11",
    left=r"W_\infty(\bar\nu_{\mathcal D_{s}|\mathcal B}, \nu_{\mathcal D_{s+1}|\mathcal B})",
    symbols=(
        Symbol("c", "contraction factor of one step", "c", low=0, high=1),
        J,
        Symbol("K_s", "unlearning epochs of request s", "K_s", low=0, kind="integer"),
        Symbol("Z_s", "distance bound at request s", "Z^{(s)}", low=0),
        Symbol("Z", "distance that one replaced point adds", "Z", low=0),
        R,
    ),
)


@formula.form(
    "printed",
    tex=r"Z_{\mathcal B}^{(s+1)}=\min(c^{K_s n/b}Z_{\mathcal B}^{(s)}+Z_{\mathcal B},\,2R)",
    note="attained by quadratics whose every request moves its point from M to -M",
)
def printed(c: Array, J: Array, K_s: Array, Z_s: Array, Z: Array, R: Array) -> Array:
    """W-infinity between the published law and the next stationary law is at most this value.

    Source: sglu, Theorem 3.11. Holds and is tight (R inactive).
    """
    return np.minimum(c ** (K_s * J) * Z_s + Z, 2 * R)


@printed.expression
def _(sp: Any, c: Any, J: Any, K_s: Any, Z_s: Any, Z: Any, R: Any) -> Any:
    return sp.Min(c ** (K_s * J) * Z_s + Z, 2 * R)


@formula.form(
    "tight", tex=r"\min(c^{K_sJ}Z^{(s)}+Z,\,2R)", note="the printed recursion is attained"
)
def tight(c: Array, J: Array, K_s: Array, Z_s: Array, Z: Array, R: Array) -> Array:
    """The printed recursion itself: equality on the linear instance."""
    return np.minimum(c ** (K_s * J) * Z_s + Z, 2 * R)


tight.expr = printed.expr
