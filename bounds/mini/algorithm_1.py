"""Algorithm 1 of mini where every step contracts by h and injects g: the k-step sum it returns."""

from bounds import Plot, Statement, Symbol
from bounds.mini.symbols import k_several

h = Symbol("h", "contraction of every step", "h", low=0, unit="1")
g = Symbol("g", "injection of every step", "g", unit="parameter")

statement = Statement(
    "mini.alg1",
    "Algorithm 1",
    "algorithm",
    words="Storing Delta H and Delta G over the last k steps and adding them up as lines 16-21 "
    "say gives w_T + Delta w_T of equation (10).",
    left=r"\Delta\mathbf{w}_T-H(T)\cdots H(T-k+1)\Delta\mathbf{w}_{T-k}",
    symbols=(h, k_several, g),
    plot=Plot("k", tuple(map(float, range(2, 41))), {"h": 0.9, "g": 1}, log_y=False),
    quantity="what the last k steps contribute",
    correction="v = 0; for l = T-k+1..T: v <- G(l) + H(l) v; return w_T + v.",
)
statement.interpreted_as(
    "literal",
    "n = 0 in every step, so that only Delta H[1] = H(T) is left; k <= 3",
    {"printed": "<="},
)
statement.interpreted_as("counter", "n = 0 set once before the loop, lists counted from 0")
statement.interpreted_as("one", "n = 0 set once, Delta G counted from 1", {"printed": "<="})


def powers(xp, h, count):
    """1 + h + ... + h^{count-1}, for count >= 0."""
    return xp.homogeneous(count - 1, 1, h)


@statement.form(
    "printed",
    tex=r"\Delta\mathbf{w}_T\leftarrow\Delta\mathbf{w}_T+\sum_{q=1}^{p}\left(\Delta H[r][q]\cdot"
    r"\left(\Delta H[0][q]\right)^T\cdot\Delta G(r+1)\right)\ (1\le r<k-1),\quad"
    r"\Delta\mathbf{w}_T\leftarrow\Delta\mathbf{w}_T+\Delta G(k-1)",
)
def printed(xp, h, k, g):
    """What Algorithm 1 adds to w_T. False.

    Note: with n = 0 set once; one term too few even where all steps are alike
    Fails (literal): n = 0 stands inside the loop, so that ΔH[1] is overwritten at each step and
        ΔH[2], which line 19 reads for k > 3, is never stored. At k = {k} it adds {bound}, where the
        last k steps on the remaining data make {measured}.
    Fails (counter): With n = 0 before the loop, line 19 still has products of the earliest Hessians
        where (10) has the latest, one term too few, and never G(T): where only the last batch holds
        a forgotten sample, (10) is G(T) and the algorithm adds 0.
    Fails (one): With n = 0 before the loop and lists counted from 1, the products are still of the
        earliest Hessians, one term is missing, and G(T) never enters. At k = {k} it adds {bound};
        the last k steps on the remaining data make {measured}.
    Source: mini, Algorithm 1, lines 16-21
    """
    return g * powers(xp, h, k - 1)


@statement.form("corrected", tex=r"v\leftarrow G(l)+H(l)v\quad(l=T-k+1,\dots,T)")
def corrected(xp, h, k, g):
    """Equation (10): exact on quadratics up to the drift before the last k steps.

    Note: Horner's rule: k Hessian products, O(p) memory
    Proof: unrolling Dw_l = G(l) + H(l) Dw_{l-1} from Dw_{T-k} = 0
    """
    return g * powers(xp, h, k)
