"""Theorem 6 of olu, unlearning: refuted on a running mean; repaired, with exact laws."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

import bounds
from accounting.deletions.active import first_order
from accounting.deletions.noise import minimal_noise
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule
from simulators.exact.line_divergence import renyi
from simulators.exact.transfer import Atoms, Grid, Step, evolve
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu.active_runs import Array, seen
from verify.olu.theorem_6_shift import measure as distance
from verify.olu.theorem_6_shift import running_mean


def measure(
    alpha: float, epsilon: float, I1: float, I2: float, beta: float, u: float, tau: float
) -> float:
    """Exact D_alpha on the running mean with the noise (40), omega = 6/5, mu = L = 1."""
    b, omega = Fraction(beta), Fraction(6, 5)
    gamma = (b - 1) / (b + 1)
    sensitivity = gamma ** int(I2) * (6 + gamma ** int(tau - u) / int(u)) / int(tau)
    variance = omega / (2 * (omega - 1) * Fraction(epsilon)) * sensitivity**2
    apart = running_mean(int(I1), int(I2), b, int(u), int(tau))
    return float(Fraction(alpha) * apart**2 / (2 * variance))


STEPS = inverse_time(1.0)


def check(ctx: Context) -> Findings:
    """Divergence of random instances with the repaired noise, and a running mean with equality."""
    for rng in ctx.draws(6, 40):
        yield from _guarantee(ctx, rng)
    words = "a running mean, one request: equality"
    learner = OnlineDescent(1.0, 3.0, 1.0, STEPS)
    for inputs in case_table(
        "alpha epsilon I2 u tau", *((3.0, 0.1, I2, 4, 40) for I2 in (0, 1, 4))
    ):
        sigma = _noise(learner, [4], [40], inputs["I2"], 0.1)[0]
        apart = distance(1, 0, inputs["I2"], 39, 4, 40, 1.0, 3.0, 1.0, 1.0)
        divergence = 3.0 * apart**2 / (2 * sigma**2)
        yield ctx.compare("repaired", "printed", divergence, inputs, words, relation="==")


def _noise(learner: OnlineDescent, u: list[int], tau: list[int], I2: int, epsilon: float) -> Array:
    sensitivity = first_order(learner, DeletionSchedule(np.array(u), np.array(tau)), I2)
    return minimal_noise(sensitivity.log_shifts, sensitivity.log_factors, epsilon)


def _affine(slope: float, offset: float) -> Callable[[Array], Array]:
    return lambda z: slope * z + offset


def _guarantee(ctx: Context, rng: np.random.Generator) -> Findings:
    """Exact divergences after two requests: quadratics on [-1, 1], noise, projection."""
    tau = sorted(int(t) for t in rng.choice(np.arange(5, 12), size=2, replace=False))
    u = [int(x) for x in rng.choice(np.arange(2, tau[0]), size=2, replace=False)]
    if rng.random() < 0.5:
        u[1] = int(rng.integers(tau[0], tau[1]))
    T, I2, epsilon = tau[-1], int(rng.integers(1, 3)), float(np.exp(rng.uniform(-3, -1)))
    h, x = rng.uniform(1, 2, size=T), rng.uniform(-1, 1, size=T)
    x[[n - 1 for n in u]] = np.sign(x[[n - 1 for n in u]])
    learner = OnlineDescent(1.0, 3.0, float((h * (1 + np.abs(x))).max()), STEPS)
    sigma = _noise(learner, u, tau, I2, epsilon)
    grid = Grid.make(1.0, 200)

    def law(removed: list[int], n: int) -> list[Step]:
        steps, at = [], 1
        for i, time in enumerate(tau[:n], start=1):
            slope, offset = 1.0, 0.0
            for t in range(at, time):
                if t not in removed:
                    rate = h[t - 1] / t
                    slope = (1 - rate) * slope
                    offset = (1 - rate) * offset + rate * x[t - 1]
            keep = seen(time, [*u[:i], *removed])
            rate = float(h[keep].mean()) / 2  # 2/(beta + mu) = 1/2
            centre = float((h[keep] * x[keep]).sum() / h[keep].sum())
            for _ in range(I2):
                slope = (1 - rate) * slope
                offset = (1 - rate) * offset + rate * centre
            steps.append(Step.make(grid, _affine(slope, offset), float(sigma[i - 1])))
            at = time
        return steps

    start = Atoms.at(float(rng.uniform(-1, 1)))
    for n in (1, 2):
        p = evolve(start, law([], n))
        q = evolve(start, law(u[:n], n))
        for alpha in (1.5, 4.0):
            divergence = max(renyi(p, q, alpha), renyi(q, p, alpha))
            inputs = {"alpha": alpha, "epsilon": epsilon, "I2": I2, "u": str(u), "tau": str(tau)}
            words = f"quadratics on [-1, 1], request {n}, exact laws"
            yield ctx.compare("repaired", "printed", divergence, inputs, words, tolerance=1e-8)


MEAN = Instances(
    "a running mean with one point at 1",
    case_table(
        "alpha epsilon I1 I2 beta u tau", *((2.0, 0.5, 6, I2, 3.0, 4, 40) for I2 in (7, 8, 12, 20))
    ),
    interpretations=("literal",),
    script="thm6_unlearn",
)


def hidden(known: Mapping[str, Any]) -> float:
    """The distance that the noise (40) of the first request hides: D_alpha = alpha eps there."""
    constants = {n: known[n] for n in ("I2", "mu", "beta", "L", "epsilon")}
    noise = bounds.get("olu.eq40")("printed", u=[known["u_1"]], tau=[known["tau_1"]], **constants)
    return float(noise) * math.sqrt(2 * known["epsilon"])


def least(known: Mapping[str, Any]) -> float:
    """The same of the noise that the run has."""
    return float(known["sigma_1"]) * math.sqrt(2 * float(known["epsilon"]))


CHECKS = (
    Check("olu.thm6.unlearn", check, measure, (MEAN,))
    .measured_by(
        "online",
        "first_request_gap",
        interpretations=("literal",),
        where=("steps 1/(mu t)", "active as printed"),
        sides={"printed": hidden},
    )
    .measured_by(
        "online",
        "first_request_gap",
        interpretations=("repaired",),
        where=("steps 1/(mu t)", "active"),
        sides={"printed": least},
    )
    .beside("logistic loss of both labels by turns, two steps at a request"),
)
