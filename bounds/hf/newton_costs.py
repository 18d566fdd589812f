"""Section 4.4 of hf: operations of the Newton step (NS) and of what NS and IJ pre-compute."""

from bounds import Plot, Statement
from bounds.hf.symbols import d, m, n
from bounds.hf.table_1 import K

step = Statement(
    "hf.table1.newton",
    "Section 4.4, unlearning by NS",
    "claim",
    words="A request of m samples requires computing and inverting a different Hessian: "
    "O(d^3 + md^2 + md).",
    left=r"\text{operations of a request}",
    symbols=(m, d, K),
    plot=Plot("d", (10.0, 20.0, 50.0, 100.0), {"m": 2, "K": 1.0}, log_x=True),
    quantity="operations",
    correction="O(md^2) for m <= d from the inverse that IJ stores: what hf says of IJ's request "
    "is enough for NS as well.",
)
step.interpreted_as(
    "literal",
    "so many are enough, the Hessian of all samples at hand; linear scores",
    {"printed": "<="},
)
step.interpreted_as(
    "required",
    "no way takes less, but for a constant K; the inverse of IJ at hand",
    {"printed": ">=", "corrected": "<="},
)
hessian = Statement(
    "hf.table1.hessian",
    "Section 4.4, pre-computation of NS",
    "claim",
    words="Computing the Hessian of n samples takes O(nd^2).",
    left=r"\text{operations of the Hessian}",
    symbols=(n, d, K),
    plot=Plot("d", (1.0, 2.0, 5.0, 10.0, 20.0), {"n": 30, "K": 3.0}, log_x=True),
    quantity="operations",
)
hessian.interpreted_as("literal", "linear scores")
inverse = Statement(
    "hf.table1.inverse",
    "Section 4.4, pre-computation of IJ",
    "claim",
    words="Computing and inverting the Hessian of n samples takes O(d^3 + nd^2).",
    left=r"\text{operations of the inverse Hessian}",
    symbols=(n, d, K),
    plot=Plot("d", (1.0, 2.0, 5.0, 10.0, 20.0), {"n": 30, "K": 3.0}, log_x=True),
    quantity="operations",
)
inverse.interpreted_as("literal", "linear scores")


def elimination(size, columns):
    """Operations of Gaussian elimination without pivots, and of the back substitution."""
    down = (size - 1) * size * (2 * size - 1) / 3 + (1 + 2 * columns) * size * (size - 1) / 2
    return down + columns * size**2


@step.form("printed", tex=r"\mathcal{O}(d^3+md^2+md)")
def printed(xp, m, d, K):
    """A request of m samples takes this many operations.

    Enough with the Hessian at hand; not needed, as the inverse can be updated.

    Note: with any constant K given to it
    Proof (literal): Subtracting m Hessians of rank one takes (2d^2 + d) m operations and the sum of
        m gradients 2md. Elimination takes 2d^3/3 and terms in d^2 and d, so that K = 3 does.
    Fails (required): No Hessian need be inverted anew: Woodbury's formula updates the inverse that
        IJ stores, in O(md²). At m = {m}, d = {d} it takes {measured} operations, fewer than {K}·(d³
        + md² + md) = {bound}, and for large d than any multiple of it.
    Source: hf, Section 4.4
    """
    return K * (d**3 + m * d**2 + m * d)


@step.form("corrected", tex=r"2(m+1)d^2+2m^2d+6md+m+d+\text{elimination}(m)")
def corrected(xp, m, d):
    """A request takes this many operations from a stored inverse: O(md^2) for m <= d.

    Note: Sherman-Morrison-Woodbury from a stored inverse; linear scores
    Proof: Woodbury's formula turns the inverse over all samples into that over the others. It takes
        m products with it, and elimination in m dimensions; the operations are counted.
    """
    plain = 2 * (m + 1) * d**2 + 2 * m**2 * d + 6 * m * d + m + d
    return plain + elimination(m, 1)


@hessian.form("printed", tex=r"\mathcal{O}(nd^2)")
def by_samples(xp, n, d, K):
    """The Hessian of all samples takes at most this many operations.

    Note: with any constant K given to it
    Proof: The Hessian of a sample is c x x^T. Scaling x takes d operations and adding the product
        2d^2, so that K = 3 does, with equality at d = 1.
    Source: hf, Section 4.4
    """
    return K * n * d**2


@inverse.form("printed", tex=r"\mathcal{O}(d^3+nd^2)")
def with_inverse(xp, n, d, K):
    """The inverse Hessian takes at most this many operations.

    Note: with any constant K given to it
    Proof: Beside the Hessian, elimination with d right sides takes less than 3d^3 operations. So K
        = 3 does.
    Source: hf, Section 4.4
    """
    return K * (d**3 + n * d**2)
