"""Proposition 1 of olu: random chains of discrete laws, and two-point laws that cost more than k
eps."""

import numpy as np
from scipy.special import logsumexp

from simulators.exact.gaussian_divergence import renyi_gauss
from verify.checks import Check, Context, Findings, Instances, case_table

Array = np.ndarray
TWO_POINTS = (0.99, 0.01, 2.2e-5)


def measure(alpha: float, k: float, epsilon: float) -> float:
    """Exact divergence of unit Gaussians k equal steps apart: k eps, less than two-point laws
    reach."""
    step = np.sqrt(2 * epsilon / alpha)
    return float(renyi_gauss(k * step, 1.0, 0.0, 1.0, alpha / k))


def renyi(logs: Array, other: Array, alpha: Array) -> Array:
    """D_alpha of discrete laws given as logarithms (..., points), alpha (...)."""
    a = np.asarray(alpha)[..., None]
    return np.asarray(logsumexp(a * logs + (1 - a) * other, axis=-1) / (a[..., 0] - 1))


def chain(logs: Array, alpha: Array) -> tuple[Array, Array]:
    """(eps, D_{alpha/k}) of chains (n, k + 1, points) of laws: largest neighbour, and the ends."""
    k = logs.shape[1] - 1
    order = np.asarray(alpha)[:, None]
    forth = renyi(logs[:, :-1], logs[:, 1:], order)
    back = renyi(logs[:, 1:], logs[:, :-1], order)
    ends = renyi(logs[:, 0], logs[:, -1], np.asarray(alpha) / k)
    return np.maximum(forth, back).max(axis=1), ends


def tilted(rng: np.random.Generator, n: int, k: int, points: int) -> Array:
    """n chains of k + 1 laws, as logarithms: a tilt of random steps, with some noise or none."""
    slope = rng.normal(size=(n, 1, points)) * np.exp(rng.normal(0, 1, (n, 1, 1)))
    place = np.cumsum(rng.uniform(0.2, 1, (n, k + 1, 1)), axis=1)
    noise = rng.normal(size=(n, k + 1, points)) * rng.choice((0.0, 0.2, 1.0), (n, 1, 1))
    logs = place * slope + noise + 2 * rng.normal(size=(n, 1, points))
    return np.asarray(logs - logsumexp(logs, axis=-1, keepdims=True))


def check(ctx: Context) -> Findings:
    """Divergence at the ends of random chains of discrete laws, and two-point laws.

    The corrected factor stays between k and k^1.6.
    """
    rng = ctx.rng(1)
    n = ctx.pick(1000, 30_000)
    for k in (1, 2, 3, 5, 7):
        for points in (2, 3, 5):
            alpha = 2 * k * (1 + rng.exponential(size=n) * rng.integers(0, 2, size=n))
            epsilon, ends = chain(tilted(rng, n, k, points), alpha)
            inputs = {"alpha": alpha, "k": float(k), "epsilon": epsilon}
            words = f"random chains of {k + 1} laws on {points} points"
            yield from ctx.compare_forms("literal", ends, inputs, words, tolerance=1e-8)
    chances = np.array(TWO_POINTS)
    epsilon, ends = chain(np.log([np.stack((chances, 1 - chances), axis=-1)]), np.array([4.0]))
    inputs = {"alpha": 4.0, "k": 2.0, "epsilon": epsilon}
    short = 2 * epsilon
    yield from ctx.compare_forms(
        "literal", ends, inputs, "two-point laws .99, .01, 2.2e-5: 2.33 eps"
    )
    words = "k eps would be too small"
    yield ctx.compare("literal", "corrected", ends, inputs, words, bound=short, role="control")
    # The corrected factor, whatever k and alpha, lies between k and 2k - 1 <= k^1.6.
    sizes = np.arange(1.0, 400)
    for ratio in (2.0, 3.0, 50.0):
        inputs = {"alpha": ratio * sizes, "k": sizes, "epsilon": 1.0}
        factor = ctx.claim("corrected", **inputs)
        yield ctx.compare("literal", "printed", factor, inputs, "C_k(alpha) against k^1.6")
        yield ctx.compare("literal", "corrected", sizes, inputs, "Gaussians need k", tight=np.nan)


LINE = Instances(
    "Gaussians on a line", case_table("alpha k epsilon", *((24.0, k, 0.5) for k in (1, 2, 6, 12)))
)
CHECKS = (
    Check("olu.prop1", check, measure, (LINE,))
    .measured_by("online", "group_divergence", where=("steps 1/(mu t)",))
    .beside("means of 1 and -1 by turns, a small ball"),
)
