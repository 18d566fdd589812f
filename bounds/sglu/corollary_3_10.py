"""Corollary 3.10 of sglu: the loss without strong convexity (c = 1)."""

import math

from bounds import Plot, Statement
from bounds.sglu.series import sensitivity
from bounds.sglu.symbols import J, K_positive, M, R, T_positive, alpha, b, eta, sigma

statement = Statement(
    "sglu.cor3.10",
    "Corollary 3.10",
    "inequality",
    words="For convex losses (m = 0) and y_0 = M(D) ~ nu_D the loss is at most "
    "alpha Z^2 b / (2 eta sigma^2 K n), Z = min(2 eta M T / b, 2R).",
    left=r"d_\alpha(\rho_{K|\mathcal B}, \nu_{\mathcal D'|\mathcal B})",
    symbols=(alpha, eta, M, sigma, R, b, J, T_positive, K_positive),
    aliases=("sglu.x3.v",),
    plot=Plot(
        "K",
        tuple(map(float, range(1, 13))),
        {"alpha": 2, "eta": 0.5, "M": 1, "sigma": 0.5, "R": math.inf, "b": 2, "J": 2, "T": 5},
    ),
    quantity="d_alpha(unlearned, T + K epochs on D')",
    correction="Take Z = 2R at T = inf, or the target T + K; count the noise of learning.",
)
statement.interpreted_as(
    "literal",
    "M(D) ~ nu_D, a finite T in Z, and the target M(D') after the same T epochs",
    {"printed": "<="},
)
statement.interpreted_as(
    "infinite", "T = inf, so Z = 2R: both laws stationary, the target is nu_{D'}"
)
statement.interpreted_as(
    "aligned", "any finite T; the target is T + K epochs of learning on D'", stance="amended"
)


@statement.form(
    "printed",
    tex=r"\frac{\alpha Z_{\mathcal B}^2}{2\eta\sigma^2}\frac{b}{Kn},\quad "
    r"Z_{\mathcal B}=\min\left(\frac{2\eta MT}{b},2R\right)",
)
def printed(xp, alpha, eta, M, sigma, R, b, J, T, K):
    """d_alpha is at most this value at T = inf, or at finite T against T + K epochs on D'.

    False against M(D') when only M(D) is stationary.

    Note: assumes T = inf and uses a finite T; consistent with Z = 2R, or for T + K epochs on D'
    Proof (infinite): Lemma 3.4 at c = 1 from distance 2R (adjacency is not used)
    Proof (aligned): Lemma 3.4 at c = 1 from Lemma 3.5's distance T q
    Fails (literal): T is at once infinite (y₀ is stationary) and finite (in Z), and M(D') after T
        epochs is not stationary. With linear losses, ν₀ = ν_D and T = {T}, D₂ is {measured} after
        {K} epochs; the bound is {bound}.
    Source: sglu, Corollary 3.10
    """
    apart = xp.minimum(xp.times(sensitivity(eta, M, b), T), 2 * R)
    return alpha * apart**2 / (2 * eta * sigma**2 * K * J)


@statement.form(
    "corrected",
    tex=r"\frac\alpha2\mu^2,\quad \mu=\min\Big(\frac{Tq}{s\sqrt{(T+K-1)J+1}},\ "
    r"\min_{0\le\tau}\frac{2R+\tau q}{s\sqrt{(\tau+K)J}}\Big),\quad s=\sqrt{2\eta}\,\sigma",
)
def corrected(xp, alpha, eta, M, sigma, R, b, J, T, K):
    """d_alpha is at most this value, for the same targets as the printed bound.

    The second minimum, from tau epochs before the end of learning, is at most the first only if its
    tau is at most T: with X = 2R/q it is at least 4 (X - K) q^2/(J s^2), squared, and the first one
    below (X - 2K + 1) q^2/(J s^2) for shorter T.

    Note: the noise of learning counts; the second minimum is over whole tau <= T
    Proof (infinite): Theorem X (v): restart at distance 2R, tau epochs before the end
    Proof (aligned): Theorem X (ii) and (v) at c = 1
    Source: Theorem X (v), worst batch position
    """
    q, variance = sensitivity(eta, M, b), 2 * eta * sigma**2
    first = q**2 * T / (variance * (J + ((K - 1) * J + 1) / T))

    def late(tau):
        return (2 * R + tau * q) ** 2 / (variance * (tau + K) * J)

    def least():
        tau = xp.floor(xp.maximum(2 * R / q - 2 * K, 0))
        return xp.minimum(first, late(tau), late(tau + 1))

    best = xp.where(xp.inf > R, least, first)
    return alpha / 2 * xp.where(M > 0, lambda: best, 0)
