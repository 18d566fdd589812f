"""What olu says beside its theorems: averages of outputs, doubling, and less noise when active."""

import math

import numpy as np
from numpy.typing import NDArray

from verify.checks import Check, Context, Findings, case_table

Array = NDArray[np.float64]
RATIO = math.sqrt(4 + 2 * math.sqrt(2))


def over_budget(T: int, u: int, tau: int, first: int, eta: float = 0.1, L: float = 2.0) -> float:
    """Divergence over alpha eps of the average of outputs first..T, f_u deleted at tau.

    f_t = L z on the line, so that only the mean of the Gaussian differs; the output at tau is the
    first that carries the noise, whose variance makes its own divergence alpha eps, eps = 1.
    """
    noise = eta * L / math.sqrt(2.0)
    gap, spread = np.zeros(T + 1), np.zeros(T + 1)
    for t in range(2, T + 1):  # z_t is made from f_{t-1}
        gap[t] = gap[t - 1] + (eta * L if t - 1 == u else 0.0)
        spread[t] = noise if t >= tau else 0.0
    mean = gap[first:].mean()
    deviation = spread[first:].mean()
    return float(mean**2 / (2 * deviation**2))


def check_average(ctx: Context) -> Findings:
    """Divergence of averaged outputs over the budget, linear losses, by law and in closed form."""
    exact, closed = "linear losses, exact law", "linear losses, closed form"
    for at in case_table("T u tau", (10, 1, 10), (100, 20, 50), (1000, 998, 999)):
        T, u, tau = at.values()
        ratio = over_budget(T, u, tau, 1)
        formula = ((T - u) / (T - tau + 1)) ** 2
        yield ctx.compare("literal", "printed", ratio, at, exact, bound=1.0)
        yield ctx.compare("literal", "printed", ratio, at, closed, bound=formula, relation="==")
        ratio = over_budget(T, u, tau, tau)
        yield ctx.compare("later", "printed", ratio, at, exact, bound=1.0, tight=1.0)


def restarted(T: int, deletions: Array, a: float) -> float:
    """Sum over restarts at 1, 2, 4, ... of sqrt(T_j + a k_j^2); deletions: their rounds."""
    total, start = 0.0, 1
    while start <= T:
        length = min(start, T - start + 1)
        inside = int(((deletions >= start) & (deletions < start + length)).sum())
        total += math.sqrt(length + a * inside**2)
        start += length
    return total


def check_doubling(ctx: Context) -> Findings:
    """Regret of restarts in doubling blocks, with random deletions and with none."""
    rng = ctx.rng()
    words = "deletions at random"
    for J in (3, 8, 14):
        T = 2**J - 1 + round(2**J * (math.sqrt(2) - 1) ** 2)  # the last run that costs most
        for k in (0, 1, int(rng.integers(2, 10))):
            a = float(rng.exponential())
            rounds = rng.integers(1, T + 1, k).astype(float)
            regret = restarted(T, rounds, a)
            bound = RATIO * math.sqrt(T) + math.sqrt(a) * k
            at = {"T": T, "k": k, "a": a}
            yield ctx.compare("literal", "printed", regret, at, words, bound=bound)
    for at in case_table("T k a", (1023, 0, 1.0), (65_535, 0, 1.0)):
        regret = restarted(at["T"], np.zeros(0), 1.0)
        bound = math.sqrt(at["T"])
        yield ctx.compare(
            "free", "printed", regret, at, "no deletion", bound=bound, script="thm5_doubling"
        )


def check_less(ctx: Context) -> Findings:
    """Noise of (40) over that of line 5, for three contraction factors."""
    yield ctx.declare("literal", "printed", "unspecified", "how often, and over which streams")
    words = "(40) against line 5, L = mu = 1"
    for at in case_table("gamma u tau", (0.5, 1, 10), (0.9, 50, 60), (0.99, 100, 100)):
        passive = at["gamma"] ** (at["tau"] - at["u"]) / at["u"]
        fraction = (6 + passive) / at["tau"]
        yield ctx.compare(
            "always", "printed", fraction, at, words, bound=passive, script="thm6_less"
        )


CHECKS = (
    Check("olu.batch", evidence=check_average),
    Check("olu.thm5.doubling", evidence=check_doubling),
    Check("olu.thm6.less", evidence=check_less),
)
