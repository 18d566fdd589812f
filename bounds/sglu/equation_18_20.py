"""(18)-(20) of sglu: from W-infinity to Rényi by Lemma 3.4, over T epochs of the same updates."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.sglu.series import contracted, precise_c, spread
from bounds.sglu.symbols import J, alpha, contractive, eta, m_positive, sigma
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.eq18_20",
    label="(18)-(20)",
    left=r"d_\alpha(\nu_{\mathcal D'|\mathcal B}, \nu_{T|\mathcal B}^{0,\prime})",
    symbols=(
        alpha,
        eta,
        m_positive,
        sigma,
        J,
        Symbol("T", "epochs", "T", low=1, kind="integer"),
        Symbol("W0", "W-infinity distance of nu_0 to the stationary law", "W_0", low=0),
    ),
    requires=(contractive,),
)


@formula.form(
    "printed",
    tex=r"\frac{\alpha W_{\infty}(\nu_{\mathcal D'|\mathcal B},\nu_{T|\mathcal B}^{0,\prime})^{2}}"
    r"{2\eta\sigma^{2}}c^{2Tn/b}",
    note="evaluated with W-infinity(nu_D', nu'_T) = c^{TJ} W_0, its largest value",
)
def printed(
    alpha: Array, eta: Array, m: Array, sigma: Array, J: Array, T: Array, W0: Array
) -> Array:
    """The middle term of (18), with the distance after T epochs: contracted twice.

    Source: sglu, (18). Too small; its outer terms, with W_0 <= 2R, are right.
    """
    return alpha * W0**2 * contracted(eta, m, 4 * T * J) / (2 * eta * sigma**2)


@printed.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, sigma: Any, J: Any, T: Any, W0: Any) -> Any:
    c = precise_c(sp, eta, m)
    return alpha * (W0 * c ** (T * J)) ** 2 / (2 * eta * sigma**2) * c ** (2 * T * J)


@formula.form(
    "corrected",
    tex=r"\frac{\alpha W_{\infty}(\nu_{\mathcal D'|\mathcal B},\nu_{0})^{2}}"
    r"{2\eta\sigma^{2}}c^{2Tn/b}",
    note="the distance at the start, as Lemma 3.4 asks; (19) and (20) follow",
)
def corrected(
    alpha: Array, eta: Array, m: Array, sigma: Array, J: Array, T: Array, W0: Array
) -> Array:
    """d_alpha after T epochs is at most this value; at most (19) for W_0 <= 2R.

    Source: sglu, (18)-(20). Loose by 2 G_c(TJ): the noise has variance 2 eta sigma^2.
    """
    return alpha * W0**2 * contracted(eta, m, 2 * T * J) / (2 * eta * sigma**2)


@corrected.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, sigma: Any, J: Any, T: Any, W0: Any) -> Any:
    return alpha * W0**2 / (2 * eta * sigma**2) * precise_c(sp, eta, m) ** (2 * T * J)


@formula.form(
    "tight",
    tex=r"\frac{\alpha W_0^2c^{2TJ}}{4\eta\sigma^2G_c(TJ)}",
    note="true variance and Lemma 3.4's best constant",
)
def tight(alpha: Array, eta: Array, m: Array, sigma: Array, J: Array, T: Array, W0: Array) -> Array:
    """d_alpha after T epochs is at most this value."""
    variance = 2 * eta * sigma**2 * spread(eta, m, T * J)
    return alpha * W0**2 * contracted(eta, m, 2 * T * J) / (2 * variance)


@tight.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, sigma: Any, J: Any, T: Any, W0: Any) -> Any:
    c = precise_c(sp, eta, m)
    total = (1 - c ** (2 * T * J)) / (1 - c**2)
    return alpha * W0**2 * c ** (2 * T * J) / (4 * eta * sigma**2 * total)
