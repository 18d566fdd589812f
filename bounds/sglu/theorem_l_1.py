"""Theorem L.1 of sglu: output noise of Descent-to-Delete that keeps its noiseless state."""

from typing import Any

import numpy as np

from accounting.gaussian import mu_gdp
from bounds.formula import Array, Formula
from bounds.sglu.descent import (
    I_steps,
    epsilon_positive,
    geometric_tail,
    log_gamma,
    optimum_shift,
    root_gap,
)
from bounds.sglu.symbols import L, M, convexity_order, delta, m_positive, n

formula = Formula(
    id="sglu.thml.1",
    label="Theorem L.1",
    left=r"\sigma",
    symbols=(I_steps, epsilon_positive, delta, n, m_positive, L, M),
    requires=(convexity_order,),
)


@formula.form(
    "printed",
    tex=r"\sigma=\frac{4\sqrt2M\gamma^I}{mn(1-\gamma^I)(\sqrt{\log(1/\delta)+\epsilon}"
    r"-\sqrt{\log(1/\delta)})}",
    note="twice what zero-concentrated privacy asks for when n stays fixed",
)
def printed(
    I: Array, epsilon: Array, delta: Array, n: Array, m: Array, L: Array, M: Array  # noqa: E741
) -> Array:  # fmt: skip
    """This noise gives (epsilon, delta)-unlearning for every request.

    Source: sglu, Theorem L.1 and (74). Holds for sequences that keep at least n/2 points; the
    condition epsilon = O(log(1/delta)) is not needed. Loose by at least 2 for replacement.
    """
    scale = 4 * np.sqrt(2) * M / (m * n) * geometric_tail(I, L, m)
    return np.asarray(scale / root_gap(-np.log(delta), epsilon))


@printed.expression
def _(sp: Any, I: Any, epsilon: Any, delta: Any, n: Any, m: Any, L: Any, M: Any) -> Any:  # noqa: E741
    power, log = ((L - m) / (L + m)) ** I, sp.log(1 / delta)
    gap = sp.sqrt(log + epsilon) - sp.sqrt(log)
    return 4 * sp.sqrt(2) * M * power / (m * n * (1 - power) * gap)


@formula.form(
    "corrected",
    tex=r"\sigma=\frac{2\sqrt2M\gamma^I}{mn(1-\gamma^I)(\sqrt{\log(1/\delta)+\epsilon}"
    r"-\sqrt{\log(1/\delta)})}",
    note="sensitivity 4 M gamma^I/(mn(1 - gamma^I)) and the conversion of Proposition K.2",
)
def corrected(
    I: Array, epsilon: Array, delta: Array, n: Array, m: Array, L: Array, M: Array  # noqa: E741
) -> Array:  # fmt: skip
    """This noise gives (epsilon, delta)-unlearning for replacements, n fixed.

    Source: e_i <= gamma^I Delta/(1 - gamma^I) for the unlearned model, gamma^I Delta for the
    retrained one, Delta = 2M/(mn), and zero-concentrated differential privacy.
    """
    return np.asarray(printed.value(I, epsilon, delta, n, m, L, M)) / 2


@corrected.expression
def _(sp: Any, I: Any, epsilon: Any, delta: Any, n: Any, m: Any, L: Any, M: Any) -> Any:  # noqa: E741
    assert printed.expr is not None
    return printed.expr(sp, I, epsilon, delta, n, m, L, M) / 2


@formula.form(
    "tight",
    tex=r"\sigma=\frac{2M\gamma^I(2-\gamma^I)}{mn(1-\gamma^I)\,\mu^*(\epsilon,\delta)}",
    note="exact Gaussian curve and sensitivity; approached by quadratics after many replacements",
)
def tight(
    I: Array, epsilon: Array, delta: Array, n: Array, m: Array, L: Array, M: Array  # noqa: E741
) -> Array:  # fmt: skip
    """This noise gives (epsilon, delta)-unlearning for replacements, and no less does."""
    both = -np.expm1(I * log_gamma(L, m)) + 1
    sensitivity = optimum_shift(n, m, M) * geometric_tail(I, L, m) * both
    return np.asarray(sensitivity / mu_gdp(epsilon, delta))
