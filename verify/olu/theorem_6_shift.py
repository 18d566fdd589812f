"""Sensitivity of olu's Theorem 6: running means, and random smooth losses on a ball."""

from fractions import Fraction

import numpy as np

from bounds.olu.theorem_6 import SHIFT
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu.active_runs import RIDGE, ActiveStream, ordered_schedule, seen


def running_mean(I1: int, I2: int, beta: Fraction, u: int, tau: int) -> Fraction:
    """|learner - retrained| for Algorithm 2 as printed: f_t = (z - x_t)^2/2, x_u = 1, else 0.

    Index as in eq (2), so that the learner at tau is the mean of x_1..x_tau; mu = 1.
    """
    eta = 1 / (beta + 1)
    learner = retrained = Fraction(0)
    for t in range(1, tau + 1):
        learner -= (learner - (t == u)) / t
        retrained -= retrained / t if t != u else 0
    for _ in range(I1):
        learner -= eta * (learner - Fraction(1, tau))
        retrained -= eta * retrained
    for _ in range(I2):
        learner -= eta * learner
        retrained -= eta * retrained
    return abs(learner - retrained)


def measure(
    i: float,
    I1: float,
    I2: float,
    m: float,
    u_i: float,
    tau_i: float,
    mu: float,
    beta: float,
    L: float,
    D: float,
) -> float:
    """Distance on a running mean with steps 2/(beta + mu): u_1 = u_i of m losses sits at L/mu."""
    rho = (beta - mu) / (beta + mu)
    learner, retrained = L / (mu * m), 0.0
    for _ in range(int(I1)):
        learner = rho * learner + (1 - rho) * L / (mu * m)
        retrained *= rho
    for _ in range(int(I2)):
        learner, retrained = rho * learner, rho * retrained
    return abs(learner - retrained)


def check(ctx: Context) -> Findings:
    """Distance of both runs: a running mean, and steep random losses with three requests."""
    apart = [float(running_mean(6, I2, Fraction(3), 4, 40)) for I2 in (5, 10, 20)]
    (case,) = case_table(
        "i I2 u_i tau_i mu beta L", (1, np.array([5, 10, 20]), 4, 40, 1.0, 3.0, 1.0)
    )
    words = "a running mean with one point at 1"
    yield ctx.compare("literal", "printed", apart, case, words, tight=np.nan, script="thm6_shift")
    for rng in ctx.draws(40, 1000, block=1):
        stream = ActiveStream.steep(rng, 24, 4)
        u, tau = ordered_schedule(rng, 3, 24, 3)
        I1 = int(rng.integers(0, 5))
        I2 = int(rng.integers(0, 4))
        starts = stream.starts(rng, 30)
        for i in (1, 2, 3):
            first, time = [1, *tau][i - 1], tau[i - 1]
            if time < i + 2:
                continue
            learner = stream.phase(stream.descend(starts, first, time - 1), seen(time), I1)
            learner = stream.phase(learner, seen(time, u[:i]), I2)
            other = stream.descend(starts, first, time - 1, u[:i])
            other = stream.phase(other, seen(time, u[:i]), I1 + I2)
            inputs = {**stream.constants, "i": i, "I1": I1, "I2": I2, "m": time - 1, "D": 2.0}
            inputs |= {"u_i": u[i - 1], "tau_i": time}
            lhs = np.linalg.norm(learner - other, axis=1)
            yield from ctx.compare_forms("repaired", lhs, inputs, RIDGE)


SHORT = Instances(
    "a running mean of two",
    case_table("i I1 I2 m u_i tau_i mu beta L D", (1, 0, 0, 2, 2, 3, 1.0, 3.0, 1e-6, 1.0)),
    interpretations=("repaired",),
)
STILL = Instances(
    "a running mean, I_1 = 0",
    [{**SHIFT, "I2": I2} for I2 in (0, 3, 9)],
    interpretations=("repaired",),
    relations={"corrected": "==", "tight": "=="},
)
CHECKS = (
    Check("olu.thm6.shift", check, measure, (SHORT, STILL))
    .measured_by(
        "online",
        "maps_apart",
        interpretations=("repaired",),
        where=("steps 1/(mu t)", "active", "losses are asked for in turn"),
    )
    .beside("logistic loss on digits, a small ball and one step at a request"),
)
