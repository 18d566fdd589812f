"""(45) of olu: the sign of the one-step inequality, and where the phases really end."""

from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu.active_runs import RIDGE, ActiveStream, Array, seen


def measure_step(gap: float, eta: float, G: float, slope: float) -> float:
    """Squared distance after a step in the plane, z* at 0, from (gap, 0)."""
    along = slope / gap if gap else 0.0
    across = np.sqrt(max(G**2 - along**2, 0.0))
    next_point = np.array([gap, 0.0]) - eta * np.array([along, across])
    return float(next_point @ next_point)


def squared(sp: Any, gap: Any, eta: Any, G: Any, slope: Any) -> Any:
    """|z - eta g - z*|^2 expanded, <g, z - z*> = slope: (45) without projection."""
    return gap**2 - 2 * eta * slope + eta**2 * G**2


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


def check_step(ctx: Context) -> Findings:
    rng = ctx.rng()
    gap, G, eta = np.exp(rng.normal(size=(3, ctx.pick(500, 20_000))))
    slope = gap * G * rng.uniform(-1, 1, size=gap.size)
    inputs = {"gap": gap, "eta": eta, "G": G, "slope": slope}
    lhs = [measure_step(*map(float, row)) for row in zip(gap, eta, G, slope, strict=True)]
    yield ctx.compare("literal", "corrected", lhs, inputs, "steps in the plane", relation="==")


def check_distance(ctx: Context) -> Findings:
    """Where both phases end: 40 quadratics on a short interval, and random ridge losses."""
    (arguments,) = case_table("i I1 I2 tau_i mu beta L D", (1, 20, 0, 41, 1.0, 3.0, 0.1, 0.1))
    words = "40 quadratics on [0, 1/10], one point at the end"
    distance = measure_distance(**arguments)
    more = {"tight": np.nan, "script": "eq45_distance_spurious"}
    yield ctx.compare("literal", "printed", distance, arguments, words, **more)
    for rng in ctx.draws(25, 500):
        ends, star, inputs = phases(rng)
        distances = np.linalg.norm(ends - star, axis=1)
        yield ctx.compare("repaired", "corrected", distances, inputs, RIDGE)


def phases(rng: np.random.Generator) -> tuple[Array, Array, dict[str, float]]:
    """Where 30 runs on 9 losses end at a request, the minimiser of the losses kept, inputs."""
    m = 9
    stream = ActiveStream.steep(rng, m, 6)
    i = int(rng.integers(1, m - 1))
    I1 = int(rng.integers(0, 6))
    I2 = int(rng.integers(0, 4))
    kept_rows = seen(m + 1, range(1, i + 1))
    ends = stream.phase(stream.phase(stream.starts(rng, 30), seen(m + 1), I1), kept_rows, I2)
    inputs = {**stream.constants, "i": i, "I1": I1, "I2": I2, "tau_i": m + 1, "D": 2.0}
    return ends, stream.minimiser(kept_rows), inputs


NEAR = Instances(
    "z = 1/2, f = (z - 1)^2/2, z* = 0",
    case_table("gap eta G slope", (0.5, 0.5, 0.5, -0.25)),
    relations={"corrected": "=="},
    script="eq45_sign",
)
FAR = Instances(
    "quadratics after a long first phase: equality",
    case_table("i I1 I2 tau_i mu beta L D", (1, 60, 2, 41, 1.0, 3.0, 1.0, 1.0)),
    interpretations=("repaired",),
    relations={"corrected": "=="},
)
CHECKS = (
    Check("olu.eq45", check_step, measure_step, (NEAR,), expression=squared).measured_by(
        "online", "squared_distance"
    ),
    Check("olu.eq45.distance", check_distance, measure_distance, (FAR,))
    .measured_by(
        "online",
        "unlearned_distance",
        interpretations=("repaired",),
        where=("strong convexity", "active"),
    )
    .beside("logistic loss on digits, a small ball and one step at a request"),
)
