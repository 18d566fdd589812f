"""Theorem M.1 of sglu, compared with quadratics whose laws are Gaussian."""

import numpy as np

from simulators.exact.gaussian import step
from simulators.exact.gaussian_divergence import renyi
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.sglu.instances import LINE


def stationary_variance(m: float, sigma: float, eta: float) -> float:
    """Variance, and so log-Sobolev constant, of the stationary law of a quadratic."""
    return float(step(1 - eta * m, 0.0, np.sqrt(2 * eta) * sigma).stationary().cov[0, 0])


def measure(
    alpha: float, eps0: float, sigma: float, eta: float, K: float, m: float, C: float = np.inf
) -> float:
    """Exact Rényi divergence of two quadratics' laws eps0 apart, after K epochs of one of them.

    C does not enter: the stationary variance is the least constant the hypotheses allow.
    """
    one = step(1 - eta * m, 0.0, np.sqrt(2 * eta) * sigma)
    retrained = one.stationary()
    apart = np.sqrt(2 * eps0 * float(retrained.cov[0, 0]) / alpha)
    return renyi(one.power(int(K)).apply(retrained.shifted(apart)), retrained, alpha)


def check(ctx: Context) -> Findings:
    inputs = FREE.cases[1]
    rate = np.exp(-2 * 2 * inputs["eta"] * inputs["K"] / inputs["C"])
    exact = measure(**inputs)
    instance = "twice the rate, without 1/alpha"
    options = {"bound": rate * inputs["eps0"], "role": "control"}
    yield ctx.compare("literal", "printed", exact, inputs, instance, **options)


FREE = Instances(
    "quadratics, stationary laws",
    tuple(
        {**row, "C": stationary_variance(row["m"], row["sigma"], row["eta"])}
        for row in case_table(
            "alpha eps0 sigma eta K m",
            (1.0001, 0.7, 1, 1e-3, 50, 1),
            (1.2, 1, 1, 0.1, 20, 1),
            (3, 1, 0.3, 0.8, 0, 0.5),
            (1.5, 2, 0.5, 0.01, 30, 0.2),
            (9, 0.1, 2, 0.4, 3, 2.5),
        )
    ),
    draws=(110, 1100),
    within={**LINE, "eps0": (0, 5), "m": (0.1, 5), "K": (0, 60), "C": (1e-3, 50)},
)
SAME = Limit(
    "the stationary variance beside that of its own image: their quotient is 1 but for rounding",
    size=lambda p: 1e-15,
)
CHECKS = (
    Check(
        "sglu.thmm.1", evidence=check, exact_side=measure, at=(FREE,), limits={"literal": SAME}
    ).measured_by("langevin", "initial_renyi", where=("short steps", "full batch")),
)
