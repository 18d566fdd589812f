"""Lemma 3.5 of sglu: attained by quadratics for every batch position; below it with projection."""

import math

from simulators.exact import gaussian_divergence, line_winf
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.sglu.instances import LINE, LinearRun, ProjectedRun


def measure(
    eta: float,
    m: float,
    M: float,
    b: float,
    J: float,
    T: float,
    j0: float,
    R: float,
    sigma: float = 0.3,
) -> float:
    """Exact distance on quadratics with one point moved from M to -M, started at 0."""
    if math.isinf(R):
        run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=sigma, j0=j0)
        return gaussian_divergence.winf(run.learned(1, T), run.learned(-1, T), rtol=1e-9)
    box = ProjectedRun.linear(
        R=R, eta=eta, m=m, sigma=sigma, b=int(b), J=int(J), old=M, new=-M, j0=int(j0)
    )
    return line_winf.winf(box.learned(1, T), box.learned(-1, T))


def check(ctx: Context) -> Findings:
    inputs = {"eta": 0.8, "m": 0.5, "M": 1, "b": 2, "J": 3, "T": 2, "j0": 1, "R": math.inf}
    exact = measure(**inputs)
    less = 0.6 * ctx.claim("printed", **inputs)
    instance = "the bound with one more contraction would be too small"
    yield ctx.compare("literal", "printed", exact, inputs, instance, bound=less, role="control")


NAMES = "eta m M b J T j0 R"
ATTAINED = {"printed": "==", "tight": "=="}
FREE = Instances(
    "quadratics, one point moved from M to -M",
    case_table(
        NAMES,
        *((0.8, 0.5, 1, 2, 3, T, j, math.inf) for T in (1, 2, 5) for j in range(3)),
        (0.5, 0, 1, 1, 4, 7, 1, math.inf),
        (2, 0.5, 1, 1, 3, 4, 1, math.inf),
        (0.1, 0.3, 2, 5, 2, math.inf, 0, math.inf),
    ),
    draws=(40, 400),
    within={**LINE, "J": (1, 8), "j0": (0, 7)},
    tolerance=1e-8,
    relations=ATTAINED,
)
PLACES = ((1, 0), (2, 2), (5, 1))
BOX = Instances(
    "quadratics on an interval, transfer operator",
    case_table(NAMES, *((0.8, 0.5, 1, 2, 3, *at, R) for at in PLACES for R in (0.6, 1.2))),
    draws=(0, 9),
    within={"eta": (0.8, 0.8), "m": (0.1, 0.9), **{"M": (1, 2), "R": (0.3, 4)}, "b": (1, 2)}
    | {"J": (1, 3), "T": (1, 5), "j0": (0, 2)},
)
PUSHED = Instances(
    "the data push the whole law from one end of the interval to the other",
    case_table(NAMES, (1, 0.1, 6, 1, 2, 8, 1, 0.5)),
    tolerance=1e-6,
    relations=ATTAINED,
)
SUBTRACTED = Limit(
    "quantiles of pushed laws are subtracted",
    size=lambda p: p["R"] + p["eta"] * p["M"] if p["R"] < math.inf else 0.0,
)
AT = (FREE, BOX, PUSHED)
LIMITS = {"literal": SUBTRACTED}
SDP = "verify.sglu.worst_cases:runs"
CHECKS = (
    Check("sglu.lem3.5", check, measure, AT, LIMITS, worst_cases=SDP).measured_by(
        "langevin", "learned_distance", where=("short steps", "one row")
    ),
)
