"""Regret that deletions add under the steps of Theorem 4: few of them, and many."""

import math

import numpy as np
from scipy.special import erfc

from verify.checks import Check, Context, Findings
from verify.olu.huber_runs import batches

LARGEST = 10.0  # constants up to this one are refuted
T, GAP = 10**6, 1000


def many(k: int, epsilon: float = 0.01, omega: float = 1.2) -> tuple[float, float]:
    """Regret of k deletions for sure, and G_3: losses z + 1/2 on K = [0, 1], D = L = beta = 1.

    Losses 1..k are deleted, GAP rounds apart, from round T/4 on.  p(t) = t, and 0 is best
    throughout.  Line 5's noise takes the iterate from 0 beyond 1 with some probability, from where
    it walks back over rounds that add up to the cost; less than 1 costs at least nothing.
    """
    i = np.arange(1, k + 1)
    tau = T // 4 + GAP * i
    sigma = np.sqrt(omega / (2 * (omega - 1) * epsilon)) * i ** (omega / 2) / np.sqrt(i)
    beyond = erfc((1 + 1 / np.sqrt(tau - 1)) / (math.sqrt(2) * sigma)) / 2
    rounds = tau[:, None] + np.arange(GAP)
    walked = np.cumsum(1 / np.sqrt(rounds), axis=1)
    cost = 1 + np.maximum(0, 1 - walked[:, :-1]).sum(axis=1)  # at tau it is at 1
    if not (walked[:, -1] > 1).all():
        raise ValueError("gaps must be long enough for the way back")
    return float(np.sum(beyond * cost)), math.sqrt(float(np.sum(tau / i**2)))


def check(ctx: Context) -> Findings:
    """Regret of batches of Huber runs, the noise term alone, and k deletions in a row."""
    for runs, epsilon, words in batches(ctx):
        k = len(runs.indices)
        played = runs.play(None, epsilon, "paper", 1.2)
        limit = (1.5 + k) * runs.diameter * runs.lipschitz * math.sqrt(runs.rounds)
        at = {"T": runs.rounds, "k": k}
        options = {"bound": limit, "tight": np.nan}
        regret = played.regret(runs.comparators())
        yield ctx.compare("literal", "printed", regret, at, words, **options)
    for d, k in ((1, 1), (100, 3)):
        for rounds in (1e4, 1e8):  # p(t) = t; u_i = i and tau_i = T: the largest G_3
            squares = sum(rounds / u**2 for u in range(1, k + 1))
            term = d * k**2 * math.sqrt(squares)
            at = {"d": d, "k": k, "T": rounds}
            words = "first losses deleted at the end, L = D = beta = 1; sum 1/u^2 < 2"
            bound = math.sqrt(2) * d * k**2 * math.sqrt(rounds)
            yield ctx.compare("term", "printed", term, at, words, bound=bound)
    factors = {}
    for k in (100, 200):
        factors[k], factor = many(k)
        if factor > math.sqrt(T):
            raise ValueError(f"G_3 must be at most sqrt T, got {factor}")
        at = {"k": k, "T": T, "G_3": factor, "epsilon": 0.01}
        words = "losses of slope 1, the first k deleted one after the other"
        options = {"bound": LARGEST * math.sqrt(T), "tight": np.nan, "script": "thm4_g3"}
        yield ctx.compare("any number", "printed", factors[k], at, words, **options)
    words = "regret doubles with k at one T: no constant will do"
    more = {"tight": np.nan}
    ratio = factors[200] / factors[100]
    yield ctx.compare("any number", "printed", ratio, {"T": T}, words, bound=1.9, **more)


CHECKS = (Check("olu.thm4.g3", check),)
