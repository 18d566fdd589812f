"""(7), (8), (14), (15) of mini and Appendix B: the injection G(l), the factor H(l), its product."""

from bounds import Plot, Statement, Symbol
from bounds.mini.batch import added, curvatures, gone, kept
from bounds.mini.symbols import Gm, beta, eta

injection = Statement(
    "mini.eq7",
    "Equations (7) and (14)",
    "equality",
    words="G(l) = (eta/B)[(gamma/(1 + gamma)) sum over kept + sum over forgotten], which is "
    "the right side of eq (1) at w_{l-1}.",
    left="G(l)",
    symbols=(eta, kept, gone),
    aliases=("mini.eq14",),
)
injection.interpreted_as("literal", "both lines; every batch keeps a sample")
size = Statement(
    "mini.eq7.norm",
    "Size of G(l) in (7)",
    "inequality",
    words="|G(l)| <= 2 eta beta Gm: no step injects more, whatever the ridge.",
    left=r"\|G(l)\|",
    symbols=(eta, beta, Gm),
    plot=Plot("beta", (0.1, 0.2, 0.3, 0.5, 0.7, 0.9), {"eta": 0.5, "Gm": 1}, log_y=False),
    quantity="length of G(l)",
)
size.interpreted_as("literal", "un-regularised gradients at most Gm long, dB <= beta B")
factor = Statement(
    "mini.eq8",
    "Equations (8) and (15)",
    "definition",
    words="H(l) = I - (eta/(B - dB)) sum of the kept samples' Hessians at w_{l-1}.",
    left="H(l)",
    reads={
        r"\sum_{j\in\mathbb{B}_l/\bar{\mathbb{B}}_l}\nabla^2F^{(l-1,j)}(\mathbf{w}_{l-1})": (
            r"\total{curvatures}"
        ),
        r"B-\Delta B_l": r"\size{curvatures}",
        "I": "1",
    },
    symbols=(eta, curvatures),
    aliases=("mini.eq15",),
)
factor.interpreted_as("literal", "twice differentiable losses")
u = Symbol("u", "vector that H(l) is applied to", r"\mathbf{u}", unit="parameter")

product = Statement(
    "mini.hbar",
    "Appendix B, H(l)u from the sum Hbar",
    "equality",
    words="H(k+1) u = u - (eta/(B - dB)) Hbar u, Hbar the sum of the kept Hessians, with "
    "curvature taken from differences of gradients of that batch.",
    left=r"H(l)\mathbf{u}",
    reads={
        r"\bar H(\mathbb{B}_{k+1},\bar{\mathbb{B}}_{k+1},\mathbf{w}_k)": r"\total{curvatures}",
        r"B-\Delta B_{k+1}": r"\size{curvatures}",
        "I": "1",
    },
    symbols=(eta, curvatures, u),
    correction="Evaluate the gradients of batch k + 1 again at the m + 1 stored parameters, and "
    "refuse pairs with s^T y <= 0; one exact Hessian-vector product is cheaper.",
)
product.interpreted_as("literal", "gradients of the same kept batch at every parameter")
product.interpreted_as("stored", "the gradients that SGD stored, each of its own batch")


