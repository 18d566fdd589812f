"""Appendix K.3 of sglu: the clipped logistic loss (69) to (73) and its smoothness."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol

x = Symbol("x", "norm of the feature vector", r"\|\mathbf x\|", low=0, unit="1")
lam = Symbol("lam", "regularisation lambda = 1e-6 n", r"\lambda", low=0, unit="1")
M = Symbol("M", "clipping radius", "M", low=0, low_open=True, unit="1")

statement = Statement(
    "sglu.k3",
    "Appendix K.3, (69)-(73)",
    "claim",
    words="The clipped logistic loss with regularisation lambda is (1/4 + lambda)-smooth; an "
    "unlearning request replaces a point's features by N(0, I_d).",
    left=r"\mathrm{Lip}\big(\nabla_{clip}l(\mathbf w^T\mathbf x,y)\big)",
    symbols=(x, lam, M),
    aliases=("sglu.K3", *(f"sglu.eq{k}" for k in range(69, 74))),
    plot=Plot("x", tuple(np.linspace(0.1, 30, 30).tolist()), {"lam": 0.011264, "M": 1}),
    quantity="Lipschitz constant of the clipped gradient",
    correction="Normalise the replaced features as well: otherwise L is |x| - 1 + lambda (about "
    "27), and steps on batches below 53 expand even if all other points are flat.",
)
statement.interpreted_as(
    "unit",
    "features of norm at most 1, as the data sets have them",
    where=(Hypothesis("|x| <= 1", lambda x: x <= 1),),
)
statement.interpreted_as(
    "request", "the features N(0, I_d) of an unlearning request, not normalised", stance="component"
)
statement.interpreted_as(
    "mini-batch",
    "a step on a batch of 32 with one such request is a contraction",
    {"printed": "<="},
    stance="amended",
)
statement.interpreted_as(
    "normalised",
    "the same with the request's features scaled to norm 1",
    {"printed": "<="},
    stance="amended",
)


@statement.form("printed", tex=r"L=\frac14+\lambda")
def printed(xp, lam):
    """Smoothness of the clipped regularised logistic loss on unit features.

    False for the features N(0, I_d) of its unlearning requests unless they are normalised too.

    Note: for features of norm at most 1
    Proof (unit): s (1 - s) |x|^2 <= 1/4; the clipping at 1 is inactive
    Proof (normalised): eta (L_B + m) <= 2 for eta = 1/L
    Fails (request): Features drawn from N(0, I_d) have norm near √d = {x}, not 1. Clipping bounds
        the gradient and not its slope: the loss is {measured}-smooth where L = {bound}. The text
        does not say that requests are normalised, as data are.
    Fails (mini-batch): One request of norm {x} in a batch of {b} is enough: near the point where
        its clipping begins, a step of length η = 1/L takes two models {measured} times as far
        apart, so that no bound for contractions applies.
    Source: sglu, Appendix K.3 and Table 1
    """
    return xp.rational(1, 4) + lam


@statement.form(
    "corrected",
    tex=r"L=\lambda+\begin{cases}\|\mathbf x\|^2/4 & \|\mathbf x\|\le 2M\\"
    r" M(\|\mathbf x\|-M) & \|\mathbf x\|>2M\end{cases}",
)
def corrected(xp, x, lam, M):
    """Least Lipschitz constant of the clipped gradient for a feature vector of norm x.

    The gradient min((1 - s)|x|, M), s = sigmoid of the margin, has slope s(1 - s)|x|^2 where (1 -
    s)|x| < M; that is largest at s = 1/2, or at (1 - s)|x| = M.

    Note: attained at the margin 0, or where the clipping begins
    Proof (unit): slope of min((1 - s)|x|, M)
    Proof (request): slope of min((1 - s)|x|, M), largest where the clipping begins
    """
    return lam + xp.where(x <= 2 * M, x**2 / 4, M * (x - M))
