"""Theorem 1 of mini: the error of following k steps, printed o(r^k) and corrected."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.forms import Array
from bounds.mini.series import contractive, drift, gap, rate_power, weighted_squares
from bounds.mini.symbols import (
    Gm,
    L,
    M,
    beta,
    eta,
    followed,
    k,
    mu,
    quadratic,
    s,
    small_steps,
    smoothness_order,
)
from bounds.namespaces import numeric

_MODEL = "every per-sample loss C^2, Hessian in [mu, L] and M-Lipschitz, 0 < eta < 2/L"
_RATES = {"eta": 0.5, "mu": 0.25, "L": 1.0, "beta": 0.25, "Gm": 1.0}
c = Symbol("c", "any constant > 0, in the meaning of o()", "c", low=0, low_open=True, unit="1")

statement = Statement(
    "mini.thm1",
    "Theorem 1",
    "asymptotic",
    words="For mu-strongly convex L-smooth losses the error of eq (10) is o(r^k), "
    "r = max(|1 - eta mu|, |1 - eta L|) in (0, 1).",
    left=r"\|\Delta\mathbf{w}_s-\mathbf{v}^{(k)}_s\|",
    symbols=(eta, mu, L, M, beta, Gm, s, k, c),
    requires=(smoothness_order, contractive, followed),
    growth="o() of a power r^k, which no power of k compares with",
    plot=Plot("k", tuple(map(float, range(0, 61, 5))), {**_RATES, "M": 0, "s": 60, "c": 0.05}),
    quantity="error of eq (10)",
    correction="|Dw_s - v| <= r^k |Dw_{s-k}| + (eta M/2) sum_{i <= k} r^{i-1} |Dw_{s-i}|^2, which "
    "is Theta(r^k) for quadratics and does not tend to 0 with k for other losses.",
)
statement.interpreted_as("literal", "o() as k and s - k grow; " + _MODEL)
statement.interpreted_as(
    "quadratic",
    "1-D quadratics, eta <= 2/(L + mu)",
    {"corrected": "<="},
    stance="amended",
    where=(quadratic, small_steps),
)
apart = Statement(
    "mini.thm1.drift",
    "Distance of the trajectories in Theorem 1",
    "inequality",
    words="|Dw_s| <= 2 eta beta Gm (1 - r^s)/(1 - r).",
    left=r"\|\Delta\mathbf{w}_s\|",
    symbols=(eta, mu, L, beta, Gm, s),
    requires=(smoothness_order, contractive),
    plot=Plot("s", tuple(map(float, range(1, 60, 6))), _RATES, log_y=False),
    quantity="|Dw_s|",
)
apart.interpreted_as("literal", "every per-sample loss has its Hessian in [mu, L], 0 < eta < 2/L")


@statement.form(
    "printed", tex=r"o\left(r^k\right),\quad r=\max\{\|1-\eta\cdot\mu\|,\|1-\eta\cdot L\|\}\in(0,1)"
)
def printed(xp, eta, mu, L, k, c):
    """The error of eq (10) is at most this value for every c and all large k, says mini.

    It is false: it is exactly (r^k - r^s)|Dw_inf| on 1-D quadratics.

    Note: read as: below c r^k for every c > 0, once k and s - k are large
    Fails (literal): The proof shows O(r^k), for quadratics, and not o(r^k): on a line the error
        over r^k tends to the limit of |Δw_s|, not to 0. At k = {k}, s = {s} the error is
        {measured}, more than {c}·r^k = {bound}.
    Source: mini, Theorem 1
    """
    return c * rate_power(xp, eta, mu, L, k)


_squares = np.vectorize(weighted_squares, otypes=[float])


def _bound(xp, eta, mu, L, M, beta, Gm, s, k, squares):
    taylor = eta * M / 2 * (2 * eta * beta * Gm) ** 2 * squares
    return rate_power(xp, eta, mu, L, k) * drift(xp, eta, mu, L, beta, Gm, s - k) + taylor


@statement.form(
    "corrected",
    tex=r"r^kD_{s-k}+\frac{\eta M}{2}\sum_{i=1}^{k}r^{i-1}D_{s-i}^2,\quad "
    r"D_l=2\eta\beta G_m\frac{1-r^l}{1-r}",
)
def corrected(xp, eta, mu, L, M, beta, Gm, s, k):
    """The error of eq (10) is at most this value: mini.eq17 with |Dw_l| <= D_l.

    Every per-sample loss is C^2 with Hessian in [mu, L] and M-Lipschitz, 0 < eta < 2/L, and every
    batch keeps a sample. Loose by orders of magnitude where M > 0.

    Note: from the constants alone; attained by 1-D quadratics
    Proof (literal): eq (17) corrected, with the drift of mini.thm1.drift
    Proof (quadratic): the error is (r^k - r^s)|Dw_inf|
    """
    slack = gap(xp, eta, mu, L)
    squares = xp.total(lambda i: xp.decay(slack, i - 1) * xp.geometric(slack, s - i) ** 2, 1, k)
    return _bound(xp, eta, mu, L, M, beta, Gm, s, k, squares)


@corrected.numeric
def _(
    eta: Array, mu: Array, L: Array, M: Array, beta: Array, Gm: Array, s: Array, k: Array
) -> Array:
    """The sum over many steps at once."""
    squares = _squares(gap(numeric, eta, mu, L), s, k)
    return np.asarray(_bound(numeric, eta, mu, L, M, beta, Gm, s, k, squares))


@apart.form("tight", tex=r"2\eta\beta G_m\frac{1-r^s}{1-r}")
def farthest(xp, eta, mu, L, beta, Gm, s):
    """|Dw_s| is at most this value, as |Htilde_l| <= r.

    Note: (2 beta Gm/mu)(1 - r^s) when eta <= 2/(L + mu); then attained by 1-D quadratics
    Proof: Dw_l = G(l) + Htilde_l Dw_{l-1}; equality on a line
    """
    return drift(xp, eta, mu, L, beta, Gm, s)
