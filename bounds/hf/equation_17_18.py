"""(17) and (18) of hf: Newton step and infinitesimal jackknife, on a line with equal Hessians.

G is sum_U g_u(w)/h with w the minimiser over all n samples, each of curvature h.
"""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.hf.lemma_a_4 import kept
from bounds.hf.symbols import L, Lam, M, curvatures, lam_positive, m, n

G = Symbol(
    "G",
    "sum of the forgotten gradients over the curvature",
    r"\sum_U g_u/h",
    low=0,
    unit="parameter",
)
step = Symbol(
    "step", "distance of the two minimisers", r"\|\hat w^{-U}-\hat w\|", low=0, unit="parameter"
)

newton = Statement(
    "hf.eq17",
    "(17) Newton step",
    "equality",
    words="a_NS = (1/(n - m)) H_NS^{-1} sum_U g_i(w_T) is the way to the model without U.",
    left=r"\hat{\mathbf{w}}^{-U}-\hat{\mathbf{w}}",
    symbols=(G, n, m),
    requires=(kept,),
    plot=Plot("m", tuple(float(m) for m in range(1, 30)), {"n": 30, "G": 1.0}, log_y=False),
    quantity="step between the minimisers",
    correction="Away from the minimiser, H_{S-U}^{-1}(sum_U g - sum_S g).",
)
newton.interpreted_as(
    "literal", "quadratic losses; w_T is the minimiser over S, the target that over S minus U"
)
newton.interpreted_as(
    "limit", "as the limit of the leave-one-out approximator, whole batches, constant steps"
)
newton.interpreted_as("elsewhere", "quadratic losses; w_T is not the minimiser")
newton.interpreted_as(
    "retrained", "quadratic losses; w_T and v_T after T whole batches: what Figure 1 compares"
)


@newton.form(
    "printed",
    tex=r"\mathbf{a}_{\mathrm{NS}}^{-U}=\frac{1}{n-m}\mathbf{H}_{\mathrm{NS}}^{-1}\sum_{i\in U}"
    r"\nabla\ell(\mathbf{w}_{E,B};z_i)",
)
def newton_step(xp, G, n, m):
    """The step between the minimisers equals this value.

    Holds for quadratics at the minimiser over S, and only there.

    Note: evaluated for equal Hessians: G/(n - m)
    Proof (literal): a Newton step of F_{S-U} with grad F_{S-U} = -sum_U g/(n - m)
    Proof (limit): the fixed point of A = (1 - eta beta h) A + (eta/n) g
    Fails (elsewhere): (17) leaves out the gradient over all samples, which is 0 at the minimiser
        only. For means of three points, from another w, it is {bound} where the way to the
        minimiser without U is {measured}.
    Fails (retrained): (17) leads to the minimiser without U, and Figure 1 compares it with
        retraining for T steps. Before convergence they differ even on quadratics: v_T - w_T is
        {measured}, (17) {bound}.
    Source: hf, (17)
    """
    return G / (n - m)


jackknife = Statement(
    "hf.eq18",
    "(18) Infinitesimal jackknife",
    "equality",
    words="a_IJ = (1/n) H_IJ^{-1} g_u(w_T) is the way to the model without u.",
    left=newton.left,
    symbols=(G, n, m),
    requires=(kept,),
    plot=Plot("m", tuple(float(m) for m in range(1, 30)), {"n": 30, "G": 1.0}, log_y=False),
    quantity="step between the minimisers",
    correction="The Newton step (17).",
)
jackknife.interpreted_as("literal", "quadratics with equal Hessians, w_T the minimiser over S")
jackknife.interpreted_as(
    "limit",
    "as the limit of the paper's own approximator, whole batches, constant steps",
    {"printed": "=="},
    stance="component",
)


