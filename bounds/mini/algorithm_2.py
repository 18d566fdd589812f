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
    proofs={
        "printed": "(10) reads G(T-k+1..T), w_{T-k..T} and the kept rows only",
        "corrected": "(10) reads these iterates; G is evaluated at the request",
    },
    where=(Hypothesis("exact Hessians", sets={"m": lambda: 0}),),
)
statement.interpreted_as(
    "causal",
    "D_U is requested after training",
    proofs={"corrected": "iterates and whole index lists do not depend on D_U"},
)
statement.interpreted_as(
    "algorithm4",
    "Hessian products by Algorithm 4 with m pairs, m = 2 in the paper",
    proofs={"corrected": "the pairs of H(l) span w_{l-1-m}..w_{l-1}, l >= T-k+2"},
)


@statement.form(
    "printed",
    tex=r"W=\{\mathbf{w}_{T-k},\dots,\mathbf{w}_T\}",
    note="enough for equation (10) with exact Hessians",
)
def printed(xp, k):
    """The iterates that Algorithm 2 keeps. Source: mini, Algorithm 2."""
    return k + 1


@statement.form(
    "corrected",
    tex=r"W=\{\mathbf{w}_{\min(T-k,\,T-k+1-m)},\dots,\mathbf{w}_T\}",
    note="m - 1 earlier ones for the pairs of H(T-k+2)",
)
def corrected(xp, k, m):
    """The iterates from which equation (10) can be computed with m pairs for every Hessian.

    H(l), l = T-k+2..T, takes its pairs from w_{l-1-m}..w_{l-1}; G(T-k+1) needs w_{T-k}.
    """
    return k + xp.maximum(m, 1)
