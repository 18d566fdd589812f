"""The closed forms of hf's (41): right off their removable singularities; how large they are."""

import math
from fractions import Fraction

from verify.checks import Check, Context, Findings, Instances, case_table


def mixed(r: Fraction, x: Fraction, count: int) -> Fraction:
    """sum_{k < count} r^{count-1-k} x^k over one denominator, so that no step looks for another."""
    whole = math.lcm(r.denominator, x.denominator)
    a, b = int(r * whole), int(x * whole)
    total, power = 0, 1
    for _ in range(count):
        total, power = total * a + power, power * b
    return Fraction(total, whole ** (count - 1))


def measure_zeta(rho: float, q: float, T: float) -> float:
    """The sum in exact arithmetic."""
    r, x, steps = Fraction(rho), Fraction(q), int(T)
    return float(mixed(r, x, steps) - mixed(r, x * x, steps))


def measure_visits(rho: float, q: float, E: float, B: float, b_u: float) -> float:
    """The sum in exact arithmetic."""
    r = Fraction(rho)
    x = Fraction(q)
    epoch = int(B)
    u = int(b_u)
    visits = range(u, int(E + 1) * epoch, epoch)
    every = mixed(r**epoch, x**epoch, len(visits))
    return float(r ** (visits.stop - 1 - visits[-1]) * x**u * every)


def measure_size(rho: float, q: float, E: float, B: float) -> float:
    """Both terms in exact arithmetic: sum_k rho^{T-1-k} q^k + sum_e rho^{T-B-eB} q^{eB}."""
    r, x, epoch = Fraction(rho), Fraction(q), int(B)
    epochs = int(E + 1)
    return float(mixed(r, x, epochs * epoch) + mixed(r**epoch, x**epoch, epochs))


def check_zeta(ctx: Context) -> Findings:
    for rng in ctx.draws(20, 200, block=1):
        q = float(rng.uniform(0.2, 1 - 1e-6))
        near = q * (1 + float(rng.choice([1e-15, 1e-9, -1e-12, 1e-3])))
        inputs = {"rho": near, "q": q, "T": int(rng.integers(1, 25))}
        zeta_value = measure_zeta(**inputs)
        at = "the sum in exact arithmetic, rho near q"
        yield from ctx.compare_forms("literal", zeta_value, inputs, at, tolerance=1e-11)


def check_size(ctx: Context) -> Findings:
    """The two terms at rho = q, and how much larger the printed bound's peak is."""
    same = {"rho": 0.8, "q": 0.8, "E": 4, "B": 2}
    size = measure_size(**same)
    at = "equality at rho = q"
    yield ctx.compare("literal", "corrected", size, same, at, relation="==")
    inputs = {"rho": 0.95, "q": 0.9, "E": 9, "B": 1}
    peak = measure_size(**inputs | {"rho": 0.9})
    at = "rho = .95 against rho = q = .9"
    size = measure_size(**inputs)
    script = "tightness_larger"
    yield ctx.compare("peak", "printed", size, inputs, at, bound=peak, script=script)


SUM = Instances(
    "the sum in exact arithmetic",
    draws=(20, 200),
    within={"rho": (0, 1.3), "q": (0.2, 1), "T": (1, 25)},
    tolerance=1e-11,
)
SINGULAR = Instances(
    "the sum in exact arithmetic, where quotients are 0/0",
    case_table("rho q T", (0.7, 0.7, 9), (0.25, 0.5, 6), (0, 0.5, 4), (0.5, 0.5, 1)),
    forms=("tight",),
)
VISITS = Instances(
    "the sum in exact arithmetic",
    draws=(40, 400),
    within={"rho": (0.01, 1.3), "q": (0.2, 1), "E": (0, 8), "B": (1, 5)},
    tolerance=1e-11,
)
SAME = Instances("rho = q", case_table("rho q E B b_u", (0.7, 0.7, 3, 2, 1)), forms=("tight",))
SIZE = Instances(
    "any rho and q",
    draws=(60, 600),
    within={"rho": (0.05, 1), "q": (0.05, 1), "E": (0, 8), "B": (1, 3)},
    interpretations=("literal", "slow"),
)
LARGER = Instances(
    "rho = .5, q = .9, T = 10",
    case_table("rho q E B", (0.5, 0.9, 9, 1)),
    interpretations=("literal",),
    script="tightness_larger",
)
SUMS = "an inequality between two sums: no run in it"
CHECKS = (
    Check("hf.zeta", check_zeta, measure_zeta, (SUM, SINGULAR)),
    Check("hf.zeta.visits", exact_side=measure_visits, at=(VISITS, SAME)),
    Check("hf.tightness", check_size, measure_size, (SIZE, LARGER), exact_only=SUMS),
)
