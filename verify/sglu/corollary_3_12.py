"""Corollary 3.12 of sglu: its exponent contradicts its own recursion, which quadratics attain."""

import math
from collections.abc import Mapping
from itertools import product

from simulators.exact import line_winf
from simulators.exact.gaussian_divergence import winf
from simulators.exact.maps import quadratic
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LINE, UNCAPPED, LinearRun, ProjectedRun


def measure(
    eta: float, m: float, M: float, b: float, J: float, T: float, R: float, hits: Mapping[int, int]
) -> float:
    """Exact distance on quadratics, hits[j] points of batch j moved from M to -M, R inactive."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=0.3, hits=hits)
    return winf(run.learned(1, T), run.learned(-1, T), rtol=1e-9)


def check(ctx: Context) -> Findings:
    """W-infinity on quadratics with several replaced points, on the line and projected."""
    exact = measure(**LINEAR[0])
    options = {"relation": "==", "script": "cor3_12"}
    yield ctx.compare("literal", "printed", exact, LINEAR[0], MOVED, **options)
    inputs = {"eta": 0.8, "m": 0.25, "M": 1.0, "b": 2, "J": 2, "hits": {0: 1, 1: 2}}
    sides = [[[quadratic(0.25, d) for d in ends] for ends in ((s, 0), (s, s))] for s in (1.0, -1.0)]
    for R, T in product((0.4, 1.0, 3.0), (1, 4)):
        box = ProjectedRun(R, 0.8, 0.3, *sides)
        exact = line_winf.winf(box.learned(1, T), box.learned(-1, T))
        at = {"R": R, "T": T}
        yield from ctx.compare_forms("bound", exact, inputs | at, "quadratics on an interval")


MOVED = "quadratics, points moved from M to -M"
LINEAR = case_table(
    "eta m M b J T hits R",
    (0.8, 0.5, 1, 2, 3, 4, {0: 2, 2: 1}, math.inf),
    (0.8, 0.5, 1, 2, 3, math.inf, {0: 1, 1: 1, 2: 2}, math.inf),
    (0.5, 0, 1, 2, 3, 5, {1: 2}, math.inf),
    (0.5, 0.4, 1, 4, 1, 6, {0: 3}, math.inf),
)
BOTH = [
    Instances(
        MOVED,
        LINEAR,
        (20, 200),
        {**LINE, "J": (1, 7)},
        (name,),
        tolerance=1e-8,
        relations=relations,
    )
    for name, relations in (("literal", {"printed": "==", "corrected": "=="}), ("bound", {}))
]
LIMITS = {"literal": UNCAPPED, "bound": UNCAPPED}
CHECKS = (
    Check(
        "sglu.cor3.12", evidence=check, exact_side=measure, at=tuple(BOTH), limits=LIMITS
    ).measured_by("langevin", "learned_distance", where=("short steps",)),
)
