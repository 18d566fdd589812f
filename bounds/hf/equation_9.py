"""(9) of hf: the whole batch's Hessian against the kept samples', in closed form on a line."""

import numpy as np

from bounds import Hypothesis, Plot, Statement
from bounds.hf.equal_hessians import LINE, decaying, part_of_all, some_kept, walked, whole_set
from bounds.hf.symbols import m, n, q

statement = Statement(
    "hf.eq9",
    "Equation (9)",
    "equality",
    words="A batch with u turns the difference D into (I - (eta/b) H) D + (eta/b) g_u, H the "
    "Hessian of the whole batch; with (8) this follows retraining by (5).",
    left=r"\mathbf{w}_T^{-U}-\mathbf{w}_T",
    symbols=(*LINE, q),
    requires=(part_of_all, whole_set),
    aliases=("hf.eq22",),
    plot=Plot(
        "T",
        tuple(float(t) for t in range(1, 41)),
        {"eta": 0.5, "h": 1.0, "n": 2.0, "m": 1.0, "cbar": 0.0, "c_U": -1.0, "w0": 0.0, "q": 1.0},
        log_y=False,
    ),
    quantity="retrained minus learned iterate",
    correction="Take the Hessians of the kept samples only.",
)
statement.interpreted_as(
    "literal",
    "retraining by (4)-(5), quadratic losses, where the Taylor remainder is 0",
    where=(
        Hypothesis(
            "with nothing kept the forgotten samples' mean is the mean",
            sets={"c_U": lambda c_U, cbar, m, n: cbar if m == n else c_U},
        ),
    ),
)
statement.interpreted_as(
    "mean", "retraining by the mean over the kept samples with the unscaled step"
)
limit = Statement(
    "hf.eq9.limit",
    "Equation (9), at convergence",
    "equality",
    words="With equal Hessians and full batches the relative error of (9) tends to the "
    "deletion rate m/n.",
    left=r"\|\Delta_T\|/\|\mathbf{w}_T^{-U}-\mathbf{w}_T\|",
    symbols=(n, m),
    requires=(some_kept, Hypothesis("m >= 1", lambda m: m >= 1)),
    plot=Plot("m", tuple(float(m) for m in range(1, 10)), {"n": 10.0}, log_y=False),
    quantity="relative error of the approximator",
)
limit.interpreted_as("literal", "0 < eta h < 2, constant steps, c_U different from the mean")


@statement.form(
    "printed",
    tex=r"\frac{\eta_{e,b(u)}}{|\mathcal{B}_{e,b(u)}|} \nabla \ell(\mathbf{w}_{e,b(u)}; u) + "
    r"\left(\mathbf{I} - \frac{\eta_{e,b(u)}}{|\mathcal{B}_{e,b(u)}|} \mathbf{H}_{e,b(u)}\right) "
    r"(\mathbf{w}_{e,b(u)}^{-u} - \mathbf{w}_{e,b(u)})",
)
def printed(xp, eta, h, n, m, T, cbar, c_U, w0, q=1):
    """The recursion (9) ends here, on losses h (w - c_i)^2/2 with steps eta q^t.

    False as the linearisation of (5): retraining has no Hessian of u. It is the derivative with
    respect to the samples' weights (hf.eq11_13).

    Note: followed for T full batches of quadratics with one Hessian; H includes that of u
    Fails (literal): Retraining by (5) has no Hessian of u, the H of (9) has: every visit adds an
        error (η/b)H_u·D, even on quadratics, where Taylor's expansion is exact. With equal Hessians
        and whole batches its relative error tends to m/n.
    Fails (mean): Retraining by the mean of the remaining gradients, with the step unscaled, adds
        η/(b - m) times the sum over U of ∇ℓ_u less the mean gradient of the batch, where (9) has
        (η/b)∇ℓ_u: it is then wrong to first order in m/n.
    Source: hf, (8)-(9)
    """
    return decaying(xp, eta, h, n, m, T, cbar - c_U, w0 - cbar, q, 1)


@printed.numeric
def _(eta, h, n, m, T, cbar, c_U, w0, q=1):
    return walked(eta, h, n, m, T, cbar, c_U, w0, q, np.ones(()))


@statement.form(
    "corrected",
    tex=r"\left(\mathbf{I}-\frac{\eta_t}{b_t}\mathbf{H}_{\mathcal{B}_t\setminus U}\right)A_t+"
    r"\frac{\eta_t}{b_t}\sum_{u\in\mathcal{B}_t\cap U}\nabla\ell(w_t;u)",
)
def corrected(xp, eta, h, n, m, T, cbar, c_U, w0, q=1):
    """v_T - w_T equals this, on losses h (w - c_i)^2/2 with steps eta q^t.

    Note: Hessians of the kept samples only; exact when those are quadratic
    Proof (literal): g_i(v) - g_i(w) = H_i (v - w) in (5) minus (3); D_0 = 0
    Proof (mean): g_i(v) - g_i(w) = H_i (v - w), with the mean over the kept
    """
    return decaying(xp, eta, h, n, m, T, cbar - c_U, w0 - cbar, q, (n - m) / n)


@corrected.numeric
def _(eta, h, n, m, T, cbar, c_U, w0, q=1):
    return walked(eta, h, n, m, T, cbar, c_U, w0, q, (n - m) / n)


@limit.form("tight", tex=r"\frac{m}{n}")
def tight(xp, n, m):
    """The relative error of (9) tends to this: equal Hessians, full batches, 0 < eta h < 2.

    Note: the deletion rate, exactly
    Proof: a -> (m/n)(cbar - c_U), D -> (m/(n - m))(cbar - c_U)
    """
    return m / n
