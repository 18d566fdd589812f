"""Theorem L.1 of sglu: output noise of Descent-to-Delete that keeps its noiseless state."""

from typing import Any

import numpy as np

from accounting.gaussian import mu_gdp
from bounds.forms import Array
from bounds.readings import Reading
from bounds.sglu.descent import (
    I_steps,
    epsilon_positive,
    geometric_tail,
    log_gamma,
    optimum_shift,
    root_gap,
)
from bounds.sglu.symbols import L, M, convexity_order, delta, m_positive, n
from bounds.statements import Plot, Statement

statement = Statement(
    "sglu.thml.1",
    "Theorem L.1",
    "inequality",
    words="Descent-to-Delete that keeps its noiseless state gives (epsilon, delta)-unlearning "
    "with output noise (74).",
    left=r"\sigma",
    symbols=(I_steps, epsilon_positive, delta, n, m_positive, L, M),
    requires=(convexity_order,),
    readings=(
        Reading(
            "literal",
            "points are removed one request after another, never below half of the n at the start",
            {"printed": "<="},
            proofs={
                "printed": "an optimum moves by at most M/(m n_i) <= 2M/(mn); then as for "
                "replacement, with a factor 2 to spare"
            },
        ),
        Reading(
            "replacement",
            "each request replaces one point, n fixed, as in the paper's experiments",
            {"printed": "<=", "corrected": "<=", "tight": "<="},
            proofs={
                "printed": "twice the corrected form",
                "corrected": "sensitivity below 4M gamma^I/(mn(1 - gamma^I)), zero-concentrated "
                "privacy of the Gaussian",
                "tight": "exact sensitivity and the Gaussian trade-off curve",
            },
        ),
        Reading(
            "below half", "removals without end, the noise set by the first n", {"printed": "<="}
        ),
    ),
    aliases=("sglu.thmL.1", "sglu.eq74"),
    plot=Plot(
        "epsilon",
        (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
        {"I": 5, "delta": 1e-5, "n": 6, "m": 0.5, "L": 1, "M": 1},
        log_x=True,
    ),
    quantity="noise scale sigma",
    correction="2 sqrt(2) in place of 4 sqrt(2) for replacement; "
    "epsilon = O(log(1/delta)) is not needed; say that n_i >= n/2.",
)


@statement.form(
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


@statement.form(
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


@statement.form(
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
