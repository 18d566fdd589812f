"""Theorem 2 of olu as an unlearning guarantee: exact divergences of Gaussian laws."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings, case_table
from verify.olu import streams
from verify.olu.algorithm_1 import hidden


def divergence(
    alpha: float,
    stream: QuadraticStream,
    u: Sequence[int],
    at: Sequence[int],
    sigmas: np.ndarray,
    request: int,
) -> float:
    """D_alpha between the runs with and without u_1..u_i when every u_j precedes the noise."""
    (mean, variance), (other, _) = stream.pair(u, at, sigmas, request)
    gap = float(np.sum((mean - other) ** 2))
    return alpha * gap / (2 * variance) if gap else 0.0


def chain(mu: float, beta: float, u: int, T: int) -> QuadraticStream:
    """z = 0 until f_u = (beta/2)(z - 1)^2; the other losses are (mu/2) z^2; steps 1/(mu t)."""
    points, curvature = np.zeros(T), np.full(T, mu)
    points[u - 1], curvature[u - 1] = 1.0, beta
    return QuadraticStream(points, curvature, 1 / (mu * np.arange(1, T + 1)))


def check(ctx: Context) -> Findings:
    """Exact divergences on quadratics with the printed noise and with the least.

    Then random quadratics on [0, 1] with several deletions.
    """
    alpha, epsilon = 2.0, 1.0
    budget = alpha * epsilon
    words = "(3/2)(z - 1)^2 removed, other losses z^2/2"
    for tau in (6, 14):
        (inputs,) = case_table(
            "alpha epsilon mu beta L u tau", (alpha, epsilon, 1.0, 3.0, 3.0, [4], [tau])
        )
        # Algorithm 1 publishes z_tau, made from f_tau: one step later than the causal w_tau.
        sigma = streams.own_noise(epsilon, 3.0, 1.0, 3.0, [4], [tau])
        divergence_value = divergence(alpha, chain(1, 3, 4, tau), [4], [tau + 1], sigma, 1)
        more = {"bound": budget, "script": "thm2_unlearn_guarantee"}
        yield ctx.compare("literal", "printed", divergence_value, inputs, words, **more)
        sigma = streams.least_noise(epsilon, 3.0, 1.0, [tau])
        divergence_value = divergence(alpha, chain(1, 3, 4, tau), [4], [tau], sigma, 1)
        more = {"bound": budget, "relation": "=="}
        yield ctx.compare("literal", "corrected", divergence_value, inputs, words, **more)
        divergence_value = divergence_value / 0.999**2
        more = {"bound": budget, "role": "control"}
        yield ctx.compare(
            "literal", "corrected", divergence_value, inputs, "0.999 of the least noise", **more
        )
    rng = ctx.rng(1)
    leaks = []
    for _ in range(ctx.pick(100, 3000)):
        ratio = float(rng.uniform(1, 4))
        k = int(rng.integers(1, 4))
        first = math.ceil(0.5 + ratio)
        u = rng.choice(np.arange(first, first + k + 2), size=k, replace=False)
        times = np.sort(first + k + 2 + rng.integers(0, 20, size=k))
        T = int(times[-1]) + 1
        curvature = rng.uniform(1, ratio, size=T)
        points = rng.uniform(0, 1, size=T)
        points[u - 1] = 1.0
        stream = QuadraticStream(points, curvature, 1 / np.arange(1, T + 1))
        L = float(curvature.max())  # every iterate from round 2 ratio on lies in [0, 1]
        sigmas = streams.least_noise(epsilon, L, 1.0, times.tolist())
        means = stream.laws()[0]
        if means.min() >= 0 and means.max() <= 1:
            leaks += [divergence(alpha, stream, u, times, sigmas, i) for i in range(1, k + 1)]
    inputs = {"alpha": alpha, "epsilon": epsilon}
    words = "random quadratics on [0, 1], several deletions"
    yield ctx.compare("literal", "corrected", leaks, inputs, words, bound=budget)


CHECKS = (
    Check("olu.thm2.unlearn", evidence=check)
    .measured_by(
        "online",
        "first_request_gap",
        where=("steps 1/(mu t)", "least noise"),
        sides={"printed": partial(hidden, "printed"), "corrected": partial(hidden, "tight")},
    )
    .beside("means of 1 and -1 by turns, a small ball"),
)
