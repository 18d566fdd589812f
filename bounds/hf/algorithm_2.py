"""Algorithm 2 of hf, repair: what becomes of a stored statistic, in closed form on a line."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.hf.equal_hessians import exact, in_floats, unmoved
from bounds.hf.equation_10 import ONE

statement = Statement(
    "hf.alg2",
    "Algorithm 2",
    "algorithm",
    words="Repair on what is left and add the repair's statistics to M times the stored ones: "
    "what results serves the next deletion.",
    left=r"\mathbf{a}_{E+E_r,B}^{-u_j}",
    symbols=(*ONE, Symbol("a0", "stored statistic", r"\mathbf{a}_{E,B}^{-u_j}", unit="parameter")),
    requires=(Hypothesis("T >= 1", lambda T: T >= 1),),
    plot=Plot(
        "T",
        tuple(float(t) for t in range(1, 31)),
        {"eta": 0.3, "h": 1.0, "n": 5.0, "cbar": 0.0, "c_u": 1.0, "w0": 0.5, "a0": -0.2},
        log_y=False,
    ),
    quantity="statistic after the repair",
    correction="Continue the recursion from the stored statistic over every step of the repair, "
    "with the gradients at the repaired iterates, e from 0 and no factor eta/b.",
)
statement.interpreted_as(
    "literal", "quadratic losses; target: repair from w + a without u_j minus repair from w with it"
)


@statement.form(
    "printed",
    tex=r"\mathbf{a}_{E+E_r,B}^{-u_j} \leftarrow \mathbf{M}_{e,b(u_j)} \mathbf{a}_{E,B}^{-u_j} + "
    r"\sum_{e=1}^{E_r} \mathbf{M}_{e,b(u_j)} \nabla \ell(\mathbf{w}_{e,b(u_j)}; u_j)",
)
def printed(xp, eta, h, n, T, cbar, c_u, w0, a0):
    """The printed update gives this after T = E_r + 1 steps from w0.

    It is false: the old statistic is multiplied by eta/n, and by none of the repair's matrices.

    Note: full batches of the n that are left: M is eta/n, its products are empty
    Fails: The old approximator is multiplied by η/b and by a product with a free index e, and not
        by the matrices of all steps of the repair; the sum begins at e = 1. It gives {bound}, where
        the recursion goes on to {measured}.
    Source: hf, Algorithm 2
    """
    s, x, contraction = cbar - c_u, w0 - cbar, 1 - eta * h
    return (
        eta / n * (a0 + h * (s * (T - 1) + x * contraction * xp.homogeneous(T - 2, 1, contraction)))
    )


@printed.numeric
def _(eta, h, n, T, cbar, c_u, w0, a0):
    """s and x may cancel, but for what the steps move."""
    displacement = (w0 - c_u) * (T - 1) - (w0 - cbar) * unmoved(eta * h, T)
    return eta / n * (a0 + h * displacement)


@statement.form(
    "corrected",
    tex=r"A_{t+1}=\left(\mathbf{I}-\tfrac{\eta_t}{b_t}\mathbf{H}_{\mathcal{B}_t\setminus\{u_j\}}"
    r"(\tilde w_t)\right)A_t+\tfrac{\eta_t}{b_t}\nabla\ell(\tilde w_t;u_j)[u_j\in\mathcal{B}_t],"
    r"\quad A_0=\mathbf{a}_{E,B}^{-u_j}",
)
def corrected(xp, eta, h, n, T, cbar, c_u, w0, a0):
    """Repair from w0 + a0 without u_j, minus repair from w0 with it, is this after T steps.

    Note: the recursion goes on along the repair; exact on quadratics
    Proof: (5) minus (3) along the repair, started from D_0 = a
    """
    old = (1 - eta * h * (n - 1) / n) ** T * a0
    return old + exact(xp, eta, h, n, 1, T, cbar - c_u, w0 - cbar)


@corrected.numeric
def _(eta, h, n, T, cbar, c_u, w0, a0):
    old = (1 - eta * h * (n - 1) / n) ** T
    return old * a0 + in_floats(eta, h, n, 1, T, cbar - c_u, w0 - cbar, w0 - c_u, (n - 1) / n)
