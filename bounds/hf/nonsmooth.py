"""hf's "non-smooth settings": |w| against a linear loss, where the error grows with T."""

from bounds import Plot, Statement, Symbol
from bounds.hf.symbols import T, eta

K = Symbol("K", "constant of the O", "K", low=0, low_open=True, unit="?", hidden=True)

statement = Statement(
    "hf.nonsmooth",
    "Non-convex non-smooth settings",
    "claim",
    words="Under general non-smooth losses w_T + a^{-u} approximates retraining up to o(v - w).",
    left=r"\|\mathbf{w}_{E,B}^{-u}-\mathbf{w}_{E,B}-\mathbf{a}_{E,B}^{-u}\|",
    symbols=(eta.measured("parameter"), T, K),
    plot=Plot("T", tuple(float(t) for t in range(41)), {"eta": 1.0, "K": 1.0}, log_y=False),
    quantity="approximation error",
    correction="Every theorem uses C^2 losses with lam I <= H <= M I: say so.",
)
statement.interpreted_as("literal", "losses with kinks, Hessians wherever they exist (0 here)")


@statement.form("printed", tex=r"o(\mathbf{w}_{e,b}^{-u} - \mathbf{w}_{e,b})")
def printed(xp, eta, K):
    """The approximation error is at most this.

    False for kinks: gradients there jump while all Hessians are 0.

    Note: at most K times the largest difference of the runs, here eta/2
    Fails: At a kink the gradient jumps and the Hessian is 0, and a goes on adding gradients where
        retraining turns back. With |w| against -w the runs stay within η/2 of each other, η =
        {eta}, and the error is {measured} after T = {T} steps.
    Source: hf, Section 1, Theorem 3.1, Appendix C.2
    """
    return K * eta / 2


@statement.form("tight", tex=r"\eta\lfloor T/2\rfloor")
def tight(xp, eta, T):
    """The error of l_r = |w|, l_u = -w from w_0 in (0, eta/2) is this after T steps.

    Note: l_r = |w|, l_u = -w, n = 2, full batch
    Proof: w_t stays, v_t alternates, a_t = -t eta/2
    """
    return eta * xp.floor(T / 2)
