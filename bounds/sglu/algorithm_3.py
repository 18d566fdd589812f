"""Algorithm 3 of sglu: how far Descent-to-Delete is from the optimum after a series of requests."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu.descent import I_steps, geometric_tail, log_gamma, optimum_shift
from bounds.sglu.symbols import L, M, S, convexity_order, m_positive, n

formula = Formula(
    id="sglu.alg3",
    label="Algorithm 3",
    left=r"\|\mathbf w'_S-\mathbf w^*_S\|",
    symbols=(I_steps, S, n, m_positive, L, M),
    requires=(convexity_order,),
)


@formula.form(
    "printed",
    tex=r"\frac{2M\gamma^I}{mn(1-\gamma^I)},\quad\gamma=\frac{L-m}{L+m}",
    note="the limit of many requests, as Theorem L.1 uses it",
)
def printed(I: Array, S: Array, n: Array, m: Array, L: Array, M: Array) -> Array:  # noqa: E741
    """The noiseless model is at most this far from the optimum after S requests of I steps.

    Source: sglu, Algorithm 3 with (74). Holds; approached as S grows. The learning phase must
    end within gamma^I 2M/(mn) of its optimum, and each request must start from the noiseless model.
    """
    return optimum_shift(n, m, M) * geometric_tail(I, L, m)


@printed.expression
def _(sp: Any, I: Any, S: Any, n: Any, m: Any, L: Any, M: Any) -> Any:  # noqa: E741
    power = ((L - m) / (L + m)) ** I
    return 2 * M / (m * n) * power / (1 - power)


@formula.form(
    "tight",
    tex=r"e_0=\gamma^I\Delta,\ e_i=\gamma^I(e_{i-1}+\Delta)\ \Rightarrow\ "
    r"e_S=\gamma^I\Delta\frac{1-\gamma^{(S+1)I}}{1-\gamma^I}",
    note="attained by quadratics whose optimum always moves the same way",
)
def tight(I: Array, S: Array, n: Array, m: Array, L: Array, M: Array) -> Array:  # noqa: E741
    """The noiseless model is at most this far from the optimum after S requests of I steps."""
    remaining = -np.expm1((S + 1) * I * log_gamma(L, m))
    return optimum_shift(n, m, M) * geometric_tail(I, L, m) * remaining


@tight.expression
def _(sp: Any, I: Any, S: Any, n: Any, m: Any, L: Any, M: Any) -> Any:  # noqa: E741
    gamma = (L - m) / (L + m)
    series = gamma**I * (1 - gamma ** ((S + 1) * I)) / (1 - gamma**I)
    return 2 * M / (m * n) * series
