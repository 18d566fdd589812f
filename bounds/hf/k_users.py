"""Appendix C.2 of hf: statistics of k users in place of n samples, and what they cost."""

from bounds import Plot, Statement, Symbol
from bounds.hf.symbols import T, b, d

k = Symbol("k", "number of users", "k", low=1, kind="integer")
K = Symbol("K", "constant of the O", "K", low=0, low_open=True, unit="?", hidden=True)

statement = Statement(
    "hf.kusers.time",
    "k users (Appendix C.2), time",
    "claim",
    words="The statistics of k users take O(kTd).",
    left=r"\text{operations}",
    symbols=(k, T, b, d, K),
    plot=Plot(
        "b",
        tuple(float(b) for b in (1, 2, 5, 10, 20, 50, 100, 200)),
        {"k": 5.0, "T": 10.0, "d": 20.0, "K": 100.0},
        log_x=True,
    ),
    quantity="operations",
    correction="O(kTbd): k runs of training.",
)
statement.interpreted_as("literal", "one constant, whatever the batch")


@statement.form("printed", tex=r"\mathcal{O}(kTd)")
def printed(xp, k, T, d, K):
    """The statistics of k users take this many operations.

    It is false: each of the T steps passes through a batch.

    Note: with any constant K that is given to it
    Fails: Each of the T steps goes through a batch of b samples: O(kTbd), for linear scores 4kTbd.
        At b = {b}, k = {k}, T = {T}, d = {d} it is {measured} operations, more than {K}·kTd; the
        ratio grows with b.
    Source: hf, Appendix C.2
    """
    return K * k * T * d


@statement.form("corrected", tex=r"4kTbd")
def corrected(xp, k, T, b, d):
    """Following k lines for T steps with batches of b takes this many operations.

    Note: linear scores, beside the training itself
    Proof: two products with the batch for each line and step
    """
    return 4 * k * T * b * d


vectors = Statement(
    "hf.kusers",
    "k users (Appendix C.2)",
    "equality",
    words="k vectors, one a user, replace n vectors: storage O(kd).",
)
vectors.interpreted_as(
    "literal",
    "statistics (11): a user's vector against the sum over the user's samples",
    {"printed": "=="},
    proofs={"printed": "Theorem 3.1; injections are summed for each user"},
)
vectors.interpreted_as(
    "kept",
    "the statistics that are exact on quadratics, one for each user's set",
    {"corrected": "=="},
    proofs={"corrected": "the kept samples' Hessians of that set"},
    stance="amended",
)
