"""(21)-(25) of sglu on an interval: exact quantile couplings of learned and stationary laws."""

import math

from simulators.exact.line_winf import winf
from simulators.exact.transfer import Atoms
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LINE, ProjectedRun


def _run(
    eta: float, m: float, M: float, b: float, J: float, R: float, drift: float
) -> ProjectedRun:
    return ProjectedRun.linear(
        R=R, eta=eta, m=m, sigma=0.1, b=int(b), J=int(J), old=drift + M, new=drift - M, rest=drift
    )


def measure(
    eta: float,
    m: float,
    M: float,
    b: float,
    J: float,
    T: float,
    R: float,
    drift: float | None = None,
) -> float:
    """Exact distance on quadratics, started at the end far from the optimum (m R by default)."""
    run = _run(eta, m, M, b, J, R, -m * R if drift is None else drift)
    return winf(run.stationary(-1), run.learned(1, T, Atoms.at(R)))


def check(ctx: Context) -> Findings:
    """The displays one by one, on a run from one end of the interval to the other."""
    inputs = {"eta": 0.5, "m": 0.4, "M": 0.02, "b": 1, "J": 2, "R": 1.0}
    run = _run(**inputs, drift=-0.4)
    c = 0.8
    q = 0.02
    start = Atoms.at(1.0)
    old, new = run.stationary(1), run.stationary(-1)
    apart = winf(new, old)
    options = {"tolerance": 1e-8, "tight": math.nan}
    bound = q / (1 - c**2)
    instance = "(23): the stationary laws"
    yield ctx.compare("literal", "printed", apart, inputs, instance, bound=bound, tight=math.nan)
    for T in (1, 3, 6):
        at = {**inputs, "T": T}
        law = run.learned(1, T, start)
        other = run.learned(-1, T, start)
        rest = winf(old, law)
        starts = q * (1 - c ** (2 * T)) / (1 - c**2)
        for lhs, bound, instance in (
            (winf(new, law), apart + rest, "(21): the triangle inequality"),
            (winf(law, other), starts, "(22): two runs from one start"),
            (rest, 2 * c ** (2 * T), "(24): towards the own stationary law"),
        ):
            yield ctx.compare("literal", "printed", lhs, at, instance, bound=bound, **options)
        less = 2 * c ** (2 * T + 2)
        remark = "(24) with one more epoch would be too small"
        yield ctx.compare("literal", "printed", rest, at, remark, bound=less, role="control")


NAMES = "eta m M b J T R drift"
CASES = [(0.5, 0.4, 0.2, 1, 2, T, 1, drift) for T in (1, 2, 4, 8) for drift in (-0.4, 0)]
BOX = Instances(
    "quadratics on an interval, started at its end",
    case_table(NAMES, *CASES, (0.8, 0.2, 0.5, 2, 3, 3, 0.7, 0), (0.3, 0.8, 1, 1, 1, 5, 0.3, 0)),
    draws=(8, 160),
    within={**LINE, "M": (0.05, 1), "b": (1, 3), "J": (1, 3), "T": (1, 6), "R": (0.2, 1.2)},
    tolerance=1e-8,
)
CHECKS = (
    Check("sglu.eq21_25", evidence=check, exact_side=measure, at=(BOX,)).measured_by(
        "langevin", "far_distance", where=("short steps", "one row")
    ),
)
