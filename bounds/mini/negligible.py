"""Sections 4.1 and 5.1 of mini: what the last k steps are worth with the paper's own settings."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.mini.series import contractive, gap, rate_power
from bounds.mini.symbols import L, eta, followed, k, mu, small_steps, smoothness_order

a = Symbol("a", "curvature of the loss", "a", low=0, low_open=True, unit="loss/parameter^2")
s = Symbol("s", "steps taken", "s", low=1, kind="integer")
J = Symbol("J", "steps in one of the k epochs", "J", low=1, kind="integer")

_PAPER = {"eta": 0.01, "mu": 0.005, "L": 0.255}
left_over = Statement(
    "mini.thm1.use",
    "Negligible impact (Section 4.1)",
    "claim",
    words="Dw_{s-k-1}, ..., Dw_1 have negligible impacts on Dw_s for a small k: the "
    "experiments take k = 10.",
    left=r"\|\Delta\mathbf{w}_s-\mathbf{v}^{(k)}_s\|/\|\Delta\mathbf{w}_{s-k}\|",
    symbols=(eta, mu, L, k),
    requires=(smoothness_order, contractive),
    plot=Plot("k", (1, 3, 10, 100, 1000), _PAPER, log_x=True, log_y=False),
    quantity="share of Dw_{s-k} left in the error",
    correction="With these settings halving takes 13,863 steps.",
)
left_over.interpreted_as(
    "literal", "negligible: r^k <= 1/2, with the paper's eta = 0.01, L2 coefficient 0.005, k = 10"
)
left_over.interpreted_as(
    "bound", "as a bound on what is left, quadratic losses", stance="amended", where=(small_steps,)
)
captured = Statement(
    "mini.thm1.use.share",
    "Share of the difference that the last k steps capture",
    "equality",
    words="In a direction of curvature a eq (10) captures (1 - (1 - eta a)^k)/(1 - (1 - eta "
    "a)^s) of Dw_s.",
    left=r"v^{(k)}_s/\Delta w_s",
    symbols=(eta, a, s, k),
    requires=(followed, Hypothesis("eta a < 1", lambda eta, a: eta * a < 1)),
    plot=Plot("k", (1, 3, 10, 30, 100), {"eta": 0.01, "a": 0.3, "s": 200}, log_x=True),
    quantity="share of Dw_s",
)
captured.interpreted_as("literal", "1-D quadratics, full batch")
settings = Statement(
    "mini.setup",
    "Settings (Section 5.1)",
    "claim",
    words="Ridge logistic regression, L2 norm coefficient 0.005, step size 0.01, k = 10.",
    quote="an L2 norm coefficient of 0.005 and, a fixed learning rate of 0.01. [...] k is set "
    "to 10.",
    left=r"1-r^{kJ}",
    symbols=(eta, mu, L, k, J),
    requires=(smoothness_order, contractive),
    plot=Plot("J", (1, 10, 100, 469), {**_PAPER, "k": 10}, log_x=True),
    quantity="share of a distance that is removed",
    correction="State B, T, whether k counts steps or epochs, and whether the penalty is "
    "0.005 |w|^2 or 0.0025 |w|^2.",
)
settings.interpreted_as("literal", "as printed")
settings.interpreted_as(
    "chosen",
    "mu = 0.005 or 0.01, epochs of J steps: the share of a distance that is removed",
    stance="amended",
    where=(small_steps,),
)


@left_over.form("printed", tex=r"r^k")
def printed(xp, eta, mu, L, k):
    """This share of Dw_{s-k} is left in the error, at most.

    Note: exact for 1-D quadratics; 0.9995 with the paper's eta = 0.01, mu = 0.005, k = 10
    Proof (bound): eq (17) for quadratics; equality on a line
    Fails (literal): r is at least 1 - ημ: at η = {eta}, μ = {mu} the share r^k = {measured} of the
        old difference is left after k = {k} steps, which is not negligible, say below {bound}. It
        takes 13,863 steps to halve it.
    Source: mini, Section 4.1
    """
    return rate_power(xp, eta, mu, L, k)


@captured.form("tight", tex=r"\frac{1-(1-\eta a)^k}{1-(1-\eta a)^s}")
def share(xp, eta, a, s, k):
    """Eq (10) captures this share of Dw_s in a direction of curvature a.

    Note: 1-D quadratics of curvature a, constant full batch
    Proof: Dw_s and eq (10) are geometric sums of one ratio
    """
    return xp.geometric(eta * a, k) / xp.geometric(eta * a, s)


@settings.form("tight", tex=r"1-r^{kJ}\quad(\eta=0.01,\ \mu\in\{0.005,0.01\},\ k=10)")
def removed(xp, eta, mu, L, k, J):
    """k epochs of J steps remove this share of a distance.

    Note: the share of a distance that k epochs of J steps are guaranteed to remove
    Proof (chosen): r = 1 - eta mu a step; attained by 1-D quadratics
    Fails (literal): Batch size and number of steps are not given, k counts epochs in the text and
        steps in (10), and 0.005 may multiply |w|² or |w|²/2. Ten steps remove 0.05 to 0.1 % of a
        distance, ten epochs of 469 steps 21 to 37 %.
    Source: mini, Section 5.1: step size 0.01, L2 coefficient 0.005, k = 10
    """
    slack = gap(xp, eta, mu, L)
    return slack * xp.geometric(slack, k * J)
