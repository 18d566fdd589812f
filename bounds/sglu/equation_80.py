"""Equation (80) of sglu: the bound of Corollary 3.8, simplified for comparison."""

from typing import Any

import numpy as np

from accounting.closed_forms import mu_stationary
from accounting.gaussian import renyi_gdp
from bounds.forms import Array
from bounds.readings import Reading
from bounds.sglu.equation_79 import _EXACT, _SMALL, _STATIONARY
from bounds.sglu.symbols import J, K_positive, M, alpha, b, contractive, eta, m_positive, sigma
from bounds.statements import Plot, Statement

statement = Statement(
    "sglu.eq80",
    "Equation (80)",
    "inequality",
    words="Stochastic gradient Langevin unlearning is within Rényi difference "
    "c^{2Kn/b} 2 alpha M^2/(eta m^2 sigma^2 b^2).",
    left=r"d_\alpha(\rho_K, \nu_{\mathcal D'|\mathcal B})",
    symbols=(alpha, eta, m_positive, M, sigma, b, J, K_positive),
    requires=(contractive,),
    readings=(
        Reading(
            "literal",
            _STATIONARY,
            {"printed": "<=", "tight": "<="},
            proofs={"printed": "Corollary 3.8 and 1 - c <= 1 - c^{n/b}", "tight": _EXACT},
        ),
    ),
    plot=Plot("K", tuple(map(float, range(1, 16))), {**_SMALL, "eta": 0.1, "b": 2, "J": 3}),
    quantity="Rényi difference to retraining",
    correction="Z = q/(1 - c^{n/b}) and the factor (1 - c^2)/2.",
)


@statement.form(
    "printed",
    tex=r"c^{2Kn/b}\frac{\alpha}{2\eta\sigma^2}\left(\frac{2\eta M}{(1-c)b}\right)^2"
    r"=(1-\eta m)^{2Kn/b}\frac{2\alpha M^2}{\eta m^2\sigma^2b^2}",
    note="1/(1 - c) in place of 1/(1 - c^{n/b})",
)
def printed(
    alpha: Array, eta: Array, m: Array, M: Array, sigma: Array, b: Array, J: Array, K: Array
) -> Array:
    """d_alpha after K epochs from the stationary law is at most this value.

    Source: sglu, (80). Holds; loose by 2 ((1 - c^J)/(1 - c))^2/(1 - c^2).
    """
    decay = np.exp(2 * K * J * np.log1p(-eta * m))
    return decay * 2 * alpha / eta * (M / (m * sigma * b)) ** 2


@printed.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, M: Any, sigma: Any, b: Any, J: Any, K: Any) -> Any:
    decay = (1 - eta * m) ** (2 * K * J)
    return decay * 2 * alpha * M**2 / (eta * m**2 * sigma**2 * b**2)


@statement.form(
    "tight",
    tex=r"\frac{\alpha Z^2c^{2Kn/b}(1-c^2)}{4\eta\sigma^2},\quad Z=\frac{2\eta M}{(1-c^{n/b})b}",
    note="exact: attained by quadratics with the projection inactive",
)
def tight(
    alpha: Array, eta: Array, m: Array, M: Array, sigma: Array, b: Array, J: Array, K: Array
) -> Array:
    """d_alpha after K epochs from the stationary law is at most this value.

    Source: Theorem X (stationary target, worst batch position); equality for quadratics.
    """
    noise, kick, gap = np.sqrt(2 * eta) * sigma, 2 * eta * M / b, eta * m
    return renyi_gdp(mu_stationary(1 - gap, kick, noise, J.astype(int), K, gap=gap), alpha)


@tight.expression
def _(sp: Any, alpha: Any, eta: Any, m: Any, M: Any, sigma: Any, b: Any, J: Any, K: Any) -> Any:
    c = 1 - eta * m
    Z = 2 * eta * M / b / (1 - c**J)
    return alpha * Z**2 * c ** (2 * K * J) * (1 - c**2) / (4 * eta * sigma**2)
