"""(35)-(39) of hf: each step of the proof of Theorem 4.3 in a problem of its own."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Instances, case_table
from verify.hf.zeta import mixed


def remainder(distance: float, lam: float, M: float, Lam: float) -> float:
    """|g(v) - g(0) - H(0) v| for the Hessian min(lam + Lam w, M), in exact pieces."""
    bend = (M - lam) / Lam if Lam > 0 else np.inf
    straight = min(distance, bend)
    flat = max(distance - bend, 0.0)
    slope = lam * straight + Lam * straight**2 / 2 + M * flat
    return abs(slope - lam * distance)


def derivative(eta: float, E: float) -> float:
    """Derivative of w_T with respect to leaving u out: batches {u}, {r}; l_u = w, l_r = w^2/2."""
    step, value = Fraction(eta), Fraction(0)
    for _ in range(int(E) + 1):
        value += step
        value -= step * value
    return float(value)


def accumulated(rho: float, B: float) -> float:
    """x_B of x <- rho x + 1 from 0."""
    factor, x = Fraction(rho), Fraction(0)
    for _ in range(int(B)):
        x = factor * x + 1
    return float(x)


def line_above(rho: float, q: float, E: float, B: float) -> float:
    """sum_j (q^{T-j} - q^{2(T-j)}) rho^{j-1}, j = 1..B."""
    T, x, r = int((E + 1) * B), Fraction(q), Fraction(rho)
    before = x ** (T - int(B))
    return float(before * mixed(x, r, int(B)) - before**2 * mixed(x * x, r, int(B)))


SPREAD = {"distance": (1e-3, 5), "M": (1e-3, 3), "Lam": (0, 10)}
TAYLOR = (
    Instances(
        "a Hessian that grows from lam to M",
        draws=(60, 600),
        within={**SPREAD, "lam": (-3, 3)},
        interpretations=("literal",),
        forms=("corrected",),
        relations={"corrected": "=="},
    ),
    Instances(
        "M - lam = 1: nearly attained, and any smaller spread",
        case_table("distance lam M Lam", (2, 0, 1, 1e9)),
        draws=(30, 300),
        within={**SPREAD, "lam": (-0.9, 1)},
        interpretations=("unit",),
    ),
    Instances(
        "Hessian 0 below 0 and 10 above",
        case_table("distance lam M Lam", (0.5, 0, 10, 1e9)),
        interpretations=("literal",),
        script="proofa4_unit",
    ),
)
FIRST = Instances(
    "batches {u}, {r}; l_u linear",
    case_table("eta E", *((eta, E) for eta in (0.1, 0.5, 0.9) for E in range(12))),
    script="eq35_from_one",
)
PRODUCT = Instances(
    "x <- rho x + 1",
    case_table("rho B", (0.5, 2)),
    draws=(12, 30),
    within={"rho": (0.1, 1.5), "B": (1, 30)},
    script="eq38_last",
)
EPOCH = Instances(
    "term by term",
    case_table("rho q E B", (0.5, 0.5, 0, 2)),
    draws=(30, 300),
    within={"rho": (0.1, 1.5), "q": (0.2, 1), "E": (0, 5), "B": (1, 5)},
    script="eq39_exponent",
)
CHECKS = (
    Check("hf.proofa4", exact_side=remainder, at=TAYLOR).measured_by(
        "recollection", "taylor_remainder", where=("smooth curvature",)
    ),
    Check("hf.eq35", exact_side=derivative, at=(FIRST,)),
    Check("hf.eq38", exact_side=accumulated, at=(PRODUCT,)),
    Check("hf.eq39", exact_side=line_above, at=(EPOCH,)),
)
