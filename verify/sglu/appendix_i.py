"""Appendix I of sglu: the recursion on adjacent data, attained by quadratics at every position."""

import math
from itertools import product

from simulators.exact import line_winf
from simulators.exact.gaussian_divergence import winf
from simulators.exact.maps import huber, logistic
from simulators.exact.transfer import Atoms
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LINE, LinearRun, ProjectedRun


def measure(
    eta: float, m: float, M: float, b: float, J: float, j0: float, T: float, W: float
) -> float:
    """Exact distance on quadratics, started from points W apart, one point moved from M to -M."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=0.3, j0=j0)
    start = run.stationary(-1)
    return winf(run.learned(1, T, start.shifted(W)), run.learned(-1, T, start), rtol=1e-8)


def check(ctx: Context) -> Findings:
    """W-infinity after T epochs from two points W apart, every position of the replaced point.

    Logistic and Huber losses on an interval; on quadratics a control with a smaller M.
    """
    inputs = MOVED.cases[2]
    less = ctx.claim("printed", **{**MOVED.cases[2], "M": 0.6})
    exact = measure(**inputs)
    remark = "the shift a step later would be too small"
    yield ctx.compare("literal", "printed", exact, inputs, remark, bound=less, role="control")
    # Nonlinear losses on an interval, started from two points W apart.
    m = 0.5
    eta = 0.6
    options = {"tolerance": 1e-8, "tight": math.nan}
    signs = (logistic(1, 1, m), logistic(1, -1, m))
    bent = (huber(0.4, 1, m), huber(-0.4, 1, m))
    breaks = (-0.6, 0.6, -1.4, 1.4)
    families = (("logistic", signs, 0.5, ()), ("Huber", bent, 0.4, breaks))
    runs = ((1, -0.5), (1, 1.0), (3, 1.0))
    for (name, (old, new), M, kinks), j0, (T, start) in product(families, (0, 1), runs):
        after = [[new if j == j0 else old, old] for j in range(2)]
        box = ProjectedRun(1.5, eta, 0.4, [[old, old]] * 2, after, 160, kinks)
        ends = box.learned(1, T, Atoms.at(1.0)), box.learned(-1, T, Atoms.at(start))
        at = {"eta": eta, "m": m, "M": M, "b": 2, "J": 2, "j0": j0, "T": T, "W": 1.0 - start}
        exact = line_winf.winf(*ends)
        instance = f"{name} losses on an interval"
        yield from ctx.compare_forms("literal", exact, at, instance, **options)


MOVED = Instances(
    "quadratics, one point moved from M to -M",
    # One step (57) with and without the replaced point's batch, one epoch (58), equal starts (60).
    case_table(
        "eta m M b J j0 T W",
        (0.8, 0.5, 1, 2, 1, 0, 1, 3),
        (0.8, 0.5, 0, 2, 1, 0, 1, 3),
        (0.8, 0.5, 1, 2, 3, 0, 1, 3),
        (0.8, 0.5, 1, 2, 3, 1, 5, 0),
    ),
    draws=(25, 250),
    within={**LINE, "J": (1, 7), "j0": (0, 6), "T": (0, 6)},
    tolerance=1e-7,
    relations={"printed": "==", "tight": "=="},
)
CHECKS = (
    Check("sglu.appi", evidence=check, exact_side=measure, at=(MOVED,)).measured_by(
        "langevin", "epoch_distance", where=("short steps", "one row")
    ),
)
