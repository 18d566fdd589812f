"""Definition 2.1 of sglu: Rényi divergence, in the closed form that serves as its exact left-hand
side."""

import numpy as np

from bounds import Plot, Statement, Symbol

m0 = Symbol("m0", "mean of the first law", "m_0", unit="parameter")
v0 = Symbol("v0", "variance of the first law", "v_0", low=0, low_open=True, unit="parameter^2")
m1 = Symbol("m1", "mean of the second law", "m_1", unit="parameter")
v1 = Symbol("v1", "variance of the second law", "v_1", low=0, low_open=True, unit="parameter^2")
a = Symbol("a", "Rényi order", r"\alpha", low=1, low_open=True, unit="1")

statement = Statement(
    "sglu.def2.1",
    "Definition 2.1",
    "definition",
    words="The Rényi divergence of order alpha > 1 is the scaled logarithm of the alpha-th "
    "moment of the likelihood ratio; the Rényi difference is the larger of both directions.",
    left=r"D_\alpha(N(m_0, v_0) \,\|\, N(m_1, v_1))",
    symbols=(m0, v0, m1, v1, a),
    plot=Plot(
        "a", tuple(np.linspace(1.05, 5.5, 40).tolist()), {"m0": 0, "v0": 1.2, "m1": 0.3, "v1": 1}
    ),
    quantity="D_a(N(m0, v0) || N(m1, v1))",
)
statement.interpreted_as("literal", "two laws with the same support")


@statement.form(
    "printed",
    tex=r"D_\alpha(\nu\|\nu') = \frac{1}{\alpha-1}\log\mathbb{E}_{x\sim\nu'}"
    r"\left(\frac{\nu(x)}{\nu'(x)}\right)^{\alpha}",
)
def printed(xp, m0, v0, m1, v1, a):
    """D_a(N(m0, v0) || N(m1, v1)) equals this value, inf where the integral diverges.

    Note: evaluated on one-dimensional Gaussians; infinite once a v1 + (1 - a) v0 <= 0
    Source: sglu, Definition 2.1, for Gaussian laws
    """
    mixed = a * v1 + (1 - a) * v0

    def value():
        relative = (1 - a) * xp.log(v0 / v1) - xp.log(mixed / v1)
        return a * (m0 - m1) ** 2 / (2 * mixed) + relative / (2 * (a - 1))

    return xp.where(mixed > 0, value, xp.inf)
