"""Theorem 3 of olu: exact counterexamples, and the path-length bound on random losses."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu.alternating import Alternating, at_an_end, blocks, thirds
from verify.olu.huber_runs import batches, each

HUGE = 1e24  # epsilon: what the noise can then change is part of `measured`


def steps(stream: Alternating) -> np.ndarray:
    """eta_t = D/(L sqrt t) with D = L = 1."""
    return np.asarray(1 / np.sqrt(np.arange(1, stream.rounds + 1)))


def least_regret(stream: Alternating) -> float:
    """What the expected regret of Theorem 3's algorithm is at least, at epsilon = HUGE."""
    return stream.regret(steps(stream)) - stream.lost_to_noise(steps(stream), HUGE)


def measure(
    T: float,
    D: float,
    L: float,
    d: float,
    epsilon: float,
    u: Sequence[float],
    tau: Sequence[float],
    path: Sequence[float],
) -> float:
    """What the expected regret is at least where one end of a segment is best throughout.

    Noise along the segment of d dimensions is all that counts, at most the paper's; comparators
    that do not move keep to every path. ValueError for a path below 0.
    """
    if not (d >= 1 and min(path) >= 0):
        raise ValueError(f"d must be >= 1 and path >= 0, got {d} and {list(path)}")
    stream = at_an_end(int(T), u, tau)
    return D * L * (stream.regret(steps(stream)) - stream.lost_to_noise(steps(stream), epsilon))


def check_theorem(ctx: Context) -> Findings:
    """Regret of alternating linear losses and of thirds that close to the end; Huber batches."""
    words = "alternating linear losses"
    for n, k in [(4000, 20), (4000, 12)] + [(8000, 16)] * (ctx.profile == "full"):
        stream = blocks(n, k)
        regret_value = least_regret(stream)
        inputs = {**stream.inputs(HUGE), "kappa": stream.growth()}
        yield from ctx.compare_forms("literal", regret_value, inputs, words, script="thm3")
    words = "alternating linear losses, closed by thirds"
    for m, main in [(8, 25)] + [(9, 25)] * (ctx.profile == "full"):
        stream = thirds(m, main)
        inputs = {**stream.inputs(HUGE), "kappa": stream.growth(to_the_end=True)}
        regret_value = least_regret(stream)
        yield ctx.compare("every", "printed", regret_value, inputs, words, script="thm3_every")
    for runs, epsilon, words in batches(ctx):
        D, L, T = runs.diameter, runs.lipschitz, runs.rounds
        eta = D / L / np.sqrt(np.arange(1, T + 1))[:, None]
        played = runs.play(eta, epsilon, "least", 1.2)
        stars = runs.comparators()
        at = {"D": D, "L": L, "epsilon": epsilon, "u": runs.indices, "tau": runs.times}
        path = np.minimum(np.abs(np.diff(stars, axis=0)), D)
        bound = each(ctx.claim["corrected"], T=T, d=1, path=path, **at)
        regret = played.regret(stars)
        inputs = {"T": T, "k": len(path)}
        yield ctx.compare("literal", "corrected", regret, inputs, words, bound=bound, tight=np.nan)


def sum_of_terms(u: list[float], tau: list[float]) -> float:
    """sqrt(sum tau_i/u_i^2), term by term in exact arithmetic."""
    return math.sqrt(sum(Fraction(t) / Fraction(r) ** 2 for r, t in zip(u, tau, strict=True)))


def check_g2(ctx: Context) -> Findings:
    """G_2 of random schedules, summed term by term."""
    reason = "constant in T for fixed k; with k deletions o(sqrt k), and no constant is given"
    yield ctx.declare("literal", "printed", "unspecified", reason)
    for rng in ctx.draws(30, 300):
        k = int(rng.integers(1, 9))
        u = rng.choice(np.arange(1, 50), size=k, replace=False)
        tau = np.sort(u.max() + rng.integers(1, 2500, size=k))
        regret = sum_of_terms(u.tolist(), tau.tolist())
        yield ctx.compare("explicit", "corrected", regret, {"u": u, "tau": tau}, "random")


EQUAL = Instances(
    "tau_i = 2 u_i^2",
    ({"u": [2, 4, 6], "tau": [8, 32, 72]},),
    interpretations=("explicit",),
    relations={"corrected": "=="},
)
AT_AN_END = Instances(
    "linear losses that push the iterate off an end and back",
    case_table(
        "T D L d epsilon u tau path",
        (400, 1, 1, 1, HUGE, [3, 7], [8, 20], [0, 0]),
        (60, 2, 0.5, 3, 1e3, [5], [40], [0]),
    ),
    interpretations=("literal",),
    forms=("corrected",),
)
ARITHMETIC = "arithmetic of a schedule: no quantity of a run"
CHECKS = (
    Check(
        "olu.thm3",
        check_theorem,
        measure,
        (AT_AN_END,),
        pictures="verify.olu.regret_pictures:convex",
    )
    .measured_by(
        "online",
        "expected_regret",
        interpretations=("literal",),
        where=("steps D/(L sqrt t)", "least noise"),
    )
    .beside("worst signs, steps 1/sqrt(t)"),
    Check("olu.thm3.g2", check_g2, sum_of_terms, (EQUAL,), exact_only=ARITHMETIC),
)
