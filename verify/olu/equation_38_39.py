"""(38) and (39) of olu: steps that the projection cuts short, and the sum with its noise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.equation_23_25 import random_steps
from verify.olu.huber_runs import draw
from verify.olu.theorem_5 import expected_regret, measure, proof_step


def check_step(ctx: Context) -> Iterator[Evidence]:
    one = {"z": 0.1, "z_next": 0.0, "star": 0.5, "g": 1.0, "xi": 0.0, "eta": 1.0}
    words = "a step that the projection cuts short"
    yield ctx.compare("literal", "printed", -0.4, one, words, script="eq38_projected")
    yield ctx.compare("literal", "corrected", -0.4, one, "a step that the projection cuts short")
    inputs, inside = random_steps(ctx.rng(), ctx.pick(2000, 100_000))
    left = inputs["g"] * (inputs["z"] - inputs["star"])
    right = ctx.claim("corrected", **inputs)
    size = np.abs(left) + 1 / inputs["eta"]
    words = "random steps on [0, 1]"
    yield ctx.compare(
        "literal", "corrected", left, inputs, words, bound=right + 1e-12 * size, tight=np.nan
    )
    found, case = (left / size)[inside], {"count": int(inside.sum())}
    words, bound = "random steps that stay in [0, 1]", (right / size)[inside]
    yield ctx.compare(
        "inside", "printed", found, case, words, bound=bound, tight=np.nan, tolerance=1e-7
    )


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
    case, words = {**fixed, "omega": 1.2}, "f_t = D - z, one deletion at 50"
    yield ctx.compare(
        "literal", "printed", measure(**fixed), case, words, tight=np.nan, script="eq39"
    )
    eta = proof_step(**fixed)
    yield ctx.compare(
        "any", "corrected", measure(**fixed), {**fixed, "eta": eta}, "f_t = D - z, one deletion"
    )
    for _ in range(ctx.pick(40, 1000)):
        (inputs,) = rows(
            "T k d L D epsilon eta",
            (
                int(rng.integers(50, 400)),
                1,
                1,
                float(np.exp(rng.normal())),
                float(np.exp(rng.normal(0, 3))),
                float(np.exp(rng.normal(-3, 3))),
                float(np.exp(rng.normal(0, 2))),
            ),
        )
        yield ctx.compare("any", "corrected", measure_sum(**inputs), inputs, "f_t = L (D - z)")
    for k in (1, 2, 5):
        eta, L, epsilon, omega = 0.3, 1.7, 0.4, 1.2 + 0.1 * k
        only = {"T": 1, "k": k, "d": 1, "epsilon": epsilon, "L": L, "D": 1.0, "eta": eta}
        rest = 1 / (2 * eta) + eta * L**2 / 2  # D^2/(2 eta) and the gradients of one round
        found = noise_alone(eta, L, k, epsilon, omega) + rest
        words = "Huber losses of curvature 1/eta attain the noise term"
        yield ctx.compare("any", "corrected", found, {**only, "omega": omega}, words, relation="==")
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
        (inputs,) = rows(
            "T k d epsilon L D eta", (T, k, 1, epsilon, runs.lipschitz, runs.diameter, eta)
        )
        yield ctx.compare(
            "any", "corrected", played.regret(still), inputs, f"random Huber losses, {k} deletions"
        )


CHECKS = (
    Check("olu.eq38", evidence=check_step),
    Check("olu.eq39", evidence=check_sum, oracle=measure_sum),
)
