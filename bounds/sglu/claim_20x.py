"""Appendix M of sglu: "a roughly 20x saving in complexity for K large enough"."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.sglu.descent import epsilon_positive
from bounds.sglu.symbols import contractive, delta, eta, m_positive

formula = Formula(
    id="sglu.claim20x",
    label="Appendix M, 20x saving",
    left=r"K_{\mathrm{LU}}/K_{\mathrm{SGLU}}",
    symbols=(epsilon_positive, delta, eta, m_positive),
    requires=(contractive, Requirement("eta m < 1", lambda eta, m: eta * m < 1)),
)


@formula.form(
    "printed",
    tex=r"2\alpha,\quad \alpha\approx10",
    note="alpha = 1 + log(1/delta)/epsilon, the least order of Proposition K.2; 20.7 on MNIST",
)
def printed(epsilon: Array, delta: Array) -> Array:
    """Langevin unlearning needs about this many times the epochs of SGLU, full batch.

    Source: sglu, Appendix M: exp(-m eta K/alpha) against exp(-2 m eta K). The order that is best
    for SGLU's own conversion is about 20, not 10.
    """
    return np.asarray(2 * (1 - np.log(delta) / epsilon))


@printed.expression
def _(sp: Any, epsilon: Any, delta: Any) -> Any:
    return 2 * (1 + sp.log(1 / delta) / epsilon)


@formula.form(
    "corrected",
    tex=r"\frac{2\alpha_\infty\log(1/c)}{\eta m},\quad"
    r"\alpha_\infty=1+\frac{\log(1/\delta)}{\epsilon}",
    note="the limit as sigma -> 0, where both numbers of epochs grow without bound",
)
def corrected(epsilon: Array, delta: Array, eta: Array, m: Array) -> Array:
    """Limit of the ratio of the epochs that the two printed bounds ask for, as sigma -> 0."""
    slope = -np.log1p(-eta * m) / (eta * m)
    return np.asarray(2 * (1 - np.log(delta) / epsilon) * slope)


@corrected.expression
def _(sp: Any, epsilon: Any, delta: Any, eta: Any, m: Any) -> Any:
    return 2 * (1 + sp.log(1 / delta) / epsilon) * sp.log(1 / (1 - eta * m)) / (eta * m)
