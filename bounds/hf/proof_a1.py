"""Appendix A.1 of hf, (23): the injection of u comes after the step's matrix, not before."""

from bounds import Edit, Statement
from bounds.hf.equal_hessians import in_floats
from bounds.hf.equation_10 import ONE, PLOT, statistic

statement = Statement(
    "hf.proofa1",
    "Proof of (11), Equation (23)",
    "equality",
    words="An epoch's injection of u is multiplied by the matrices of b = b(u)..B-1.",
    left=r"\mathbf{a}_{E,B}^{-u}",
    symbols=ONE,
    aliases=("hf.proofA1", "hf.eq23"),
    plot=PLOT,
    quantity="statistic of one sample",
    correction="Multiply first, then inject.",
)
statement.interpreted_as(
    "literal",
    "as printed, with whole products over the later epochs",
    {"printed": "==", "corrected": "=="},
    edits={
        "printed": Edit("the product starts at b(u) + 1, as (9) and (10) say", "b=b(u)", "b=b(u)+1")
    },
)


@statement.form(
    "printed",
    tex=r"\prod_{b=b(u)}^{B-1} (\mathbf{I} - \frac{\eta_{E,b}}{|\mathcal{B}_{E,b}|} "
    r"\mathbf{H}_{E,b}) \frac{\eta_{E,b(u)}}{|\mathcal{B}_{E,b(u)}|} "
    r"\nabla \ell(\mathbf{w}_{E,b(u)}; u)",
)
def printed(xp, eta, h, n, T, cbar, c_u, w0):
    """Full batches with the injection multiplied by its own step's matrix end here.

    A typo: the product must start at b(u) + 1, as in (10).

    Note: one factor more than (9) gives; contradicts (10)
    Fails: (23) multiplies the gradient of u by the matrix of its own step, b = b(u); by (9) and
        (10) the product begins at b(u) + 1. On whole batches of one curvature h that is a factor 1
        - ηh: {bound} for {measured}.
    Source: hf, (23)
    """
    return (1 - eta * h) * statistic(xp, eta, h, n, T, cbar, c_u, w0)


@printed.numeric
def _(eta, h, n, T, cbar, c_u, w0):
    return (1 - eta * h) * in_floats(eta, h, n, 1, T, cbar - c_u, w0 - cbar, w0 - c_u, 1.0)


@statement.form(
    "corrected",
    tex=r"\prod_{b=b(u)+1}^{B-1} (\mathbf{I} - \frac{\eta_{E,b}}{|\mathcal{B}_{E,b}|} \mathbf"
    r"{H}_{E,b}) \frac{\eta_{E,b(u)}}{|\mathcal{B}_{E,b(u)}|} \nabla \ell(\mathbf{w}_"
    r"{E,b(u)}; u)",
)
def corrected(xp, eta, h, n, T, cbar, c_u, w0):
    """The recursion (8)-(9) ends here, on losses h (w - c_i)^2/2 with constant steps.

    Note: as (9) says
    Proof: unrolling (8)-(9) from D_0 = 0
    """
    return statistic(xp, eta, h, n, T, cbar, c_u, w0)


@corrected.numeric
def _(eta, h, n, T, cbar, c_u, w0):
    return in_floats(eta, h, n, 1, T, cbar - c_u, w0 - cbar, w0 - c_u, 1.0)
