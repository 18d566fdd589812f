"""Descent-to-Delete without a secret state: what its old noise leaves, whatever the new one is."""

import math

import numpy as np
from scipy.special import gammaincc

from bounds.sglu.settings import DATA, EPSILONS, regularisation, smoothness
from bounds.sglu.theorem_l_2 import extra_steps, least_steps
from verify.checks import Check, Context, Findings


def leftover(K: int, epsilon: float, d: int, gamma: float) -> float:
    """delta at epsilon of N(0, (1 + gamma^(2K)) I_d) against N(0, I_d).

    The likelihood ratio is a function of |x|^2 alone, so that both probabilities of the region
    where it exceeds e^epsilon are tails of chi-square laws.
    """
    variance = 1 + gamma ** (2 * K)
    radius = 2 * (epsilon + d / 2 * math.log(variance)) / (1 - 1 / variance)
    beyond = gammaincc(d / 2, np.array([radius / variance, radius]) / 2)
    return float(beyond[0] - math.exp(epsilon) * beyond[1])


def rate(n: int) -> float:
    """gamma = (L - m)/(L + m) of a step 2/(L + m)."""
    m, L = float(regularisation(n)), float(smoothness(n))
    return (L - m) / (L + m)


def check(ctx: Context) -> Findings:
    """delta that the old noise leaves after K epochs, against 1/n, and the steps of Theorem L.2."""
    for name, data in DATA.items():
        gamma = rate(data.n)
        for epsilon in EPSILONS:
            for K in (1, 5, 9):
                lhs = leftover(K, epsilon, data.d, gamma)
                at = f"{name}: delta left after {K} epochs, against 1/n"
                inputs = {"K": K, "epsilon": epsilon}
                options = {"bound": ctx.scale / data.n, "tight": float("nan")}
                yield ctx.compare("literal", "printed", lhs, inputs, at, **options)
            m, L = regularisation(data.n), smoothness(data.n)
            constants = [np.asarray(float(x)) for x in (L, m, data.d, epsilon, 1 / data.n)]
            least = math.ceil(float(least_steps(*constants)))
            more = float(extra_steps(L, m, np.asarray(data.d), constants[-1], np.asarray(1.0)))
            at = f"{name}: steps of the first request by Theorem L.2"
            options = {"bound": ctx.scale * 10.0, "tight": float("nan")}
            yield ctx.compare(
                "theorem", "printed", least + more, {"epsilon": epsilon}, at, **options
            )


CHECKS = (Check("sglu.d2d.ten", check),)
