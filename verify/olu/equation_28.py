"""(28) of olu: what moving comparators cost."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.olu.alternating import blocks


def check(ctx: Context) -> Findings:
    """Regret shift of moving comparators: alternating and random losses, emptied sums."""
    stream = blocks(400, 20)
    words = "alternating linear losses"
    difference = abs(np.sum(stream.slopes * (stream.comparators()[0] - stream.served())))
    case = {**stream.inputs(1.0), "kappa": stream.growth()}
    more = {"tight": np.nan}
    yield ctx.compare("literal", "printed", difference, case, words, script="eq28", **more)

    for rng in ctx.draws(60, 2000):
        k = int(rng.integers(1, 8))
        T = int(rng.integers(10, 200))
        signs = rng.choice([-1.0, 1.0], size=T, p=[0.4, 0.6])
        slopes = signs * rng.choice([1.0, 0.5], size=T)
        # The minimiser of all losses has to be one end of [0, 1].
        if slopes.sum() == 0:
            slopes[0] = 0.25
        u = rng.choice(np.arange(1, T), size=k, replace=False)
        tau = np.sort(np.maximum(u + 1, rng.integers(2, T + 1, size=k)))
        # After i deletions the kept losses have this slope; their minimiser is 1 where it falls.
        deleted = np.concatenate(([0.0], np.cumsum(slopes[u - 1])))
        slope_sums = slopes.sum() - deleted
        stars = np.where(slope_sums == 0, slopes.sum() > 0, slope_sums < 0)
        active_stars = stars[np.searchsorted(tau, np.arange(1, T + 1), side="left")]
        inputs = {"T": T, "L": 1.0, "kappa": 2 * abs(slopes.sum()) / T, "tau": tau}
        gap = abs(float(np.sum(slopes * (float(stars[0]) - active_stars))))
        yield ctx.compare("whole", "corrected", gap, inputs, "random linear losses")

    for T, at, k in ((40, 26, 4), (100, 61, 8)):
        inputs = {"T": T, "L": 1.0, "kappa": 2 * k / T, "tau": [at] * k}
        words = "k deletions at once empty the sum; every point minimises what is left"
        yield ctx.compare("whole", "corrected", all_at_once(T, at, k), inputs, words, relation="==")


def all_at_once(T: int, tau: int, k: int) -> float:
    """Slopes 1 after tau, k in all; k of the first tau are removed, so that the sum is constant."""
    ups = (tau - (T - tau) + k) // 2
    slopes = np.concatenate((np.ones(ups), -np.ones(tau - ups), np.ones(T - tau)))
    if not (slopes.sum() == k and ups >= k):
        raise ValueError(f"tau must leave k = {k} removable losses, got {tau}")
    return float(np.sum(slopes[tau:] * (1.0 - 0.0)))


CHECKS = (
    Check(
        "olu.eq28",
        evidence=check,
        far=(
            "asks for quadratic growth alone: of strongly convex losses (19) is "
            "true, which is half of it"
        ),
    )
    .measured_by("online", "regret_shift", symbols={"kappa": "mu"}, where=("strong convexity",))
    .beside("worst signs, one step size"),
)
