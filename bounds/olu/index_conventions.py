"""The three index conventions of olu: how far apart the two runs are when a deletion is served."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.olu.symbols import L, eta, gamma
from bounds.symbols import Symbol

formula = Formula(
    id="olu.index",
    label="Index conventions (eq 2, Algorithm 1, eqs 11-13)",
    left=r"\sup\|z_{\tau}-z'_{\tau}\|",
    symbols=(
        gamma,
        eta,
        L,
        Symbol("u", "round of the deleted loss", "u", low=1, kind="integer"),
        Symbol("tau", "time of the deletion", r"\tau", low=1, kind="integer"),
    ),
    requires=(Requirement("u <= tau", lambda u, tau: u <= tau),),
)


@formula.form(
    "printed",
    tex=r"\gamma^{\tau[i]-u[i]}\Delta_{u[i]}",
    note="constant step, Delta = eta L; right when z_t is made from f_t (eq 2), else too small",
)
def printed(gamma: Array, eta: Array, L: Array, u: Array, tau: Array) -> Array:
    """The distance that skipping f_u leaves at tau equals this value in convention A only.

    Source: olu, Algorithm 1 line 5.  False for the algorithm's own comment (B: z_t is made from
    f_{t-1}) and for its regret proof (C, eqs 11-13: z_{t+1} is made from f_t).
    """
    return gamma ** (tau - u) * eta * L


@printed.expression
def _(sp: Any, gamma: Any, eta: Any, L: Any, u: Any, tau: Any) -> Any:
    return gamma ** (tau - u) * eta * L


@formula.form(
    "corrected",
    tex=r"\gamma^{\tau_i-u_i-1}\Delta_{u_i}",
    note="conventions B and C; inf at u = tau, where f_u enters after the noise",
)
def corrected(gamma: Array, eta: Array, L: Array, u: Array, tau: Array) -> Array:
    """The distance that skipping f_u leaves at tau is at most this value in conventions B and C.

    The steps u + 1..tau - 1 contract; attained by quadratics. Needs u <= tau - 1: at u = tau the
    published law differs from its successor by the whole of f_u, with no noise in between.
    """
    late = u < tau
    return np.where(late, gamma ** np.where(late, tau - u - 1, 0) * eta * L, np.inf)


@corrected.expression
def _(sp: Any, gamma: Any, eta: Any, L: Any, u: Any, tau: Any) -> Any:
    return gamma ** (tau - u - 1) * eta * L if u < tau else sp.oo
