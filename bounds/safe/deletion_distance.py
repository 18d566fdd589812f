"""The distance that Theorem 2(iii) of safe has to hide, from the constants of the losses alone."""

from bounds import Hypothesis, Plot, Statement
from bounds.safe.symbols import L, gamma, mu, n
from bounds.safe.theorem_1 import M

_most_stay = Hypothesis("M < n", lambda M, n: n > M)

_RATES = {"L": 1.0, "mu": 0.25, "n": 64.0, "gamma": 0.0}
_WIDE = Plot("M", (1.0, 2.0, 4.0, 8.0, 16.0, 31.0), _RATES, log_x=True)
moved = Statement(
    "safe.thm2iii.distance",
    "Theorem 2(iii), distance from the constants",
    "inequality",
    words="|w_0 - gamma g - w_t*| <= L M_t/(mu n_0) + gamma for a unit vector g.",
    left=r"\|w_0-\gamma\hat g_t-w_t^*\|",
    symbols=(L, mu, n, M, gamma),
    requires=(_most_stay,),
    plot=_WIDE,
    quantity="|w_0 - gamma g - w_t*|",
)
moved.interpreted_as(
    "literal", "w_0 minimises R_0, which is mu-strongly convex; losses L-Lipschitz at w_t*"
)
ridge = Statement(
    "safe.thm2iii.ridge",
    "Theorem 2(iii), distance for a ridge penalty",
    "inequality",
    words="|w_0 - gamma g - w_t*| <= 2 L_h M_t/(mu n_0) + gamma for a unit vector g.",
    left=r"\|w_0-\gamma\hat g_t-w_t^*\|",
    reads={"L_h": "L"},
    symbols=(L, mu, n, M, gamma),
    requires=(_most_stay,),
    plot=_WIDE,
    quantity="|w_0 - gamma g - w_t*|",
)
ridge.interpreted_as(
    "literal", "w_0 minimises R_0; losses h + (mu/2)|w|^2, h convex and L-Lipschitz"
)


@moved.form("corrected", tex=r"\frac{LM_t}{\mu n_0}+\gamma")
def from_constants(xp, L, mu, n, M, gamma):
    """SAFE's point before noise is within this distance of w_t*, from w_0 = w_0*.

    R_0 is mu-strongly convex and every loss L-Lipschitz where the models are.

    Note: no W; attained at gamma = 0 by linear forgotten losses
    Proof: n_0 grad R_0(w_t*) is the sum of the forgotten gradients
    """
    return L * M / (mu * n) + gamma


@ridge.form("tight", tex=r"\frac{2L_hM_t}{\mu n_0}+\gamma")
def with_ridge(xp, L, mu, n, M, gamma):
    """The same for losses h + (mu/2)|w|^2 with convex L-Lipschitz h.

    Note: attained by h = -L x w with x = 1 kept and x = -1 forgotten
    Proof: strong convexity with |mu w_t*| <= L; attained by linear h
    """
    return 2 * L * M / (mu * n) + gamma
