"""Appendix J of sglu: one epoch brings every law closer to the stationary one, (62)-(65)."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import J, contractive, eta, m

W = Symbol(
    "W", "W-infinity distance before the epoch", r"W_\infty(\nu_t,\nu)", low=0, unit="parameter"
)

statement = Statement(
    "sglu.appj",
    "(62)-(65)",
    "recursion",
    words="Steps with shared noise and projection bring two runs closer by 1 - eta m, so one "
    "epoch brings every law closer to the stationary one by (1 - eta m)^{n/b}.",
    left=r"W_\infty(\nu_{t+1|\mathcal B}^{0}, \nu_{\mathcal D|\mathcal B})",
    reads={r"W_{\infty}(\nu_{t|\mathcal{B}}^{0},\nu_{\mathcal{D}|\mathcal{B}})": "W"},
    symbols=(eta, m, J, W),
    requires=(contractive,),
    aliases=("sglu.eq62-65",),
    plot=Plot("J", tuple(map(float, range(1, 31))), {"eta": 0.8, "m": 0.1, "W": 3}),
    quantity="W-infinity distance to the stationary law after one more epoch",
)
statement.interpreted_as(
    "literal", "m-strongly convex, L-smooth losses, eta <= 1/L (eta <= 2/(L + m) is enough)"
)


@statement.form(
    "printed",
    tex=r"(1-\eta m)^{n/b}W_{\infty}(\nu_{t|\mathcal{B}}^{0},\nu_{\mathcal{D}|\mathcal{B}})",
)
def printed(xp, eta, m, J, W):
    """W-infinity to the stationary law after one more epoch is at most this value.

    Holds for eta <= 2/(L + m), with the projection.

    Note: one step, (62) and (63), at n/b = 1; attained by quadratics
    Proof: the projection is 1-Lipschitz, the gradient step (1 - eta m)-Lipschitz
    Equality: quadratics of curvature m started from a translate of their stationary law
    Source: sglu, (62)-(65)
    """
    return xp.decay(eta * m, J) * W


@statement.form("tight", tex=r"c^{J}\,W")
def tight(xp, eta, m, J, W):
    """W-infinity to the stationary law after one more epoch is at most this value.

    Note: the printed recursion is attained
    Proof: projection and gradient step contract, quadratics with equality
    """
    return printed.formula(xp, eta, m, J, W)
