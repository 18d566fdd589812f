"""Lemma 3 of olu: privacy amplification by iteration, with contraction."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.olu.symbols import alpha

moduli = Symbol(
    "c", "Lipschitz constant of each map psi_t", "c_t", low=0, kind="list", typical=(0, 3), unit="1"
)
shifts = Symbol(
    "s",
    "largest distance of psi_t and psi'_t",
    "s_t",
    low=0,
    kind="list",
    typical=(3, 7),
    unit="parameter",
)
payments = Symbol(
    "a", "shift paid at each step", "a_t", low=0, kind="list", typical=(0, 3), unit="parameter"
)
noises = Symbol(
    "sigma",
    "noise of each step; 0 only where a_t = 0",
    r"\sigma_t",
    low=0,
    kind="list",
    unit="parameter",
)


def _carried(c: Array, s: Array, a: Array) -> Array:
    """e_1..e_T of e_t = c_t e_{t-1} + s_t - a_t, e_0 = 0."""
    e, errors = 0.0, []
    for factor, arrived, paid in zip(c, s, a, strict=True):
        e = factor * e + arrived - paid
        errors.append(e)
    return np.array(errors)


def _payable(a: Array, c: Array, s: Array, sigma: Array) -> bool:
    if not np.shape(a) == np.shape(c) == np.shape(s) == np.shape(sigma):
        return False
    paid = bool(np.all((np.asarray(sigma) > 0) | (np.asarray(a) == 0)))
    scale = np.max(np.abs(s), initial=0.0) + np.max(np.abs(a), initial=0.0)
    return paid and bool((_carried(c, s, a) >= -1e-12 * scale).all())


statement = Statement(
    "olu.lem3",
    "Lemma 3",
    "inequality",
    words="D_alpha^(e_T)(X_T || X'_T) <= sum_t R_alpha(zeta_t, a_t) whenever "
    "e_t = sum_{i <= t} gamma^{t-i} (s_i - a_i) >= 0 for all t.",
    left=r"D_\alpha^{(e_T)}(X_T\,\|\,X'_T),\quad\zeta_t=N(0,\sigma_t^2I)",
    reads={r"R_{\alpha}(\zeta_{t},a_{t})": r"\frac{\alpha a_t^2}{2\sigma_t^2}", "T": r"\sum_t1"},
    symbols=(alpha, moduli, shifts, payments, noises),
    requires=(Hypothesis("e_t = c_t e_{t-1} + s_t - a_t >= 0 for lists of one length", _payable),),
    aliases=("olu.eq9",),
    plot=Plot(
        "alpha",
        tuple(np.linspace(1.05, 8, 30).tolist()),
        {
            "c": [0.9, 0.9, 0.9],
            "s": [1.0, 0.0, 0.5],
            "a": [0.5, 0.45, 0.5],
            "sigma": [1.0, 1.0, 1.0],
        },
    ),
    quantity="shifted divergence of linear chains",
    correction="Ask only psi_t to be Lipschitz: the skip is not gamma-contractive. In (9) the "
    "second psi_{t+1} is psi'_{t+1}.",
)
statement.interpreted_as("literal", "every psi_t and psi'_t is gamma-Lipschitz")
statement.interpreted_as(
    "general",
    "psi_t is c_t-Lipschitz, c_t > 1 allowed; psi'_t is any map (a skip has constant 1); "
    "e_t = c_t e_{t-1} + s_t - a_t",
    stance="amended",
)


@statement.form(
    "printed",
    tex=r"\sum_{t=1}^{T}R_{\alpha}(\zeta_{t},a_{t}),\quad "
    r"e_{t}=\sum_{i=1}^{t}\gamma^{t-i}(s_{i}-a_{i})\ge0",
)
def paid(xp, alpha, c, s, a, sigma):
    """The e_T-shifted divergence of the two chains is at most this value.

    s_t is a supremum over every reachable point.

    Note: also true for e_t = c_t e_{t-1} + s_t - a_t, c_t > 1 allowed, only psi_t Lipschitz
    Proof (literal): Lemmas C and 4, by induction (9)
    Proof (general): induction (9), in which only psi_t is ever contracted
    Equality: linear maps with a_t in proportion to sigma_t^2 prod_{r > t} c_r
    Source: olu, Lemma 3 (constant c_t = gamma)
    """
    each = lambda t, x, z: xp.where(z > 0, lambda: (x / z) ** 2, 0)  # noqa: E731
    return alpha / 2 * xp.over(each, a, sigma)
