"""The statement that should stand beside mini's Theorem 1: redo the last k steps on kept data."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.mini.series import contractive, drift, exact_rate, exact_sum, rate_power
from bounds.mini.symbols import Gm, L, beta, distance, eta, followed, k, mu, s, smoothness_order

formula = Formula(
    id="mini.rewind",
    label="Rewinding k steps",
    left=r"\|\mathbf{u}_T-\mathbf{w}_T^*\|",
    symbols=(eta, mu, L, k, distance),
    requires=(smoothness_order,),
)
prior = Formula(
    id="mini.rewind.prior",
    label="Rewinding k steps, from the constants alone",
    left=r"\|\mathbf{u}_s-\mathbf{w}_s^*\|",
    symbols=(eta, mu, L, beta, Gm, s, k),
    requires=(smoothness_order, contractive, followed),
)


@formula.form(
    "tight",
    tex=r"r^k\|\Delta\mathbf{w}_{T-k}\|",
    note="no Hessian and no Taylor term; attained by 1-D quadratics",
)
def redone(eta: Array, mu: Array, L: Array, k: Array, distance: Array) -> Array:
    """k steps on kept data from w_{T-k} end at most this far from w_T*.

    Every per-sample loss is mu-strongly convex and L-smooth: both runs apply the same maps
    w -> w - eta g_K(w), each r-Lipschitz. Costs k gradients.
    """
    return rate_power(eta, mu, L, k) * distance


@redone.expression
def _(sp: Any, eta: Any, mu: Any, L: Any, k: Any, distance: Any) -> Any:
    return exact_rate(sp, eta, mu, L) ** k * distance


@prior.form(
    "tight",
    tex=r"r^k\cdot2\eta\beta G_m\frac{1-r^{s-k}}{1-r}",
    note="attained by 1-D quadratics when eta <= 2/(L + mu)",
)
def from_constants(
    eta: Array, mu: Array, L: Array, beta: Array, Gm: Array, s: Array, k: Array
) -> Array:
    """k steps on kept data from w_{s-k} end at most this far from w_s*: mini.thm1.drift inside."""
    return rate_power(eta, mu, L, k) * drift(eta, mu, L, beta, Gm, s - k)


@from_constants.expression
def _(sp: Any, eta: Any, mu: Any, L: Any, beta: Any, Gm: Any, s: Any, k: Any) -> Any:
    r = exact_rate(sp, eta, mu, L)
    return r**k * 2 * eta * beta * Gm * exact_sum(r, s - k)
