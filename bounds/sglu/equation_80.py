"""Equation (80) of sglu: the bound of Corollary 3.8, simplified for comparison."""

from bounds import Plot, Statement
from bounds.sglu.equation_79 import _SMALL, _STATIONARY
from bounds.sglu.series import stationary
from bounds.sglu.symbols import J, K_positive, M, alpha, b, contractive, eta, m_positive, sigma

statement = Statement(
    "sglu.eq80",
    "Equation (80)",
    "inequality",
    words="Stochastic gradient Langevin unlearning is within Rényi difference "
    "c^{2Kn/b} 2 alpha M^2/(eta m^2 sigma^2 b^2).",
    left=r"d_\alpha(\rho_K, \nu_{\mathcal D'|\mathcal B})",
    symbols=(alpha, eta, m_positive, M, sigma, b, J, K_positive),
    requires=(contractive,),
    plot=Plot("K", tuple(map(float, range(1, 16))), {**_SMALL, "eta": 0.1, "b": 2, "J": 3}),
    quantity="Rényi difference to retraining",
    correction="Z = q/(1 - c^{n/b}) and the factor (1 - c^2)/2.",
)
statement.interpreted_as("literal", _STATIONARY)


@statement.form(
    "printed",
    tex=r"c^{2Kn/b}\frac{\alpha}{2\eta\sigma^2}\left(\frac{2\eta M}{(1-c)b}\right)^2"
    r"=(1-\eta m)^{2Kn/b}\frac{2\alpha M^2}{\eta m^2\sigma^2b^2}",
)
def printed(xp, alpha, eta, m, M, sigma, b, J, K):
    """d_alpha after K epochs from the stationary law is at most this value.

    Loose by 2 ((1 - c^J)/(1 - c))^2/(1 - c^2).

    Note: 1/(1 - c) in place of 1/(1 - c^{n/b})
    Proof: Corollary 3.8 and 1 - c <= 1 - c^{n/b}
    Source: sglu, (80)
    """
    return xp.decay(eta * m, 2 * K * J) * 2 * alpha / eta * (M / (m * sigma * b)) ** 2


@statement.form(
    "tight",
    tex=r"\frac{\alpha Z^2c^{2Kn/b}(1-c^2)}{4\eta\sigma^2},\quad Z=\frac{2\eta M}{(1-c^{n/b})b}",
)
def tight(xp, alpha, eta, m, M, sigma, b, J, K):
    """d_alpha after K epochs from the stationary law is at most this value.

    Note: exact: attained by quadratics with the projection inactive
    Proof: Theorem X: adjacent noise of learning and unlearning together
    Source: Theorem X (stationary target, worst batch position)
    """
    remainder = stationary(xp, eta, m, M, b, J) ** 2 * xp.decay(eta * m, 2 * K * J)
    return alpha * remainder * eta * m * (2 - eta * m) / (4 * eta * sigma**2)
