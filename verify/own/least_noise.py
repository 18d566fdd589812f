"""The least noise for deletions: exact quadratics, linear losses, and projected runs."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

import bounds
from accounting.deletions.noise import least_deletion_noise
from accounting.deletions.online_descent import OnlineDescent, inverse_root, inverse_time
from accounting.deletions.schedule import DeletionSchedule
from simulators.exact.gaussian_divergence import renyi_gauss
from verify.checks import Check, Context, Findings
from verify.olu.definition_2 import stream, window_divergence
from verify.olu.projected_pair import ProjectedPair

Array = np.ndarray


def measure(mu: float, beta: float, L: float, epsilon: float, u: Array, tau: Array) -> float:
    """Least noise at the last request on quadratics, each request served with the least so far."""
    sigma: list[float] = []
    for i in range(1, len(u) + 1):
        index = np.asarray(u[:i], dtype=int)
        times = np.asarray(tau[:i], dtype=int)
        data = stream(int(tau[-1]) + 1, index, mu, L)
        (mean, variance), (other, _) = data.pair(index, times, [*sigma, 0.0], i)
        need = float((mean[0] - other[0]) ** 2) / (2 * epsilon) - variance
        sigma.append(float(np.sqrt(need)))
    return sigma[-1]


def _noise(descent: Any, u: Array, tau: Array, epsilon: float) -> Array:
    return least_deletion_noise(descent, DeletionSchedule(u, tau), epsilon)


def check(ctx: Context) -> Findings:
    """Least noise and exact divergences at every request on random quadratics.

    Linear losses in any order of requests attain it too; runs with a projection stay below.
    """
    for rng in ctx.draws(30, 400):
        k = int(rng.integers(1, 6))
        mu = float(rng.uniform(0.2, 3))
        L = float(rng.exponential())
        beta = mu * float(rng.uniform(1, 2))
        inputs: dict[str, Any] = {
            "mu": mu,
            "beta": beta,
            "L": L,
            "epsilon": float(rng.exponential()),
            "u": rng.permutation(np.arange(3, 12))[:k].astype(float),
            "tau": np.sort(rng.integers(12, 40, size=k)).astype(float),
        }
        yield ctx.compare(
            "literal",
            "tight",
            measure(**inputs),
            inputs,
            "quadratics, all u_j < tau_1: the least noise of the exact laws",
            relation="==",
        )
        u = inputs["u"].astype(int)
        tau = inputs["tau"].astype(int)
        eps = inputs["epsilon"]
        sigma = _noise(OnlineDescent(mu, beta, L, inverse_time(mu)), u, tau, eps)
        order = 1 + float(rng.exponential(3))
        for factor in (1.0, 0.999):
            leaks = [
                window_divergence(stream(41, u[:i], mu, L), u, tau, factor * sigma, i, order)
                for i in range(1, k + 1)
            ]
            yield ctx.compare(
                "literal",
                "tight",
                leaks,
                {"alpha": order, **inputs},
                f"exact divergence at every request, noise times {factor:g}",
                bound=order * eps,
                tight=np.nan,
                relation="==" if factor == 1 else "<=",
                role="bound" if factor == 1 else "control",
            )
    for _ in range(ctx.pick(30, 400)):
        # Linear losses in any order of requests: the runs differ by sum eta_u L, variances agree.
        k = int(rng.integers(1, 7))
        D = float(rng.exponential())
        L = float(rng.exponential())
        u = rng.permutation(np.arange(1, 30))[:k]
        tau = np.maximum.accumulate(u + rng.integers(1, 10, size=k))
        eps = float(rng.exponential())
        sigma = _noise(OnlineDescent(0.0, 0.0, L, inverse_root(D, L)), u, tau, eps)
        shifts = np.cumsum(D / np.sqrt(u))
        variance = np.cumsum(sigma**2)
        yield ctx.compare(
            "literal",
            "tight",
            renyi_gauss(shifts, variance, 0.0, variance, 2.0),
            {"D": D, "L": L},
            "linear losses, interleaved requests",
            bound=2.0 * eps,
            tight=np.nan,
            relation="==",
        )
    yield from _skipped(ctx, rng)


def _skipped(ctx: Context, rng: np.random.Generator) -> Findings:
    """A step skipped after the first noise breaks the guarantee on R, and not on K."""
    u = np.array([1, 4])
    tau = np.array([3, 5])
    points = np.array([0.5, 0, 0, 0.5, 0])
    case = ProjectedPair(0.5, points, np.ones(5), 1.0, 0.0, u, tau)
    sigma = case.least_noise(1.0)
    (mean, variance), (other, same) = case.unprojected().pair(u, tau, sigma, 2)
    for order in (5.0, 6.2):
        inputs = {"alpha": order, "epsilon": 1.0}
        leak = float(renyi_gauss(other[0], same, mean[0], variance, order))
        instance = "mu = L = 1, u = 1, 4, tau = 3, 5 on R, retrained against unlearned"
        yield ctx.compare(
            "unprojected", "tight", leak, inputs, instance, bound=order, script="opt_greedy"
        )
        yield ctx.compare(
            "projected",
            "tight",
            leak,
            inputs,
            f"{instance}: without projection",
            bound=order,
            role="control",
        )
    for order in (1.5, 5.0, 6.2, 30.0):
        pair = case.divergences(sigma, 2, order)
        yield ctx.compare(
            "projected",
            "tight",
            max(pair),
            {"alpha": order, "epsilon": 1.0},
            "the same on [-1/2, 1/2], transfer operator, both directions",
            bound=order,
            tight=np.nan,
        )
    case = ProjectedPair.nearly_linear()
    sigma = case.least_noise(0.5)
    for request in (1, 2):
        inputs = {"alpha": 2.0, "epsilon": 0.5}
        close = max(case.divergences(sigma, request, 2.0))
        instance = f"nearly linear deleted losses on [-1/2, 1/2], request {request}"
        yield ctx.compare("projected", "tight", close, inputs, instance, bound=1.0, tight=np.nan)
        yield ctx.compare(
            "projected",
            "tight",
            max(case.divergences(0.9 * sigma, request, 2.0)),
            inputs,
            f"{instance}: nine tenths of the noise",
            bound=1.0,
            role="control",
        )
    for _ in range(ctx.pick(10, 150)):
        case = ProjectedPair.random(rng)
        eps = float(rng.uniform(0.2, 2))
        order = float(rng.choice([1.5, 3.0, 10.0]))
        sigma = case.least_noise(eps)
        leaks = [max(case.divergences(sigma, i, order)) for i in range(1, len(case.tau) + 1)]
        yield ctx.compare(
            "projected",
            "tight",
            leaks,
            {"alpha": order, "epsilon": eps},
            "random quadratics on [-1/2, 1/2], random schedules, both directions",
            bound=order * eps,
            tight=np.nan,
        )


def hidden(known: Mapping[str, Any]) -> float:
    """The distance that the least noise of the first request hides: D_alpha = alpha eps there."""
    constants = {n: known[n] for n in ("mu", "beta", "L", "epsilon")}
    noise = bounds.get("own.opt.greedy")(
        "tight", u=[known["u_1"]], tau=[known["tau_1"]], **constants
    )
    return float(noise) * math.sqrt(2 * known["epsilon"])


CHECKS = (
    Check("own.opt.greedy", evidence=check, exact_side=measure)
    .measured_by(
        "online",
        "first_request_gap",
        interpretations=("projected",),
        where=("steps 1/(mu t)", "least noise"),
        sides={"tight": hidden},
    )
    .beside("means of 1 and -1 by turns, a small ball"),
)
