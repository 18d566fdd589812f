"""The claim of sglu's Section 1.1: unlearning saves epochs over retraining from scratch."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.sglu.symbols import J, M, b, contractive, eta, m_positive
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.claim.retrain",
    label="Computational benefit (Section 1.1)",
    left=r"K_{\mathrm{retrain}}-K_{\mathrm{unlearn}}",
    symbols=(
        eta,
        m_positive,
        M,
        b,
        J,
        Symbol("R", "radius of the domain", "R", low=0, low_open=True),
    ),
    requires=(contractive, Requirement("eta m < 1", lambda eta, m: eta * m < 1)),
)


def distance(eta: Array, m: Array, M: Array, b: Array, J: Array) -> Array:
    """Z = q / (1 - c^J), the distance from which unlearning starts."""
    return 2 * eta * M / b / -np.expm1(J * np.log1p(-eta * m))


@formula.form(
    "corrected",
    tex=r"\frac{b}{n}\cdot\frac{\log(2R/Z_b)}{\log(1/c)},\quad Z_b=\frac{2\eta M/b}{1-c^{n/b}}",
    note="epochs saved at any common target distance; increases with b",
)
def corrected(eta: Array, m: Array, M: Array, b: Array, J: Array, R: Array) -> Array:
    """Retraining from distance 2R needs this many epochs more than unlearning from Z.

    Source: sglu, Section 1.1, made explicit: both end at the same distance tau, so that the
    saving log(2R/Z) / (J log(1/c)) does not depend on tau. Negative where Z > 2R.
    """
    return np.log(2 * R / distance(eta, m, M, b, J)) / (-J * np.log1p(-eta * m))


@corrected.expression
def _(sp: Any, eta: Any, m: Any, M: Any, b: Any, J: Any, R: Any) -> Any:
    c = 1 - eta * m
    Z = 2 * eta * M / b / (1 - c**J)
    return sp.log(2 * R / Z) / (J * sp.log(1 / c))
