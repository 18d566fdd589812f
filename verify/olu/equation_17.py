"""(17) of olu: sums of powers against integrals, by exact summation."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def power_sum(k: float, power: float) -> float:
    """sum_{i <= k} i^power, summed exactly rounded."""
    return math.fsum(float(i) ** power for i in range(1, int(k) + 1))


def root_sum(k: float, omega: float) -> float:
    """sqrt(sum_{i <= k} i^(2 omega))."""
    return math.sqrt(power_sum(k, 2 * omega))


def _cases(ctx: Context) -> Iterator[tuple[int, float]]:
    rng = ctx.rng()
    for k in (1, 2, 3, 6, 7, 13, 14, 100, *rng.integers(1, 300, size=ctx.pick(20, 400)).tolist()):
        yield k, 1 + float(rng.exponential(0.5))


def check_root(ctx: Context) -> Iterator[Evidence]:
    for k, omega in _cases(ctx):
        inputs = {"k": k, "omega": omega}
        for form in ("printed", "corrected", "tight"):
            found = root_sum(**inputs)
            yield ctx.compare(
                "literal",
                form,
                found,
                inputs,
                "exact sum",
                script="eq17_root" if form == "printed" else None,
            )
    one = {"k": 1, "omega": 1.2}
    for form in ("corrected", "tight"):
        yield ctx.compare("literal", form, root_sum(**one), one, "k = 1", relation="==")
    for k in range(1, 21):
        inputs = {"k": k, "omega": 1.2}
        found, bound = root_sum(**inputs), k**1.7 / math.sqrt(3)
        yield ctx.compare(
            "root3", "printed", found, inputs, "exact sum", bound=bound, script="eq17_root"
        )


def check_sum(ctx: Context) -> Iterator[Evidence]:
    for k, power in _cases(ctx):
        inputs = {"k": k, "power": power}
        for form in ("printed", "corrected"):
            found = power_sum(**inputs)
            yield ctx.compare(
                "literal",
                form,
                found,
                inputs,
                "exact sum",
                script="eq17_sum" if form == "printed" else None,
            )
    many = np.arange(1.0, 30.0)
    line, exact = {"k": many, "power": 1.0}, np.array([power_sum(one, 1.0) for one in many])
    yield ctx.compare("literal", "corrected", exact, line, "p = 1", relation="==")


def check_below(ctx: Context) -> Iterator[Evidence]:
    for k, power in _cases(ctx):
        inputs = {"k": k, "power": power}
        yield ctx.compare("literal", "corrected", power_sum(**inputs), inputs, "exact sum")
    many = np.arange(1.0, 30.0)
    line, exact = {"k": many, "power": 1.0}, np.array([power_sum(one, 1.0) for one in many])
    yield ctx.compare("literal", "corrected", exact, line, "p = 1", relation="==")
    found, case = power_sum(5, 1.2), {"k": 5, "power": 1.2}
    words, bound = "the whole of the last term would be too much", 5**2.2 / 2.2 + 5**1.2
    yield ctx.compare(
        "literal", "corrected", found, case, words, bound=bound, relation=">=", role="control"
    )


CHECKS = (
    Check("olu.eq17", evidence=check_root, oracle=root_sum),
    Check("olu.eq17.sum", evidence=check_sum, oracle=power_sum),
    Check("olu.eq17.below", evidence=check_below, oracle=power_sum),
)
