"""(42) and (43) of olu: the two parts of what one request leaves."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu.active_runs import RIDGE, ActiveStream, seen


def measure_42(
    I1: float, I2: float, u_i: float, tau_i: float, mu: float, beta: float, L: float
) -> float:
    """A running mean with x_u at L/mu: the distance left by skipping u, after all phases."""
    learner = other = 0.0
    for t in range(1, int(tau_i)):
        learner -= (learner - (L / mu if t == u_i else 0.0)) / t
        other -= other / t if t != u_i else 0.0
    return float(abs(learner - other) * ((beta - mu) / (beta + mu)) ** int(I1 + I2))


def measure_43(
    i: float,
    I1: float,
    I2: float,
    m: float,
    mu: float,
    beta: float,
    L: float,
    D: float,
    factor: float = 2.0,
) -> float:
    """Quadratics, i of m at L/mu: both runs from the minimiser of all, steps factor/(beta + mu)."""
    rate = factor * mu / (beta + mu)
    a = b = all_ = i * L / (mu * m)
    for _ in range(int(I1)):
        a, b = a - rate * (a - all_), b - rate * b
    for _ in range(int(I2)):
        a, b = a - rate * a, b - rate * b
    return float(abs(a - b))


def check_42(ctx: Context) -> Findings:
    """What is left of a skipped step after both phases, on random ridge losses."""
    for rng in ctx.draws(30, 600, block=1):
        stream = ActiveStream.steep(rng, 16, 4)
        tau = int(rng.integers(6, 17))
        I1, I2 = rng.integers(0, 3, 2).tolist()
        u = max(int(rng.integers(2, tau)), int(np.ceil(stream.beta / stream.mu / 2 - 0.5)))
        starts = stream.starts(rng, 30)
        ends = [
            stream.phase(stream.descend(starts, 1, tau - 1, out), seen(tau, [u]), I1 + I2)
            for out in ([], [u])
        ]
        inputs = {**stream.constants, "I1": I1, "I2": I2, "u_i": u, "tau_i": tau}
        apart = np.linalg.norm(ends[0] - ends[1], axis=1)
        yield ctx.compare("repaired", "corrected", apart, inputs, RIDGE)


def check_43(ctx: Context) -> Findings:
    """Distance of both runs after both phases: quadratics, ridge losses, nearly linear ones."""
    words = "quadratics, one of 40 at 1, from the minimiser of all"
    for I2 in (6, 10, 20):
        (inputs,) = case_table("i I1 I2 m mu beta L D", (1, 6, I2, 40, 1.0, 3.0, 1.0, 1.0))
        distance = measure_43(**inputs, factor=1.0)
        more = {"tight": np.nan, "script": "eq43_phases"}
        yield ctx.compare("literal", "printed", distance, inputs, words, **more)
    for rng in ctx.draws(40, 1000):
        m = 9
        stream = ActiveStream.steep(rng, m, 6)
        i = int(rng.integers(1, m - 1))
        I1 = int(rng.integers(1, 9))
        I2 = int(rng.integers(0, 4))
        starts = stream.starts(rng, 30)
        kept_rows = seen(m + 1, range(1, i + 1))
        # Losses far to one side against the rest come nearest to the bound.
        stream.centres[:i] = np.abs(stream.centres[:i]) + 1
        stream.centres[i:] = -np.abs(stream.centres[i:]) - 1
        learner = stream.phase(stream.phase(starts, seen(m + 1), I1), kept_rows, I2)
        apart = np.linalg.norm(learner - stream.phase(starts, kept_rows, I1 + I2), axis=1)
        inputs = {**stream.constants, "i": i, "I1": I1, "I2": I2, "m": m, "D": 2.0}
        yield from ctx.compare_forms("repaired", apart, inputs, RIDGE)
    # Almost linear losses, one falling and eight rising: the first step attains 2iL/m.
    slopes = np.array([50.0] + 8 * [-50.0])
    line = ActiveStream(1e-3, 1.0, np.zeros((9, 1)), np.ones((9, 1)), slopes, 20.0)
    ends = [line.phase(np.zeros((1, 1)), seen(10, out), 1) for out in ([], [1])]
    inputs = {**line.constants, "i": 1, "I1": 1, "I2": 0, "m": 9, "D": 20.0}
    apart = np.linalg.norm(ends[0] - ends[1], axis=1)
    yield from ctx.compare_forms("repaired", apart, inputs, "almost linear losses")


MEAN = Instances(
    "a running mean with one point at L/mu",
    case_table(
        "I1 I2 u_i tau_i mu beta L",
        (0, 0, 4, 6, 1.0, 3.0, 1.0),
        (0, 2, 4, 14, 1.0, 3.0, 1.0),
        (3, 1, 10, 15, 1.0, 3.0, 1.0),
    ),
    relations={"corrected": "=="},
    script="eq42_skip",
)
STEPS = ("steps 1/(mu t)", "active", "losses are asked for in turn")
CHECKS = (
    Check("olu.eq42", check_42, measure_42, (MEAN,))
    .measured_by("online", "skipped_step", where=STEPS)
    .beside("logistic loss on digits, a small ball and one step at a request"),
    Check("olu.eq43", evidence=check_43, exact_side=measure_43)
    .measured_by("online", "phases_apart", interpretations=("repaired",), where=STEPS)
    .beside("logistic loss on digits, a small ball and one step at a request"),
)
