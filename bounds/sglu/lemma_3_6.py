"""Lemma 3.6 of sglu: geometric convergence of the learning law in W-infinity."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import J, T, c

W0 = Symbol(
    "W0",
    "W-infinity distance of the initial law to the stationary one",
    "W_0",
    low=0,
    unit="parameter",
)

statement = Statement(
    "sglu.lem3.6",
    "Lemma 3.6",
    "equality",
    words="After T epochs the W-infinity distance to the stationary law has shrunk by "
    "(1 - eta m)^{T n / b}.",
    left=r"W_\infty(\nu_T, \nu_{\mathcal D|\mathcal B})",
    reads={r"W_{\infty}(\nu_0,\nu_{\mathcal D|\mathcal B})": "W0", r"1-\eta m": "c"},
    symbols=(c, T, J, W0),
    plot=Plot("T", tuple(map(float, range(0, 21))), {"c": 0.97, "J": 8, "W0": 4}),
    quantity="W-infinity distance to the stationary law",
)
statement.interpreted_as(
    "literal", "m-strongly convex, L-smooth losses, eta <= 1/L, any initial law"
)


@statement.form(
    "printed",
    tex=r"W_{\infty}(\nu_T,\nu_{\mathcal D|\mathcal B})\le(1-\eta m)^{Tn/b}\,"
    r"W_{\infty}(\nu_0,\nu_{\mathcal D|\mathcal B})",
)
def printed(xp, c, T, J, W0):
    """W-infinity of the law after T epochs to the stationary law is at most this value.

    Note: attained by a linear chain started from its stationary law, shifted
    Proof: synchronous coupling of the chain with its stationary copy
    Source: sglu, Lemma 3.6 and (62)-(65)
    """
    return xp.decay(1 - c, T * J, c) * W0


@statement.form("tight", tex=r"c^{TJ}\,W_0")
def tight(xp, c, T, J, W0):
    """W-infinity of the law after T epochs to the stationary law is at most this value.

    Note: the printed bound is attained
    Proof: synchronous coupling; equality for linear chains
    """
    return printed.formula(xp, c, T, J, W0)
