"""Appendix I of sglu: the recursion over epochs of two runs on adjacent data, (57)-(61)."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.series import learned
from bounds.sglu.symbols import J, M, b, contractive, eta, j0, m, position_in_epoch

T = Symbol("T", "epochs", "T", low=0, kind="integer")
W = Symbol(
    "W",
    "W-infinity distance of the initial laws",
    r"W_\infty(\nu_0,\nu_0')",
    low=0,
    unit="parameter",
)

statement = Statement(
    "sglu.appi",
    "(57)-(61)",
    "recursion",
    words="A step contracts the W-infinity distance of runs on adjacent data by 1 - eta m and "
    "adds 2 eta M/b in batch j0; over T epochs (59) follows, and (61) from equal starts.",
    left=r"W_\infty(\nu_{T|\mathcal B}^{0}, \nu_{T|\mathcal B}^{0,\prime})",
    reads={r"W_{\infty}(\nu_{0|\mathcal{B}}^{0},\nu_{0|\mathcal{B}}^{0,\prime})": "W"},
    symbols=(eta, m, M, b, J, j0, T, W),
    requires=(contractive, position_in_epoch),
    aliases=("sglu.eq44-61",),
    plot=Plot(
        "T",
        tuple(map(float, range(0, 31))),
        {"eta": 0.8, "m": 0.05, "M": 1, "b": 2, "J": 3, "j0": 1, "W": 10},
        log_y=False,
    ),
    quantity="W-infinity distance of two runs on adjacent data",
    correction="(45) drops the projection, so its = should be <=; psi_j of D is written with the "
    "data of D'; the signs of (48)-(54) are judged by themselves.",
)
statement.interpreted_as(
    "literal", "m-strongly convex, L-smooth losses, gradient differences <= 2M, eta <= 1/L"
)


@statement.form(
    "printed",
    tex=r"(1-\eta m)^{Tn/b}W_{\infty}(\nu_{0|\mathcal{B}}^{0},\nu_{0|\mathcal{B}}^{0,\prime})"
    r"+\sum_{t=0}^{T-1}(1-\eta m)^{(t+1)n/b-j_{0}-1}\frac{2\eta M}{b}",
)
def printed(xp, eta, m, M, b, J, j0, T, W):
    """W-infinity after T epochs on adjacent data from laws W apart is at most this value.

    Holds for gradient differences <= 2M and eta <= 2/(L + m).

    Note: (59); (57) is one step (T = n/b = 1), (58) one epoch, (60) equal starts
    Proof: synchronous coupling, by induction over the steps
    Equality: quadratics of curvature m, the replaced point moved from M to -M
    Source: sglu, (57)-(61)
    """
    start = xp.decay(eta * m, T * J) * W
    return start + learned(xp, eta, m, M, b, J, T, J - 1 - j0)


@statement.form("tight", tex=r"c^{TJ}\,W+q\,c^{J-1-j_0}\sum_{t<T}c^{tJ},\quad q=\frac{2\eta M}{b}")
def tight(xp, eta, m, M, b, J, j0, T, W):
    """W-infinity after T epochs on adjacent data from laws W apart is at most this value.

    Note: the printed recursion is attained
    Proof: synchronous coupling; equality for quadratics
    """
    return printed.formula(xp, eta, m, M, b, J, j0, T, W)
