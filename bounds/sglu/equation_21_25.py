"""(21)-(25) of sglu: how far unlearning starts from the stationary law of D'."""

from bounds import Plot, Statement
from bounds.sglu.series import learned, stationary
from bounds.sglu.symbols import J, M, R_finite, T, b, contractive, eta, m_positive

statement = Statement(
    "sglu.eq21_25",
    "(21)-(25)",
    "inequality",
    words="Unlearning starts within 2R c^{Tn/b} + min(2 eta M/(b(1 - c^{n/b})), 2R) of the "
    "stationary law of D', in W-infinity.",
    left=r"W_\infty(\nu_{\mathcal D'|\mathcal B}, \rho_{0|\mathcal B}^{0})",
    symbols=(eta, m_positive, M, b, J, T, R_finite),
    requires=(contractive,),
    aliases=("sglu.eq21-25",),
    plot=Plot(
        "T",
        tuple(map(float, range(1, 16))),
        {"eta": 0.5, "m": 0.4, "M": 0.2, "b": 1, "J": 2, "R": 1},
    ),
    quantity="W-infinity distance of nu_{D'} and the law that unlearning starts from",
    correction="The proof ends with the T = inf factor; the theorem's smaller one holds as well.",
)
statement.interpreted_as(
    "literal", "gradient differences <= 2M on C_R (Remark 3.7), any initial law on C_R"
)


@statement.form(
    "printed", tex=r"2R\times c^{Tn/b}+\min\left(\frac{1}{1-c^{n/b}}\frac{2\eta M}{b},2R\right)"
)
def printed(xp, eta, m, M, b, J, T, R):
    """W-infinity from T epochs on D to the stationary law of D' is at most this value.

    Note: through the stationary law of D
    Proof: triangle inequality for W-infinity, Lemmas 3.5 and 3.6, T -> inf by lower semicontinuity
    Source: sglu, (21)-(25)
    """
    far = 2 * R * xp.decay(eta * m, T * J)
    return far + xp.minimum(stationary(xp, eta, m, M, b, J), 2 * R)


@statement.form(
    "corrected", tex=r"2Rc^{Tn/b}+\min\left(\frac{1-c^{Tn/b}}{1-c^{n/b}}\frac{2\eta M}{b},2R\right)"
)
def corrected(xp, eta, m, M, b, J, T, R):
    """W-infinity from T epochs on D to the stationary law of D' is at most this value.

    Note: what Theorem 3.2 states: through T epochs on D' in place of the stationary law of D
    Proof: triangle inequality through nu'_T, Lemmas 3.5 and 3.6
    """
    far = 2 * R * xp.decay(eta * m, T * J)
    return far + xp.minimum(learned(xp, eta, m, M, b, J, T), 2 * R)


@statement.form("tight", tex=r"\min\big(2Rc^{TJ}+Z_T,\,2R\big)")
def tight(xp, eta, m, M, b, J, T, R):
    """W-infinity from T epochs on D to the stationary law of D' is at most this value.

    Note: two laws on the ball are at most 2R apart
    Proof: triangle inequality through nu'_T; both laws on a ball of diameter 2R
    """
    far = 2 * R * xp.decay(eta * m, T * J)
    return xp.minimum(far + learned(xp, eta, m, M, b, J, T), 2 * R)
