"""Stage II of hf's Algorithm 1: its sum begins at e = 1 and misses the largest step."""

from bounds import Edit, Hypothesis, Statement
from bounds.hf.equal_hessians import derivative, in_floats
from bounds.hf.equation_10 import ONE, PLOT, statistic

statement = Statement(
    "hf.alg1_stage2",
    "Algorithm 1, Stage II",
    "algorithm",
    words="The statistic of u is the sum over e = 1..E of M_{e,b(u)} g_u.",
    left=r"\mathbf{a}_{E,B}^{-u_j}",
    symbols=ONE,
    requires=(Hypothesis("T >= 1", lambda T: T >= 1),),
    aliases=("hf.alg1-stage2",),
    plot=PLOT,
    quantity="statistic of one sample",
    correction="The first epoch has the largest step; with one epoch alone the sum is empty.",
)
statement.interpreted_as(
    "literal",
    "as printed, with the matrices of (10) corrected",
    {"printed": "<=", "corrected": "<="},
    edits={"printed": Edit("e runs from 0", "e=1", "e=0")},
)


@statement.form(
    "printed",
    tex=r"\mathbf{a}_{E,B}^{-u_j} \leftarrow \sum_{e=1}^{E} \mathbf{M}_{e,b(u_j)} "
    r"\nabla \ell(\mathbf{w}_{e,b(u_j)}; u_j)",
)
def printed(xp, eta, h, n, T, cbar, c_u, w0):
    """The statistic without epoch 0 is this; 0 for a single epoch. A typo: e runs from 0.

    Note: full batches, with the matrices of (10) corrected
    Fails: The sum from e = 1 leaves out the first epoch, whose step is the largest where steps
        decay: {bound}, where (11) gives {measured}. With a single epoch (E = 0) it is 0.
    Source: hf, Algorithm 1, Stage II; also (35)
    """
    next_x = (1 - eta * h) * (w0 - cbar)  # what is left is the statistic of a run from w_1
    return derivative(xp, eta, h, n, 1, T - 1, cbar - c_u, next_x)


@printed.numeric
def _(eta, h, n, T, cbar, c_u, w0):
    update = eta * h * (w0 - cbar)
    return in_floats(eta, h, n, 1, T - 1, cbar - c_u, w0 - cbar - update, w0 - c_u - update, 1.0)


@statement.form(
    "corrected",
    tex=r"\mathbf{a}_{E,B}^{-u_j} \leftarrow \sum_{e=0}^{E} \mathbf{M}_{e,b(u_j)} \nabla "
    r"\ell(\mathbf{w}_{e,b(u_j)}; u_j)",
)
def corrected(xp, eta, h, n, T, cbar, c_u, w0):
    """The recursion (8)-(9) ends here, on losses h (w - c_i)^2/2 with constant steps.

    Note: all epochs
    Proof: unrolling (8)-(9) from D_0 = 0
    """
    return statistic(xp, eta, h, n, T, cbar, c_u, w0)


@corrected.numeric
def _(eta, h, n, T, cbar, c_u, w0):
    return in_floats(eta, h, n, 1, T, cbar - c_u, w0 - cbar, w0 - c_u, 1.0)
