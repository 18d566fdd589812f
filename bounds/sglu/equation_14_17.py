"""(14)-(17) of sglu: the Lipschitz constant of a gradient step."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.sglu.symbols import L, convexity_order, eta, m

formula = Formula(
    id="sglu.eq14_17",
    label="(14)-(17)",
    left=r"\mathrm{Lip}\Big(x\mapsto\Pi(x)-\frac\eta b\sum_i\nabla f(\Pi(x);\mathbf d_i)\Big)",
    symbols=(eta, m, L),
    requires=(
        convexity_order,
        Requirement("eta < 2 / L", lambda eta, L: eta * L < 2),
    ),
)


@formula.form("printed", tex=r"1-\eta m", note="stated for eta <= 1/L; true up to eta <= 2/(L + m)")
def printed(eta: Array, m: Array, L: Array) -> Array:
    """The step is a contraction with this factor while eta <= 2/(L + m).

    Source: sglu, (14)-(17), for eta <= 1/L.
    """
    return 1 - eta * m


@printed.expression
def _(sp: Any, eta: Any, m: Any, L: Any) -> Any:
    return 1 - eta * m


@formula.form(
    "tight",
    tex=r"\max(|1-\eta m|,|1-\eta L|)",
    note="every eta < 2/L; attained by quadratics with curvatures m and L",
)
def tight(eta: Array, m: Array, L: Array) -> Array:
    """The step is a contraction with this factor for every eta < 2/L (Baillon and Haddad)."""
    return np.maximum(np.abs(1 - eta * m), np.abs(1 - eta * L))


@tight.expression
def _(sp: Any, eta: Any, m: Any, L: Any) -> Any:
    return sp.Max(sp.Abs(1 - eta * m), sp.Abs(1 - eta * L))
