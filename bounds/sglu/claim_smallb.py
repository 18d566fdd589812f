"""The claim after Corollary 3.8 of sglu: smaller batches need fewer epochs."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.sglu.series import precise_c, stationary_distance
from bounds.sglu.symbols import J, M, alpha, b, contractive, eta, m_positive, sigma
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.claim.smallb",
    label="Smaller batches, fewer epochs (after Corollary 3.8)",
    left=r"K(b)\ \text{that meets}\ d_\alpha\le\varepsilon",
    symbols=(
        alpha,
        eta,
        m_positive,
        M,
        sigma,
        b,
        J,
        Symbol("loss", "target Rényi loss", r"\varepsilon", low=0, low_open=True),
    ),
    requires=(contractive, Requirement("eta m < 1", lambda eta, m: eta * m < 1)),
)


@formula.form(
    "printed",
    tex=r"\frac{b}{2n\log(1/c)}\log\frac{\alpha Z_{\mathcal B}^2}{2\eta\sigma^2\varepsilon}",
    note="Corollary 3.8 solved for K, as a real number (negative where no epoch is needed)",
)
def printed(
    alpha: Array, eta: Array, m: Array, M: Array, sigma: Array, b: Array, J: Array, loss: Array
) -> Array:
    """This many epochs bring Corollary 3.8's bound to the target. Increases with b, n fixed."""
    Z = stationary_distance(eta, m, M, b, J)
    return np.log(alpha * Z**2 / (2 * eta * sigma**2 * loss)) / (-2 * J * np.log1p(-eta * m))


@printed.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, M: Any, sigma: Any, b: Any, J: Any, loss: Any) -> Any:
    c = precise_c(sp, eta, m)
    Z = 2 * eta * M / b / (1 - c**J)
    return sp.log(alpha * Z**2 / (2 * eta * sigma**2 * loss)) / (2 * J * sp.log(1 / c))


@formula.form(
    "tight",
    tex=r"\frac{1}{2J\log(1/c)}\log\frac{\alpha Z^2(1-c^2)}{4\eta\sigma^2\varepsilon}",
    note="the exact loss of Theorem X (iii) solved for K",
)
def tight(
    alpha: Array, eta: Array, m: Array, M: Array, sigma: Array, b: Array, J: Array, loss: Array
) -> Array:
    """This many epochs are necessary and sufficient on quadratics, projection inactive."""
    gap = eta * m
    share = gap * (2 - gap) / (4 * eta * sigma**2 * loss)
    Z = stationary_distance(eta, m, M, b, J)
    return np.log(alpha * Z**2 * share) / (-2 * J * np.log1p(-gap))


@tight.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, M: Any, sigma: Any, b: Any, J: Any, loss: Any) -> Any:
    c = precise_c(sp, eta, m)
    Z = 2 * eta * M / b / (1 - c**J)
    inner = alpha * Z**2 * (1 - c**2) / (4 * eta * sigma**2 * loss)
    return sp.log(inner) / (2 * J * sp.log(1 / c))
