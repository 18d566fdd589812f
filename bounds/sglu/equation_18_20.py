"""(18)-(20) of sglu: from W-infinity to Rényi by Lemma 3.4, over T epochs of the same updates."""

from bounds import Edit, Plot, Statement, Symbol
from bounds.sglu.series import amplified, amplified_once
from bounds.sglu.symbols import J, alpha, contractive, eta, m_positive, sigma

T = Symbol("T", "epochs", "T", low=1, kind="integer")
W0 = Symbol(
    "W0", "W-infinity distance of nu_0 to the stationary law", "W_0", low=0, unit="parameter"
)

statement = Statement(
    "sglu.eq18_20",
    "(18)-(20)",
    "inequality",
    words="Over T epochs of the same updates d_alpha is at most alpha W^2 c^{2Tn/b} / "
    "(2 eta sigma^2); (18) has W-infinity(nu_D', nu'_T) for W, (19) has 2R.",
    left=r"d_\alpha(\nu_{\mathcal D'|\mathcal B}, \nu_{T|\mathcal B}^{0,\prime})",
    reads={
        r"W_{\infty}(\nu_{\mathcal D'|\mathcal B},\nu_{T|\mathcal B}^{0,\prime})": "c^{TJ}W_0",
        r"W_{\infty}(\nu_{\mathcal D'|\mathcal B},\nu_{0})": "W0",
    },
    symbols=(alpha, eta, m_positive, sigma, J, T, W0),
    requires=(contractive,),
    aliases=("sglu.eq18-20",),
    plot=Plot(
        "T",
        tuple(map(float, range(1, 16))),
        {"alpha": 2, "eta": 0.5, "m": 0.1, "sigma": 0.5, "J": 2, "W0": 1},
    ),
    quantity="d_alpha to the stationary law",
    correction="The noise of a step is N(0, 2 eta sigma^2 I), not N(0, eta sigma^2 I).",
)
statement.interpreted_as(
    "literal",
    "any start within W_0 of the stationary law",
    edits={
        "printed": Edit(
            "W-infinity(nu_D', nu'_T) should read W-infinity(nu_D', nu_0)",
            r"\nu_{T|\mathcal B}^{0,\prime}",
            r"\nu_{0}",
        )
    },
)


@statement.form(
    "printed",
    tex=r"\frac{\alpha W_{\infty}(\nu_{\mathcal D'|\mathcal B},\nu_{T|\mathcal B}^{0,\prime})^{2}}"
    r"{2\eta\sigma^{2}}c^{2Tn/b}",
)
def printed(xp, alpha, eta, m, sigma, J, T, W0):
    """The middle term of (18), with the distance after T epochs: contracted twice.

    Too small; its outer terms, with W_0 <= 2R, are right.

    Note: evaluated with W-infinity(nu_D', nu'_T) = c^{TJ} W_0, its largest value
    Fails: The middle term of (18) has the distance after T epochs, and contracts it by c^(Tn/b) a
        second time. At T = {T}, {W0} apart at the start, D₂ is {measured}, {ratio} times the
        printed {bound}; the distance at the start is meant.
    Source: sglu, (18)
    """
    return amplified_once(xp, alpha, W0 * xp.decay(eta * m, T * J), eta, m, sigma, T * J)


@statement.form(
    "corrected",
    tex=r"\frac{\alpha W_{\infty}(\nu_{\mathcal D'|\mathcal B},\nu_{0})^{2}}"
    r"{2\eta\sigma^{2}}c^{2Tn/b}",
)
def corrected(xp, alpha, eta, m, sigma, J, T, W0):
    """d_alpha after T epochs is at most this value; at most (19) for W_0 <= 2R.

    Loose by 2 G_c(TJ): the noise has variance 2 eta sigma^2.

    Note: the distance at the start, as Lemma 3.4 asks; (19) and (20) follow
    Proof: Lemma 3.4 with half the true variance
    Source: sglu, (18)-(20)
    """
    return amplified_once(xp, alpha, W0, eta, m, sigma, T * J)


@statement.form("tight", tex=r"\frac{\alpha W_0^2c^{2TJ}}{4\eta\sigma^2G_c(TJ)}")
def tight(xp, alpha, eta, m, sigma, J, T, W0):
    """d_alpha after T epochs is at most this value.

    Note: true variance and Lemma 3.4's best constant
    Proof: Lemma 3.4 with its best constant and the true variance
    """
    return amplified(xp, alpha, W0, eta, m, sigma, T * J)
