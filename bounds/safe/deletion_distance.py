"""The distance that Theorem 2(iii) of safe has to hide, from the constants of the losses alone."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.safe.symbols import L, gamma, mu, n
from bounds.safe.theorem_1 import M

_most_stay = Requirement("M < n", lambda M, n: n > M)

moved = Formula(
    id="safe.thm2iii.distance",
    label="Theorem 2(iii), distance from the constants",
    left=r"\|w_0-\gamma\hat g_t-w_t^*\|",
    symbols=(L, mu, n, M, gamma),
    requires=(_most_stay,),
)
ridge = Formula(
    id="safe.thm2iii.ridge",
    label="Theorem 2(iii), distance for a ridge penalty",
    left=r"\|w_0-\gamma\hat g_t-w_t^*\|",
    symbols=(L, mu, n, M, gamma),
    requires=(_most_stay,),
)


@moved.form(
    "corrected",
    tex=r"\frac{LM_t}{\mu n_0}+\gamma",
    note="no W; attained at gamma = 0 by linear forgotten losses",
)
def from_constants(L: Array, mu: Array, n: Array, M: Array, gamma: Array) -> Array:
    """SAFE's point before noise is within this distance of w_t*, from w_0 = w_0*.

    R_0 is mu-strongly convex and every loss L-Lipschitz where the models are: n_0 grad R_0(w_t*)
    is the sum of the forgotten gradients at w_t*.
    """
    return np.asarray(L * M / (mu * n) + gamma)


@from_constants.expression
def _(sp: Any, L: Any, mu: Any, n: Any, M: Any, gamma: Any) -> Any:
    return L * M / (mu * n) + gamma


@ridge.form(
    "tight",
    tex=r"\frac{2L_hM_t}{\mu n_0}+\gamma",
    note="attained by h = -L x w with x = 1 kept and x = -1 forgotten",
)
def with_ridge(L: Array, mu: Array, n: Array, M: Array, gamma: Array) -> Array:
    """The same for losses h + (mu/2)|w|^2 with convex L-Lipschitz h: |mu w_t*| <= L."""
    return np.asarray(2 * L * M / (mu * n) + gamma)


@with_ridge.expression
def _(sp: Any, L: Any, mu: Any, n: Any, M: Any, gamma: Any) -> Any:
    return 2 * L * M / (mu * n) + gamma
