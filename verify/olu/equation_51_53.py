"""(51) and (53) of olu: part C telescoped, and how far the published iterate is from exact."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.active_runs import Stream, seen
from verify.olu.equation_45 import measure_distance


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


def check_51(ctx: Context) -> Iterator[Evidence]:
    attained = [Fraction(n) for n in (1, 1, 0, 0, 0, 0)]
    cases = [("an instance in which C attains the bound", attained, [3], Fraction(0))]
    rng = ctx.rng()
    for _ in range(ctx.pick(100, 3000)):
        z = [Fraction(int(n), 8) for n in rng.integers(0, 9, size=11)]
        tau = apart(rng)
        cases.append(("any iterates on [0, 1]", z, tau, Fraction(int(rng.integers(0, 9)), 8)))
    for name, z, tau, star in cases:
        d = [float((w - star) ** 2) for w in z]
        (inputs,) = rows(
            "tau before after mu D", (tau, [d[n - 2] for n in tau], [d[n] for n in tau], 1.0, 1.0)
        )
        offset = float(10 * len(tau) * len(z))  # both sides may be negative
        for form in ("printed", "corrected"):
            found = float(telescoped(z, tau, star)) + offset
            bound = float(ctx.claim(form, **inputs)) + offset
            more = {
                "tight": np.nan,
                "relation": "==" if "attains" in name and form == "corrected" else "<=",
                "script": "eq51_telescope",
            }
            yield ctx.compare("literal", form, found, inputs, name, bound=bound, **more)


def check_53(ctx: Context) -> Iterator[Evidence]:
    given = {"i": 1, "I1": 30, "I2": 8, "tau_i": 41, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0}
    sigma = 0.5**8 * np.sqrt(1.2 / (0.4 * 0.1)) * (6 + 0.5**37 / 4) / 41
    found, case = measure_53(**given, xi=0.67 * sigma), {**given, "sigma": sigma}
    words = "quadratics, one of 40 at 1, the median of the noise (40)"
    yield ctx.compare("literal", "printed", found, case, words, tight=np.nan, script="eq53_noise")
    quiet = {**given, "i": 2, "I2": 0}
    found, words = measure_53(**quiet, xi=0.0), "quadratics, two of 40 at 1"
    yield ctx.compare("quiet", "printed", found, quiet, words, tight=np.nan, script="eq53_quiet")
    for xi in (0.0, 0.2):
        far = {**quiet, "I1": 60, "I2": 2, "xi": xi}
        words = "quadratics after a long first phase: equality"
        yield ctx.compare("repaired", "corrected", measure_53(**far), far, words, relation="==")
    rng = ctx.rng()
    for _ in range(ctx.pick(15, 300)):
        mu, ratio, m = float(np.exp(rng.normal())), float(rng.uniform(1.2, 6)), 9
        stream = Stream.draw(rng, m, int(rng.integers(1, 4)), mu, (ratio - 1) * mu, 2.0)
        i, I1, I2 = int(rng.integers(1, m - 1)), int(rng.integers(0, 6)), int(rng.integers(0, 4))
        kept = seen(m + 1, range(1, i + 1))
        noise = rng.normal(size=(30, stream.centres.shape[1])) * 0.2
        starts = stream.project(rng.normal(size=noise.shape) * 2)
        ends = stream.phase(stream.phase(starts, seen(m + 1), I1), kept, I2) + noise
        (inputs,) = rows(
            "i I1 I2 tau_i mu beta L D xi",
            (
                i,
                I1,
                I2,
                m + 1,
                mu,
                stream.beta,
                stream.lipschitz,
                2.0,
                np.linalg.norm(noise, axis=1),
            ),
        )
        left = np.linalg.norm(ends - stream.minimiser(kept), axis=1)
        yield ctx.compare(
            "repaired", "corrected", left, inputs, "log-cosh losses with ridge on a ball, d <= 3"
        )


CHECKS = (
    Check("olu.eq51", evidence=check_51),
    Check("olu.eq53", evidence=check_53, oracle=measure_53),
)
