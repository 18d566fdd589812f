"""Theorem 2 of olu: its regret, with the noise it prints and with noise that unlearns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

import bounds
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import streams
from verify.olu.sampled import logistic_regret
from verify.olu.streams import LOUD, known

REGRET_PROOF = (
    "one step in expectation, telescoped; comparators by Lemma 5; noise d sigma^2/(2 eta)"
)
PICTURES = {"olu.thm2": "verify.olu.regret_pictures:strongly_convex"}

CLAIM = Claim(
    id="olu.thm2",
    label="Theorem 2",
    kind="inequality",
    statement="Passive unlearning with steps 1/(mu t) and u_i >= 1/2 + beta/mu has expected "
    "regret (L^2/mu)(log T + 2 k^2 + sqrt(3) d k^1.7 G_1/eps).",
    readings=(
        Reading(
            "literal",
            "Algorithm 1's own noise, which does not unlearn; '=' read as '<='; noise inside the "
            "projection, as in (12)",
            ("printed",),
            proofs={"printed": "(18) and (19); (1 + log T)/2 + k <= log T + 2 k^2 for T >= 2"},
        ),
        Reading("equality", "the same, with the '=' as printed", ("printed",)),
        Reading(
            "valid",
            "the least noise for which D_alpha <= alpha eps, projected after it",
            ("printed", "corrected", "tight"),
            proofs={
                "corrected": "from the tight form: H_T <= 1 + log T and tau_i - 1 >= i",
                "tight": REGRET_PROOF,
            },
            stance="repair",
        ),
        Reading(
            "useful",
            "below what discard-and-restart is proved to achieve without noise, at T <= 10^6",
            ("printed",),
            stance="repair",
        ),
    ),
    natural=Natural(
        "T",
        (1100, 1500, 2000, 3000, 5000, 8000),
        {key: LOUD[key] for key in LOUD if key != "T"},
        log_x=True,
    ),
    quantity="expected regret with noise that unlearns",
    correction="'<='; eta_u L gamma^(tau-u) must be L/(mu (tau - 1)), the noise "
    "(2i - 1) L^2/(2 eps mu^2 (tau_i - 1)^2); then (L^2/mu)((1 + log T)/2 + k + d k/(2 eps)).",
)


def measure(
    T: float, d: float, epsilon: float, L: float, mu: float, beta: float, u: Sequence[float],
    tau: Sequence[float],
) -> float:  # fmt: skip
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
            yield ctx.compare(
                "useful", "printed", math.log(T) + 2 * k**2, {"T": T, "k": k, "L": 1.0, "mu": 1.0},
                "restarting in equal blocks beats the printed bound even without its noise",
                bound=restart, role="class", script="thm2_useful",
            )  # fmt: skip


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
    still = {"T": 100, "d": 1, "epsilon": 1.0, "L": 1.0, "mu": 1.0, "beta": 1.0, "u": [4],
             "tau": [50]}  # fmt: skip
    nothing = streams.Box(np.zeros((1, 100)), np.ones(100), 1.0, 0.5)
    yield ctx.compare(
        "equality", "printed", nothing.regret([4], [50], streams.with_own_noise(still)), still,
        "losses z^2/2 from 0: no regret", relation="==", tight=math.nan, script="thm2_equality",
    )  # fmt: skip
    valid = streams.regrets(rng, ctx.pick(100, 4000), streams.with_least_noise)
    for form in ("corrected", "tight"):
        yield streams.compare_many(
            ctx, "valid", form, valid, "random quadratics on boxes, least noise"
        )
    sampled, inputs = logistic_regret(ctx, T=60, d=5, k=3, trials=ctx.pick(20_000, 200_000))
    for form in ("corrected", "tight"):
        yield ctx.compare(
            "valid", form, sampled, inputs, "ridge logistic losses on a ball, sampled",
            basis="statistical",
        )  # fmt: skip
    late = {**LOUD, "T": 20_000, "tau": [4001], "epsilon": 2e-6}
    loud, louder = measure(**LOUD), measure(**late)
    yield ctx.compare(
        "valid", "printed", loud, LOUD,
        "f_4 = (z - 1/2)^2/2 removed at 1001, other losses z^2/2, on [-1/2, 1/2]",
        script="thm2_valid",
    )  # fmt: skip
    for exact, inputs in ((loud, LOUD), (louder, late)):
        for form in ("corrected", "tight"):
            yield ctx.compare("valid", form, exact, inputs, "one loud deletion, least noise")
    for k in (1, 5, 50):
        dense = {"T": 200, "d": 10, "epsilon": 0.01, "L": 1.0, "mu": 1.0, "tau": np.arange(k) + 2}
        yield ctx.compare(
            "valid", "corrected", ctx.formula("tight", **dense), {**dense, "k": k},
            "the tight form, deletions as early and as dense as can be",
        )  # fmt: skip
    values = known(late, ("T", "d", "epsilon", "L", "mu", "tau"))
    halved = ctx.formula("tight", **{**values, "epsilon": 2 * late["epsilon"]})
    yield ctx.compare(
        "valid", "tight", louder, late, "half the noise term would be too little",
        bound=halved, role="control",
    )  # fmt: skip
