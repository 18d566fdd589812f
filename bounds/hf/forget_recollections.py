"""Sections 1 and 4.2 of hf: what the statistics that are kept still say of a deleted sample."""

from bounds import Plot, Statement
from bounds.hf.equal_hessians import derivative, h, in_floats
from bounds.hf.symbols import T, eta, n

statement = Statement(
    "hf.forget_recollections",
    "Forgetting the recollections (Sections 1, 4.2)",
    "claim",
    words="Deleting a^{-u} after unlearning u leaves nothing of u that must be kept secret.",
    left=r"\partial\,\mathbf{a}^{-v}/\partial c_u,\quad v\ne u",
    symbols=(eta, h, n, T),
    aliases=("hf.forget-recollections",),
    plot=Plot(
        "T", tuple(float(t) for t in range(1, 41)), {"eta": 0.3, "h": 1.0, "n": 2.0}, log_y=False
    ),
    quantity="change of another sample's statistic per unit of c_u",
    correction="Definition 2.1 covers the released model only. For the server's state too, the "
    "statistics need noise or must be computed again.",
)
statement.interpreted_as("literal", "the statistics a^{-v} of the other samples, which are kept")


@statement.form("printed", tex=r"0")
def printed(xp, eta, h, n, T):
    """The other samples' statistics change by this per unit of u's data.

    It is false: they are functions of the trajectory, which u shaped.

    Note: nothing of u in what is left once its own statistic is deleted
    Fails: The approximators of the other samples are computed along a trajectory that u shaped: at
        n = {n}, T = {T} each changes by {measured} per unit of u's data, so that a deleted sample
        can be computed from the vectors that are kept.
    Source: hf, Section 4.2
    """
    return 0


@statement.form(
    "tight", tex=r"\frac{\eta h}{n^2}\Big[\sum_{k<T}\rho^k-T\rho^{T-1}\Big],\quad \rho=1-\eta h"
)
def tight(xp, eta, h, n, T):
    """The statistic (11) of v changes by exactly this per unit of c_u, u other than v.

    Note: full batches of h (w - c_i)^2/2; from it c_u follows exactly
    Proof: derivative of the closed form with respect to the mean
    """
    return derivative(xp, eta, h, n, 1, T, 1, -1) / n


@tight.numeric
def _(eta, h, n, T):
    """s = 1 and x = -1: without the difference of the two sums."""
    return in_floats(eta, h, n, 1, T, 1.0, -1.0, 0.0, 1.0) / n
