"""(45) of olu: the sign of the one-step inequality, and where the phases really end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.active_runs import Stream, seen


def measure_step(gap: float, eta: float, G: float, slope: float) -> float:
    """Squared distance after a step in the plane, z* at 0, from (gap, 0)."""
    along = slope / gap if gap else 0.0
    across = np.sqrt(max(G**2 - along**2, 0.0))
    moved = np.array([gap, 0.0]) - eta * np.array([along, across])
    return float(moved @ moved)


def measure_distance(
    i: float, I1: float, I2: float, tau_i: float, mu: float, beta: float, L: float, D: float
) -> float:
    """Quadratics with i of m points at L/mu <= D, else 0, from L/mu: distance from 0 at the end."""
    rho, m = (beta - mu) / (beta + mu), tau_i - 1
    z, all_ = D, i * L / (mu * m)
    for _ in range(int(I1)):
        z = all_ + rho * (z - all_)
    for _ in range(int(I2)):
        z *= rho
    return float(z)


def check_step(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    n = ctx.pick(500, 20_000)
    gap, G, eta = np.exp(rng.normal(size=(3, n)))
    slope = gap * G * rng.uniform(-1, 1, size=n)
    inputs = {"gap": gap, "eta": eta, "G": G, "slope": slope}
    rows = zip(gap, eta, G, slope, strict=True)
    left = np.array([measure_step(*(float(v) for v in row)) for row in rows])
    yield ctx.compare("literal", "corrected", left, inputs, "steps in the plane", relation="==")
    near = {"gap": 0.5, "eta": 0.5, "G": 0.5, "slope": -0.25}
    words = "z = 1/2, f = (z - 1)^2/2, z* = 0"
    yield ctx.compare("literal", "printed", measure_step(**near), near, words, script="eq45_sign")


def check_distance(ctx: Context) -> Iterator[Evidence]:
    given = {"i": 1, "I1": 20, "I2": 0, "tau_i": 41, "mu": 1.0, "beta": 3.0, "L": 0.1, "D": 0.1}
    found, words = measure_distance(**given), "40 quadratics on [0, 1/10], one point at the end"
    yield ctx.compare(
        "literal", "printed", found, given, words, tight=np.nan, script="eq45_distance_spurious"
    )
    rng = ctx.rng()
    for _ in range(ctx.pick(25, 500)):
        mu, ratio, m = float(np.exp(rng.normal())), float(rng.uniform(1.2, 6)), 9
        stream = Stream.draw(rng, m, int(rng.integers(1, 4)), mu, (ratio - 1) * mu, 2.0)
        i, I1, I2 = int(rng.integers(1, m - 1)), int(rng.integers(0, 6)), int(rng.integers(0, 4))
        kept = seen(m + 1, range(1, i + 1))
        starts = stream.project(rng.normal(size=(30, stream.centres.shape[1])) * 2)
        ends = stream.phase(stream.phase(starts, seen(m + 1), I1), kept, I2)
        (inputs,) = rows(
            "i I1 I2 tau_i mu beta L D", (i, I1, I2, m + 1, mu, stream.beta, stream.lipschitz, 2.0)
        )
        left = np.linalg.norm(ends - stream.minimiser(kept), axis=1)
        yield ctx.compare(
            "repaired", "corrected", left, inputs, "log-cosh losses with ridge on a ball, d <= 3"
        )
    far = {"i": 1, "I1": 60, "I2": 2, "tau_i": 41, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0}
    words = "quadratics after a long first phase: equality"
    yield ctx.compare("repaired", "corrected", measure_distance(**far), far, words, relation="==")


CHECKS = (
    Check("olu.eq45", evidence=check_step, oracle=measure_step),
    Check("olu.eq45.distance", evidence=check_distance, oracle=measure_distance),
)
