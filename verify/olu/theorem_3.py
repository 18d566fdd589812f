"""Theorem 3 of olu: exact counterexamples, and the path-length bound on random losses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.alternating import Alternating, blocks, thirds
from verify.olu.huber_runs import draw

HUGE = 1e24  # epsilon: what the noise can then change is part of `measured`
REPAIR = (
    "Replace 2 k^2 L^2/kappa by L sum_i sqrt(tau_i) |z_i* - z_{i-1}*|, or assume quadratic growth "
    "of sum_{t<=T} f_t with parameter kappa T (cost 2 L^2 sum_i (T - tau_i)/(kappa T))."
)
THEOREM = Claim(
    id="olu.thm3",
    label="Theorem 3",
    kind="inequality",
    statement="On convex losses whose prefix sums have quadratic growth, the passive unlearner "
    "has expected regret at most 3DL sqrt T + 2k^2L^2/kappa + 3DLd k^1.7 G_2/(2 eps).",
    readings=(
        Reading(
            "literal",
            "quadratic growth kappa (tau_i - tau_{i-1}) of sum_{t <= tau_i} f_t for i = 1..k",
            ("printed", "corrected"),
            proofs={"corrected": "(31) with the path of the comparators, least noise"},
        ),
        Reading("every", "the same for i = 1..k+1, tau_{k+1} = T", ("printed",), stance="repair"),
    ),
    correction=REPAIR,
)
GROWTH = Claim(
    id="olu.thm3.g2",
    label="G_2 (after Theorem 3)",
    kind="asymptotic",
    statement="If tau_i = o(u_i^2), G_2 is constant and the regret remains O(sqrt T).",
    aliases=("olu.thm3.G2",),
    readings=(
        Reading("literal", "tau_i = o(u_i^2); no constant, nothing about k", ("printed",)),
        Reading(
            "explicit",
            "tau_i <= q u_i^2 for all i",
            ("corrected",),
            proofs={"corrected": "k terms, each at most the largest; equal terms attain it"},
            stance="repair",
        ),
    ),
    correction="G_2 <= sqrt(k q): constant for a fixed number of deletions only.",
)
CLAIMS = (THEOREM, GROWTH)
PICTURES = {"olu.thm3": "verify.olu.regret_pictures:convex"}


def steps(stream: Alternating) -> np.ndarray:
    """eta_t = D/(L sqrt t) with D = L = 1."""
    return np.asarray(1 / np.sqrt(np.arange(1, stream.rounds + 1)))


def least_regret(stream: Alternating) -> float:
    """What the expected regret of Theorem 3's algorithm is at least, at epsilon = HUGE."""
    return stream.regret(steps(stream)) - stream.lost_to_noise(steps(stream), HUGE)


def check_theorem(ctx: Context) -> Iterator[Evidence]:
    sizes = [(4000, 20), (4000, 12)] + [(8000, 16)] * (ctx.profile == "full")
    for n, k in sizes:
        stream = blocks(n, k)
        inputs = {**stream.inputs(HUGE), "kappa": stream.growth()}
        measured = least_regret(stream)
        yield ctx.compare(
            "literal", "printed", measured, inputs, "alternating linear losses",
            script="thm3",
        )  # fmt: skip
        yield ctx.compare("literal", "corrected", measured, inputs, "alternating linear losses")
    for m, main in [(8, 25)] + [(9, 25)] * (ctx.profile == "full"):
        stream = thirds(m, main)
        inputs = {**stream.inputs(HUGE), "kappa": stream.growth(to_the_end=True)}
        yield ctx.compare(
            "every", "printed", least_regret(stream), inputs,
            "alternating linear losses, closed by thirds",
            script="thm3_every",
        )  # fmt: skip
    yield from random_runs(ctx)


def random_runs(ctx: Context) -> Iterator[Evidence]:
    """Expected regret on random Huber and linear losses against the path-length bound."""
    rng = ctx.rng()
    T, count = 60, ctx.pick(150, 1500)
    for k in (1, 2, 3):
        runs = draw(rng, count, T, k)
        epsilon = np.exp(rng.normal(0, 3, size=count))
        eta = runs.diameter / runs.lipschitz / np.sqrt(np.arange(1, T + 1))[:, None]
        played, stars = runs.play(eta, epsilon, "least", 1.2), runs.comparators()
        path = np.abs(np.diff(stars, axis=0))
        D, L = runs.diameter, runs.lipschitz
        bound = [
            ctx.formula(
                "corrected", T=T, D=D[c], L=L[c], d=1, epsilon=epsilon[c],
                u=runs.indices[:, c], tau=runs.times[:, c], path=np.minimum(path[:, c], D[c]),
            )
            for c in range(count)
        ]  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", played.regret(stars), {"T": T, "k": k, "count": count},
            f"random Huber losses, {k} deletions", bound=bound, tight=np.nan,
        )  # fmt: skip


def sum_of_terms(u: list[float], tau: list[float]) -> float:
    """sqrt(sum tau_i/u_i^2), term by term."""
    return float(sum(float(t) / r**2 for r, t in zip(u, tau, strict=True)) ** 0.5)


def check_g2(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "unspecified",
        "constant in T for fixed k; with k deletions o(sqrt k), and no constant is given",
    )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        k = int(rng.integers(1, 9))
        u = rng.choice(np.arange(1, 50), size=k, replace=False)
        tau = np.sort(u.max() + rng.integers(1, 2500, size=k))
        yield ctx.compare(
            "explicit",
            "corrected",
            sum_of_terms(u.tolist(), tau.tolist()),
            {"u": u, "tau": tau},
            "random",
        )
    equal = {"u": [2.0, 4.0, 6.0], "tau": [8.0, 32.0, 72.0]}
    yield ctx.compare(
        "explicit", "corrected", sum_of_terms(**equal), equal, "tau_i = 2 u_i^2", relation="=="
    )


CHECKERS = {"olu.thm3": check_theorem, "olu.thm3.g2": check_g2}
