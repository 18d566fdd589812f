"""Definition 4 of olu: Rényi divergence, in the closed form that serves as its oracle."""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.hypotheses import Hypothesis
from bounds.readings import Reading
from bounds.statements import Plot, Statement
from bounds.symbols import Symbol

statement = Statement(
    "olu.def4",
    "Definition 4",
    "definition",
    words="D_alpha(P || Q) = log(int p^alpha q^(1 - alpha))/(alpha - 1), alpha > 0, not 1.",
    left=r"D_\alpha(N(m_0, v_0) \,\|\, N(m_1, v_1))",
    symbols=(
        Symbol("m0", "mean of the first law", "m_0"),
        Symbol("v0", "variance of the first law", "v_0", low=0, low_open=True),
        Symbol("m1", "mean of the second law", "m_1"),
        Symbol("v1", "variance of the second law", "v_1", low=0, low_open=True),
        Symbol("alpha", "Rényi order, not 1", r"\alpha", low=0, low_open=True),
    ),
    requires=(Hypothesis("alpha != 1", lambda alpha: alpha != 1),),
    readings=(Reading("literal", "two laws with densities", {"printed": "=="}),),
    plot=Plot(
        "alpha",
        tuple(x for x in np.linspace(0.1, 5.5, 40).tolist() if x != 1),
        {"m0": 0.0, "v0": 1.2, "m1": 0.3, "v1": 1.0},
    ),
    quantity="D_alpha(N(m0, v0) || N(m1, v1))",
)


@statement.form(
    "printed",
    tex=r"\frac{1}{\alpha-1}\log\int\mu_P(x)^\alpha\mu_Q(x)^{1-\alpha}dx",
    note="evaluated on one-dimensional Gaussians; inf once alpha v1 + (1 - alpha) v0 <= 0",
)
def printed(m0: Array, v0: Array, m1: Array, v1: Array, alpha: Array) -> Array:
    """D_alpha(N(m0, v0) || N(m1, v1)) equals this value, inf where the integral diverges.

    Source: olu, Definition 4, for Gaussian laws.
    """
    excess = (v0 - v1) / v1
    removed = (alpha - 1) * excess
    finite = removed < 1
    safe = np.where(finite & (removed != 0), removed, 0.5)
    # -log(1 - x)/x tends to 1 with x: no cancellation as the order tends to 1.
    spread = excess * np.where(removed == 0, 1.0, -np.log1p(-safe) / safe) - np.log1p(excess)
    shift = alpha * (m0 - m1) ** 2 / (2 * v1 * (1 - np.where(finite, removed, 0.5)))
    return np.where(finite, shift + spread / 2, np.inf)


@printed.expression
def _(sp: Any, m0: Any, v0: Any, m1: Any, v1: Any, alpha: Any) -> Any:
    mixed = alpha * v1 + (1 - alpha) * v0
    if mixed <= 0:
        return sp.oo
    spread = sp.log(v1 / v0) / 2 + sp.log(v1 / mixed) / (2 * (alpha - 1))
    return spread + alpha * (m0 - m1) ** 2 / (2 * mixed)
