"""The "key finding" of mini: H(l) as a contraction, and how many steps halve a distance."""

from bounds import Plot, Statement
from bounds.mini.series import contractive, gap, rate
from bounds.mini.symbols import L, eta, mu, small_steps, smoothness_order

statement = Statement(
    "mini.eig",
    "Key finding (Section 4.1)",
    "claim",
    words="The largest eigenvalue of H(l) is 1 - eta mu < 1, the least is 1 - eta L < 1, so "
    "the positive definite H(l) is a contraction.",
    left=r"\|H(l)\|_2",
    symbols=(eta, mu, L),
    requires=(smoothness_order,),
    plot=Plot("eta", (0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.2), {"mu": 0.3, "L": 2.1}, log_y=False),
    quantity="norm of H(l)",
    correction="For mu <= Hessian <= L of every kept sample, |H(l)| <= r = max(|1 - eta mu|, "
    "|1 - eta L|), below 1 iff 0 < eta < 2/L and mu > 0; positive definite iff eta < 1/L.",
)
statement.interpreted_as(
    "literal",
    "mu and L of every sample; 1 - eta mu < 1 and 1 - eta L < 1; H contracts by 1 - eta mu",
)
statement.interpreted_as(
    "equal", "the largest eigenvalue is 1 - eta mu", {"printed": "<="}, stance="component"
)
statement.interpreted_as(
    "small",
    "eta <= 2/(L + mu): the norm is at most 1 - eta mu",
    stance="amended",
    where=(small_steps,),
)
statement.interpreted_as(
    "objective", "mu and L of the mean over all samples only", {"corrected": "<="}, stance="amended"
)
halving = Statement(
    "mini.eig.half",
    "Steps that halve a distance",
    "claim",
    words="The guaranteed contraction r^k reaches 1/2 after log 2/(-log r) steps.",
    left=r"k_{1/2}",
    symbols=(eta, mu, L),
    requires=(smoothness_order, contractive),
    plot=Plot("eta", (0.01, 0.03, 0.1, 0.3, 1.0), {"mu": 0.05, "L": 1.05}, log_x=True),
    quantity="steps",
)
halving.interpreted_as("literal", "1-D quadratics")


@statement.form(
    "printed", tex=r"1-\frac{\eta}{B-\Delta B_s}\cdot(B-\Delta B_s)\cdot\mu=1-\eta\mu<1"
)
def printed(xp, eta, mu, L):
    """The largest eigenvalue of H(l) is this value, and H(l) contracts by it, says mini.

    An upper bound of the norm only for eta <= 2/(L + mu).

    Note: the largest eigenvalue; the least is said to be 1 - eta L < 1, so H contracts
    Proof (small): the eigenvalues of I - eta A lie in [1 - eta L, 1 - eta mu]
    Fails (literal): 1 - ηL < 1 does not keep it above -1: a contraction needs η < 2/L, and positive
        definiteness η < 1/L. At η = {eta}, μ = {mu}, L = {L} the norm of H is {measured}, not
        {bound}, and it expands.
    Fails (equal): 1 - ημ and 1 - ηL bound the eigenvalues and need not be any: the curvature of the
        remaining samples can lie between. At η = {eta}, μ = {mu}, L = {L} the largest is
        {measured}, not {bound}.
    Source: mini, Section 4.1
    """
    return 1 - eta * mu


@statement.form("corrected", tex=r"r=\max(|1-\eta\mu|,|1-\eta L|)")
def corrected(xp, eta, mu, L):
    """|H(l)| is at most this value when every kept sample's Hessian lies in [mu, L].

    Note: per-sample constants; below 1 iff 0 < eta < 2/L and mu > 0; attained
    Proof (literal, small): the eigenvalues of I - eta A lie in [1 - eta L, 1 - eta mu]
    Fails (objective): μ and L of the mean over all samples are no bounds for a batch. At η = {eta},
        μ = {mu}, L = {L} a batch that is flat in one direction leaves it as it is: H has the norm
        {measured}, not {bound}.
    Equality: one curvature mu, or L
    """
    return rate(xp, eta, mu, L)


@halving.form("tight", tex=r"\frac{\log 2}{-\log r}")
def half_life(xp, eta, mu, L):
    """r^k reaches 1/2 at this k.

    Note: the k with r^k = 1/2; infinite at mu = 0
    Proof: each step multiplies by r
    Equality: 1-D quadratics
    """
    slack = gap(xp, eta, mu, L)
    return xp.where(slack > 0, lambda: xp.log(2) / -xp.log1p(-slack), xp.inf)
