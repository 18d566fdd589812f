"""Appendix H of sglu: one epoch of two runs on data that differ in several points, (41)-(43)."""

from bounds import Statement, Symbol
from bounds.sglu.series import sensitivity
from bounds.sglu.symbols import J, M, b, contractive, eta, hits, hits_in_batch, hits_in_epoch, m

W = Symbol(
    "W", "W-infinity distance before the epoch", r"W_\infty(\nu_t,\nu_t')", low=0, unit="parameter"
)

statement = Statement(
    "sglu.apph",
    "(41)-(43)",
    "recursion",
    words="One epoch contracts the W-infinity distance of runs on data differing in S points "
    "by (1 - eta m)^{n/b} and adds 2 eta M S_j/b, contracted by the steps that follow batch j.",
    left=r"W_\infty(\nu_{t+1|\mathcal B}^{0}, \nu_{t+1|\mathcal B}^{0,\prime})",
    reads={r"W_{\infty}(\nu_{t|\mathcal{B}}^{0},\nu_{t|\mathcal{B}}^{0,\prime})": "W"},
    symbols=(eta, m, M, b, J, W, hits),
    requires=(contractive, hits_in_epoch, hits_in_batch),
    aliases=("sglu.appH", "sglu.eq33-43"),
    quantity="W-infinity distance after one more epoch",
    correction="The closed form of Corollary 3.12 has c^T where this recursion gives c^{Tn/b}; "
    "the signs of (34)-(38) are judged with (48)-(54).",
)
statement.interpreted_as(
    "literal", "m-strongly convex, L-smooth losses, gradient differences <= 2M, eta <= 1/L"
)


@statement.form(
    "printed",
    tex=r"(1-\eta m)^{n/b}W_{\infty}(\nu_{t|\mathcal{B}}^{0},\nu_{t|\mathcal{B}}^{0,\prime})"
    r"+\sum_{g=0}^{G-1}(1-\eta m)^{n/b-j_{g}-1}\frac{2\eta MS_{j_{g}}}{b}",
)
def printed(xp, eta, m, M, b, J, W, hits):
    """W-infinity after one more epoch on data differing in `hits` is at most this value.

    Holds for gradient differences <= 2M and eta <= 2/(L + m).

    Note: (43); (42) is one step, n/b = 1
    Proof: synchronous coupling; each replaced point adds at most 2 eta M/b
    Equality: quadratics of curvature m, every replaced point moved from M to -M
    Source: sglu, (41)-(43)
    """
    weights = xp.over_hits(lambda j, size: size * xp.decay(eta * m, J - 1 - j), hits, J)
    return xp.decay(eta * m, J) * W + weights * sensitivity(eta, M, b)


@statement.form("tight", tex=r"c^{J}\,W+q\sum_{g}S_{j_g}c^{J-1-j_g},\quad q=\frac{2\eta M}{b}")
def tight(xp, eta, m, M, b, J, W, hits):
    """W-infinity after one more epoch on data differing in `hits` is at most this value.

    Note: the printed recursion is attained
    Proof: synchronous coupling; equality for quadratics
    """
    return printed.formula(xp, eta, m, M, b, J, W, hits)
