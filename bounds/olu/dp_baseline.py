"""Section 2.2 and Table 2 of olu: online learning with differential privacy, as a baseline.

The explicit baseline is one pass of descent with noise s^2 = k L^2/(2 eps) on every gradient.
Removing k losses touches k of the noisy steps, so the whole output has D_alpha <= alpha eps.
"""

from bounds import Plot, Statement
from bounds.olu.symbols import D, L, T, d, epsilon, k, mu

REGRET = r"\mathbb{E}[\mathrm{Regret}_T]"
strongly_convex = Statement(
    "olu.dpregret",
    "Regret of online DP (strongly convex)",
    "asymptotic",
    words="Online learning with DP has regret O(d k log^2.5 T/eps); unlearning improves "
    "over it by a factor of d.",
    left=REGRET,
    symbols=(T, k, d, epsilon, L, mu),
    growth={
        "T": {"printed": "log(T)**(5/2)", "corrected": "log(T)"},
        "k": "k",
        "d": "d",
        "epsilon": {"printed": "1/epsilon", "corrected": "a constant"},
    },
    aliases=("olu.tab2.dp",),
    plot=Plot(
        "T", (2, 4, 8, 12), {"k": 1, "d": 1, "epsilon": 2.0, "L": 1.0, "mu": 1.0}, log_x=True
    ),
    quantity="expected regret of noisy descent",
    correction="(L^2/2mu)(1 + k d/(2 eps)) H_T; d multiplies the noise of both alike.",
)
strongly_convex.interpreted_as(
    "literal", "O() without constants, quoted from elsewhere", {"printed": "<="}
)
strongly_convex.interpreted_as(
    "explicit",
    "one pass of descent with noise s^2 = k L^2/(2 eps) on every gradient, projected",
    {"corrected": "<="},
    stance="amended",
)
strongly_convex.interpreted_as(
    "factor",
    "passive unlearning is better by a factor of d: d times its regret is at most "
    "what the explicit baseline is proved to have",
    {"printed": "<="},
    stance="component",
)


@strongly_convex.form("printed", tex=r"\frac{dk\log^{2.5}T}{\varepsilon}")
def printed(xp, T, k, d, epsilon):
    """The order that the paper quotes for online learning with DP.

    Note: an order, quoted from elsewhere; Table 2 leaves out eps
    Fails (factor): d multiplies the noise of both methods, so there is no factor d: at d = {d}, ε =
        {epsilon} d times the regret of passive unlearning is {measured}, while one pass of noisy
        descent is proved to have at most {bound}.
    Source: olu, Section 2.2
    """
    return d * k * xp.log(T) ** xp.rational(5, 2) / epsilon


@strongly_convex.form("corrected", tex=r"\frac{L^2}{2\mu}\Big(1+\frac{kd}{2\varepsilon}\Big)H_T")
def corrected(xp, T, k, d, epsilon, L, mu):
    """At least the regret of noisy descent whose output hides any k losses, steps 1/(mu t).

    Note: noisy descent, one pass: a smaller power of log T, and 1 not multiplied by d
    Proof: each removed loss touches one noisy step; E|noise|^2 adds k d/(2 eps) L^2 to |grad|^2
    """
    return L**2 / (2 * mu) * (1 + k * d / (2 * epsilon)) * xp.harmonic(T)


convex = Statement(
    "olu.dpregret.convex",
    "Regret of online DP (convex)",
    "asymptotic",
    words="Online learning with DP has regret O(d k sqrt(T)/eps), or, in Table 2, "
    "O(k sqrt(d T log^2.5 T)).",
    left=REGRET,
    symbols=(T, k, d, epsilon, L, D),
    growth={
        "T": "sqrt(T)",
        "k": {"printed": "k", "corrected": "sqrt(k)"},
        "d": {"printed": "d", "corrected": "sqrt(d)"},
        "epsilon": {"printed": "1/epsilon", "corrected": "a constant"},
    },
    aliases=("olu.tab2.dp_convex",),
    quantity="expected regret of noisy descent",
    correction="(3/2) D L sqrt((1 + k d/(2 eps)) T).",
)
convex.interpreted_as("literal", "O() without constants, quoted from elsewhere", {"printed": "<="})
convex.interpreted_as(
    "explicit",
    "one pass of descent with noise s^2 = k L^2/(2 eps) on every gradient, projected",
    {"corrected": "<="},
    stance="amended",
)


@convex.form("printed", tex=r"\frac{dk\sqrt T}{\varepsilon}")
def printed_convex(xp, T, k, d, epsilon):
    """The order that the paper quotes for online learning with DP.

    Note: Table 2 has k sqrt(d T log^2.5 T) instead
    Source: olu, Section 2.2
    """
    return d * k * xp.sqrt(T) / epsilon


@convex.form("corrected", tex=r"\frac32DL\sqrt{\Big(1+\frac{kd}{2\varepsilon}\Big)T}")
def corrected_convex(xp, T, k, d, epsilon, L, D):
    """At least the regret of noisy descent whose output hides any k losses.

    Note: noisy descent with steps D/(L' sqrt t), L'^2 = L^2 (1 + k d/(2 eps))
    Proof: each removed loss touches one noisy step; E|noise|^2 adds k d/(2 eps) L^2 to |grad|^2
    """
    return xp.rational(3, 2) * D * L * xp.sqrt((1 + k * d / (2 * epsilon)) * T)
