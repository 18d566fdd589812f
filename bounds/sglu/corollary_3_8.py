"""Corollary 3.8 of sglu: the loss of one unlearning request once learning has converged."""

import math

from bounds import Plot, Statement
from bounds.sglu.convergent import stationary_mu_squared
from bounds.sglu.series import amplified, amplified_once, stationary
from bounds.sglu.symbols import J, K_positive, M, R, alpha, b, contractive, eta, m_positive, sigma

statement = Statement(
    "sglu.cor3.8",
    "Corollary 3.8",
    "inequality",
    words="If y_0 = M(D) is stationary, K unlearning epochs are within Rényi difference "
    "alpha Z^2 c^{2Kn/b} / (2 eta sigma^2) of retraining, Z = min(2 eta M/(b(1 - c^{n/b})), 2R).",
    left=r"d_\alpha(\rho_{K|\mathcal B}, \nu_{\mathcal D'|\mathcal B})",
    symbols=(alpha, eta, m_positive, M, sigma, R, b, J, K_positive),
    requires=(contractive,),
    plot=Plot(
        "K",
        tuple(map(float, range(1, 16))),
        {"alpha": 3, "eta": 0.8, "m": 0.1, "M": 1, "sigma": 0.3, "R": math.inf, "b": 2, "J": 3},
    ),
    quantity="d_alpha(unlearned, retrained)",
    correction="Assume convergence for D' too, or take T + K epochs on D' as the target; the "
    "factor (1 - c^2)/2 is missing.",
)
statement.interpreted_as(
    "literal",
    "M(D) ~ nu_D and nothing of D'; the target is M(D') with the same finite T",
    {"printed": "<="},
    stance="out_of_context",
)
statement.interpreted_as(
    "convergent",
    "T = inf, as in Appendix F: each data set's law is stationary, the target is nu_{D'}",
)
statement.interpreted_as(
    "aligned",
    "any T; the target is T + K epochs of learning on D'",
    {"printed": "<=", "corrected": "<="},
    stance="amended",
)


@statement.form(
    "printed",
    tex=r"\frac{\alpha Z_{\mathcal B}^2}{2\eta\sigma^2}c^{2Kn/b},\quad "
    r"Z_{\mathcal B}=\min\left(\frac{1}{1-c^{n/b}}\frac{2\eta M}{b},2R\right)",
)
def printed(xp, alpha, eta, m, M, sigma, R, b, J, K):
    """d_alpha between K epochs of unlearning and retraining is at most this value at T = inf.

    False when only M(D) is stationary and the target is M(D') at finite T. Under convergence for
    every data set it holds, loose by 2/(1 - c^2).

    Note: needs both laws to be stationary, not only that of D
    Proof (convergent): Lemma 3.4 from W-infinity <= Z, with half the true variance
    Proof (aligned): Lemma 3.4 from Lemma 3.5's Z_T <= Z
    Fails (literal): M(D) ~ ν_D alone does not make M(D') stationary, and the target is M(D'). From
        ν₀ = ν_D with T = {T}, D₂ is still {measured} after {K} epochs of unlearning; the bound is
        {bound}.
    Source: sglu, Corollary 3.8
    """
    apart = xp.minimum(stationary(xp, eta, m, M, b, J), 2 * R)
    return amplified_once(xp, alpha, apart, eta, m, sigma, K * J)


@statement.form(
    "corrected",
    tex=r"\frac{\alpha Z_{\mathcal B}^2c^{2KJ}}{4\eta\sigma^2\,G_c(KJ)},\quad "
    r"G_c(N)=\sum_{i<N}c^{2i},\ Z_{\mathcal B}=\min\Big(\frac{q}{1-c^J},2R\Big)",
)
def corrected(xp, alpha, eta, m, M, sigma, R, b, J, K):
    """d_alpha is at most this value, for the same targets as the printed bound.

    Note: the step's true variance 2 eta sigma^2, and the shift spread over all K J steps
    Proof (convergent): Lemma 3.4 with its best constant from W-infinity <= Z
    Proof (aligned): Lemma 3.4 with its best constant from Z_T <= Z
    """
    apart = xp.minimum(stationary(xp, eta, m, M, b, J), 2 * R)
    return amplified(xp, alpha, apart, eta, m, sigma, K * J)


@statement.form(
    "tight",
    tex=r"\frac{\alpha}{2}\mu^2,\quad \mu=\min_{\tau\in\{0,1,\dots,\infty\}}"
    r"\frac{(2Rc^{\tau J}+Z_\tau)\,c^{KJ}}{\sqrt{2\eta}\,\sigma\sqrt{G_c((\tau+K)J)}}",
)
def tight(xp, alpha, eta, m, M, sigma, R, b, J, K):
    """d_alpha is at most this value, for the same targets as the printed bound.

    The runs are compared from tau epochs before the end of learning, where the iterates are at most
    2R apart; with u = c^{tau J} the quotient's square is proportional to (Z - (Z - 2R) u)^2 / (1 -
    c^{2KJ} u^2), which falls and then rises in u.

    Note: tau = inf while Z <= 2R, then attained by quadratics on the whole space
    Proof: Theorem X (iii); equality on quadratics
    Source: Theorem X (iii)
    """
    return alpha / 2 * stationary_mu_squared(xp, eta, m, M, sigma, R, b, J, K)
