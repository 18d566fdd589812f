"""Definition 4 of olu: Rényi divergence, in the closed form that serves as its exact left-hand
side."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array

m0 = Symbol("m0", "mean of the first law", "m_0", unit="parameter")
v0 = Symbol("v0", "variance of the first law", "v_0", low=0, low_open=True, unit="parameter^2")
m1 = Symbol("m1", "mean of the second law", "m_1", unit="parameter")
v1 = Symbol("v1", "variance of the second law", "v_1", low=0, low_open=True, unit="parameter^2")
alpha = Symbol("alpha", "Rényi order, not 1", r"\alpha", low=0, low_open=True, unit="1")

statement = Statement(
    "olu.def4",
    "Definition 4",
    "definition",
    words="D_alpha(P || Q) = log(int p^alpha q^(1 - alpha))/(alpha - 1), alpha > 0, not 1.",
    left=r"D_\alpha(N(m_0, v_0) \,\|\, N(m_1, v_1))",
    symbols=(m0, v0, m1, v1, alpha),
    requires=(Hypothesis("alpha != 1", lambda alpha: alpha != 1),),
    plot=Plot(
        "alpha",
        tuple(x for x in np.linspace(0.1, 5.5, 40).tolist() if x != 1),
        {"m0": 0.0, "v0": 1.2, "m1": 0.3, "v1": 1.0},
    ),
    quantity="D_alpha(N(m0, v0) || N(m1, v1))",
)
statement.interpreted_as("literal", "two laws with densities")


@statement.form("printed", tex=r"\frac{1}{\alpha-1}\log\int\mu_P(x)^\alpha\mu_Q(x)^{1-\alpha}dx")
def printed(xp, m0, v0, m1, v1, alpha):
    """D_alpha(N(m0, v0) || N(m1, v1)) equals this value, inf where the integral diverges.

    Note: evaluated on one-dimensional Gaussians; inf once alpha v1 + (1 - alpha) v0 <= 0
    Source: olu, Definition 4, for Gaussian laws
    """
    excess = (v0 - v1) / v1
    removed = (alpha - 1) * excess

    def finite():
        spread = -xp.log1p(-removed) / (alpha - 1) - xp.log1p(excess)
        return alpha * (m0 - m1) ** 2 / (2 * v1 * (1 - removed)) + spread / 2

    return xp.where(removed < 1, finite, xp.inf)


@printed.numeric
def _(m0: Array, v0: Array, m1: Array, v1: Array, alpha: Array) -> Array:
    """The same, for small orders without the difference of two large logarithms.

    With r = v0/v1 the part of the variances is, halved, log(1 - (alpha - 1)(r - 1))/(1 - alpha)
    - log r = (log(1 - alpha (r - 1)/r) + alpha log r)/(1 - alpha).
    """
    excess = (v0 - v1) / v1
    removed = (alpha - 1) * excess
    with np.errstate(all="ignore"):
        near = -np.log1p(-removed) / (alpha - 1) - np.log1p(excess)
        small = np.log1p(-alpha * (v0 - v1) / v0) + alpha * np.log1p(excess)
        spread = np.where(alpha < 0.5, small / (1 - alpha), near)
        divergence = alpha * (m0 - m1) ** 2 / (2 * v1 * (1 - removed)) + spread / 2
    return np.where(removed < 1, divergence, np.inf)
