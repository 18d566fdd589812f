"""Corollary 3.12 of sglu: the distance when several points are replaced at once."""

import math

from bounds import Edit, Plot, Statement
from bounds.sglu.series import learned, sensitivity
from bounds.sglu.symbols import (
    J,
    M,
    R,
    T,
    b,
    contractive,
    eta,
    hits,
    hits_in_batch,
    hits_in_epoch,
    m,
)

statement = Statement(
    "sglu.cor3.12",
    "Corollary 3.12",
    "inequality",
    words="Learning on data sets that differ in S points, S_j of them in batch j, ends within "
    "W-infinity min((1 - c^T)/(1 - c) sum_j c^{n/b - j - 1} 2 eta M S_j / b, 2R).",
    left=r"W_\infty(\nu_{T|\mathcal B}^{0}, \nu_{T|\mathcal B}^{0,\prime})",
    symbols=(eta, m, M, b, J, T, R, hits),
    requires=(contractive, hits_in_epoch, hits_in_batch),
    plot=Plot(
        "T",
        tuple(map(float, range(1, 21))),
        {"eta": 0.8, "m": 0.1, "M": 1, "b": 2, "J": 3, "R": math.inf, "hits": {0: 2, 2: 1}},
        log_y=False,
    ),
    quantity="W-infinity distance of learning on D and on D'",
    correction="(1 - c^{TJ})/(1 - c^J) for (1 - c^T)/(1 - c), as in Lemma 3.5.",
)
statement.interpreted_as(
    "literal",
    "the closed form of recursion (43) over T epochs, as the proof derives it; it is "
    "Lemma 3.5 at S = 1",
    edits={
        "printed": Edit(
            "(1 - c^T)/(1 - c) should read (1 - c^{Tn/b})/(1 - c^{n/b})",
            r"\frac{1-c^{T}}{1-c}",
            r"\frac{1-c^{Tn/b}}{1-c^{n/b}}",
        )
    },
)
statement.interpreted_as("bound", "an upper bound, whatever its derivation")


@statement.form(
    "printed",
    tex=r"\min\left(\frac{1-c^{T}}{1-c}\sum_{g=0}^{G-1}c^{n/b-j_{g}-1}"
    r"\frac{2\eta MS_{j_{g}}}{b},2R\right)",
)
def printed(xp, eta, m, M, b, J, T, R, hits):
    """W-infinity after T epochs on data differing in `hits` is at most this value.

    Valid but not what (43) gives; contradicts Lemma 3.5 at S = 1.

    Note: the geometric series of (43) has ratio c^{n/b}, not c
    Proof (bound): at least the corrected form: sum_t c^t >= sum_t c^{tJ}
    Fails (literal): The epochs of recursion (43) form a series of ratio c^(n/b), not c. The
        distance comes out {inverse} times too large here, and at S = 1 it contradicts Lemma 3.5; as
        an upper bound it stands.
    Source: sglu, Corollary 3.12
    """
    once = xp.over_hits(lambda j, size: size * xp.decay(eta * m, J - 1 - j), hits, J)
    return xp.minimum(xp.times(sensitivity(eta, M, b), xp.geometric(eta * m, T) * once), 2 * R)


@statement.form(
    "corrected",
    tex=r"\min\left(\frac{1-c^{Tn/b}}{1-c^{n/b}}\sum_{g=0}^{G-1}c^{n/b-j_{g}-1}"
    r"\frac{2\eta MS_{j_{g}}}{b},2R\right)",
)
def corrected(xp, eta, m, M, b, J, T, R, hits):
    """W-infinity after T epochs on data differing in `hits` is at most this value.

    Note: the sum of Lemma 3.5 over the replaced points; attained by quadratics
    Proof (literal): recursion (43), attained by quadratics
    Proof (bound): synchronous coupling, one shift for each replaced point
    """

    def apart(j, size):
        return size * learned(xp, eta, m, M, b, J, T, J - 1 - j)

    return xp.minimum(xp.over_hits(apart, hits, J), 2 * R)
