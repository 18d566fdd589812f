"""(14)-(17) of sglu: how much a mini-batch gradient step contracts."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.sglu.symbols import L, convexity_order, eta, m
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.eq14_17",
    label="(14)-(17)",
    left=r"\|\psi_v(x)-\psi_v(x')\|",
    symbols=(eta, m, L, Symbol("D", "distance of the two iterates", r"\|x-x'\|", low=0)),
    requires=(
        convexity_order,
        Requirement("eta <= 2 / L", lambda eta, L: eta * L <= 2 * (1 + 1e-12)),
    ),
)


@formula.form(
    "printed",
    tex=r"(1-\eta m)\|x-x'\|",
    note="holds for eta <= 2/(L + m); attained by quadratics",
)
def printed(eta: Array, m: Array, D: Array) -> Array:
    """|psi_v(x) - psi_v(x')| is at most this value for eta <= 1/L, even for eta <= 2/(L + m).

    Source: sglu, (14)-(17). Beyond 2/(L + m) false: the stiff direction then decides.
    """
    return (1 - eta * m) * D


@printed.expression
def _(sp: Any, eta: Any, m: Any, D: Any) -> Any:
    return (1 - eta * m) * D


@formula.form(
    "tight",
    tex=r"\max(|1-\eta m|,|1-\eta L|)\,\|x-x'\|",
    note="any step size; attained by a quadratic with curvatures m and L",
)
def tight(eta: Array, m: Array, L: Array, D: Array) -> Array:
    """|psi_v(x) - psi_v(x')| is at most this value for every eta, with equality for quadratics.

    Source: Baillon-Haddad applied to f - (m/2)|x|^2, the projection being 1-Lipschitz.
    """
    return np.maximum(np.abs(1 - eta * m), np.abs(1 - eta * L)) * D


@tight.expression
def _(sp: Any, eta: Any, m: Any, L: Any, D: Any) -> Any:
    return sp.Max(abs(1 - eta * m), abs(1 - eta * L)) * D
