"""Section 1 of olu: O(log T + k^2 d), compared with exact regrets with noise that unlearns."""

import math

import numpy as np

from bounds.olu.theorem_2 import LOUD
from verify.checks import Check, Context, Findings, Instances
from verify.olu import alternating_means, streams
from verify.olu.equation_19 import measure as moved


def measure(T: float, k: float, d: float, epsilon: float, L: float, mu: float) -> float:
    """Exact expected regret of one deletion of round 4 at 1001 (of at most k), least noise."""
    box = streams.edge_box(T, d, L, mu, [4])
    return box.regret([4], [1001], streams.least_noise(epsilon, L, mu, [1001]))


def slope(k: np.ndarray, values: np.ndarray) -> float:
    """Exponent of k in values, by least squares on logarithms."""
    return float(np.polyfit(np.log(k), np.log(values), 1)[0])


def check(ctx: Context) -> Findings:
    """Regret of alternating parabolas; exponents in k of the noise term and of the comparators."""
    T, h = ctx.pick(100_000, 1_000_000), 0.1
    quiet = {"T": T, "k": 1, "d": 1, "epsilon": 1e12, "L": 1 + h, "mu": 1.0}
    words = "alternating parabolas, a deletion in the last round"
    yield ctx.compare("literal", "corrected", alternating_means.regret(T, h), quiet, words)
    k = np.array([2**8, 2**10, 2**12, 2**14])
    noise = []
    for n in k.tolist():
        tau = np.arange(n) + 3
        sigmas = streams.least_noise(1.0, 1.0, 1.0, tau.tolist())
        noise.append(float((sigmas**2 * (tau - 1)).sum() / 2))
    few, comparators = np.array([4, 8, 16, 32, 64]), []
    for n in few.tolist():
        half = list(range(2000 + 1 - n, 2001))
        comparators.append(moved(T=4000, L=1.0, mu=1.0, tau=half))
    more = {"tight": math.nan, "tolerance": 0.02}
    for name, counts, values in (("noise", k, noise), ("comparators", few, comparators)):
        exponent = slope(counts, np.array(values))
        case = {"k": counts.tolist()}
        for form, power in (("printed", 2.0), ("corrected", 1.0)):
            words = f"{name}, on logarithms"
            yield ctx.compare("slope", form, exponent, case, words, bound=power, **more)


ONE = streams.among(LOUD, ("d", "epsilon", "L", "mu"))
EARLY = Instances(
    "one loud deletion at 1001",
    [{**ONE, "k": 1, "T": T} for T in (2000, 5000)],
    interpretations=("literal",),
    script="intro",
)
CHECKS = (
    Check(
        "olu.intro",
        check,
        measure,
        (EARLY,),
        far=("steps, moved minimisers and noise are at their worst for different streams"),
    )
    .measured_by(
        "online",
        "expected_regret",
        interpretations=("literal",),
        where=("steps 1/(mu t)", "least noise"),
    )
    .beside("means of 1 and -1 by turns, a small ball"),
)
