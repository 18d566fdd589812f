"""Lemmas 3 and 4 of olu: privacy amplification by iteration, with contraction."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.olu.shifted import definition, deviation, distance, shift
from bounds.olu.symbols import alpha
from bounds.symbols import Symbol

moduli = Symbol(
    "c", "Lipschitz constant of each map psi_t", "c_t", low=0, kind="list", typical=(0, 3)
)
shifts = Symbol(
    "s", "largest distance of psi_t and psi'_t", "s_t", low=0, kind="list", typical=(3, 7)
)
payments = Symbol(
    "a", "shift paid at each step", "a_t", low=0, kind="list", typical=(0, 3)
)  # fmt: skip
noises = Symbol(
    "sigma", "noise of each step; 0 only where a_t = 0", r"\sigma_t", low=0, kind="list"
)


def _carried(c: Array, s: Array, a: Array) -> Array:
    """e_1..e_T of e_t = c_t e_{t-1} + s_t - a_t, e_0 = 0."""
    e, found = 0.0, []
    for factor, arrived, paid in zip(c, s, a, strict=True):
        e = factor * e + arrived - paid
        found.append(e)
    return np.array(found)


def _payable(a: Array, c: Array, s: Array, sigma: Array) -> bool:
    if not np.shape(a) == np.shape(c) == np.shape(s) == np.shape(sigma):
        return False
    paid = bool(np.all((np.asarray(sigma) > 0) | (np.asarray(a) == 0)))
    scale = np.max(np.abs(s), initial=0.0) + np.max(np.abs(a), initial=0.0)
    return paid and bool((_carried(c, s, a) >= -1e-12 * scale).all())


amplification = Formula(
    id="olu.lem3",
    label="Lemma 3",
    left=r"D_\alpha^{(e_T)}(X_T\,\|\,X'_T),\quad\zeta_t=N(0,\sigma_t^2I)",
    symbols=(alpha, moduli, shifts, payments, noises),
    requires=(Requirement("e_t = c_t e_{t-1} + s_t - a_t >= 0 for lists of one length", _payable),),
)


@amplification.form(
    "printed",
    tex=r"\sum_{t=1}^{T}R_{\alpha}(\zeta_{t},a_{t}),\quad "
    r"e_{t}=\sum_{i=1}^{t}\gamma^{t-i}(s_{i}-a_{i})\ge0",
    note="also true for e_t = c_t e_{t-1} + s_t - a_t, c_t > 1 allowed, only psi_t Lipschitz",
)
def paid(alpha: Array, c: Array, s: Array, a: Array, sigma: Array) -> Array:
    """The e_T-shifted divergence of the two chains is at most this value.

    Source: olu, Lemma 3 (constant c_t = gamma). Equality for linear maps when a_t is in
    proportion to sigma_t^2 prod_{r > t} c_r. s_t is a supremum over every reachable point.
    """
    safe = np.where(sigma > 0, sigma, 1.0)
    return alpha * ((a / safe) ** 2).sum() / 2


@paid.expression
def _(sp: Any, alpha: Any, c: Any, s: Any, a: Any, sigma: Any) -> Any:
    return alpha * sum(x**2 / z**2 for x, z in zip(a, sigma, strict=True) if z) / 2


mapped = Formula(
    id="olu.lem4",
    label="Lemma 4",
    left=r"D_\alpha^{(\gamma e+s)}(\psi(X)\,\|\,\psi'(X')),"
    r"\quad X\sim N(x,s^2),\ X'\sim N(0,s^2)",
    symbols=(alpha, distance, deviation, shift),
)


@mapped.form(
    "printed",
    tex=r"D_{\alpha}^{\left({e}\right)}\left({X\|X^{\prime}}\right)",
    note="evaluated on Gaussians; attained by affine maps; only psi need be Lipschitz",
)
def before(alpha: Array, x: Array, s: Array, e: Array) -> Array:
    """The shifted divergence after psi and psi' is at most this value.

    Source: olu, Lemma 4 and (10). Equality for psi = gamma x + s, psi' = gamma x.
    """
    return definition("printed", alpha=alpha, x=x, s=s, e=e)


@before.expression
def _(sp: Any, alpha: Any, x: Any, s: Any, e: Any) -> Any:
    return alpha * sp.Max(x - e, 0) ** 2 / (2 * s**2)
