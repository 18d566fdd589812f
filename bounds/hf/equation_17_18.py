"""(17) and (18) of hf: Newton step and infinitesimal jackknife, on a line with equal Hessians.

G is sum_U g_u(w)/h with w the minimiser over all n samples, each of curvature h.
"""

from typing import Any

from bounds.formula import Array, Formula
from bounds.hf.lemma_a_4 import kept
from bounds.hf.symbols import L, Lam, M, curvatures, lam_positive, m, n
from bounds.symbols import Symbol

G = Symbol("G", "sum of the forgotten gradients over the curvature", r"\sum_U g_u/h", low=0)
step = Symbol("step", "distance of the two minimisers", r"\|\hat w^{-U}-\hat w\|", low=0)

newton = Formula(
    id="hf.eq17", label="(17) Newton step", left=r"\hat{\mathbf{w}}^{-U}-\hat{\mathbf{w}}",
    symbols=(G, n, m), requires=(kept,),
)  # fmt: skip


@newton.form(
    "printed",
    tex=r"\mathbf{a}_{\mathrm{NS}}^{-U}=\frac{1}{n-m}\mathbf{H}_{\mathrm{NS}}^{-1}\sum_{i\in U}"
    r"\nabla\ell(\mathbf{w}_{E,B};z_i)",
    note="evaluated for equal Hessians: G/(n - m)",
)
def newton_step(G: Array, n: Array, m: Array) -> Array:
    """The step between the minimisers equals this value.

    Source: hf, (17). Holds for quadratics at the minimiser over S, and only there.
    """
    return G / (n - m)


@newton_step.expression
def _(sp: Any, G: Any, n: Any, m: Any) -> Any:
    return G / (n - m)


jackknife = Formula(
    id="hf.eq18", label="(18) Infinitesimal jackknife", left=newton.left, symbols=(G, n, m),
    requires=(kept,),
)  # fmt: skip


@jackknife.form(
    "printed",
    tex=r"\mathbf{a}_{IJ}^{-u}=\frac1n\mathbf{H}_{IJ}^{-1}\nabla\ell(\mathbf{w}_{E,B};u)",
    note="evaluated for equal Hessians and summed over U: G/n",
)
def infinitesimal(G: Array, n: Array) -> Array:
    """The step between the minimisers is approximately this value, off by the share m/n of it.

    Source: hf, (18). As an equality false even for quadratics.
    """
    return G / n


@infinitesimal.expression
def _(sp: Any, G: Any, n: Any) -> Any:
    return G / n


@jackknife.form("tight", tex=r"\frac{n}{n-m}\,\mathbf{a}_{IJ}^{-U}", note="the Newton step")
def rescaled(G: Array, n: Array, m: Array) -> Array:
    """For equal Hessians the step between the minimisers equals this value."""
    return G / n * n / (n - m)


@rescaled.expression
def _(sp: Any, G: Any, n: Any, m: Any) -> Any:
    return G / (n - m)


remainder = Formula(
    id="hf.eq17.error",
    label="(17), error",
    left=r"\|\hat{\mathbf{w}}^{-U}-\hat{\mathbf{w}}-\mathbf{a}_{\mathrm{NS}}^{-U}\|",
    symbols=(Lam, lam_positive, L, n, m, step),
    requires=(kept,),
)


@remainder.form(
    "corrected",
    tex=r"\frac{\Lambda m^2L^2}{2\lambda^3n^2}",
    note="the next with |w^{-U} - w^| <= mL/(lam n)",
)
def by_constants(Lam: Array, lam: Array, L: Array, n: Array, m: Array) -> Array:
    """The Newton step misses the minimiser over S minus U by at most this value."""
    return Lam * m**2 * L**2 / (2 * lam**3 * n**2)


@by_constants.expression
def _(sp: Any, Lam: Any, lam: Any, L: Any, n: Any, m: Any) -> Any:
    return Lam * m**2 * L**2 / (2 * lam**3 * n**2)


@remainder.form(
    "tight",
    tex=r"\frac{\Lambda}{2\lambda}\|\hat{\mathbf{w}}^{-U}-\hat{\mathbf{w}}\|^2",
    note="Newton's remainder",
)
def by_step(Lam: Array, lam: Array, step: Array) -> Array:
    """The Newton step misses the minimiser over S minus U by at most this value."""
    return Lam / (2 * lam) * step**2


@by_step.expression
def _(sp: Any, Lam: Any, lam: Any, step: Any) -> Any:
    return Lam / (2 * lam) * step**2


gap = Formula(
    id="hf.eq18.gap",
    label="(18) against (17)",
    left=r"\|\mathbf{a}_{\mathrm{NS}}^{-U}-\mathbf{a}_{IJ}^{-U}\|",
    symbols=(lam_positive, M, L, n, m),
    requires=(kept, curvatures),
)


@gap.form(
    "tight",
    tex=r"\frac{mM}{(n-m)\lambda}\cdot\frac{mL}{n\lambda}",
    note="attained by equal Hessians and equal forgotten gradients of norm L",
)
def difference(lam: Array, M: Array, L: Array, n: Array, m: Array) -> Array:
    """The two statistics differ by at most this value: H_{S-U}^{-1} H_U H_S^{-1} sum_U g_u."""
    return m * M / ((n - m) * lam) * (m * L / (n * lam))


@difference.expression
def _(sp: Any, lam: Any, M: Any, L: Any, n: Any, m: Any) -> Any:
    return m * M / ((n - m) * lam) * (m * L / (n * lam))
