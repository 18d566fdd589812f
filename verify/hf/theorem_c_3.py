"""Theorem C.3 of hf: the exact capacity of exact retraining lies between corrected and printed."""

from collections.abc import Iterator

import numpy as np

from bounds import Hypothesis
from bounds.hf.definition_c_1 import capacity
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.hf.two_point_laws import TwoPoints


def most_deletions(n: int, gamma: float, epsilon: float, delta: float) -> float:
    """The capacity of every pair is at most this, for signs and (w - z)^2/2 on [-1, 1].

    Where the share of -1 is p, and at most m signs are -1, deleting them costs at least
    (2p sqrt(1 - delta) - sqrt(2 e^eps gamma))^2/2, the proof of `hf.thmc2.constant`; the least over
    p of the m at which that is more than gamma on average.
    """
    from scipy.stats import binom

    p = np.linspace(0, 1, 101)[1:]
    far = 2 * p * np.sqrt(1 - delta) - np.sqrt(2 * np.exp(epsilon) * gamma)
    cost = np.maximum(far, 0.0) ** 2 / 2
    probability = np.minimum(gamma / np.where(cost > 0, cost, 1.0), 1.0)
    possible = np.where(cost > gamma, binom.ppf(probability, n, p), n)
    return float(possible.min())


def scaled(L: float, lam: float, gamma: float) -> float:
    """gamma in units in which L = 2 and lam = 1 (risks scale with L^2/lam)."""
    return gamma * 4 * lam / L**2


def measure(n: float, gamma: float, L: float, lam: float) -> float:
    """Exact capacity for random signs scaled to L and lam."""
    return float(capacity(n, scaled(L, lam, gamma)))


def measure_independent(n: float, gamma: float, L: float, lam: float) -> float:
    """Largest m for which the mean of n - m random signs is good enough: 1/(2N) <= gamma."""
    law = TwoPoints("quadratic", 1.0, -1.0, 1.0, 0.5, 1.0)
    fine = scaled(L, lam, gamma)
    low, high = 0, int(n)  # N = high is the smallest number known to do
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if law.expected_excess(middle) <= fine else (middle, high)
    return float(n - high)


def draw(ctx: Context, most: int, least: float) -> Iterator[dict[str, float]]:
    for rng in ctx.draws(60, 600, block=2):
        inputs = {"n": int(rng.integers(2, most)), "gamma": 0.2 * float(rng.exponential()) + least}
        yield {**inputs, "L": float(rng.uniform(0.5, 4)), "lam": float(rng.uniform(0.2, 2))}


def check_claim(ctx: Context) -> Findings:
    """Exact capacities of random signs, and what any unlearning pair survives."""
    at = "random signs, exact (both sides + 2)"
    for inputs in draw(ctx, 400, 0.0):
        capacity = measure(**inputs) + 2
        bound = ctx.claim("corrected", **inputs) + 2
        yield ctx.compare("literal", "corrected", capacity, inputs, at, bound=bound, tight=np.nan)
    # |w^{-U} - w^| = mL/(lam n) when all -1 go and half of the signs are -1.
    at = "the step is mL/(lam n)"
    for n in (2, 10, 100):
        signs = np.repeat((-1.0, 1.0), n // 2)
        shift = signs[signs > 0].mean() - signs.mean()
        options = {"relation": "==", "tight": np.nan}
        yield ctx.compare("literal", "corrected", shift, {}, at, bound=n // 2 * 2 / n, **options)
    generous, at = SIGNS[1], "eight times the corrected capacity"
    capacity = measure(**generous)
    bound = 8 * ctx.claim("corrected", **generous)
    yield ctx.compare(
        "literal", "corrected", capacity, {}, at, bound=bound, relation=">=", role="control"
    )
    at = "the most that any (1, .005)-unlearning pair survives"
    for inputs in case_table("n gamma", (4000, 0.01), (10_000, 0.01), (100_000, 0.003)):
        capacity = most_deletions(**inputs, epsilon=1.0, delta=0.005)
        inputs = {**inputs, "L": 2.0, "lam": 1.0}
        yield ctx.compare(
            "every", "printed", capacity, inputs, at, tight=np.nan, script="thmc3_every"
        )


def check_independent(ctx: Context) -> Findings:
    """Exact capacities of random signs when the deleted ones are drawn blindly."""
    at = "random signs (both sides + 1)"
    for inputs in draw(ctx, 3000, 1e-3):
        bound = np.floor(ctx.claim("corrected", **inputs)) + 1
        if bound > 0:
            capacity = measure_independent(**inputs) + 1
            yield ctx.compare(
                "literal", "corrected", capacity, inputs, at, bound=bound, tight=np.nan
            )
    capacity = measure_independent(**SIGNS[1])
    at = "all but one deleted"
    yield ctx.compare(
        "literal", "corrected", capacity, {}, at, bound=999, relation=">=", role="control"
    )


def _whole_capacity(gamma: float, L: float, lam: float) -> float:
    """The nearest gamma for which 4 L^2/(lam gamma) is a whole number."""
    numerator = 4 * L**2 / lam
    return numerator / max(1, round(numerator / gamma))


SIGNS = case_table(
    "n gamma L lam", (100, 0.25, 2, 1), (1000, 0.25, 2, 1), (10_000, 0.25, 2, 1), (1000, 0.1, 2, 1)
)
EXACT = Instances("random signs, exact", SIGNS, interpretations=("literal",), script="thmc3")
BLIND = Instances(
    "random signs",
    case_table("n gamma L lam", (1000, 0.25, 2, 1), (10_000, 0.01, 2, 1), (2000, 0.05, 4, 1)),
)
WHOLE = Limit(
    "the capacity is a whole number: so is what is subtracted from n",
    (Hypothesis("4 L^2/(lam gamma) whole", sets={"gamma": _whole_capacity}),),
    size=lambda p: p["n"],
)
CHECKS = (
    Check(
        "hf.thmc3",
        check_claim,
        measure,
        (EXACT,),
        far="counts sets that mislead the most: of rows at hand many more may go",
    ).measured_by("recollection", "label_capacity", interpretations=("literal",)),
    Check(
        "hf.thmc3.independent", check_independent, measure_independent, (BLIND,), {"literal": WHOLE}
    ).measured_by("recollection", "blind_label_capacity"),
)
