"""Corollary 3.10 of sglu: the loss without strong convexity (c = 1)."""

import math
from typing import Any

import numpy as np

from accounting import closed_forms
from bounds.forms import Array
from bounds.readings import Reading
from bounds.sglu.series import kick
from bounds.sglu.symbols import J, K_positive, M, R, T_positive, alpha, b, eta, sigma
from bounds.statements import Plot, Statement

FORMS = ("printed", "corrected")
statement = Statement(
    "sglu.cor3.10",
    "Corollary 3.10",
    "inequality",
    words="For convex losses (m = 0) and y_0 = M(D) ~ nu_D the loss is at most "
    "alpha Z^2 b / (2 eta sigma^2 K n), Z = min(2 eta M T / b, 2R).",
    left=r"d_\alpha(\rho_{K|\mathcal B}, \nu_{\mathcal D'|\mathcal B})",
    symbols=(alpha, eta, M, sigma, R, b, J, T_positive, K_positive),
    readings=(
        Reading(
            "literal",
            "M(D) ~ nu_D, a finite T in Z, and the target M(D') after the same T epochs",
            {"printed": "<="},
        ),
        Reading(
            "infinite",
            "T = inf, so Z = 2R: both laws stationary, the target is nu_{D'}",
            {"printed": "<=", "corrected": "<="},
            proofs={
                "printed": "Lemma 3.4 at c = 1 from distance 2R (adjacency is not used)",
                "corrected": "Theorem X (v): restart at distance 2R, tau epochs before the end",
            },
        ),
        Reading(
            "aligned",
            "any finite T; the target is T + K epochs of learning on D'",
            {"printed": "<=", "corrected": "<="},
            proofs={
                "printed": "Lemma 3.4 at c = 1 from Lemma 3.5's distance T q",
                "corrected": "Theorem X (ii) and (v) at c = 1",
            },
            stance="repair",
        ),
    ),
    aliases=("sglu.x3.v",),
    plot=Plot(
        "K",
        tuple(map(float, range(1, 13))),
        {"alpha": 2, "eta": 0.5, "M": 1, "sigma": 0.5, "R": math.inf, "b": 2, "J": 2, "T": 5},
    ),
    quantity="d_alpha(unlearned, T + K epochs on D')",
    correction="Take Z = 2R at T = inf, or the target T + K; count the noise of learning.",
)


@statement.form(
    "printed",
    tex=r"\frac{\alpha Z_{\mathcal B}^2}{2\eta\sigma^2}\frac{b}{Kn},\quad "
    r"Z_{\mathcal B}=\min\left(\frac{2\eta MT}{b},2R\right)",
    note="assumes T = inf and uses a finite T; consistent with Z = 2R, or for T + K epochs on D'",
)
def printed(
    alpha: Array, eta: Array, M: Array, sigma: Array, R: Array, b: Array, J: Array, T: Array,
    K: Array,
) -> Array:  # fmt: skip
    """d_alpha is at most this value at T = inf, or at finite T against T + K epochs on D'.

    Source: sglu, Corollary 3.10. False against M(D') when only M(D) is stationary.
    """
    q = kick(eta, M, b)
    grown = q * np.where(q > 0, T, 0.0)  # T may be inf
    return np.asarray(alpha * np.minimum(grown, 2 * R) ** 2 / (2 * eta * sigma**2) / (K * J))


@printed.expression
def _(
    sp: Any, alpha: Any, eta: Any, M: Any, sigma: Any, R: Any, b: Any, J: Any, T: Any, K: Any
) -> Any:
    return alpha * sp.Min(2 * eta * M * T / b, 2 * R) ** 2 / (2 * eta * sigma**2) / (K * J)


@statement.form(
    "corrected",
    tex=r"\frac\alpha2\mu^2,\quad \mu=\min\Big(\frac{Tq}{s\sqrt{(T+K-1)J+1}},\ "
    r"\min_{0\le\tau}\frac{2R+\tau q}{s\sqrt{(\tau+K)J}}\Big),\quad s=\sqrt{2\eta}\,\sigma",
    note="the noise of learning counts; the second minimum is over whole tau <= T",
)
def corrected(
    alpha: Array, eta: Array, M: Array, sigma: Array, R: Array, b: Array, J: Array, T: Array,
    K: Array,
) -> Array:  # fmt: skip
    """d_alpha is at most this value, for the same targets as the printed bound.

    Source: Theorem X (v), worst batch position. The second minimum, from tau epochs before the end
    of learning, is at most the first only if its tau is at most T: with X = 2R/q it is at least
    4 (X - K) q^2/(J s^2), squared, and the first one below (X - 2K + 1) q^2/(J s^2) for shorter T.
    """
    q, noise, batches = kick(eta, M, b), np.sqrt(2 * eta) * sigma, J.astype(np.int64)
    whole = np.where(np.isinf(T), 1.0, T)
    mu = closed_forms.mu_convex_target_t_plus_k(q, noise, batches, whole, K)
    mu = np.where(np.isinf(T), np.inf, mu)
    diameter = np.minimum(2 * R, 1e150)
    late = closed_forms.mu_convex_stationary(q, noise, batches, K, diameter)
    best = np.where(np.isinf(R), mu, np.minimum(mu, late))
    return np.asarray(alpha * best**2 / 2)


@corrected.expression
def _(
    sp: Any, alpha: Any, eta: Any, M: Any, sigma: Any, R: Any, b: Any, J: Any, T: Any, K: Any
) -> Any:
    q, variance = 2 * eta * M / b, 2 * eta * sigma**2
    first = sp.oo if sp.oo == T else T**2 * q**2 / (variance * ((T + K - 1) * J + 1))
    if sp.oo == R or (q == 0 and sp.oo != T):
        return alpha * first / 2
    real = sp.Max(2 * R / q - 2 * K, 0)
    if real + 1 > T:
        return alpha * first / 2
    late = [
        (2 * R + tau * q) ** 2 / (variance * (tau + K) * J)
        for tau in (sp.floor(real), sp.floor(real) + 1)
    ]
    return alpha * min(first, *late) / 2
