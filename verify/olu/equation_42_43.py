"""(42) and (43) of olu: the two parts of what one request leaves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.active_runs import Stream, seen

EQ42 = Claim(
    id="olu.eq42",
    label="(42)",
    kind="inequality",
    statement="The skipped step of descent is at most L_R gamma^{tau - u} eta_u L after the "
    "phases, L_R = gamma^{I_1 + I_2}.",
    readings=(
        Reading("literal", "descent with steps 1/(mu t)", ("printed",)),
        Reading(
            "repaired",
            "steps 1/(mu t), u + 1 >= (1 + beta/mu)/2, phases with steps 2/(beta + mu)",
            ("corrected",),
            proofs={"corrected": "contraction 1 - 1/t from u + 1 to tau - 1, then rho a step"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "tau_i",
        tuple(float(t) for t in range(5, 40)),
        {"I1": 0, "I2": 2, "u_i": 4, "mu": 1.0, "beta": 3.0, "L": 1.0},
    ),
    quantity="distance on a running mean",
    correction="rho^{I_1 + I_2} L/(mu (tau - 1)).",
)
EQ43 = Claim(
    id="olu.eq43",
    label="(43)",
    kind="inequality",
    statement="From one point the phases of both runs end at most "
    "2(j + 1) gamma^{I_2} L/(tau mu) apart.",
    readings=(
        Reading("literal", "steps 1/(beta + mu), enough steps I_1", ("printed",)),
        Reading(
            "repaired",
            "steps 2/(beta + mu) on averages",
            ("printed", "corrected", "tight"),
            proofs={
                "printed": "at least the corrected bound",
                "corrected": "gradients of the averages differ by at most 2iL/m; geometric sum",
                "tight": "also through both minimisers, iL/(mu m) apart",
            },
            stance="repair",
        ),
    ),
    natural=Natural(
        "I2",
        tuple(float(n) for n in range(0, 15)),
        {"i": 1, "I1": 6, "m": 40, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0},
    ),
    quantity="distance from the minimiser of all losses",
    correction="rho^{I_2} (2iL/(mu m)) (1 - rho^{I_1}): no lower bound on I_1 is needed.",
)


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
    i: float, I1: float, I2: float, m: float, mu: float, beta: float, L: float, D: float,
    factor: float = 2.0,
) -> float:  # fmt: skip
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
        inputs = {
            "I1": I1, "I2": I2, "u_i": u, "tau_i": tau, "mu": 1.0, "beta": 3.0, "L": 1.0,
        }  # fmt: skip
        left = measure_42(**inputs)
        yield ctx.compare(
            "literal", "printed", left, inputs, "a running mean with one point at L/mu",
            script="eq42_skip",
        )  # fmt: skip
        yield ctx.compare(
            "repaired", "corrected", left, inputs, "a running mean with one point at L/mu",
            relation="==",
        )  # fmt: skip
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
        inputs = {
            "I1": I1, "I2": I2, "u_i": u, "tau_i": tau, "mu": mu, "beta": stream.beta,
            "L": stream.lipschitz,
        }  # fmt: skip
        yield ctx.compare(
            "repaired", "corrected", np.linalg.norm(ends[0] - ends[1], axis=1), inputs,
            "log-cosh losses with ridge on a ball, d <= 3",
        )  # fmt: skip


def check_43(ctx: Context) -> Iterator[Evidence]:
    given = {"i": 1, "I1": 6, "m": 40, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0}
    for I2 in (6, 10, 20):
        inputs = {**given, "I2": I2}
        yield ctx.compare(
            "literal", "printed", measure_43(**inputs, factor=1.0), inputs,
            "quadratics, one of 40 at 1, from the minimiser of all", tight=np.nan,
            script="eq43_phases",
        )  # fmt: skip
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
        inputs = {
            "i": i, "I1": I1, "I2": I2, "m": m, "mu": mu, "beta": stream.beta,
            "L": stream.lipschitz, "D": 2.0,
        }  # fmt: skip
        yield from ctx.compare_forms(
            "repaired", np.linalg.norm(learner - other, axis=1), inputs,
            "log-cosh losses with ridge on a ball, d <= 3",
        )  # fmt: skip
    # Almost linear losses, one falling and eight rising: the first step attains 2iL/m.
    line = Stream(
        1e-3, 1.0, np.zeros((9, 1)), np.ones((9, 1)), np.array([50.0] + 8 * [-50.0]), 20.0
    )  # fmt: skip
    ends = [line.phase(np.zeros((1, 1)), seen(10, out), 1) for out in ([], [1])]
    inputs = {
        "i": 1, "I1": 1, "I2": 0, "m": 9, "mu": line.mu, "beta": line.beta, "L": line.lipschitz,
        "D": 20.0,
    }  # fmt: skip
    yield from ctx.compare_forms(
        "repaired", np.linalg.norm(ends[0] - ends[1], axis=1), inputs, "almost linear losses"
    )


CLAIMS = (EQ42, EQ43)
CHECKERS = {EQ42.id: check_42, EQ43.id: check_43}
MEASURES = {EQ42.id: measure_42, EQ43.id: measure_43}
