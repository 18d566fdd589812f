"""Algorithm 3 of mini on a line: the k-step sum with the Hessians that the devices recover."""

from bounds import Statement
from bounds.mini.last_steps import G, H, same_length

statement = Statement(
    "mini.alg3",
    "Algorithm 3",
    "algorithm",
    words="Device i of k recovers H(T-k+i), i = 0..k-1, from which the server computes "
    "equation (10).",
    left=r"\Delta\mathbf{w}_T-H(T)\cdots H(T-k+1)\Delta\mathbf{w}_{T-k}",
    symbols=(H, G),
    requires=(same_length,),
    quantity="what the last k steps contribute",
    correction="i = 1..k. Horner's rule needs no recovered matrix: k products in turn.",
)
statement.interpreted_as(
    "literal", "the k matrices take the k places of H in equation (10), in order"
)


@statement.form(
    "printed",
    tex=r"\Delta H.append(H(T-k+i)),\ i\in\{0,1,...,k-1\};\ "
    r"\text{Compute }\Delta\mathbf{w}_T\text{ by Eq.(10)}",
)
def printed(xp, H, G):
    """Equation (10) with H(T-k)..H(T-1) in its k places. False.

    Note: every Hessian one step too early; H(T), which (10) needs first, is missing
    Fails (literal): The devices recover H(T - k), ..., H(T - 1), each one step too early; H(T), the
        leftmost factor of (10), is missing. With quadratics at 1 and, forgotten, 3, curvatures 1 to
        4 in four steps of 0.1 and k = 3, -0.664 comes out as -0.722.
    Source: mini, Algorithm 3
    """
    T = xp.count(H)
    return xp.total(lambda i: G[i] * xp.product(lambda j: H[j - 1], i + 1, T), 2, T)


@statement.form("corrected", tex=r"\Delta H.append(H(T-k+i)),\ i\in\{1,...,k\}")
def corrected(xp, H, G):
    """Equation (10) on H(T-k+1)..H(T).

    Note: nothing has to be recovered: Horner's rule takes k products in turn
    Proof: unrolling Dw_l = G(l) + H(l) Dw_{l-1} from Dw_{T-k} = 0
    """
    T = xp.count(H)
    return xp.total(lambda i: G[i] * xp.product(lambda j: H[j], i + 1, T), 2, T)
