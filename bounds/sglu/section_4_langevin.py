"""Section 4 of sglu: noise of Langevin unlearning against full-batch SGLU, one epoch."""

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu import ladder, langevin
from bounds.sglu.descent import epsilon_positive
from bounds.sglu.settings import constants
from bounds.sglu.symbols import n

formula = Formula(
    id="sglu.sec4.lu_better",
    label="Section 4, LU against full-batch SGLU",
    left=r"\sigma_{\mathrm{SGLU}}(\epsilon,1/n),\ b=n,\ K=1",
    symbols=(n, epsilon_positive),
)


@formula.form(
    "printed",
    tex=r"\sigma_{\mathrm{LU}}=\min_{\alpha>1}\sqrt{\frac{4\alpha M^2e^{-m\eta/\alpha}}{mn^2"
    r"(\epsilon-\log(n)/(\alpha-1))}}",
    note="(79) with Proposition K.2 at delta = 1/n and the paper's constants",
)
def printed(n: Array, epsilon: Array) -> Array:
    """Noise that Langevin unlearning needs; SGLU needs more, the paper says.

    Source: sglu, Section 4 and (79). True of the printed bound of SGLU, not of its exact noise.
    """
    k, one = constants(n, n), np.ones_like(n)
    return langevin.least_sigma(epsilon, 1 / n, k["eta"], k["m"], k["M"], n, one, one)


@formula.form(
    "tight",
    tex=r"\sigma=\frac{2M}{mn}\,c\,\sqrt{\frac{1-c^2}{2\eta}}\Big/\mu^*(\epsilon,1/n)",
    note="exact noise of full-batch SGLU, 1.8 to 2.9 times below LU's",
)
def tight(n: Array, epsilon: Array) -> Array:
    """The least noise of full-batch SGLU after one epoch, attained by the linear instance."""
    return ladder.exact(epsilon, 1 / n, K=np.ones_like(n), **constants(n, n))
