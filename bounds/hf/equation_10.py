"""(10) and (24) of hf: the recollection matrix, read literally, for full batches (B = 1)."""

from bounds import Edit, Plot, Statement, Symbol
from bounds.hf.equal_hessians import cbar, derivative, h, in_floats, unmoved, w0
from bounds.hf.symbols import T, eta, n

c_u = Symbol("c_u", "minimum of the forgotten sample's loss", "c_u", unit="parameter")
ONE = (eta, h, n, T, cbar, c_u, w0)
INPUTS = {"eta": 0.1, "h": 1.0, "n": 10.0, "cbar": 0.1, "c_u": 1.0, "w0": 0.0}
PLOT = Plot("T", tuple(float(t) for t in range(1, 61)), INPUTS, log_y=False)
statement = Statement(
    "hf.eq10",
    "Equation (10)",
    "equality",
    words="M_{e,b(u)} is eta/b times the product over k = e..E and b = b(u)+1..B-1 of "
    "I - (eta/b) H; (11) with it is where (8)-(9) end.",
    left=r"\sum_e\mathbf{M}_{e,b(u)}\nabla\ell(\mathbf{w}_{e,b(u)};u)",
    symbols=ONE,
    aliases=("hf.eq24",),
    plot=PLOT,
    quantity="statistic of one sample",
    correction="All steps after the visit, later ones on the left; b(u) depends on the epoch.",
)
statement.interpreted_as(
    "literal",
    "the indices as printed; u may sit elsewhere in every epoch",
    {"printed": "==", "corrected": "=="},
    edits={
        "printed": Edit(
            "for k > e the inner product starts at b = 0", "b=b(u)+1", r"b=\mathbf{1}_{k=e}(b(u)+1)"
        )
    },
)


def statistic(xp, eta, h, n, T, cbar, c_u, w0):
    """Where (8)-(9) end for one sample."""
    return derivative(xp, eta, h, n, 1, T, cbar - c_u, w0 - cbar)


@statement.form(
    "printed",
    tex=r"\mathbf{M}_{e,b(u)} = \frac{\eta_{e,b(u)}}{|\mathcal{B}_{e,b(u)}|} \prod_{k=e}^{E} "
    r"\prod_{b=b(u)+1}^{B-1} \left( \mathbf{I} - \frac{\eta_{k,b}}{|\mathcal{B}_{k,b}|} "
    r"\mathbf{H}_{k,b} \right)",
)
def printed(xp, eta, h, n, T, cbar, c_u, w0):
    """The sum (11) with the printed matrices is this: (eta/n) times the sum of u's gradients.

    A typo: in later epochs b must start at 0.

    Note: B = 1: every product is empty, and no Hessian is left
    Fails: In later epochs the inner product must begin at b = 0, not at b(u) + 1. With whole
        batches (B = 1) every product is empty and no Hessian is left: a = {bound}, where (8) and
        (9) end at {measured}.
    Source: hf, (10), (24), (35), Algorithm 1
    """
    return eta * h / n * ((cbar - c_u) * T + (w0 - cbar) * xp.homogeneous(T - 1, 1, 1 - eta * h))


@printed.numeric
def _(eta, h, n, T, cbar, c_u, w0):
    """The two terms may cancel, but for what the steps move."""
    return eta * h / n * ((w0 - c_u) * T - (w0 - cbar) * unmoved(eta * h, T))


@statement.form(
    "corrected",
    tex=r"\mathbf{M}_{e,b(u)} = \frac{\eta_{e,b(u)}}{|\mathcal{B}_{e,b(u)}|} \prod_{k=e}^{E} "
    r"\prod_{b=\mathbf{1}_{k=e}(b(u)+1)}^{B-1} \left( \mathbf{I} - \frac{\eta_{k,b}}{|"
    r"\mathcal{B}_{k,b}|} \mathbf{H}_{k,b} \right)",
)
def corrected(xp, eta, h, n, T, cbar, c_u, w0):
    """The recursion (8)-(9) ends here, on losses h (w - c_i)^2/2 with constant steps.

    Note: all steps after the visit, later ones on the left
    Proof: unrolling (8)-(9) from D_0 = 0
    """
    return statistic(xp, eta, h, n, T, cbar, c_u, w0)


@corrected.numeric
def _(eta, h, n, T, cbar, c_u, w0):
    return in_floats(eta, h, n, 1, T, cbar - c_u, w0 - cbar, w0 - c_u, 1.0)
