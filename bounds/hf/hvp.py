"""Section 3 of hf: what one Hessian-vector product of a batch costs."""

from bounds import Plot, Statement, Symbol
from bounds.hf.symbols import b, d

statement = Statement(
    "hf.hvp",
    "Hessian-vector products (Section 3)",
    "claim",
    words="A Hessian-vector product takes O(d); methods that store a Hessian cannot use it.",
    left=r"\text{operations of }\mathbf{H}_{e,b}\mathbf{v}",
    symbols=(
        b,
        d,
        Symbol("K", "constant of the O", "K", low=0, low_open=True, unit="?", hidden=True),
    ),
    plot=Plot(
        "b",
        tuple(float(b) for b in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)),
        {"d": 50.0, "K": 100.0},
        log_x=True,
    ),
    quantity="operations of a product",
    correction="O(bd), which is O(d) at a fixed batch size only. Newton steps and infinitesimal "
    "jackknives by conjugate gradients: O(nd) an iteration, O(d) storage.",
)
statement.interpreted_as("literal", "O(d) with one constant, whatever the batch")
statement.interpreted_as("fixed", "O(d) with a constant for each batch size", {"printed": "<="})
statement.interpreted_as(
    "exclusive",
    "a Newton step needs the d^2 numbers of the Hessian",
    {"printed": ">=", "corrected": "<="},
    stance="component",
)


@statement.form("printed", tex=r"\mathcal{O}(d)")
def printed(xp, d, K):
    """A Hessian-vector product takes this many operations.

    It is false: the Hessian of a batch is a sum over its b samples.

    Note: with any constant K that is given to it
    Proof (fixed): The Hessian of a linear score is X^T diag(c) X with X the b x d matrix of the
        batch. Its product with a vector is a product with X and one with X^T, 2bd operations each,
        so that K = 4b does for every d.
    Fails (literal): The Hessian of a batch is a sum over its b samples, so that a product with it
        takes O(bd): at b = {b}, d = {d} it is {measured} operations, more than {K}·d. No constant
        is enough for every b.
    Fails (exclusive): A Newton step only solves H x = g, which conjugate gradients do with
        Hessian-vector products: they hold {measured} numbers where a Hessian has {bound}. NS and IJ
        can use the product as well.
    Source: hf, Section 3, after (13)
    """
    return K * d


@statement.form("corrected", tex=r"4bd")
def corrected(xp, b, d):
    """The product of a batch of b losses of a linear score takes this many operations.

    Note: linear scores: X a and X^T of it; O(bd) for any model
    Proof (literal): two products with the b x d matrix of the batch
    Proof (exclusive): conjugate gradients: exact after d products, four vectors
    """
    return 4 * b * d
