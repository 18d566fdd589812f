"""Proposition 1 of olu: random chains of discrete laws, and coins that cost more than k eps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulators.exact.discrete import renyi
from simulators.exact.gaussian_divergence import renyi_gauss
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="olu.prop1",
    label="Proposition 1 (Lemmas 1 and 2)",
    kind="inequality",
    statement="If A is (alpha, eps)-RDP and alpha >= 2k, then D_{alpha/k}(A(S) || A(S')) <= "
    "k^1.6 eps for data sets that differ in at most k elements.",
    aliases=("olu.lem1", "olu.lem2"),
    readings=(
        Reading(
            "literal",
            "replacing an element (by the skip symbol) is one step; alpha >= 2k",
            ("printed", "corrected"),
            proofs={
                "printed": "C_k <= 2k - 1 <= k^1.6 for every k (the cited proof: k = 2^c only)",
                "corrected": "weak triangle inequality k - 1 times, orders alpha/k up to alpha",
            },
        ),
    ),
    natural=Natural("k", tuple(map(float, range(1, 13))), {"alpha": 24.0, "epsilon": 1.0}),
    quantity="D_{alpha/k} of the ends of a chain",
    correction="Factor C_k(alpha) <= 2k - 1; the second copy's (k alpha, eps) is a slip.",
)
COINS = (0.99, 0.01, 2.2e-5)


def measure(alpha: float, k: float, epsilon: float) -> float:
    """Exact divergence of unit Gaussians k equal steps apart: k eps, less than coins reach."""
    step = np.sqrt(2 * epsilon / alpha)
    return float(renyi_gauss(k * step, 1.0, 0.0, 1.0, alpha / k))


def chain(laws: np.ndarray, alpha: float) -> tuple[float, float]:
    """(eps, D_{alpha/k}) of a chain of k + 1 discrete laws: largest neighbour, both directions."""
    k = len(laws) - 1
    steps = [(laws[i], laws[i + 1]) for i in range(k)]
    epsilon = max(renyi(p, q, alpha) for a, b in steps for p, q in ((a, b), (b, a)))
    return epsilon, renyi(laws[0], laws[-1], alpha / k)


def tilted(rng: np.random.Generator, k: int) -> np.ndarray:
    """A chain of k + 1 laws on 2 to 4 points: random, or a steady tilt with a little noise."""
    size = int(rng.integers(2, 5))
    slope = rng.normal(size=size) * np.exp(rng.normal(0, 1))
    place = np.cumsum(rng.uniform(0.2, 1, k + 1))
    logs = place[:, None] * slope + rng.normal(size=(k + 1, size)) * rng.choice((0.0, 0.2, 1.0))
    logs += rng.normal(size=size) * 2
    laws = np.exp(logs - logs.max(axis=1, keepdims=True)) + 1e-9
    return np.asarray(laws / laws.sum(axis=1, keepdims=True))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in (1, 2, 3, 5, 7):
        rows = []
        for _ in range(ctx.pick(120, 3000)):
            alpha = 2 * k * (1 + float(rng.exponential()) * rng.integers(0, 2))
            rows.append((alpha, *chain(tilted(rng, k), alpha)))
        alphas, epsilons, ends = np.array(rows).T
        inputs = {"alpha": alphas, "k": float(k), "epsilon": epsilons}
        yield from ctx.compare_forms("literal", ends, inputs, f"random chains of {k + 1} laws")
    laws = np.array([(p, 1 - p) for p in COINS])
    epsilon, ends = chain(laws, 4.0)
    inputs = {"alpha": 4.0, "k": 2.0, "epsilon": epsilon}
    coins = "coins .99, .01, 2.2e-5: 2.33 eps"
    yield from ctx.compare_forms("literal", ends, inputs, coins)
    yield ctx.compare(
        "literal", "corrected", ends, inputs, "k eps would be too small", bound=2 * epsilon,
        role="control",
    )  # fmt: skip
    for k in (1.0, 2.0, 6.0, 12.0):
        inputs = {"alpha": 24.0, "k": k, "epsilon": 0.5}
        yield from ctx.compare_forms("literal", measure(**inputs), inputs, "Gaussians on a line")
    # The corrected factor, whatever k and alpha, lies between k and 2k - 1 <= k^1.6.
    k = np.arange(1.0, 400)
    for ratio in (2.0, 3.0, 50.0):
        inputs = {"alpha": ratio * k, "k": k, "epsilon": 1.0}
        factor = ctx.formula("corrected", **inputs)
        yield ctx.compare("literal", "printed", factor, inputs, "C_k(alpha) against k^1.6")
        yield ctx.compare("literal", "corrected", k, inputs, "Gaussians need k", tight=np.nan)
