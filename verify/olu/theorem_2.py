"""Theorem 2 of olu: its regret, with the noise it prints and with noise that unlearns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

import bounds
from bounds.olu.theorem_2 import LOUD
from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import streams
from verify.olu.sampled import logistic_regret
from verify.olu.streams import known


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


def check(ctx: Context) -> Iterator[Evidence]:
    yield from _regret(ctx)
    for k in (1, 2, 3, 5, 10):
        for T in (10**3, 10**4, 10**6):
            tau = [round(T * (i + 1) / (k + 1)) for i in range(k)]
            restart = bounds.get("olu.tab2")("corrected", T=T, L=1.0, mu=1.0, tau=tau)
            found, inputs = math.log(T) + 2 * k**2, {"T": T, "k": k, "L": 1.0, "mu": 1.0}
            words = "restarting in equal blocks beats the printed bound even without its noise"
            more = {"role": "class", "script": "thm2_useful"}
            yield ctx.compare("useful", "printed", found, inputs, words, bound=restart, **more)


def _regret(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    own = streams.regrets(rng, ctx.pick(60, 3000), streams.with_own_noise, requests=2)
    yield streams.compare_many(
        ctx,
        "literal",
        "printed",
        own,
        "random quadratics on boxes, noise of Algorithm 1",
        best=None,
    )
    (still,) = rows("T d epsilon L mu beta u tau", (100, 1, 1.0, 1.0, 1.0, 1.0, [4], [50]))
    nothing = streams.Box(np.zeros((1, 100)), np.ones(100), 1.0, 0.5)
    found = nothing.regret([4], [50], streams.with_own_noise(still))
    words = "losses z^2/2 from 0: no regret"
    more = {"relation": "==", "tight": math.nan, "script": "thm2_equality"}
    yield ctx.compare("equality", "printed", found, still, words, **more)
    valid = streams.regrets(rng, ctx.pick(100, 4000), streams.with_least_noise)
    for form in ("corrected", "tight"):
        yield streams.compare_many(
            ctx, "valid", form, valid, "random quadratics on boxes, least noise"
        )
    sampled, inputs = logistic_regret(ctx, T=60, d=5, k=3, trials=ctx.pick(20_000, 200_000))
    for form in ("corrected", "tight"):
        words = "ridge logistic losses on a ball, sampled"
        yield ctx.compare("valid", form, sampled, inputs, words, basis="statistical")
    late = {**LOUD, "T": 20_000, "tau": [4001], "epsilon": 2e-6}
    loud, louder = measure(**LOUD), measure(**late)
    words = "f_4 = (z - 1/2)^2/2 removed at 1001, other losses z^2/2, on [-1/2, 1/2]"
    yield ctx.compare("valid", "printed", loud, LOUD, words, script="thm2_valid")
    for exact, inputs in ((loud, LOUD), (louder, late)):
        for form in ("corrected", "tight"):
            yield ctx.compare("valid", form, exact, inputs, "one loud deletion, least noise")
    for k in (1, 5, 50):
        dense = {"T": 200, "d": 10, "epsilon": 0.01, "L": 1.0, "mu": 1.0, "tau": np.arange(k) + 2}
        words = "the tight form, deletions as early and as dense as can be"
        yield ctx.compare(
            "valid", "corrected", ctx.claim("tight", **dense), {**dense, "k": k}, words
        )
    values = known(late, ("T", "d", "epsilon", "L", "mu", "tau"))
    halved = ctx.claim("tight", **{**values, "epsilon": 2 * late["epsilon"]})
    words = "half the noise term would be too little"
    yield ctx.compare("valid", "tight", louder, late, words, bound=halved, role="control")


CHECKS = (
    Check(
        "olu.thm2",
        evidence=check,
        oracle=measure,
        pictures="verify.olu.regret_pictures:strongly_convex",
    ),
)
