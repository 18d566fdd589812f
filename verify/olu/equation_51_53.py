"""(51) and (53) of olu: part C telescoped, and how far the published iterate is from exact."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu.active_runs import RIDGE
from verify.olu.equation_45 import measure_distance, phases


def measure_53(
    i: float,
    I1: float,
    I2: float,
    tau_i: float,
    mu: float,
    beta: float,
    L: float,
    D: float,
    xi: float,
) -> float:
    """Quadratics, i of m points at L/mu, the noise pointing away from the kept losses."""
    return measure_distance(i, I1, I2, tau_i, mu, beta, L, D) + xi


def apart(rng: np.random.Generator) -> list[int]:
    """Two requests among 11 rounds, at least two rounds from each other and from the last."""
    first = int(rng.integers(2, 8))
    return [first, int(rng.integers(first + 2, 10))]


def telescoped(z: list[Fraction], tau: list[int], star: Fraction) -> Fraction:
    """C of (48) at mu = 1 for iterates z_1..z_T on the line."""
    d = [(w - star) ** 2 for w in z]
    ends = [0, *tau, len(z)]
    inner = [t for a, b in pairwise(ends) for t in range(a + 1, b - 1)]
    return sum((t * (d[t - 1] - d[t]) - d[t - 1] for t in inner), Fraction(0))


def check_51(ctx: Context) -> Findings:
    """Part C in Fractions: an instance that attains the bound, and any iterates on [0, 1]."""
    cases = [
        (
            "an instance in which C attains the bound",
            [Fraction(n) for n in (1, 1, 0, 0, 0, 0)],
            [3],
            Fraction(0),
        )
    ]
    for rng in ctx.draws(100, 3000):
        z = [Fraction(int(n), 8) for n in rng.integers(0, 9, size=11)]
        tau = apart(rng)
        cases.append(("any iterates on [0, 1]", z, tau, Fraction(int(rng.integers(0, 9)), 8)))
    for words, z, tau, star in cases:
        d = [float((w - star) ** 2) for w in z]
        offset = float(10 * len(tau) * len(z))
        inputs = {"tau": tau, "before": [d[n - 2] for n in tau], "after": [d[n] for n in tau]}
        inputs |= {"mu": 1.0, "D": 1.0}
        lhs = float(telescoped(z, tau, star)) + offset  # both sides may be negative
        attained = {"corrected": "=="} if "attains" in words else {}
        for form in ("printed", "corrected"):
            more = {"relation": attained.get(form), "tight": np.nan, "script": "eq51_telescope"}
            bound = float(ctx.claim(form, **inputs)) + offset
            yield ctx.compare("literal", form, lhs, inputs, words, bound=bound, **more)


def check_53(ctx: Context) -> Findings:
    """Distance of the published iterate from the kept minimiser, with noise (40) and without."""
    arguments, quiet = case_table(
        "i I1 I2 tau_i mu beta L D",
        (1, 30, 8, 41, 1.0, 3.0, 1.0, 1.0),
        (2, 30, 0, 41, 1.0, 3.0, 1.0, 1.0),
    )
    sigma = 0.5**8 * np.sqrt(1.2 / (0.4 * 0.1)) * (6 + 0.5**37 / 4) / 41
    distance = measure_53(**arguments, xi=0.67 * sigma)
    inputs = {**arguments, "sigma": sigma}
    words = "quadratics, one of 40 at 1, the median of the noise (40)"
    more = {"tight": np.nan, "script": "eq53_noise"}
    yield ctx.compare("literal", "printed", distance, inputs, words, **more)
    distance = measure_53(**quiet, xi=0.0)
    words = "quadratics, two of 40 at 1"
    more = {"tight": np.nan, "script": "eq53_quiet"}
    yield ctx.compare("quiet", "printed", distance, quiet, words, **more)
    for rng in ctx.draws(15, 300, block=1):
        ends, star, inputs = phases(rng)
        noise = rng.normal(size=ends.shape) * 0.2
        distances = np.linalg.norm(ends + noise - star, axis=1)
        inputs = {**inputs, "xi": np.linalg.norm(noise, axis=1)}
        yield ctx.compare("repaired", "corrected", distances, inputs, RIDGE)


FAR = Instances(
    "quadratics after a long first phase: equality",
    case_table(
        "i I1 I2 tau_i mu beta L D xi",
        (2, 60, 2, 41, 1.0, 3.0, 1.0, 1.0, 0.0),
        (2, 60, 2, 41, 1.0, 3.0, 1.0, 1.0, 0.2),
    ),
    interpretations=("repaired",),
    relations={"corrected": "=="},
)
CHECKS = (
    Check("olu.eq51", evidence=check_51)
    .measured_by("online", "telescoped_blocks", where=("steps 1/(mu t)", "active"))
    .beside("a first row that pulls the other way"),
    Check("olu.eq53", check_53, measure_53, (FAR,)).measured_by(
        "online",
        "published_distance",
        interpretations=("literal", "repaired"),
        where=("strong convexity", "active"),
    ),
)
