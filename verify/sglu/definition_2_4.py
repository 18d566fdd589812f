"""Definition 2.4 of sglu: the quantile coupling against all couplings, and closed forms."""

import math
from itertools import permutations

import numpy as np

from simulators.exact import discrete
from simulators.exact.line import LineLaw
from simulators.exact.line_winf import winf
from verify.checks import Check, Context, Findings, Instances, case_table


def measure(m0: float, v0: float, m1: float, v1: float) -> float:
    """Supremum of the difference of quantiles, searched numerically."""
    first, second = (
        LineLaw(np.ones(1), np.array([mean]), np.array([math.sqrt(variance)]))
        for mean, variance in ((m0, v0), (m1, v1))
    )
    return winf(first, second)


def check(ctx: Context) -> Findings:
    """The quantile coupling against the best of all matchings, and a far mass of 1e-9."""
    rng = ctx.rng(1)
    options = {"tolerance": 1e-12}
    for _ in range(ctx.pick(10, 100)):
        size = int(rng.integers(2, 6))
        x, y = (np.sort(rng.normal(size=size)) for _ in range(2))
        every = min(np.max(np.abs(x - y[list(order)])) for order in permutations(range(size)))
        weights = np.full(size, 1 / size).tolist()
        distance = float(discrete.winf(x.tolist(), weights, y.tolist(), weights))
        at = {"size": size}
        instance = "equal weights: the best of all matchings"
        yield ctx.compare("literal", "printed", distance, at, instance, bound=every, **options)
    # Close in total variation and far in W-infinity: a mass of 1e-9 sits at distance 5.
    far = float(discrete.winf([0.0, 5.0], [1 - 1e-9, 1e-9], [0.0, 5.0], [1.0, 0.0]))
    at = {"mass": 1e-9}
    instance = "a mass of 1e-9 moved by 5"
    yield ctx.compare("literal", "printed", far, at, instance, bound=5.0)


CASES = ((0, 1, 0.3, 1), (0, 1, 0, 1), (0, 1, 0, 1.0001), (2, 0.5, -1, 0.5))
AT = (Instances("Gaussians, quantile coupling", case_table("m0 v0 m1 v1", *CASES)),)
CHECKS = (Check("sglu.def2.4", evidence=check, exact_side=measure, at=AT),)
