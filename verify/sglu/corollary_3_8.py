"""Corollary 3.8 of sglu: exact once both data sets' runs have converged, as Appendix F has it.

Its own words ask that of D alone, and are then false: a gap in the wording.
"""

import math
from itertools import product

from simulators.exact.maps import huber, logistic
from verify.checks import NEAR_1, Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LINE, LinearRun, ProjectedRun, renyi_difference


def measure(
    alpha: float,
    eta: float,
    m: float,
    M: float,
    sigma: float,
    R: float,
    b: float,
    J: float,
    K: float,
) -> float:
    """Exact d_alpha at T = inf on quadratics, one point of the last batch moved from M to -M."""
    if math.isinf(R):
        run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=sigma)
        return renyi_difference(run.unlearned(math.inf, K), run.stationary(-1), alpha)
    box = ProjectedRun.linear(R=R, eta=eta, m=m, sigma=sigma, b=int(b), J=int(J), old=M, new=-M)
    return renyi_difference(box.unlearned(math.inf, int(K)), box.stationary(-1), alpha)


def _literal(ctx: Context) -> Findings:
    """nu_0 = nu_D at T = 1: Gaussians on the line, and inside a ball that is never left."""
    common = {"eta": 0.5, "m": 1.0, "sigma": 1.0, "b": 1, "J": 1, "alpha": 2.0}
    line = LinearRun.of(**common, M=0.5)
    box = ProjectedRun.linear(R=4.0, old=0.0, new=1.0, **common)
    free = "Gaussian: nu_0 = nu_D, T = 1, D = {0}, D' = {1}"
    inside = "inside every hypothesis: C_R = [-4, 4], 5-Lipschitz quadratics, nu_0 = nu_D, T = 1"
    for K in (5, 20):
        for run, M, R, instance, script in (
            (line, 0.5, math.inf, free, "cor3_8_gaussian"),
            (box, 5.0, 4.0, inside, "cor3_8_projected"),
        ):
            law = run.stationary(1)
            exact = renyi_difference(run.unlearned(1, K, law), run.learned(-1, 1, law), 2.0)
            inputs = {**common, "M": M, "R": R, "K": K, "T": 1}
            options = {"script": script, "tight": math.nan}
            yield from ctx.compare_forms("literal", exact, inputs, instance, **options)


def _convergent(ctx: Context) -> Findings:
    """Stationary laws of logistic and Huber losses on an interval; a control with one c^2 more."""
    first, instance = FREE.cases[0], "with c^{2(K+1)n/b} the bound would be too small"
    less = ctx.claim("printed", **{**first, "K": 2})
    exact = measure(**first)
    yield ctx.compare("convergent", "printed", exact, first, instance, bound=less, role="control")
    # Losses whose gradient differences stay below 2M on the interval, from sharp to flat.
    m = 0.5
    for name, M, curvature, (old, new, other) in (
        ("logistic", 0.5, 0.25, (logistic(1, 1, m), logistic(1, -1, m), logistic(1, 1, m))),
        ("Huber", 0.4, 1.0, (huber(0.4, 1, m), huber(-0.4, 1, m), huber(0.1, 1, m))),
    ):
        eta, kinks = 1 / (curvature + m), (-0.9, -0.6, 0.6, 0.9)
        before, after = ([[other, other], [other, last]] for last in (old, new))
        box = ProjectedRun(1.0, eta, 0.4, before, after, 120, kinks)
        inputs = {"eta": eta, "m": m, "M": M, "sigma": 0.4, "R": 1.0, "b": 2, "J": 2, "K": 1}
        for alpha in (1.5, 4.0):
            exact = renyi_difference(box.unlearned(math.inf, 1), box.stationary(-1), alpha)
            at = {**inputs, "alpha": alpha}
            yield from ctx.compare_forms("convergent", exact, at, f"{name} losses, R = 1")


def _aligned(ctx: Context) -> Findings:
    for m, T, K in product((0.5, 0.05), (1, 3, 8), (1, 2)):
        inputs = {**FREE.cases[0], "m": m, "K": K}
        run = LinearRun.of(**inputs)
        exact = renyi_difference(run.unlearned(T, K), run.learned(-1, T + K), 3)
        at = {"T": T}
        instance = f"quadratics, T = {T}"
        yield from ctx.compare_forms("aligned", exact, inputs | at, instance, tight=math.nan)


def check(ctx: Context) -> Findings:
    yield from _literal(ctx)
    yield from _convergent(ctx)
    yield from _aligned(ctx)


NAMES = "alpha eta m M sigma R b J K"
FREE = Instances(
    "quadratics, stationary laws, one point moved from M to -M",
    case_table(
        NAMES, (3, 0.8, 0.5, 1, 0.3, math.inf, 2, 3, 1), (2, 0.5, 0.01, 1, 0.05, math.inf, 8, 5, 4)
    ),
    draws=(25, 300),
    within=LINE,
    interpretations=("convergent",),
    relations={"tight": "=="},
)
SIZES = ((0.6, 1), (1.2, 1), (0.5, 4))
BOX = Instances(
    "quadratics on an interval",
    case_table(NAMES, *((3, 0.8, 0.5, M, 0.3, R, 2, 3, K) for R, M in SIZES for K in (1, 2))),
    interpretations=("convergent",),
)
CHECKS = (
    Check(
        "sglu.cor3.8",
        evidence=check,
        exact_side=measure,
        at=(FREE, BOX),
        limits={"convergent": NEAR_1},
    )
    .measured_by(
        "langevin", "aligned_renyi", interpretations=("aligned",), where=("short steps", "one row")
    )
    .measured_by(
        "langevin",
        "stationary_renyi",
        interpretations=("convergent",),
        where=("short steps", "one row"),
    ),
)
