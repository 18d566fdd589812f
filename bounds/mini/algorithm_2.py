"""Algorithm 2 of mini: how many iterates are stored, and how many Algorithm 4 reads."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.mini.symbols import k_several

m = Symbol("m", "L-BFGS pairs; 0 for exact Hessians", "m", low=0, kind="integer")

statement = Statement(
    "mini.alg2",
    "Algorithm 2",
    "algorithm",
    words="Training stores W = {w_{T-k}, ..., w_T}, G(T-k), ..., G(T) and the kept indices of "
    "the last batches, from which the unlearned parameter is computed.",
    left=r"|W|",
    symbols=(k_several, m),
    plot=Plot("m", tuple(map(float, range(9))), {"k": 10}, log_y=False),
    quantity="iterates needed",
    correction="Store w_{T-k+1-m}, ..., w_T and the whole index lists; evaluate G at the request.",
)
statement.interpreted_as(
    "literal",
    "D_U is known while training; exact Hessians (m = 0)",
    where=(Hypothesis("exact Hessians", sets={"m": lambda: 0}),),
)
statement.interpreted_as("causal", "D_U is requested after training")
statement.interpreted_as(
    "algorithm4", "Hessian products by Algorithm 4 with m pairs, m = 2 in the paper"
)


@statement.form("printed", tex=r"W=\{\mathbf{w}_{T-k},\dots,\mathbf{w}_T\}")
def printed(xp, k):
    """The iterates that Algorithm 2 keeps.

    Note: enough for equation (10) with exact Hessians
    Proof (literal): (10) reads G(T-k+1..T), w_{T-k..T} and the kept rows only
    Fails (causal): It computes G and leaves out the forgotten samples' indices while it trains,
        before anybody has asked. Where the request comes later a coordinate ends at {bound} for k =
        {k}, and at {measured} after the last k steps on the remaining data.
    Fails (algorithm4): For H(l)·u Algorithm 4 reads the m + 1 iterates before step l, some of them
        from before w_(T-k), the first that is stored: at k = {k}, m = {m} it needs {measured}
        iterates and finds {bound}.
    Source: mini, Algorithm 2
    """
    return k + 1


@statement.form("corrected", tex=r"W=\{\mathbf{w}_{\min(T-k,\,T-k+1-m)},\dots,\mathbf{w}_T\}")
def corrected(xp, k, m):
    """The iterates from which equation (10) can be computed with m pairs for every Hessian.

    H(l), l = T-k+2..T, takes its pairs from w_{l-1-m}..w_{l-1}; G(T-k+1) needs w_{T-k}.

    Note: m - 1 earlier ones for the pairs of H(T-k+2)
    Proof (literal): (10) reads these iterates; G is evaluated at the request
    Proof (causal): iterates and whole index lists do not depend on D_U
    Proof (algorithm4): the pairs of H(l) span w_{l-1-m}..w_{l-1}, l >= T-k+2
    """
    return k + xp.maximum(m, 1)
