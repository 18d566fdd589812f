"""Theorem 3.2 of sglu: the loss of unlearning at finite T, through the stationary law of D'."""

import numpy as np

from accounting.noisy_sgd import closed_forms
from bounds import Plot, Statement
from bounds.forms import Array
from bounds.sglu.series import learned, sensitivity
from bounds.sglu.symbols import (
    J,
    K_positive,
    M,
    R_finite,
    T_finite,
    alpha,
    b,
    contractive,
    eta,
    m_positive,
    sigma,
)

statement = Statement(
    "sglu.thm3.2",
    "Theorem 3.2",
    "inequality",
    words="K unlearning epochs after T learning epochs are within (alpha - 1/2)/(alpha - 1) "
    "(eps_1(2 alpha) + eps_2(2 alpha)) of T epochs of retraining, for every batch sequence.",
    left=r"d_\alpha(\rho_{K|\mathcal B}^{0}, \nu_{T|\mathcal B}^{0,\prime})",
    symbols=(alpha, eta, m_positive, M, sigma, R_finite, b, J, T_finite, K_positive),
    requires=(contractive,),
    plot=Plot(
        "K",
        tuple(map(float, range(1, 13))),
        {"alpha": 3, "eta": 0.8, "m": 0.1, "M": 1, "sigma": 0.3, "R": 2, "b": 2, "J": 3, "T": 6},
    ),
    quantity="d_alpha(unlearned, retrained for T epochs)",
    correction="Assume gradient differences <= 2M; use the variance 2 eta sigma^2 and no "
    "triangle inequality.",
)
statement.interpreted_as(
    "literal",
    "losses M-Lipschitz and m-strongly convex on all of R^d, m > 0 (Appendix B), without Remark "
    "3.7",
    {"printed": "<="},
    stance="out_of_context",
)
statement.interpreted_as(
    "ball",
    "the same on C_R only, which needs M >= mR",
    {"printed": "<=", "corrected": "<=", "tight": "<="},
    stance="amended",
)
statement.interpreted_as(
    "difference",
    "gradient differences <= 2M on C_R in place of Lipschitz losses (Remark 3.7)",
    {"printed": "<=", "corrected": "<=", "tight": "<="},
)


def _distances(xp, eta, m, M, R, b, J, T):
    """2R c^{TJ} and Z_T: from T epochs to the stationary law, and between the data sets."""
    far = 2 * R * xp.decay(eta * m, T * J)
    return far, xp.minimum(learned(xp, eta, m, M, b, J, T), 2 * R)


@statement.form(
    "printed",
    tex=r"\frac{\alpha-1/2}{\alpha-1}\left(\varepsilon_1(2\alpha)+\varepsilon_2(2\alpha)\right),\ "
    r"\varepsilon_1(\alpha)=\frac{\alpha(2R)^2}{2\eta\sigma^2}c^{2Tn/b},\ "
    r"\varepsilon_2(\alpha)=\frac{\alpha Z_{\mathcal B}^2}{2\eta\sigma^2}c^{2Kn/b},\ "
    r"Z_{\mathcal B}=2Rc^{Tn/b}+\min\left(\frac{1-c^{Tn/b}}{1-c^{n/b}}\frac{2\eta M}{b},2R\right)",
)
def printed(xp, alpha, eta, m, M, sigma, R, b, J, T, K):
    """d_alpha between K unlearning epochs and T epochs of retraining is at most this value.

    Its hypotheses on all of R^d are empty; on C_R they need M >= mR. Under gradient differences <=
    2M (Remark 3.7) it holds, loose by at least 4 in the losses.

    Note: half the true variance, order doubled by the weak triangle inequality
    Proof (ball, difference): weak triangle inequality with p = q = 2, Lemmas 3.4 to 3.6
    Fails (literal): No loss meets the hypotheses on all of ℝᵈ: at points 3M/m apart strong
        convexity makes the gradients differ by 3M at least, the Lipschitz condition by 2M at most.
        Remark 3.7 replaces it by a condition that can be met.
    Source: sglu, Theorem 3.2
    """
    far, apart = _distances(xp, eta, m, M, R, b, J, T)
    unlearn = (far + apart) ** 2 * xp.decay(eta * m, 2 * K * J)
    half = xp.rational(1, 2)
    return (alpha - half) / (alpha - 1) * 2 * alpha * (far**2 + unlearn) / (2 * eta * sigma**2)


@statement.form(
    "corrected",
    tex=r"\frac{\alpha}{2}\Big(\frac{2Rc^{TJ}}{\sqrt{V_T}}+\frac{Z_{\mathcal B}c^{KJ}}"
    r"{\sqrt{V_K}}\Big)^2,\quad V_t=2\eta\sigma^2G_c(tJ),\ "
    r"Z_{\mathcal B}=\min(2Rc^{TJ}+\min(Z_T,2R),2R)",
)
def corrected(xp, alpha, eta, m, M, sigma, R, b, J, T, K):
    """d_alpha between K unlearning epochs and T epochs of retraining is at most this value.

    Note: the same two steps with the true variance, Lemma 3.4's best constant and the best p
    Proof: Gaussian-DP parameters add along a chain of laws; Lemma 3.4's best constant
    """
    far, apart = _distances(xp, eta, m, M, R, b, J, T)
    one = xp.sqrt(2 * eta) * sigma
    relearn = far / (one * xp.sqrt(xp.spread(eta * m, T * J)))
    whole = xp.minimum(far + apart, 2 * R) * xp.decay(eta * m, K * J)
    return alpha / 2 * (relearn + whole / (one * xp.sqrt(xp.spread(eta * m, K * J)))) ** 2


@statement.form(
    "tight",
    tex=r"\min\Big(\min_{\min(K,T)\le t\le T}\frac{\alpha}{2}"
    r"\frac{\Delta_t^2}{2\eta\sigma^2G_c(tJ)},\ \text{corrected}\Big),"
    r"\quad \Delta_t=2Rc^{tJ}+q\,c^{KJ}\frac{1-c^{(t-K)^+J}}{1-c^J}",
    because="the number of epochs from which on both runs are followed is chosen",
)
def tight(
    alpha: Array,
    eta: Array,
    m: Array,
    M: Array,
    sigma: Array,
    R: Array,
    b: Array,
    J: Array,
    T: Array,
    K: Array,
) -> Array:
    """d_alpha between K unlearning epochs and T epochs of retraining is at most this value.

    Where the corrected form is less, it is that.

    Note: no triangle inequality: both runs aligned at their ends, over the last t epochs, so many
        as give least: all that Theorem X2 gives
    Proof: Theorem X (iv): shifted interpolation of the runs aligned at their ends, from the epoch
        on that gives least
    Equality: not attained in general
    Source: Theorem X (iv), as the runs are never further apart than 2R
    """
    q, noise, far = sensitivity(eta, M, b), np.sqrt(2 * eta) * sigma, 2 * R
    mu = closed_forms.mu_target_t(
        1 - eta * m, q, noise, J.astype(np.int64), T, K, far, gap=eta * m, diameter=far
    )
    aligned = alpha * mu**2 / 2
    chained = corrected.value(alpha, eta, m, M, sigma, R, b, J, T, K)
    return np.asarray(np.minimum(aligned, chained))
