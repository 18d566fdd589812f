"""Lemma 3.5 of sglu: how far apart learning on adjacent data sets can end, in W-infinity."""

import math

from bounds import Plot, Statement
from bounds.sglu.series import learned
from bounds.sglu.symbols import J, M, R, T, b, contractive, eta, j0, m, position_in_epoch

statement = Statement(
    "sglu.lem3.5",
    "Lemma 3.5",
    "inequality",
    words="Learning for T epochs on adjacent data sets that differ in batch j0 ends within "
    "W-infinity distance min((1 - c^{Tn/b})/(1 - c^{n/b}) c^{n/b - j0 - 1} 2 eta M/b, 2R).",
    left=r"W_\infty(\nu_{T|\mathcal B}^{0}, \nu_{T|\mathcal B}^{0,\prime})",
    symbols=(eta, m, M, b, J, T, j0, R),
    requires=(contractive, position_in_epoch),
    plot=Plot(
        "T",
        tuple(map(float, range(1, 31))),
        {"eta": 0.8, "m": 0.05, "M": 1, "b": 2, "J": 3, "j0": 2, "R": math.inf},
        log_y=False,
    ),
    quantity="W-infinity distance of learning on D and on D'",
    correction="The proof's x - x' + eta (grad - grad') needs a minus sign.",
)
statement.interpreted_as(
    "literal",
    "as stated, with gradient differences <= 2M in place of Lipschitz losses (Remark 3.7)",
)


@statement.form(
    "printed",
    tex=r"\min\left(\frac{1-c^{Tn/b}}{1-c^{n/b}}c^{n/b-j_{0}-1}\frac{2\eta M}{b},2R\right)",
)
def printed(xp, eta, m, M, b, J, T, j0, R):
    """W-infinity between the laws after T epochs on adjacent data sets is at most this value.

    Holds for gradient differences <= 2M (Remark 3.7).

    Note: the limit T c^{n/b - j0 - 1} 2 eta M / b at m = 0; attained by quadratics
    Proof: synchronous coupling: W^{j+1} <= c W^j + q 1[j = j0]
    Equality: f = (m/2)x^2 - d x with d moved from M to -M, while the projection is inactive
    Source: sglu, Lemma 3.5 and (44)-(61)
    """
    return xp.minimum(learned(xp, eta, m, M, b, J, T, J - 1 - j0), 2 * R)


@statement.form(
    "tight", tex=r"\min\Big(q\,c^{J-1-j_0}\sum_{t<T}c^{tJ},\,2R\Big),\quad q=\frac{2\eta M}{b}"
)
def tight(xp, eta, m, M, b, J, T, j0, R):
    """W-infinity between the laws after T epochs on adjacent data sets is at most this value.

    Note: the printed bound is attained
    Proof: synchronous coupling; equality on quadratics
    """
    return printed.formula(xp, eta, m, M, b, J, T, j0, R)
