"""(5) of mini: a gradient at the retrained parameter, and the Taylor remainder that it omits."""

from bounds import Plot, Statement
from bounds.mini.batch import Dw
from bounds.mini.symbols import M, quadratic

statement = Statement(
    "mini.eq5",
    "Equation (5)",
    "equality",
    words="By the mean-value theorem the gradient at w* is the gradient at w plus the Hessian "
    "at w times w* - w.",
    left=r"\|\nabla F(\mathbf{w}+\Delta\mathbf{w})-\nabla F(\mathbf{w})"
    r"-\nabla^2F(\mathbf{w})\Delta\mathbf{w}\|",
    symbols=(M, Dw),
    plot=Plot("Dw", (0.1, 0.2, 0.5, 1.0, 2.0), {"M": 0.7698003589}, log_x=True),
    quantity="Taylor remainder of the gradient",
    correction="Put the Hessian averaged from w to w* in its place, or add a remainder of at most "
    "(M/2)|Dw|^2.",
)
statement.interpreted_as(
    "literal", "twice differentiable losses", {"printed": "==", "corrected": "<="}
)
statement.interpreted_as(
    "quadratic", "quadratic losses", {"printed": "=="}, stance="amended", where=(quadratic,)
)


@statement.form(
    "printed",
    tex=r"\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)="
    r"\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}\big(\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})"
    r"+\nabla^2F^{(s-1,j)}(\mathbf{w}_{s-1})\cdot\Delta\mathbf{w}_{s-1}\big)",
)
def printed(xp, M, Dw):
    """The remainder is 0 for every loss, says mini; false unless the loss is quadratic.

    Note: the equality says that the remainder is 0: true of quadratics, M = 0
    Proof (quadratic): the Hessian is constant
    Fails (literal): The mean-value theorem gives the Hessian averaged from w to w*, not the one at
        w; for losses that are not quadratic a remainder of up to (M/2)|Δw|² is missing. At |Δw| =
        {Dw} it is {measured}.
    Source: mini, eq (5)
    """
    return 0


@statement.form(
    "corrected",
    tex=r"\frac{M}{2}\|\Delta\mathbf{w}_{s-1}\|^2",
    reads={r"\Delta\mathbf{w}_{s-1}": "Dw"},
)
def corrected(xp, M, Dw):
    """The remainder of one M-Hessian-Lipschitz loss is at most this value.

    It is the integral of (F''(w + theta Dw) - F''(w)) Dw over theta in [0, 1].

    Note: for every sample; attained where the Hessian changes at the rate M all along Dw
    Proof: integral form of the mean-value theorem, M-Lipschitz Hessian
    """
    return M / 2 * Dw**2
