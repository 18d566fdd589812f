"""Equation (79) of sglu: the whole guarantee of Langevin unlearning."""

from bounds import Plot, Statement
from bounds.sglu.symbols import (
    K,
    M,
    S,
    alpha,
    contractive,
    enough_points,
    eta,
    m_positive,
    n,
    sigma,
)

_SMALL = {"alpha": 3.0, "eta": 0.8, "m": 0.5, "M": 1.0, "sigma": 0.3}
_STATIONARY = "both laws start stationary, eta <= 1/L, gradient differences at most 2M"
statement = Statement(
    "sglu.eq79",
    "Equation (79)",
    "inequality",
    words="Langevin unlearning of S points is within Rényi difference "
    "exp(-m eta K/alpha) 4 alpha S^2 M^2/(m sigma^2 n^2).",
    left=r"d_\alpha(\rho_K, \nu_{\mathcal D'})",
    symbols=(alpha, K, S, M, m_positive, sigma, n, eta),
    requires=(contractive, enough_points),
    plot=Plot("K", tuple(map(float, range(0, 31))), {**_SMALL, "eta": 0.2, "n": 6, "S": 1}),
    quantity="Rényi difference to retraining",
    correction="alpha S^2 M^2 (2 - eta m) c^{2K}/(m sigma^2 n^2) is exact.",
)
statement.interpreted_as("literal", _STATIONARY + ", full batch")


@statement.form(
    "printed", tex=r"\exp\left(-\frac{m\eta K}{\alpha}\right)\frac{4\alpha S^2M^2}{m\sigma^2n^2}"
)
def printed(xp, alpha, K, S, M, m, sigma, n, eta):
    """d_alpha after K full-batch epochs from the stationary law is at most this value.

    Loose by 4 c^{-2K} exp(-m eta K/alpha)/(2 - eta m) >= 2.

    Note: at least twice the exact worst case, and its rate is at least 2 alpha times slower
    Proof: Theorems M.1 and M.2; at least twice the exact bound
    Source: sglu, (79), Theorems M.1 and M.2 together
    """
    rate = xp.exp(-m * eta * K / alpha)
    return rate * 4 * alpha * (S * M / (sigma * n)) ** 2 / m


@statement.form("tight", tex=r"\frac{\alpha S^2M^2(2-\eta m)}{m\sigma^2n^2}c^{2K}")
def tight(xp, alpha, K, S, M, m, sigma, n, eta):
    """d_alpha after K full-batch epochs from the stationary law is at most this value.

    Note: exact: attained by quadratics with the projection inactive
    Proof: Theorem X: adjacent noise of learning and unlearning together
    Source: Theorem X with one batch an epoch
    """
    return alpha * (S * M / (sigma * n)) ** 2 * (2 - eta * m) / m * xp.decay(eta * m, 2 * K)
