"""(42) and (43) of olu: the two parts of what one request leaves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.active_runs import Stream, seen


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


def check_42(ctx: Context) -> Iterator[Evidence]:
    for I1, I2, u, tau in ((0, 0, 4, 6), (0, 2, 4, 14), (3, 1, 10, 15)):
        inputs = {"I1": I1, "I2": I2, "u_i": u, "tau_i": tau, "mu": 1.0, "beta": 3.0, "L": 1.0}
        left = measure_42(**inputs)
        words = "a running mean with one point at L/mu"
        yield ctx.compare("literal", "printed", left, inputs, words, script="eq42_skip")
        words = "a running mean with one point at L/mu"
        yield ctx.compare("repaired", "corrected", left, inputs, words, relation="==")
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 600)):
        mu, ratio = float(np.exp(rng.normal())), float(rng.uniform(1.2, 4))
        stream = Stream.draw(rng, 16, int(rng.integers(1, 4)), mu, (ratio - 1) * mu, 2.0)
        tau = int(rng.integers(6, 17))
        u, I1, I2 = int(rng.integers(2, tau)), int(rng.integers(0, 3)), int(rng.integers(0, 3))
        u = max(u, int(np.ceil(ratio / 2 - 0.5)))
        starts = stream.project(rng.normal(size=(30, stream.centres.shape[1])) * 2)
        ends = [
            stream.phase(stream.descend(starts, 1, tau - 1, out), seen(tau, [u]), I1 + I2)
            for out in ([], [u])
        ]
        (inputs,) = rows(
            "I1 I2 u_i tau_i mu beta L", (I1, I2, u, tau, mu, stream.beta, stream.lipschitz)
        )
        words = "log-cosh losses with ridge on a ball, d <= 3"
        yield ctx.compare(
            "repaired", "corrected", np.linalg.norm(ends[0] - ends[1], axis=1), inputs, words
        )


def check_43(ctx: Context) -> Iterator[Evidence]:
    given = {"i": 1, "I1": 6, "m": 40, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0}
    for I2 in (6, 10, 20):
        inputs = {**given, "I2": I2}
        found = measure_43(**inputs, factor=1.0)
        words = "quadratics, one of 40 at 1, from the minimiser of all"
        yield ctx.compare(
            "literal", "printed", found, inputs, words, tight=np.nan, script="eq43_phases"
        )
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 1000)):
        mu, ratio, m = float(np.exp(rng.normal())), float(rng.uniform(1.2, 6)), 9
        stream = Stream.draw(rng, m, int(rng.integers(1, 4)), mu, (ratio - 1) * mu, 2.0)
        i, I1, I2 = int(rng.integers(1, m - 1)), int(rng.integers(1, 9)), int(rng.integers(0, 4))
        starts = stream.project(rng.normal(size=(30, stream.centres.shape[1])) * 2)
        removed = list(range(1, i + 1))
        # Losses far to one side against the rest come nearest to the bound.
        stream.centres[:i] = np.abs(stream.centres[:i]) + 1
        stream.centres[i:] = -np.abs(stream.centres[i:]) - 1
        learner = stream.phase(starts, seen(m + 1), I1)
        learner = stream.phase(learner, seen(m + 1, removed), I2)
        other = stream.phase(starts, seen(m + 1, removed), I1 + I2)
        (inputs,) = rows(
            "i I1 I2 m mu beta L D", (i, I1, I2, m, mu, stream.beta, stream.lipschitz, 2.0)
        )
        words = "log-cosh losses with ridge on a ball, d <= 3"
        yield from ctx.compare_forms(
            "repaired", np.linalg.norm(learner - other, axis=1), inputs, words
        )
    # Almost linear losses, one falling and eight rising: the first step attains 2iL/m.
    line = Stream(
        1e-3, 1.0, np.zeros((9, 1)), np.ones((9, 1)), np.array([50.0] + 8 * [-50.0]), 20.0
    )
    ends = [line.phase(np.zeros((1, 1)), seen(10, out), 1) for out in ([], [1])]
    (inputs,) = rows(
        "i I1 I2 m mu beta L D", (1, 1, 0, 9, line.mu, line.beta, line.lipschitz, 20.0)
    )
    yield from ctx.compare_forms(
        "repaired", np.linalg.norm(ends[0] - ends[1], axis=1), inputs, "almost linear losses"
    )


CHECKS = (
    Check("olu.eq42", evidence=check_42, oracle=measure_42),
    Check("olu.eq43", evidence=check_43, oracle=measure_43),
)
