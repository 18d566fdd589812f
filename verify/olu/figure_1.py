"""Figure 1 of olu: its distances lack the step size."""

from __future__ import annotations

from collections.abc import Iterator

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence


def measure(gamma: float, eta: float, L: float, l: float) -> float:  # noqa: E741
    """The distance on quadratics of curvature mu = (1 - gamma)/eta, f_u pulling by L."""
    mu = (1 - gamma) / eta
    with_it, without = eta * L, 0.0
    for _ in range(int(l)):
        with_it, without = with_it - eta * mu * with_it, without - eta * mu * without
    return abs(with_it - without)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    slow = {"gamma": 0.5, "eta": 5.0, "L": 0.1, "l": 0}
    words = "mu = 0.1, beta = 0.3: the step is 5 long"
    yield ctx.compare("literal", "printed", measure(**slow), slow, words, script="fig1_slow")
    for _ in range(ctx.pick(40, 500)):
        (inputs,) = rows(
            "gamma eta L l",
            (
                float(rng.uniform()),
                float(rng.exponential(2)),
                float(rng.exponential()),
                int(rng.integers(0, 12)),
            ),
        )
        yield ctx.compare(
            "literal", "corrected", measure(**inputs), inputs, "quadratics", relation="=="
        )


CHECKS = (Check("olu.fig1", evidence=check, oracle=measure),)
