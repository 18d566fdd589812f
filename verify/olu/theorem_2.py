"""Theorem 2 of olu: its regret, with the noise it prints and with noise that unlearns."""

import math
from collections.abc import Sequence

import numpy as np

from bounds.olu.theorem_2 import LOUD
from verify.checks import Check, Context, Findings, case_table
from verify.olu import streams
from verify.olu.sampled import logistic_regret
from verify.olu.streams import among


def measure(
    T: float,
    d: float,
    epsilon: float,
    L: float,
    mu: float,
    beta: float,
    u: Sequence[float],
    tau: Sequence[float],
) -> float:
    """Exact expected regret with the least valid noise: removed points at a corner, others 0."""
    box = streams.edge_box(T, d, L, mu, u)
    times = [int(t) for t in tau]
    return box.regret([int(n) for n in u], times, streams.least_noise(epsilon, L, mu, times))


def check(ctx: Context) -> Findings:
    """Regret with Algorithm 1's noise and with the least: boxes, logistic losses, one deletion.

    Equal losses show that '=' is too much; restarts in blocks beat the printed bound.
    """
    rng = ctx.rng()
    words = "random quadratics on boxes, noise of Algorithm 1"
    own = streams.regrets(rng, ctx.pick(60, 3000), streams.with_own_noise, requests=2)
    yield streams.compare_many(ctx, "literal", "printed", own, words, best=False)
    (still,) = case_table("T d epsilon L mu beta u tau", (100, 1, 1.0, 1.0, 1.0, 1.0, [4], [50]))
    nothing = streams.BoxQuadratics(np.zeros((1, 100)), np.ones(100), 1.0, 0.5)
    regret = nothing.regret([4], [50], streams.with_own_noise(still))
    words = "z^2/2 from 0: no regret"
    more = {"relation": "==", "tight": math.nan, "script": "thm2_equality"}
    yield ctx.compare("equality", "printed", regret, still, words, **more)
    valid = streams.regrets(rng, ctx.pick(100, 4000), streams.with_least_noise)
    late = {**LOUD, "T": 20_000, "tau": [4001], "epsilon": 2e-6}
    loud, louder = measure(**LOUD), measure(**late)
    sampled, random_inputs = logistic_regret(ctx, T=60, d=5, k=3, trials=ctx.pick(20_000, 200_000))
    for form in ("corrected", "tight"):
        words = "random quadratics on boxes, least noise"
        yield streams.compare_many(ctx, "valid", form, valid, words)
        words = "ridge logistic losses on a ball, sampled"
        yield ctx.compare("valid", form, sampled, random_inputs, words, basis="statistical")
        for regret, inputs in ((loud, LOUD), (louder, late)):
            yield ctx.compare("valid", form, regret, inputs, "one loud deletion, least noise")
    words = "f_4 = (z - 1/2)^2/2 removed at 1001, other losses z^2/2, on [-1/2, 1/2]"
    yield ctx.compare("valid", "printed", loud, LOUD, words, script="thm2_valid")
    words = "the tight form, deletions as early and as dense as can be"
    for k in (1, 5, 50):
        dense = {"T": 200, "d": 10, "epsilon": 0.01, "L": 1.0, "mu": 1.0, "tau": np.arange(k) + 2}
        yield ctx.compare("valid", "corrected", ctx.claim("tight", **dense), dense, words)
    values = among(late, ("T", "d", "epsilon", "L", "mu", "tau"))
    halved = ctx.claim("tight", **{**values, "epsilon": 2 * late["epsilon"]})
    words = "half the noise term would be too little"
    yield ctx.compare("valid", "tight", louder, late, words, bound=halved, role="control")
    words = "restarting in equal blocks beats the printed bound even without its noise"
    yield from streams.restarts(ctx, "useful", words, "thm2_useful")


CHECKS = (
    Check(
        "olu.thm2",
        evidence=check,
        exact_side=measure,
        pictures="verify.olu.regret_pictures:strongly_convex",
    )
    .measured_by(
        "online",
        "expected_regret",
        interpretations=("valid",),
        where=("steps 1/(mu t)", "least noise"),
    )
    .beside("means of 1 and -1 by turns, a small ball"),
)
