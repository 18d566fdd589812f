"""Corollary 7 of olu and (22): refuted where gamma = 0 and the noise is loud."""

import numpy as np

from bounds.olu.corollary_7 import SUDDEN
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu import alternating_means, streams

MOMENT = 1001


def measure(
    T: float,
    k: float,
    d: float,
    epsilon: float,
    L: float,
    mu: float,
    beta: float,
    omega: float = 1.2,
) -> float:
    """Exact expected regret: one point at a corner of a box, removed as soon as it came, t = 1001.

    Own noise of Algorithm 1, projected; the first of k deletions is simulated.
    """
    box = streams.edge_box(T, d, L, mu, [MOMENT])
    sigmas = streams.own_noise(epsilon, L, mu, beta, [MOMENT], [MOMENT], omega)
    return box.regret([MOMENT], [MOMENT], sigmas)


def measure_22(gamma: float, u_i: float) -> float:
    """The largest summand over tau = u, u + 1, ..."""
    m = np.arange(2000.0)
    return float(((u_i + m) / u_i**2 * gamma ** (2 * m)).max())


def check_corollary(ctx: Context) -> Findings:
    """Regret with Algorithm 1's own noise: a loss removed at once, parabolas, random boxes."""
    exact = measure(**SUDDEN)
    words = "quadratics, beta = mu: removed as soon as it came"
    yield from ctx.compare_forms("literal", exact, SUDDEN, words, script="cor7")
    T, h = ctx.pick(100_000, 1_000_000), 0.1
    exact = alternating_means.regret(T, h)
    quiet = {**SUDDEN, "T": T, "epsilon": 1e12, "L": 1 + h}
    words = "alternating parabolas, a deletion in the last round"
    yield ctx.compare("literal", "corrected", exact, quiet, words)
    samples = streams.regrets(ctx.rng(), ctx.pick(80, 3000), streams.with_own_noise, requests=2)
    own = [(regret, {**inputs, "k": len(inputs["tau"])}) for regret, inputs in samples]
    words = "random quadratics on boxes, own noise"
    yield streams.compare_many(ctx, "literal", "corrected", own, words)


def check_22(ctx: Context) -> Findings:
    """Summands at random gamma, u and tau, against all forms."""
    rng = ctx.rng()
    n = ctx.pick(2000, 50_000)
    gamma = rng.uniform(size=n) ** 0.3
    u = rng.integers(1, 30, size=n)
    m = rng.integers(0, 60, size=n)
    summand = (u + m) / u**2 * gamma ** (2 * m)
    inputs = {"gamma": gamma, "u_i": u}
    yield from ctx.compare_forms("literal", summand, inputs, "random gamma, u and tau")
    (case,) = case_table("gamma u_i", (0.999, 1))
    words = "half the second term: too little"
    top_summand = measure_22(**case)
    bound = 1 - 1 / (4 * np.e * np.log(0.999))
    yield ctx.compare("literal", "corrected", top_summand, case, words, bound=bound, role="control")


LARGEST = Instances(
    "all tau, by search",
    case_table("gamma u_i", (0.0, 1), (0.5, 2), (0.9, 3), (0.99, 10), (0.7, 1)),
    relations={"tight": "=="},
)
ARITHMETIC = "arithmetic of a schedule: no quantity of a run"
CHECKS = (
    Check(
        "olu.cor7",
        evidence=check_corollary,
        exact_side=measure,
        far=("1 + log T + k + k^2 is at least twice what is true without noise, (1 + log T)/2 + k"),
    )
    .measured_by("online", "paper_noise_regret", where=("steps 1/(mu t)", "passive"))
    .beside("means of 1 and -1 by turns, a small ball"),
    Check("olu.eq22", check_22, measure_22, (LARGEST,), exact_only=ARITHMETIC),
)
