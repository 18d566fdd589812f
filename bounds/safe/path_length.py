"""V_T of safe, the path length of the optimal models, and what the sizes of deletions say of it."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.safe import stream
from bounds.safe.symbols import L, T, mu, n

deletions = Symbol(
    "deletions",
    "numbers of samples that leave in rounds 1..T",
    r"m_1,\dots,m_T",
    low=0,
    kind="list",
    typical=(1, 8),
    whole=True,
    unit="1",
)
some_stay = Hypothesis(
    "sum of the deletions below n", lambda deletions, n: np.sum(deletions) < np.min(n)
)
whole_numbers = Hypothesis("whole numbers", lambda deletions: np.mod(deletions, 1) == 0)

length = Statement(
    "safe.vt",
    "Path length of Theorem 2(ii)",
    "definition",
    words="V_T = sum_{t=1}^T |w_t* - w_{t-1}*|.",
    left="V_T",
    symbols=(stream.data, stream.leaves, T),
    requires=(
        stream.one_round_each,
        stream.whole_rounds,
        Hypothesis("some sample stays", lambda leaves, T: np.max(leaves) > np.max(T)),
    ),
    plot=Plot("T", (1.0, 2.0), stream.FOUR, log_y=False),
    quantity="path length",
    correction="A path length (the abstract's total variation is another quantity), defined where "
    "every round has one minimiser.",
)
length.interpreted_as("literal", "one minimiser in every round")
length.interpreted_as("flat", "convex risks with several minimisers")


_MODEL = "every mean loss mu-strongly convex from one optimal model to the next; "
_MU = tuple(np.geomspace(0.01, 1, 21).tolist())
_SIZES = {"n": 100, "deletions": (10.0, 20.0, 5.0)}
by_sum = Statement(
    "safe.vt.sum",
    "Path length by the sizes of the deletions",
    "inequality",
    words="V_T <= (L/mu) sum m_t/n_{t-1}.",
    left="V_T",
    reads={"n_{t-1}": r"n-\sum_{i=1}^{t-1}m_i"},
    symbols=(L, mu, n, deletions),
    requires=(some_stay, whole_numbers),
    plot=Plot("mu", _MU, {"L": 1.0, **_SIZES}, log_x=True),
    quantity="path length",
)
by_sum.interpreted_as("literal", _MODEL + "every loss L-Lipschitz along the path")
by_sum.interpreted_as("leaving", _MODEL + "L bounds a sample's gradient where it leaves")
by_log = Statement(
    "safe.vt.log",
    "Path length by the first and the last size",
    "inequality",
    words="V_T <= (L/mu) ln(n_0/n_T): logarithmic in the share that has left, whatever T.",
    left="V_T",
    reads={"n_T": r"n-\sum_tm_t"},
    symbols=(L, mu, n, deletions),
    requires=(some_stay, whole_numbers),
    plot=Plot("mu", _MU, {"L": 1.0, **_SIZES}, log_x=True),
    quantity="path length",
)
by_log.interpreted_as("literal", _MODEL + "every loss L-Lipschitz along the path")
by_log.interpreted_as(
    "below",
    "at least this value over the largest n_{t-1}/n_t, when attained",
    {"tight": ">="},
    stance="component",
)
by_ridge = Statement(
    "safe.vt.ridge",
    "Path length of regularised losses",
    "inequality",
    words="V_T <= (2L/mu) sum m_t/n_{t-1} for losses h + (mu/2)|w|^2, h convex, L-Lipschitz.",
    left="V_T",
    reads={"n_{t-1}": r"n-\sum_{i=1}^{t-1}m_i"},
    symbols=(L, mu, n, deletions),
    requires=(some_stay, whole_numbers),
    plot=Plot("mu", _MU, {"L": 1.0, "n": 100, "deletions": (30.0,)}, log_x=True),
    quantity="path length",
)
by_ridge.interpreted_as("literal", "losses h + (mu/2)|w|^2, h convex and L-Lipschitz")
by_ridge.interpreted_as("once", "all deletions in one round", stance="amended")


def shares(xp, n, deletions):
    """Sum over the rounds of m_t/n_{t-1}, for n_0 = n."""
    return xp.over(lambda t, m: m / (n - xp.prefix(deletions, t - 1)), deletions)


@length.form("printed", tex=r"V_T=\sum_{t=1}^{T}\|w_{t}^{*}-w_{t-1}^{*}\|_{2}")
def path_length(xp, data, leaves, T):
    """Path length of the optimal models w_0*..w_T*, here means on a line.

    Note: for losses (w - x)^2/2; a path length, not a total variation of the risks
    Fails (flat): Where a round has several minimisers w_t* is a choice among them, and V_T with it:
        for losses |w − x| and an even number of points every model between the middle two is
        optimal.
    Source: safe, Theorem 2(ii), a definition where every R_t has one minimiser
    """

    def jump(t):
        return abs(stream.best(xp, data, leaves, t) - stream.best(xp, data, leaves, t - 1))

    return xp.total(jump, 1, T)


@path_length.numeric
def _(data: Array, leaves: Array, T: Array) -> Array:
    rounds = np.arange(np.max(T) + 1)
    jumps = np.abs(np.diff(stream.minimiser(data, leaves, rounds)))
    # Rounds after the last one asked for do not count.
    return np.asarray((jumps * (rounds[1:] <= np.asarray(T)[..., None])).sum(axis=-1))


@by_sum.form("tight", tex=r"\frac{L}{\mu}\sum_{t=1}^{T}\frac{m_t}{n_{t-1}}")
def from_deletions(xp, L, mu, n, deletions):
    """V_T is at most this value, for L-Lipschitz losses and mu-strongly convex mean losses.

    n = n_0; deletions = m_1..m_T. L bounds the gradient of a sample at the optimal model of the
    round in which it leaves, mu the curvature of the mean loss of round t-1 between w_{t-1}* and
    w_t*.

    Note: attained by convex losses on a line; all of them L-Lipschitz while the sum is at most 1
    Proof (literal): the mean gradient of D_{t-1} at w_t* is that of F_t there
    Proof (leaving): the mean gradient at w_t* is F_t's; equality on a line
    Equality: in every round on a line; with all losses L-Lipschitz along the whole path while sum
        m_t/n_{t-1} <= 1
    """
    return L / mu * shares(xp, n, deletions)


@by_log.form("tight", tex=r"\frac{L}{\mu}\ln\frac{n_0}{n_T}")
def from_first_and_last(xp, L, mu, n, deletions):
    """V_T is at most this value, under the hypotheses of safe.vt.sum: logarithmic, whatever T.

    Only the sum of the deletions matters.

    Note: from safe.vt.sum by x <= -ln(1 - x); approached by many small deletions
    Proof (literal): safe.vt.sum and m/n <= ln(n/(n - m))
    Proof (below): ln(n/(n - m)) <= m/(n - m)
    Equality: only in the limit of small deletions
    """
    return -L / mu * xp.log1p(-xp.prefix(deletions, xp.count(deletions)) / n)


@by_ridge.form("tight", tex=r"\frac{2L}{\mu}\sum_{t=1}^{T}\frac{m_t}{n_{t-1}}")
def from_ridge(xp, L, mu, n, deletions):
    """V_T is at most this value, for losses h + (mu/2)|w|^2 with h convex and L-Lipschitz.

    L bounds the gradient of h alone, and mu |w_t*| <= L; so no bound on the loss is needed.

    Note: losses h + (mu/2)|w|^2; one round attains it, h = -L x w, x = +1 kept and -1 removed
    Proof (literal): safe.vt.sum with gradients at most L + mu |w_t*| <= 2L
    Proof (once): attained by h = -L x w, x = +1 kept and -1 removed
    """
    return 2 * L / mu * shares(xp, n, deletions)
