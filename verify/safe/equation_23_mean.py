"""Equation (23) of safe on average: every deletion of m of n samples."""

from fractions import Fraction
from itertools import combinations

import numpy as np

import bounds
from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Limit
from verify.safe.equation_23 import inputs_of, moments_of, spread


def measure(n: float, m: float, var: float) -> float:
    """Mean variance of what stays of n samples with variance var, over all deletions of m."""
    data = spread(int(n), 0.0, var) ** 3
    data *= (var / data.var(ddof=1)) ** 0.5
    keep = np.array(list(combinations(range(int(n)), int(n - m))))
    return float(data[keep].var(axis=1, ddof=1).mean())


def check(ctx: Context) -> Findings:
    """Variances averaged over all deletions of m of twelve points, exact and as printed."""
    printed = bounds.get("safe.eq23")["printed"]
    data = [Fraction(x) for x in (1, 2, 4, 8, 9, 13, 14, 20, 21, 23, 30, 31)]
    n, var = len(data), float(moments_of(data)[1])
    for m in range(1, ctx.pick(5, 11)):
        instances = []
        for chosen in combinations(range(n), m):
            others = [data[i] for i in range(n) if i not in chosen]
            instances.append(inputs_of([data[i] for i in chosen] + others, m))
        inputs = {"n": n, "m": m, "var": var}
        at = f"all {len(instances)} deletions of {m} of 12 points"
        mean_var = float(np.mean([exact for _, exact in instances]))
        options = {"tolerance": 1e-12}
        yield from ctx.compare_forms("literal", mean_var, inputs, at, script="eq23_mean", **options)
        if m in (2, 4):
            gives = float(np.mean([float(printed(**row)) for row, _ in instances]))
            yield ctx.compare("formula", "printed", gives, inputs, at, tight=np.nan, **options)


FEW = Limit("all deletions are listed", where=(Hypothesis("n <= 14", lambda n: n <= 14),))
CHECKS = (Check("safe.eq23.mean", check, measure, limits={"literal": FEW}),)
