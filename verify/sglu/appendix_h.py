"""Appendix H of sglu: the recursion with several replaced points, attained by quadratics."""

import math
from collections.abc import Mapping
from itertools import product

from simulators.exact import line_winf
from simulators.exact.gaussian_divergence import winf
from simulators.exact.maps import logistic
from simulators.exact.transfer import Atoms
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LINE, LinearRun, ProjectedRun


def measure(
    eta: float, m: float, M: float, b: float, J: float, W: float, hits: Mapping[int, int]
) -> float:
    """Exact distance after an epoch on quadratics, hits[j] points of batch j moved from M to -M."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=0.3, hits=hits)
    start = run.stationary(-1)
    return winf(run.learned(1, 1, start.shifted(W)), run.learned(-1, 1, start), rtol=1e-8)


def check(ctx: Context) -> Findings:
    """W-infinity after an epoch: quadratics on the line, then logistic losses on an interval."""
    inputs = MOVED.cases[0]
    fewer = ctx.claim("printed", **{**MOVED.cases[0], "hits": {0: 1, 2: 1}})
    exact = measure(**inputs)
    remark = "one point a batch would be too few"
    yield ctx.compare("literal", "printed", exact, inputs, remark, bound=fewer, role="control")
    m = 0.5
    eta = 0.6
    options = {"tolerance": 1e-8, "tight": math.nan}
    old, new = logistic(1.0, 1.0, m), logistic(1.0, -1.0, m)
    for hits, start in product(({0: 1, 1: 2}, {1: 2}, {0: 2}), (1.0, -0.5)):
        batches = [[new] * hits.get(j, 0) + [old] * (2 - hits.get(j, 0)) for j in range(2)]
        box = ProjectedRun(1.5, eta, 0.4, [[old, old]] * 2, batches, 160)
        ends = box.learned(1, 1, Atoms.at(1.0)), box.learned(-1, 1, Atoms.at(start))
        inputs = {"eta": eta, "m": m, "M": 0.5, "b": 2, "J": 2, "W": 1.0 - start, "hits": hits}
        exact = line_winf.winf(*ends)
        instance = "logistic losses on an interval"
        yield from ctx.compare_forms("literal", exact, inputs, instance, **options)


MOVED = Instances(
    "quadratics, points moved from M to -M",
    case_table("eta m M b J W hits", (0.8, 0.5, 1, 2, 3, 1, {0: 2, 2: 1})),
    draws=(30, 300),
    within={**LINE, "J": (1, 7)},
    tolerance=1e-7,
    relations={"printed": "==", "tight": "=="},
)
CHECKS = (
    Check("sglu.apph", evidence=check, exact_side=measure, at=(MOVED,)).measured_by(
        "langevin", "epoch_distance", where=("short steps",)
    ),
)
