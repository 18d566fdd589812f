"""(9), (10) and (16) of mini: the last k steps of the recursion, with and without their start.

One coordinate at a time, newest first: injections G(s), ..., G(s-k+1) and factors H(s), ...,
H(s-k+1). In more coordinates the factors are matrices and the newest stands on the left.
"""

from bounds import Statement
from bounds.mini.batch import Dw, factors, injections, one_each

unrolled = Statement(
    "mini.eq9",
    "Equations (9) and (16)",
    "recursion",
    words="Dw_s = G(s) + sum_{j=2}^k H(s)..H(s-j+2) G(s-j+1) + H(s)..H(s-k+1) Dw_{s-k}.",
    left=r"\Delta\mathbf{w}_s",
    reads={
        "G(s)": r"\argument{injections}_1",
        "G(s-j+1)": r"\argument{injections}_j",
        "H(s-i+1)": r"\argument{factors}_i",
        r"\Delta\mathbf{w}_{s-k}": "Dw",
        "k": r"\size{factors}",
    },
    symbols=(injections, factors, Dw),
    requires=(one_each,),
    aliases=("mini.eq16",),
    quantity="retrained minus learned iterate",
    correction="Exact for quadratics only; elsewhere eq (5)'s remainder enters at every step.",
)
unrolled.interpreted_as("literal", "strongly convex C^2 losses")
unrolled.interpreted_as(
    "quadratic", "quadratic losses, any Hessians, any batches", stance="amended"
)
truncated = Statement(
    "mini.eq10",
    "Equation (10)",
    "equality",
    words="Dw_s is approximated by eq (9) with Dw_{s-k} = 0.",
    left=r"\Delta\mathbf{w}_s",
    reads={
        "G(s)": r"\argument{injections}_1",
        "G(s-j+1)": r"\argument{injections}_j",
        "H(s-i+1)": r"\argument{factors}_i",
        "k": r"\size{factors}",
    },
    symbols=(injections, factors),
    requires=(one_each,),
    correction="Take the k steps on kept data themselves (mini.rewind): no Hessian is needed, and "
    "for quadratics the result is the same.",
)
truncated.interpreted_as("literal", "no error is stated: see Theorem 1")
truncated.interpreted_as(
    "quadratic",
    "quadratic losses: w_s plus this sum is w_{s-k} after k steps on kept data",
    stance="amended",
)
_SUM = r"G(s)+\sum_{j=2}^{k}\Big(\prod_{i=1}^{j-1}H(s-i+1)\Big)\cdot G(s-j+1)"


def _sum(xp, injections, factors):
    """sum_i G(s-i+1) times the factors of the later steps, H(s), ..., H(s-i+2)."""
    return xp.over(lambda i, g: g * xp.product(lambda j: factors[j], 1, i - 1), injections)


@unrolled.form(
    "printed", tex=_SUM + r"+\Big(\prod_{i=1}^{k}H(s-i+1)\Big)\cdot\Delta\mathbf{w}_{s-k}"
)
def with_start(xp, injections, factors, Dw):
    """Dw_s equals this value for quadratic losses; Dw is Dw_{s-k}.

    Note: exact for quadratics, whatever the batches; newest factor on the left
    Proof (quadratic): eq (6) with the right sign, unrolled
    Fails (literal): It rests on (5), which is exact for quadratics only; elsewhere its remainder
        enters at each of the k steps. With log cosh w + w²/20, for the forgotten sample less 4w,
        two steps of 1/2 from 0 give -1.740 for -1.569.
    Source: mini, eqs (9), (16)
    """
    whole = xp.product(lambda j: factors[j], 1, xp.count(factors))
    return _sum(xp, injections, factors) + whole * Dw


@truncated.form("printed", tex=r"\Delta\mathbf{w}_s\approx " + _SUM)
def from_zero(xp, injections, factors):
    """Rewinding k steps and redoing them on kept data moves w_s by this value, for quadratics.

    The last factor is not used.

    Note: for quadratics, what k steps on the kept data from w_{s-k} give (mini.rewind)
    Proof (quadratic): u_l - w_l obeys the same recursion from 0
    Fails (literal): ≈ states neither an error nor a condition, and Theorem 1 only an order in k.
        For quadratics it is exactly what k steps on the remaining data from w_(s-k) give.
    Source: mini, eq (10), whose sign "approximately" states no error
    """
    return _sum(xp, injections, factors)
