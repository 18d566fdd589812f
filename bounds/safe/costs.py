"""safe on sizes: what a round costs and stores, and how many samples its Theorem 1 lets go."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.safe.symbols import d, m

K = Symbol("K", "constant of the O", "K", low=0, low_open=True, unit="?", hidden=True)
M = Symbol("M", "samples that have left, those of the round included", "M_t", low=0, kind="integer")
n = Symbol("n", "samples at the start", "n", low=1, high=1e15, kind="integer")
in_all = Hypothesis("m <= M", lambda m, M: m <= M)

_ALL = "Algorithm 1, lines 6 to 9, with the sum of (25) over F_1, ..., F_t"
_ONLY = "the recursion (15) of the retention term"
work = Statement(
    "safe.cost",
    "Section 3.2.1, cost of a round",
    "claim",
    words="The recursive update ensures per-step computation that scales with |F_t|.",
    left=r"\text{gradients of samples in round }t",
    reads={"|F_t|": "m", r"\sum_{i\le t}|F_i|": "M"},
    symbols=(m, M, K),
    requires=(in_all,),
    plot=Plot("M", (10.0, 20.0, 50.0, 100.0, 200.0), {"m": 10, "K": 10.0}),
    quantity="gradients of samples in a round",
    correction="So does the mechanism (15). Algorithm 1 takes |F_t| + sum_{i <= t} |F_i|, T (T + "
    "3)/2 of them in T rounds of one sample.",
)
work.interpreted_as("literal", _ONLY, {"printed": "<="})
work.interpreted_as(
    "algorithm",
    _ALL + ", which the sentence on (15) does not speak of; any constant K",
    stance="amended",
)
storage = Statement(
    "safe.cost.storage",
    "Section 3.2.1, storage",
    "claim",
    words="The recursive update ensures constant storage.",
    left=r"\text{numbers that must be at hand in round }t",
    reads={r"\sum_{i\le t}|F_i|": "M"},
    symbols=(d, m, M, K),
    requires=(in_all,),
    plot=Plot("M", (10.0, 20.0, 50.0, 100.0, 200.0), {"d": 5, "m": 10, "K": 10.0}),
    quantity="numbers at hand",
    correction="So does the mechanism (15). For the sum of (25) Algorithm 1 keeps all that has "
    "been forgotten: O(d sum_i |F_i|). Line 8, read as a sum over "
    "F_t alone, is not the gradient of (25).",
)
storage.interpreted_as("literal", _ONLY, {"printed": "<="})
storage.interpreted_as(
    "algorithm",
    _ALL + ", which the sentence on (15) does not speak of; any constant K",
    stance="amended",
)
many = Statement(
    "safe.thm1.many",
    "Proof of Theorem 1: few deletions",
    "claim",
    words="sqrt|D_t| >> sum_{i <= t} |F_i|.",
    left=r"\sum_{i=1}^t|F_i|",
    symbols=(n, M),
    requires=(Hypothesis("M <= n", lambda M, n: n >= M),),
    plot=Plot("n", (1e3, 1e4, 1e5, 1e6), {"M": 244}, log_x=True),
    quantity="samples that leave",
    correction="Not so in any of the paper's settings: 8,000 of 60,000 leave, and sqrt|D_t| = 228.",
)
many.interpreted_as(
    "literal", "the last round of each of the paper's own settings", {"printed": "<="}
)
many.interpreted_as("first", "the first round of each of them", {"printed": "<="})
many.interpreted_as("most", "the largest number that may leave", {"tight": "<="}, stance="amended")


@work.form("printed", tex=r"O(|F_t|)")
def by_request(xp, m, K):
    """A round takes at most this many gradients.

    True of the recursion (15); Algorithm 1 also needs (25), a sum over all that has left.

    Note: with any constant K that is given to it
    Proof (literal): Times |D_t| the gradient of the kept loss changes by the gradients of F_t. Each
        of them is evaluated once, at w_0, so that K = 1 does.
    Fails (algorithm): True of the recursion (15), of which the sentence speaks. The sum of (25)
        runs over all that has left, with a new q each round: after {M} deletions a request of {m}
        takes {measured} gradients, more than {K}|F_t| = {bound}.
    Source: safe, end of Section 3.2.1
    """
    return K * m


@work.form("corrected", tex=r"|F_t|+\sum_{i\le t}|F_i|")
def by_all(xp, m, M):
    """Round t of Algorithm 1 takes this many gradients of samples.

    Note: (15), and (26) with a new q_t
    Proof: The target q_t f(x; w_0) changes with t for every x that has left. So (26) evaluates a
        gradient for each of F_1, ..., F_t in each round, beside the |F_t| gradients of (15).
    """
    return m + M


@storage.form("printed", tex=r"O(d)")
def constant(xp, d, K):
    """At most this many numbers are at hand, however many have left.

    Note: with any constant K that is given to it
    Proof (literal): One vector of d numbers is kept between rounds, the gradient of the kept loss.
        The samples of F_t are dropped once it has been updated.
    Fails (algorithm): True of the recursion (15), of which the sentence speaks. The sum of (25)
        needs every point that has left: after {M} of them {measured} numbers are kept at d = {d},
        more than {K}d = {bound}, and each deletion adds to them.
    Source: safe, 3.2.1
    """
    return K * d


@storage.form("corrected", tex=r"d+d\sum_{i\le t}|F_i|")
def everything(xp, d, M):
    """Round t of Algorithm 1 needs the gradient, and all samples that have left.

    Note: d numbers a sample
    Proof: The gradients of (26) in round t are those of all samples of F_1, ..., F_t. They have to
        be at hand, d numbers each, with the gradient of (15).
    """
    return d + d * M


@many.form("printed", tex=r"\ll\sqrt{|D_t|}")
def root(xp, n, M):
    """What has left is far less than this.

    The paper's own runs remove 8,000 where this is 228.

    Note: read as at most; |D_t| = n - M_t
    Fails (literal): In the paper's own runs the sum is the larger one: by the last round {M} of {n}
        points have left, and √|D_t| is {bound}.
    Fails (first): Already the first round takes {M} of {n} points, more than √|D_t| = {bound}. Of
        all the settings only the single label of TinyImagenet, 80 of 80,000, begins below it.
    Source: safe, end of the proof of Theorem 1 (A.3)
    """
    return xp.sqrt(n - M)


@many.form("tight", tex=r"\frac{\sqrt{4n+1}-1}{2}")
def most(xp, n):
    """No more than this may leave: 244 of 60,000.

    Note: M <= sqrt(n - M) solved for M
    Proof: M <= sqrt(n - M) is M^2 + M <= n for M >= 0. The left side grows with M, so that it holds
        up to the positive root of M^2 + M = n.
    """
    return (xp.sqrt(4 * n + 1) - 1) / 2