@injection.form(
    "printed",
    tex=r"\frac{\eta}{B}\Big(\frac{\gamma_l}{1+\gamma_l}\sum_{j\in\mathbb{B}_l/"
    r"\bar{\mathbb{B}}_l}\nabla F^{(l-1,j)}(\mathbf{w}_{l-1})+\sum_{j\in\bar{\mathbb{B}}_l}"
    r"\nabla F^{(l-1,j)}(\mathbf{w}_{l-1})\Big)=\frac{\eta}{B}\Big(\frac{B}{B-\Delta B_l}"
    r"\sum_{j\in\bar{\mathbb{B}}_l}\nabla F^{(l-1,j)}(\mathbf{w}_{l-1})\Big)-\frac{\eta}{B}"
    r"\Big(\frac{\Delta B_l}{B-\Delta B_l}\sum_{j\in\mathbb{B}_l}\nabla F^{(l-1,j)}"
    r"(\mathbf{w}_{l-1})\Big)",
    reads={
        r"\sum_{j\in\mathbb{B}_l/\bar{\mathbb{B}}_l}\nabla F^{(l-1,j)}(\mathbf{w}_{l-1})": (
            r"\total{kept}"
        ),
        r"\gamma_l": r"-\frac{\size{gone}}{\size{gone}+\size{kept}}",
        r"\sum_{j\in\bar{\mathbb{B}}_l}\nabla F^{(l-1,j)}(\mathbf{w}_{l-1})": r"\total{gone}",
        r"\sum_{j\in\mathbb{B}_l}\nabla F^{(l-1,j)}(\mathbf{w}_{l-1})": (
            r"(\total{gone}+\total{kept})"
        ),
        r"\Delta B_l": r"\size{gone}",
        "B": r"\size{gone}+\size{kept}",
    },
)
def two_sums(xp, eta, kept, gone):
    """G(l) equals this value.

    Note: both lines agree; this is the first
    Proof: gamma/(1 + gamma) = -dB/(B - dB)
    Source: mini, eqs (7) and (14), first line
    """
    B = xp.count(kept) + xp.count(gone)
    gamma = -xp.count(gone) / B
    return eta / B * (gamma / (1 + gamma) * added(xp, kept) + added(xp, gone))


@injection.form(
    "tight",
    tex=r"\eta\frac{\Delta B_l}{B}\big(g_{\bar{\mathbb{B}}_l}-g_{\mathbb{B}_l\setminus"
    r"\bar{\mathbb{B}}_l}\big)(\mathbf{w}_{l-1})",
    reads={
        r"g_{\bar{\mathbb{B}}_l}": r"\frac{\total{gone}}{\size{gone}}",
        r"g_{\mathbb{B}_l\setminus\bar{\mathbb{B}}_l}": r"\frac{\total{kept}}{\size{kept}}",
        r"(\mathbf{w}_{l-1})": "1",
        r"\Delta B_l": r"\size{gone}",
        "B": r"\size{gone}+\size{kept}",
    },
)
def two_means(xp, eta, kept, gone):
    """G(l) equals this value: 0 iff nothing is forgotten or both mean gradients agree.

    Note: a difference of two means: the ridge term cancels
    Proof: eta (g_B - g_K) with g_B a mean of g_K and g_U
    """
    share = xp.count(gone) / (xp.count(kept) + xp.count(gone))
    return eta * share * (added(xp, gone) / xp.count(gone) - added(xp, kept) / xp.count(kept))


@size.form("tight", tex=r"2\eta\beta G_m")
def largest(xp, eta, beta, Gm):
    """|G(l)| is at most this value, Gm bounding the un-regularised gradients, dB <= beta B.

    Note: attained where kept and forgotten gradients are opposite and as long as they may be
    Proof: G = eta (dB/B)(g_U - g_K), the ridge cancels; attained
    """
    return 2 * eta * beta * Gm


@factor.form(
    "printed",
    tex=r"I-\frac{\eta}{B-\Delta B_l}\sum_{j\in\mathbb{B}_l/\bar{\mathbb{B}}_l}"
    r"\nabla^2F^{(l-1,j)}(\mathbf{w}_{l-1})",
)
def kept_factor(xp, eta, curvatures):
    """H(l) equals this value.

    Note: mean over the kept samples
    Source: mini, eqs (8) and (15): derivative of a kept step
    """
    return 1 - eta / xp.count(curvatures) * added(xp, curvatures)


@product.form(
    "printed",
    tex=r"I\cdot\mathbf{u}-\frac{\eta}{B-\Delta B_{k+1}}\bar H(\mathbb{B}_{k+1},"
    r"\bar{\mathbb{B}}_{k+1},\mathbf{w}_k)\cdot\mathbf{u}",
)
def applied(xp, eta, curvatures, u):
    """H(l)u equals this value.

    Note: Hbar is the sum over the kept samples of one batch, not the mean
    Proof (literal): eq (8); secants of one quadratic batch are exact
    Fails (stored): Gradients that SGD stored belong to different batches, so that their differences
        mix the change of batch with that of w; the curvature can even come out negative. At η =
        {eta} and curvature 1, H·u comes out as {measured}, not {bound}.
    Source: mini, Appendix B and the last line of Algorithm 4
    """
    return u - eta / xp.count(curvatures) * (added(xp, curvatures) * u)
