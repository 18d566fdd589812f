"""Equation (5) of olu: regret against comparators that change with every deletion."""

import numpy as np

from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings


def regret(
    points: np.ndarray, mu: float, u: np.ndarray, tau: np.ndarray, sigma: np.ndarray
) -> tuple[float, float]:
    """(moving, fixed comparator) expected regret on mu-quadratics, eta_t = 1/(mu t), from 0.

    By the definition, loop by loop: mean and variance of w_t, comparators as means.
    """
    T, mean, variance = len(points), 0.0, 0.0
    total, moving, fixed = float(points.sum()), 0.0, 0.0
    for t in range(1, T + 1):
        variance += sum(s**2 for s, at in zip(sigma, tau, strict=True) if at == t)
        deletions = [int(j) for j, at in zip(u, tau, strict=True) if at < t]
        star = (total - sum(points[j - 1] for j in deletions)) / (T - len(deletions))
        x = float(points[t - 1])
        played = (mean - x) ** 2 + variance
        moving += mu / 2 * (played - (star - x) ** 2)
        fixed += mu / 2 * (played - (total / T - x) ** 2)
        mean = mean + (x - mean) / t
        variance = variance * (1 - 1 / t) ** 2
    return moving, fixed


def check(ctx: Context) -> Findings:
    """Regret with moving and with fixed comparators on sine data, by exact laws and by loops."""
    yield ctx.declare(
        "literal", "printed", "ill-typed", "u_0 is undefined in the sum from j = 0 to i"
    )
    rng = ctx.rng()
    cases = [(50, 2.0, np.array([7, 30]), np.array([20, 35]), np.array([0.3, 0.2]))]
    for _ in range(ctx.pick(20, 300)):
        T, k = int(rng.integers(10, 60)), int(rng.integers(1, 5))
        tau = np.sort(rng.integers(6, T + 1, size=k))
        u = rng.permutation(np.arange(1, 6))[:k]
        cases.append((T, float(rng.uniform(0.1, 4)), u, tau, rng.exponential(size=k)))
    for T, mu, u, tau, sigma in cases:
        points = np.sin(np.arange(1, T + 1))
        steps = 1 / (mu * np.arange(1, T + 1))
        data = QuadraticStream(points, mu, steps)
        regrets = [data.expected_regret(u, tau, sigma, moving=m) for m in (True, False)]
        words = "sine data: moving and fixed comparators, exact laws and loop by loop"
        bound = np.array(regret(points, mu, u, tau, sigma))
        yield ctx.compare(
            "literal", "corrected", regrets, {"T": T, "mu": mu}, words, bound=bound, tolerance=1e-11
        )
        ends = np.concatenate(([0], tau, [T]))
        total = float(np.sum(np.arange(len(tau) + 1) * np.diff(ends)))
        words = "sum_i i (tau_{i+1} - tau_i) = sum_i (T - tau_i)"
        right = float(np.sum(T - np.asarray(tau)))
        yield ctx.compare(
            "literal", "corrected", total, {"T": T, "k": len(tau)}, words, bound=right
        )


CHECKS = (Check("olu.eq5", evidence=check),)
