"""Corollary 3.10 of sglu: convex losses, judged under its two consistent interpretations."""

import math
from dataclasses import replace
from itertools import product

from bounds import Hypothesis
from verify.checks import NEAR_1, Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LinearRun, ProjectedRun, renyi_difference


def measure(
    alpha: float,
    eta: float,
    M: float,
    sigma: float,
    R: float,
    b: float,
    J: float,
    T: float,
    K: float,
) -> float:
    """Exact d_alpha on linear losses from 0, one point of the last batch moved from M to -M.

    Finite T against T + K epochs on D'; T = inf against the stationary law (finite R).
    """
    if math.isinf(R):
        line = LinearRun.of(eta=eta, m=0.0, M=M, b=b, J=J, sigma=sigma)
        return renyi_difference(line.unlearned(T, K), line.learned(-1, T + K), alpha)
    box = ProjectedRun.linear(R=R, eta=eta, m=0.0, sigma=sigma, b=int(b), J=int(J), old=M, new=-M)
    return renyi_difference(box.unlearned(T, int(K)), box.learned(-1, T + K), alpha)


def check(ctx: Context) -> Findings:
    """Linear losses on an interval from nu_0 = nu_D at T = 1, where the printed bound fails.

    Then controls: half the diameter, and an epoch more of noise than there is.
    """
    loud = {"alpha": 2.0, "eta": 0.5, "M": 0.5, "sigma": 0.5, "R": 1.0, "b": 1, "J": 1, "T": 1}
    box = ProjectedRun.linear(**loud, m=0.0, old=-0.5, new=0.5)
    start = box.stationary(1)
    instance = "linear losses on [-1, 1], nu_0 = nu_D, T = 1"
    options = {"script": "cor3_10", "tight": math.nan}
    for K in (20, 200):
        exact = renyi_difference(box.unlearned(1, K, start), box.learned(-1, 1, start), 2.0)
        yield ctx.compare("literal", "printed", exact, {**loud, "K": K}, instance, **options)
    for at, changed, remark in (
        (STEEP, {"R": 0.5}, "R for the diameter 2R would be too small"),
        (SINGLE, {"K": 4}, "one epoch more of noise than there is would be too much"),
    ):
        inputs = at.cases[-1]
        options = {"role": "control"}
        options["bound"] = ctx.claim("corrected", **{**inputs, **changed})
        yield ctx.compare(
            at.interpretations[0], "corrected", measure(**inputs), inputs, remark, **options
        )


def _at(interpretation: str, words: str, *cases: tuple[float, ...], **relations: str) -> Instances:
    inputs = case_table("alpha eta M sigma R b J T K", *cases)
    return Instances(words, inputs, interpretations=(interpretation,), relations=relations)


EPOCHS, ENDLESS = (1, 2, 4), math.inf
BOX = [(2, 0.5, 1, 0.5, R, 2, 2, ENDLESS, K) for R in (0.25, 1, 2) for K in EPOCHS]
OPPOSITE = [(1.1, 0.5, 2 / K, 0.15, 1, 1, 1, ENDLESS, K) for K in EPOCHS]
FINITE = product((1, math.inf), (1, 5, 20), EPOCHS)
LINEAR = [(2, 0.5, 1, 0.5, R, 2, 2, T, K) for R, T, K in FINITE]
ALONE = (2, 0.5, 1, 0.5, math.inf, 2, 1, 6, 3)
STEEP = _at("infinite", "laws piled up at opposite ends, K q = 2R: nearly attained", *OPPOSITE)
EQUAL = "full batch linear losses from one point: equality"
SINGLE = _at("aligned", EQUAL, ALONE, corrected="==")
FLAT = _at("infinite", "linear losses on [-R, R], stationary", *BOX)
AT = (FLAT, STEEP, _at("aligned", "linear losses from 0", *LINEAR), SINGLE)
# D_alpha of laws at opposite ends is at most alpha (2R)^2/(2 N s^2), s^2 = 2 eta sigma^2, N = J K.
NEAR = Hypothesis(
    "R^2 <= 600 eta sigma^2 J K, or R = inf",
    lambda R, eta, sigma, J, K: (math.inf == R) | (600 * eta * sigma**2 * J * K >= R * R),
)
BOXED = replace(
    NEAR_1,
    reason=f"{NEAR_1.reason}; densities whose quotient leaves the floats",
    where=(NEAR,),
)
LIMITS = dict.fromkeys(("infinite", "aligned"), BOXED)
CHECKS = (
    Check("sglu.cor3.10", evidence=check, exact_side=measure, at=AT, limits=LIMITS).measured_by(
        "langevin", "aligned_renyi", interpretations=("aligned",), where=("short steps", "one row")
    ),
)
