"""(38) and (39) of olu: steps that the projection cuts short, and the sum with its noise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.equation_23_25 import random_steps
from verify.olu.huber_runs import draw
from verify.olu.theorem_5 import expected_regret, measure, proof_step

STEP = Claim(
    id="olu.eq38",
    label="(38)",
    kind="equality",
    statement="g (z_t - z*) = -g xi + ((z_t - z* + xi)^2 - (z_{t+1} - z*)^2)/(2 eta) + eta g^2/2.",
    readings=(
        Reading(
            "literal",
            "projected steps on K",
            ("printed", "corrected"),
            proofs={"corrected": "the projection does not increase the distance to z*"},
            edits={"printed": Edit("<= for =", "=", r"\le")},
        ),
        Reading(
            "inside",
            "steps that stay in K without the projection",
            ("printed",),
            proofs={"printed": "z_{t+1} = z_t - eta g + xi, squared out"},
            stance="repair",
        ),
    ),
    correction="<= for =, as in (23) and (31).",
)
SUM = Claim(
    id="olu.eq39",
    label="(39)",
    kind="inequality",
    statement="With the step size of the proof the expected regret against one comparator is at "
    "most (DL + (L/2) sqrt(omega k^{omega+1} d/((omega^2-1) eps))) sqrt(2T).",
    readings=(
        Reading("literal", "the step size of the proof", ("printed",)),
        Reading(
            "any",
            "any constant step size, the paper's noise",
            ("corrected",),
            proofs={"corrected": "D^2/(2 eta) + sum of eta L^2/2 and of E|xi_i|^2/(2 eta)"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "eta",
        (0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
        {"T": 100, "k": 1, "d": 1, "epsilon": 1e-4, "L": 1.0, "D": 1e3, "tau": 50},
        log_x=True,
    ),
    quantity="expected regret on f_t = L (D - z)",
    correction="D^2/(2 eta) + (eta L^2/2)(T + d omega sum i^omega/(2 (omega-1) eps)).",
)
CLAIMS = (STEP, SUM)


def check_step(ctx: Context) -> Iterator[Evidence]:
    one = {"z": 0.1, "z_next": 0.0, "star": 0.5, "g": 1.0, "xi": 0.0, "eta": 1.0}
    yield ctx.compare(
        "literal", "printed", -0.4, one, "a step that the projection cuts short", relation="==",
        script="eq38_projected",
    )  # fmt: skip
    yield ctx.compare("literal", "corrected", -0.4, one, "a step that the projection cuts short")
    inputs, inside = random_steps(ctx.rng(), ctx.pick(2000, 100_000))
    left = inputs["g"] * (inputs["z"] - inputs["star"])
    right = ctx.formula("corrected", **inputs)
    size = np.abs(left) + 1 / inputs["eta"]
    yield ctx.compare(
        "literal", "corrected", left, inputs, "random steps on [0, 1]",
        bound=right + 1e-12 * size, tight=np.nan,
    )  # fmt: skip
    yield ctx.compare(
        "inside", "printed", (left / size)[inside], {"count": int(inside.sum())},
        "random steps that stay in [0, 1]", bound=(right / size)[inside], tight=np.nan,
        relation="==", tolerance=1e-7,
    )  # fmt: skip


def measure_sum(
    eta: float, T: float, k: float, d: float, epsilon: float, L: float, D: float, tau: float = 50
) -> float:
    """Exact expected regret on f_t = L (D - z) with this step and the paper's noise, k = d = 1."""
    sigma = eta * L * np.sqrt(1.2 / (2 * 0.2 * epsilon))
    return expected_regret(eta, float(sigma), int(T), int(tau), L, D)


def noise_alone(eta: float, L: float, k: int, epsilon: float, omega: float) -> float:
    """Expected regret of Huber losses of curvature 1/eta at 0, on R, from 0, noise at k times.

    One step from a noise xi with |xi| <= eta L leads back to 0; longer ones come back by eta L a
    round. In all, f over these rounds sums to xi^2/(2 eta), whatever xi is.
    """
    x, w = np.polynomial.hermite_e.hermegauss(9)
    total = 0.0
    for i in range(1, k + 1):
        sigma = np.sqrt(omega * i**omega * (eta * L) ** 2 / (2 * (omega - 1) * epsilon))
        z = np.abs(sigma * x)
        cost = np.zeros_like(z)
        while (z > 0).any():
            near = z <= eta * L
            cost += np.where(near, z**2 / (2 * eta), L * (z - eta * L / 2))
            z = np.where(near, 0.0, z - eta * L)
        total += float(np.sum(w * cost) / w.sum())
    return total


def check_sum(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    fixed = {"T": 100, "k": 1, "d": 1, "L": 1.0, "D": 1e4, "epsilon": 1e-6}
    yield ctx.compare(
        "literal", "printed", measure(**fixed), {**fixed, "omega": 1.2},
        "f_t = D - z, one deletion at 50", tight=np.nan,
        script="eq39",
    )  # fmt: skip
    eta = proof_step(**fixed)
    yield ctx.compare(
        "any", "corrected", measure(**fixed), {**fixed, "eta": eta}, "f_t = D - z, one deletion"
    )
    for _ in range(ctx.pick(40, 1000)):
        inputs = {
            "T": int(rng.integers(50, 400)), "k": 1, "d": 1, "L": float(np.exp(rng.normal())),
            "D": float(np.exp(rng.normal(0, 3))), "epsilon": float(np.exp(rng.normal(-3, 3))),
            "eta": float(np.exp(rng.normal(0, 2))),
        }  # fmt: skip
        yield ctx.compare("any", "corrected", measure_sum(**inputs), inputs, "f_t = L (D - z)")
    for k in (1, 2, 5):
        eta, L, epsilon, omega = 0.3, 1.7, 0.4, 1.2 + 0.1 * k
        only = {"T": 1, "k": k, "d": 1, "epsilon": epsilon, "L": L, "D": 1.0, "eta": eta}
        rest = 1 / (2 * eta) + eta * L**2 / 2  # D^2/(2 eta) and the gradients of one round
        yield ctx.compare(
            "any", "corrected", noise_alone(eta, L, k, epsilon, omega) + rest,
            {**only, "omega": omega}, "Huber losses of curvature 1/eta attain the noise term",
            relation="==",
        )  # fmt: skip
    yield from random_runs(ctx)


def random_runs(ctx: Context) -> Iterator[Evidence]:
    """Expected regret on random Huber losses with any constant step and the paper's noise."""
    rng = ctx.rng(1)
    T, count = 60, ctx.pick(150, 1500)
    for k in (1, 2, 3):
        runs = draw(rng, count, T, k)
        epsilon, eta = np.exp(rng.normal(0, 3, size=count)), np.exp(rng.normal(size=count))
        eta = eta * runs.diameter / runs.lipschitz / T**0.5
        played = runs.play(np.broadcast_to(eta, (T, count)), epsilon, "paper", 1.2)
        still = np.broadcast_to(runs.comparators()[0], (k + 1, count))
        inputs = {
            "T": T, "k": k, "d": 1, "epsilon": epsilon, "L": runs.lipschitz,
            "D": runs.diameter, "eta": eta,
        }  # fmt: skip
        yield ctx.compare(
            "any", "corrected", played.regret(still), inputs, f"random Huber losses, {k} deletions"
        )


CHECKERS = {"olu.eq38": check_step, "olu.eq39": check_sum}
MEASURES = {"olu.eq39": measure_sum}
