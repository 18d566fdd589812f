"""(17) of olu: sums of powers against integrals, by exact summation."""

import math
from typing import Any

from verify.checks import Check, Context, Findings, Instances, case_table


def power_sum(k: float, power: float) -> float:
    """sum_{i <= k} i^power, summed exactly rounded."""
    return math.fsum(float(i) ** power for i in range(1, int(k) + 1))


def root_sum(k: float, omega: float) -> float:
    """sqrt(sum_{i <= k} i^(2 omega))."""
    return math.sqrt(power_sum(k, 2 * omega))


def check_root(ctx: Context) -> Findings:
    for inputs in case_table("k omega", *((k, 1.2) for k in range(1, 21))):
        total = root_sum(**inputs)
        bound = inputs["k"] ** 1.7 / math.sqrt(3)
        yield ctx.compare(
            "root3", "printed", total, inputs, "exact sum", bound=bound, script="eq17_root"
        )


def check_below(ctx: Context) -> Findings:
    (few,) = case_table("k power", (5, 1.2))
    words = "the whole of the last term would be too much"
    total, bound = power_sum(**few), 5**2.2 / 2.2 + 5**1.2
    yield ctx.compare(
        "literal", "corrected", total, few, words, bound=bound, relation=">=", role="control"
    )


FEW = (1, 2, 3, 6, 7, 13, 14, 100)
RANGES = {"k": (1, 300), "power": (1, 4), "omega": (1.01, 4)}
ONE = Instances(
    "k = 1",
    case_table("k omega", (1, 1.2)),
    interpretations=("literal",),
    relations={"corrected": "==", "tight": "=="},
    script="eq17_root",
)
LINE = Instances(
    "p = 1",
    case_table("k power", *((k, 1.0) for k in range(1, 30))),
    relations={"corrected": "=="},
    script="eq17_sum",
)


def powers(sp: Any, k: Any, power: Any) -> Any:
    """The sum, term by term."""
    return sp.Add(*(sp.Pow(sp.Integer(i), power) for i in range(1, int(k) + 1)))


def root(sp: Any, k: Any, omega: Any) -> Any:
    """The root of the sum of squares."""
    return sp.sqrt(powers(sp, k, 2 * omega))


def sums(power: str, script: str | None = None) -> Instances:
    few = case_table(f"k {power}", *((k, 1.5) for k in FEW))
    within = {name: RANGES[name] for name in ("k", power)}
    return Instances("exact sum", few, (20, 400), within, ("literal",), script=script)


ARITHMETIC = "arithmetic of a schedule: no quantity of a run"
OMEGA = (sums("omega", "eq17_root"), ONE)
LINES = (sums("power"), LINE)
SUMS = (sums("power", "eq17_sum"), LINE)
CHECKS = (
    Check("olu.eq17", check_root, root_sum, OMEGA, expression=root, exact_only=ARITHMETIC),
    Check("olu.eq17.sum", None, power_sum, SUMS, expression=powers, exact_only=ARITHMETIC),
    Check(
        "olu.eq17.below", check_below, power_sum, LINES, expression=powers, exact_only=ARITHMETIC
    ),
)
