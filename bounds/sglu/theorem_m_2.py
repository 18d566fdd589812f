"""Theorem M.2 of sglu: Rényi privacy of full-batch noisy gradient descent."""

from bounds import Plot, Statement
from bounds.sglu.symbols import (
    M,
    S,
    T_positive,
    alpha,
    contractive,
    enough_points,
    eta,
    m_positive,
    n,
    sigma,
)

statement = Statement(
    "sglu.thmm.2",
    "Theorem M.2",
    "inequality",
    words="Full-batch noisy gradient descent on data sets that differ in S points is within "
    "Rényi difference (4 alpha S^2 M^2/(m sigma^2 n^2)) (1 - exp(-m eta T)), and its law stays "
    "2 sigma^2/m-log-Sobolev.",
    left=r"d_\alpha(\nu_T, \nu'_T)",
    symbols=(alpha, S, M, m_positive, sigma, n, eta, T_positive),
    requires=(contractive, enough_points),
    aliases=("sglu.thmM.2", "sglu.eq78"),
    plot=Plot(
        "T",
        (1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0, 50.0, 80.0, 120.0),
        {"alpha": 3, "S": 1, "M": 1, "m": 0.5, "sigma": 0.3, "n": 6, "eta": 0.2},
        log_x=True,
    ),
    quantity="Rényi difference of learning on adjacent data sets",
    correction="Half of it, (alpha/2) (q/s)^2 (1 + c)(1 - c^T)/((1 - c)(1 + c^T)), is exact.",
)
statement.interpreted_as(
    "literal", "one initial law for both data sets, 2 sigma^2/m-log-Sobolev; eta <= 1/L"
)
statement.interpreted_as(
    "log-Sobolev",
    "the law after every step, from N(0, 2 sigma^2/m)",
    {"printed": "<="},
    stance="component",
)


@statement.form("printed", tex=r"\frac{4\alpha S^2M^2}{m\sigma^2n^2}(1-\exp(-m\eta T))")
def printed(xp, alpha, S, M, m, sigma, n, eta, T):
    """d_alpha of learning on data sets that differ in S points is at most this value.

    Note: at least twice the exact worst case, at every T
    Proof (literal): in units of alpha S^2 M^2/(m sigma^2 n^2) the exact bound is at most min(u, 2),
        u = m eta T, and 4 (1 - exp(-u)) is more
    Proof (log-Sobolev): c^2 C + 2 eta sigma^2 <= C for C = 2 sigma^2/m and eta m <= 1; contractions
        and Gaussian convolution keep the inequality
    Source: sglu, Theorem M.2 and (78)
    """
    return 4 * alpha * (S * M / (sigma * n)) ** 2 / m * -xp.expm1(-m * eta * T)


@statement.form(
    "tight",
    tex=r"\frac{\alpha}{2}\Big(\frac{2\eta MS}{n s}\Big)^2"
    r"\frac{(1+c)(1-c^T)}{(1-c)(1+c^T)},\quad s^2=2\eta\sigma^2",
)
def tight(xp, alpha, S, M, m, sigma, n, eta, T):
    """d_alpha of learning on data sets that differ in S points is at most this value.

    Note: attained by one-dimensional quadratics started from a point
    Proof: shifted interpolation with one shift a step
    Source: Bok, Su and Altschuler 2024, with a shift of 2 eta M S/n a step
    """
    ratio = (2 - eta * m) * xp.geometric(eta * m, T) / (1 + xp.decay(eta * m, T))
    return alpha * eta * (M * S / (n * sigma)) ** 2 * ratio
