"""The "key finding" of mini: H(l) as a contraction, and how many steps halve a distance."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.mini.series import contractive, exact_rate, log_rate, rate
from bounds.mini.symbols import L, eta, mu, smoothness_order

formula = Formula(
    id="mini.eig",
    label="Key finding (Section 4.1)",
    left=r"\|H(l)\|_2",
    symbols=(eta, mu, L),
    requires=(smoothness_order,),
)
halving = Formula(
    id="mini.eig.half",
    label="Steps that halve a distance",
    left=r"k_{1/2}",
    symbols=(eta, mu, L),
    requires=(smoothness_order, contractive),
)


@formula.form(
    "printed",
    tex=r"1-\frac{\eta}{B-\Delta B_s}\cdot(B-\Delta B_s)\cdot\mu=1-\eta\mu<1",
    note="the largest eigenvalue; the least is said to be 1 - eta L < 1, so H contracts",
)
def printed(eta: Array, mu: Array, L: Array) -> Array:
    """The largest eigenvalue of H(l) is this value, and H(l) contracts by it, says mini.

    Source: mini, Section 4.1. An upper bound of the norm only for eta <= 2/(L + mu).
    """
    return 1 - eta * mu


@printed.expression
def _(sp: Any, eta: Any, mu: Any, L: Any) -> Any:
    return 1 - eta * mu


@formula.form(
    "corrected",
    tex=r"r=\max(|1-\eta\mu|,|1-\eta L|)",
    note="per-sample constants; below 1 iff 0 < eta < 2/L and mu > 0; attained",
)
def corrected(eta: Array, mu: Array, L: Array) -> Array:
    """|H(l)| is at most this value when every kept sample's Hessian lies in [mu, L].

    The eigenvalues of H(l) lie in [1 - eta L, 1 - eta mu]; one curvature mu or L attains it.
    """
    return rate(eta, mu, L)


@corrected.expression
def _(sp: Any, eta: Any, mu: Any, L: Any) -> Any:
    return exact_rate(sp, eta, mu, L)


@halving.form(
    "tight",
    tex=r"\frac{\log 2}{-\log r}",
    note="the k with r^k = 1/2; infinite at mu = 0",
)
def half_life(eta: Array, mu: Array, L: Array) -> Array:
    """r^k reaches 1/2 at this k, which 1-D quadratics attain."""
    return np.asarray(np.log(2) / np.maximum(-log_rate(eta, mu, L), 0))


@half_life.expression
def _(sp: Any, eta: Any, mu: Any, L: Any) -> Any:
    r = exact_rate(sp, eta, mu, L)
    return sp.oo if r == 1 else sp.log(2) / -sp.log(r)