@jackknife.form(
    "printed", tex=r"\mathbf{a}_{IJ}^{-u}=\frac1n\mathbf{H}_{IJ}^{-1}\nabla\ell(\mathbf{w}_{E,B};u)"
)
def infinitesimal(xp, G, n):
    """The step between the minimisers is approximately this value, off by the share m/n of it.

    As an equality false even for quadratics.

    Note: evaluated for equal Hessians and summed over U: G/n
    Proof (limit): A = (1 - eta h) A + (eta/n) g has the fixed point g/(n h)
    Fails (literal): The Hessian of u stays in the sum, so that even for quadratics it falls short:
        with equal Hessians by the share m/n, here {bound} for {measured} at m = {m}, n = {n}. (17)
        is exact there.
    Source: hf, (18)
    """
    return G / n


@jackknife.form(
    "tight",
    tex=r"\frac{n}{n-m}\,\mathbf{a}_{IJ}^{-U}",
    reads={r"\mathbf{a}_{IJ}^{-U}": r"\frac Gn"},
)
def rescaled(xp, G, n, m):
    """For equal Hessians the step between the minimisers equals this value.

    Note: the Newton step
    Proof: (17) for equal Hessians
    """
    return G / (n - m)


remainder = Statement(
    "hf.eq17.error",
    "(17), error",
    "inequality",
    words="|w^{-U} - w^ - a_NS| <= Lam m^2 L^2/(2 lam^3 n^2).",
    left=r"\|\hat{\mathbf{w}}^{-U}-\hat{\mathbf{w}}-\mathbf{a}_{\mathrm{NS}}^{-U}\|",
    symbols=(Lam, lam_positive, L, n, m, step),
    requires=(kept,),
    quantity="error of the Newton step",
)
remainder.interpreted_as(
    "literal",
    "at the minimiser over S; strongly convex losses with Lam-Lipschitz Hessians",
    where=(Hypothesis("step <= mL/(lam n)", lambda step, m, L, lam, n: step <= m * L / (lam * n)),),
)


@remainder.form("corrected", tex=r"\frac{\Lambda m^2L^2}{2\lambda^3n^2}")
def by_constants(xp, Lam, lam, L, n, m):
    """The Newton step misses the minimiser over S minus U by at most this value.

    Note: the next with |w^{-U} - w^| <= mL/(lam n)
    Proof: lam |w^{-U} - w^| <= |grad F_S(w^{-U})| <= mL/n
    """
    return Lam * m**2 * L**2 / (2 * lam**3 * n**2)


@remainder.form(
    "tight",
    tex=r"\frac{\Lambda}{2\lambda}\|\hat{\mathbf{w}}^{-U}-\hat{\mathbf{w}}\|^2",
    reads={r"\|\hat{\mathbf{w}}^{-U}-\hat{\mathbf{w}}\|": "step"},
)
def by_step(xp, Lam, lam, step):
    """The Newton step misses the minimiser over S minus U by at most this value.

    Note: Newton's remainder
    Proof: Newton's quadratic remainder, Hessians Lam-Lipschitz
    """
    return Lam / (2 * lam) * step**2


gap = Statement(
    "hf.eq18.gap",
    "(18) against (17)",
    "inequality",
    words="|a_NS - a_IJ| <= (mM/((n - m) lam)) (mL/(n lam)).",
    left=r"\|\mathbf{a}_{\mathrm{NS}}^{-U}-\mathbf{a}_{IJ}^{-U}\|",
    symbols=(lam_positive, M, L, n, m),
    requires=(kept, curvatures),
    quantity="difference of the two approximations",
)
gap.interpreted_as("literal", "Hessians from lam to M, forgotten gradients of norm at most L")


@gap.form("tight", tex=r"\frac{mM}{(n-m)\lambda}\cdot\frac{mL}{n\lambda}")
def difference(xp, lam, M, L, n, m):
    """The two statistics differ by at most this value: H_{S-U}^{-1} H_U H_S^{-1} sum_U g_u.

    Note: attained by equal Hessians and equal forgotten gradients of norm L
    Proof: H_{S-U}^{-1} - H_S^{-1} = H_{S-U}^{-1} H_U H_S^{-1}
    """
    return m * M / ((n - m) * lam) * (m * L / (n * lam))
