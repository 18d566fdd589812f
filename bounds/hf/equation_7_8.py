"""(7)-(8) of hf, a batch without u: the step of the difference, and what its remainder can be."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.hf.symbols import Lam, M, b, curvatures, eta, lam

H = Symbol(
    "H", "sum of the batch's Hessians (one dimension)", r"\mathbf{H}", unit="loss/parameter^2"
)
D = Symbol("D", "difference of the runs before the step", "D", unit="parameter")

statement = Statement(
    "hf.eq7_8",
    "Equations (7)-(8)",
    "equality",
    words="A batch without u turns the difference D into (I - (eta/b) H) D + o(D).",
    left=r"\mathbf{w}_{e,b+1}^{-u} - \mathbf{w}_{e,b+1}",
    symbols=(eta, b, H, D),
    aliases=("hf.eq7-8", "hf.eq7", "hf.eq8"),
    plot=Plot(
        "eta", tuple(np.linspace(0.05, 3, 30).tolist()), {"b": 3.0, "H": 2.5, "D": 0.7}, log_y=False
    ),
    quantity="difference after the step",
)
statement.interpreted_as("literal", "u not in the batch, whose losses are quadratic")
remainder = Statement(
    "hf.eq7_8.remainder",
    "Equation (8), remainder",
    "inequality",
    words="What (8) leaves out is o(D).",
    quote="the remainder term o(w_{e,b}^{-u} - w_{e,b})",
    left=r"\|D_{t+1}-(\mathbf{I}-\tfrac{\eta}{b}\mathbf{H})D_t\|",
    symbols=(
        eta,
        lam,
        M,
        Lam,
        Symbol("D", "distance of the runs before the step", "D", low=0, unit="parameter"),
    ),
    requires=(curvatures,),
    aliases=("hf.eq21",),
    plot=Plot(
        "D",
        tuple(np.linspace(0.05, 4, 40).tolist()),
        {"eta": 0.5, "lam": -0.5, "M": 1.5, "Lam": 1.0},
    ),
    quantity="departure of one step from (8)",
    correction="eta times the integral of min(Lam s, M - lam) over s in [0, D].",
)
remainder.interpreted_as("literal", "o(D), without a constant", {"corrected": "<="})
remainder.interpreted_as(
    "smooth", "Hessians in [lam, M] with Lipschitz constant Lam on the segment", stance="amended"
)


@statement.form(
    "printed",
    tex=r"\mathbf{w}_{e,b+1}^{-u} - \mathbf{w}_{e,b+1} \approx \left(\mathbf{I} - "
    r"\frac{\eta_{e,b}}{|\mathcal{B}_{e,b}|} \mathbf{H}_{e,b}\right) "
    r"(\mathbf{w}_{e,b}^{-u} - \mathbf{w}_{e,b})",
)
def printed(xp, eta, b, H, D):
    """A batch without u turns the difference D into this.

    Note: an equality on quadratics
    Proof: g_i(v) - g_i(w) = H_i (v - w); (7) is one step minus the other
    Source: hf, (8)
    """
    return (1 - eta / b * H) * D


@remainder.form("corrected", tex=r"\eta\min\left(\tfrac{\Lambda}{2}\|D\|^2,(M-\lambda)\|D\|\right)")
def corrected(xp, eta, lam, M, Lam, D):
    """One step on a batch departs from (8) by at most this; Hessians in [lam, M], Lam-Lipschitz.

    Note: in place of o(D)
    Proof (smooth): path average minus start: both in [lam, M], apart by Lam D/2
    Fails (literal): o(D) tells how the remainder behaves as D tends to 0, and not how large it is.
        (38) then counts it as η|D|; with Hessians in [λ, M] it comes near η(M - λ)|D|.
    Source: hf, (8)
    """
    return eta * xp.minimum(Lam / 2 * D**2, (M - lam) * D)


@remainder.form("tight", tex=r"\eta\int_0^{\|D\|}\min(\Lambda s,M-\lambda)\,ds")
def tight(xp, eta, lam, M, Lam, D):
    """The largest such departure, in every dimension and for every batch.

    Note: attained by a Hessian that rises from lam to M as fast as it may
    Proof: the integrand is at most min(Lam s, M - lam) at distance s; attained
    """
    rise = M - lam
    return eta * xp.where(Lam * D <= rise, Lam / 2 * D**2, lambda: rise * (D - rise / Lam / 2))
