"""The statement that should stand beside mini's Theorem 1: redo the last k steps on kept data."""

from bounds import Plot, Statement
from bounds.mini.series import contractive, drift, rate_power
from bounds.mini.symbols import Gm, L, beta, distance, eta, followed, k, mu, s, smoothness_order

_RATES = {"eta": 0.5, "mu": 0.25, "L": 1.0}
statement = Statement(
    "mini.rewind",
    "Rewinding k steps",
    "inequality",
    words="k steps on kept data from w_{T-k} end within r^k |Dw_{T-k}| of retraining.",
    left=r"\|\mathbf{u}_T-\mathbf{w}_T^*\|",
    reads={r"\|\Delta\mathbf{w}_{T-k}\|": "distance"},
    symbols=(eta, mu, L, k, distance),
    requires=(smoothness_order,),
    plot=Plot("k", tuple(map(float, range(0, 41, 4))), {**_RATES, "distance": 1}),
    quantity="distance to retraining",
)
statement.interpreted_as(
    "literal", "every per-sample loss mu-strongly convex and L-smooth, every batch keeps a sample"
)
statement.interpreted_as(
    "mini", "quadratic losses: eq (10) gives the same point", stance="component"
)
prior = Statement(
    "mini.rewind.prior",
    "Rewinding k steps, from the constants alone",
    "inequality",
    words="k steps on kept data from w_{s-k} end within "
    "r^k 2 eta beta Gm (1 - r^{s-k})/(1 - r) of retraining.",
    left=r"\|\mathbf{u}_s-\mathbf{w}_s^*\|",
    symbols=(eta, mu, L, beta, Gm, s, k),
    requires=(smoothness_order, contractive, followed),
    plot=Plot("k", tuple(map(float, range(0, 41, 4))), {**_RATES, "beta": 0.25, "Gm": 1, "s": 41}),
    quantity="distance to retraining",
)
prior.interpreted_as(
    "literal", "the same; un-regularised gradients at most Gm along the learned run, 0 < eta < 2/L"
)


@statement.form("tight", tex=r"r^k\|\Delta\mathbf{w}_{T-k}\|")
def redone(xp, eta, mu, L, k, distance):
    """k steps on kept data from w_{T-k} end at most this far from w_T*.

    Every per-sample loss is mu-strongly convex and L-smooth. Costs k gradients.

    Note: no Hessian and no Taylor term; attained by 1-D quadratics
    Proof (literal): both runs apply the same r-Lipschitz maps w - eta g_K(w)
    Proof (mini): u_l - w_l obeys the recursion of eq (10)
    """
    return rate_power(xp, eta, mu, L, k) * distance


@prior.form("tight", tex=r"r^k\cdot2\eta\beta G_m\frac{1-r^{s-k}}{1-r}")
def from_constants(xp, eta, mu, L, beta, Gm, s, k):
    """k steps on kept data from w_{s-k} end at most this far from w_s*: mini.thm1.drift inside.

    Note: attained by 1-D quadratics when eta <= 2/(L + mu)
    Proof: both runs apply the same r-Lipschitz maps w - eta g_K(w), and mini.thm1.drift
    """
    return rate_power(xp, eta, mu, L, k) * drift(xp, eta, mu, L, beta, Gm, s - k)
