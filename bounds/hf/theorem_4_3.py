"""Theorem 4.3 of hf: the approximation error, as printed (15) and with explicit constants."""

import numpy as np

from bounds import Hypothesis, Statement, Symbol
from bounds.forms import Array
from bounds.hf.certificates import error_apriori
from bounds.hf.lemma_4_1_smooth import drift, fitting, rates
from bounds.hf.series import zeta
from bounds.hf.symbols import B, C, E, Lam, M, curvatures, eta, lam, missing, q, rho, sizes, steps

LEFT = r"\|\mathbf{w}_{E,B}^{-U}-\mathbf{w}_{E,B}-\mathbf{a}_{E,B}^{-U}\|"
K = Symbol("K", "the constant hidden in O()", "K", low=0, unit="?", hidden=True)
in_floats = Hypothesis(
    "rho^((E + 1) B) within the floats",
    lambda rho, E, B: (E + 1) * B * np.log(np.maximum(rho, 1)) < 600,
)

_CLASS = "C^2 losses, Hessians in [lam, M] and Lam-Lipschitz on the segments, |g_u| <= C on both"
statement = Statement(
    "hf.thm4.3",
    "Theorem 4.3 (15)",
    "inequality",
    words="For any set U the approximation error is at most (2 eta^2 C/(1-q)) O(zeta_T).",
    left=LEFT,
    symbols=(eta, C, q, rho, E, B, K, steps, missing, sizes, lam, M, Lam),
    requires=(in_floats, fitting, curvatures),
    aliases=("hf.eq15",),
    quantity="|v_T - w_T - a|",
    correction="delta_{t+1} = rho_t delta_t + eta_t (beta_t tau_t + (m_t/b_t) max(|lam|,M) d_t).",
)
statement.interpreted_as(
    "literal",
    "O() may hide anything but T; rho = rho(eta_0) as in (47), (58); the explicit form "
    "needs: " + _CLASS,
)
statement.interpreted_as(
    "number", "O() hides a number, the same for all problems", {"printed": "<="}
)
statement.interpreted_as(
    "supremum",
    "O() hides K = (1-q) max(1, rho)^{B-1}/(eta b); rho = max_t rho_t; one sample",
    {"printed": "<="},
    stance="amended",
)


@statement.form(
    "printed",
    tex=r"\frac{2\eta^2 C}{1-q}\,\mathcal{O}\Big(\frac{\rho^T-q^T}{\rho-q}-"
    r"\frac{\rho^T-q^{2T}}{\rho-q^2}+\frac{\rho^T-q^T}{\rho^B-q^B}\Big)",
)
def printed(xp, eta, C, q, rho, E, B, K=1):
    """The approximation error of any set is at most this value.

    False for every number K (units), and for every K that may depend on the losses but not on T
    when rho is that of the first step.

    Note: O() read as a factor K
    Proof (supremum): the error is at most twice S, the third term of (41)
    Fails (literal): With decaying steps and ρ = ρ(η_0), as in (47), the right side tends to 0 with
        T and the error does not, so that no constant in O() helps: at E = {E}, B = {B} the error is
        {measured}, (15) with constant {K} is {bound}.
    Fails (number): (15) has no unit of length. With losses and C times s and η over s the models
        stay as they are and (15) falls to 1/s of itself: at C = {C}, η = {eta} the error is
        {measured}, (15) with constant {K} is {bound}.
    Source: hf, Theorem 4.3 (15)
    """
    return K * 2 * eta**2 * C * zeta(xp, rho, q, E, B)


def remainder(xp, d, spread, Lam):
    """tau = integral_0^1 min(Lam s d, spread) ds d."""
    return xp.where(Lam * d <= spread, Lam * d**2 / 2, lambda: spread * d - spread**2 / (2 * Lam))


def _apriori(xp, steps, missing, sizes, C, lam, M, Lam, *, batch):
    """delta_T: the recursion solved, with the Hessians of whole batches or of the kept samples."""
    T = xp.count(steps)

    def factor(k):
        return rates(xp, steps[k], missing[k] / sizes[k], lam, M)[1 if batch else 0]

    def arrived(t, step, m, size):
        d = drift(xp, steps, missing, sizes, C, lam, M, t - 1)
        each = (1 - m / size) * remainder(xp, d, M - lam, Lam)
        if batch:
            each = each + m / size * (xp.maximum(abs(lam), M) * d)
        return step * each * xp.product(factor, t + 1, T)

    return xp.over(arrived, steps, missing, sizes)


@statement.form(
    "corrected",
    tex=r"\delta_{t+1}=\rho_t\delta_t+\eta_t\Big[\beta_t\tau_t+\frac{m_t}{b_t}\max(|\lambda|,M)d_t"
    r"\Big],\quad \tau_t=\int_0^1\!\min(\Lambda s d_t,M-\lambda)\,ds\,d_t",
    reads={"d_{t+1}": r"\min(r_t,\rho_t)d_t+\eta_t\frac{m_t}{b_t}C"},
)
def corrected(xp, steps, missing, sizes, C, lam, M, Lam):
    """The error of the paper's approximator is at most delta_T, known before the run.

    Losses C^2 with Hessians in [lam, M], Lam-Lipschitz, on the segments between the trajectories;
    |g_u| <= C on both.

    Note: form (B): the paper's approximator, with the drift d_t of Lemma 4.1; attained
    Proof: induction on Delta_{t+1} = (I - eta H_B) Delta_t + eta (H_U D_t - sum R_i)
    Equality: quadratics of one curvature retrained from their optimum
    """
    return _apriori(xp, steps, missing, sizes, C, lam, M, Lam, batch=True)


@corrected.numeric
def _(
    steps: Array, missing: Array, sizes: Array, C: Array, lam: Array, M: Array, Lam: Array
) -> Array:
    """The recursion, step by step."""
    return error_apriori(steps, missing, sizes, C, lam, M, Lam, "batch")[..., -1]


kept = Statement(
    "hf.thm4.3.kept",
    "Theorem 4.3, leave-one-out approximator",
    "inequality",
    words="With the Hessian of the kept samples the error is at most delta_T, "
    "delta_{t+1} = r_t delta_t + eta_t beta_t tau_t: zero for quadratics.",
    left=LEFT,
    reads={
        "d_{t+1}": r"\min(r_t,\rho_t)d_t+\eta_t\frac{m_t}{b_t}C",
        r"\tau_t": r"d_t\int_0^1\min(\Lambda sd_t,M-\lambda)ds",
    },
    symbols=(steps, missing, sizes, C, lam, M, Lam),
    requires=(fitting, curvatures),
    quantity="|v_T - w_T - a|",
)
kept.interpreted_as("literal", _CLASS)


@kept.form("tight", tex=r"\delta_{t+1}=r_t\delta_t+\eta_t\beta_t\tau_t")
def leave_one_out(xp, steps, missing, sizes, C, lam, M, Lam):
    """The error of the leave-one-out approximator is at most delta_T, known before the run.

    Note: form (A); zero for quadratics; attained by a cubic against a linear loss
    Proof: induction on Delta_{t+1} = (I - eta H_kept) Delta_t - eta sum R_i
    """
    return _apriori(xp, steps, missing, sizes, C, lam, M, Lam, batch=False)


@leave_one_out.numeric
def _(
    steps: Array, missing: Array, sizes: Array, C: Array, lam: Array, M: Array, Lam: Array
) -> Array:
    """The recursion, step by step."""
    return error_apriori(steps, missing, sizes, C, lam, M, Lam, "kept")[..., -1]
