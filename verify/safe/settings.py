"""Tables 3 and 5 to 9, Figure 1 and the settings of safe: what they say of themselves."""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from verify.checks import Check, Context, Findings
from verify.safe.ranks import row

DATA = ("MNIST", "Fashion", "CIFAR10", "TinyImagenet")
LAMBDA = ((1000, 1000, 120_000, 120_000), (2000, 6000, 100_000, 1_000_000))
STEP = ((2.5, 8, 2.5, 4), (2.5, 8, 2.5, 2.5))
GRIDS = ((1, 2.5, 5, 10), (2, 4, 6, 8), (0.4, 1.2, 2, 4), (0.5, 2.5, 5, 10))
TIMES = {"MNIST": (1.13, 1.66), "CIFAR10": (2.55, 12.90)}


def check_notation(ctx: Context) -> Findings:
    """Each symbol of Table 3 as it is used, against what the table calls it."""
    p, q = np.array([0.5, 0.5]), np.array([0.9, 0.1])
    kl = float((p * np.log(p / q)).sum())
    cosine = float(1 - p @ q / (np.linalg.norm(p) * np.linalg.norm(q)))
    phi = math.sqrt(2 * math.log(1.25e5))
    cross = float(-(p @ np.log(q)))
    for what, used, table, right in (
        ("d_KL", kl, cosine, cross - math.log(2)),  # cross entropy less the entropy of (1/2, 1/2)
        ("epsilon, as the perturbation's mean", 0.0, 1.0, 0.0),
        ("delta, as the perturbation's variance", phi, 1e-5, phi),
    ):
        inputs = {"symbol": what, "epsilon": 1.0, "delta": 1e-5, "W": 1.0}
        for form, bound in (("printed", table), ("corrected", right)):
            options = {"bound": bound, "script": "tab3_notation"}
            yield ctx.compare("literal", form, used, inputs, what, **options)


def check_rounds(ctx: Context) -> Findings:
    reason = "the runs are not published; no column is derived"
    yield ctx.declare("literal", "printed", "not checkable", reason)


def skewness_p(X: NDArray[np.float64]) -> float:
    """p-value of Mardia's test of multivariate skewness (chi square)."""
    from scipy.stats import chi2

    n, d = X.shape
    Z = X - X.mean(axis=0)
    inner = Z @ np.linalg.solve(Z.T @ Z / n, Z.T)
    return float(chi2.sf(n * (inner**3).mean() / 6, d * (d + 1) * (d + 2) / 6))


def kurtosis_p(X: NDArray[np.float64]) -> float:
    """p-value of Mardia's test of multivariate kurtosis (normal, two sides)."""
    from scipy.stats import norm

    n, d = X.shape
    Z = X - X.mean(axis=0)
    lengths = (Z * np.linalg.solve(Z.T @ Z / n, Z.T).T).sum(axis=1)
    return float(2 * norm.sf(abs((lengths**2).mean() - d * (d + 2)) / np.sqrt(8 * d * (d + 2) / n)))


def check_mardia(ctx: Context) -> Findings:
    """p-values of Mardia's test on exponential data: many dimensions, and few."""
    yield from check_number(ctx)
    yield ctx.declare("literal", "printed", "not checkable", "n and d are not stated")
    inputs = {"n": 40, "d": 30}
    at = "40 points of 30 independent exponentials"
    p_value = skewness_p(np.random.default_rng(0).exponential(size=(40, 30)))
    yield ctx.compare("power", "printed", p_value, inputs, at, bound=0.05, script="tab9_mardia")
    many = skewness_p(np.random.default_rng(0).exponential(size=(400, 5)))
    inputs = {"n": 400, "d": 5}
    at = "400 points of 5: detected"
    yield ctx.compare("power", "printed", 1 - many, inputs, at, bound=0.05, role="control")


def check_number(ctx: Context) -> Findings:
    """Of the appendix's only table, by its caption."""
    options = {"tight": 9.0, "relation": "==", "script": "tab9_number"}
    for form, bound in (("printed", 6.0), ("corrected", 9.0)):
        yield ctx.compare(
            "number", form, 9.0, {}, "the table of Appendix B.6", bound=bound, **options
        )


def check_larger(ctx: Context) -> Findings:
    """Steps of SAFE on softmax regression: one gradient, K as in the appendix's grids."""
    rng = ctx.rng()
    for data, grid in zip(DATA, GRIDS, strict=True):
        gradient = rng.normal(size=20)
        T, W = 20, 10.0
        lengths = {K: np.linalg.norm(W**0.5 / (K * T**0.5) * gradient) for K in sorted(grid)}
        for less, more in pairwise(lengths):
            at = f"{data}: the next K of the grid against this one"
            lhs, bound = float(lengths[more]), float(lengths[less])
            options = {"bound": ctx.scale * bound, "tight": float("nan")}
            yield ctx.compare("literal", "printed", lhs, {"K": more}, at, **options)


def check_figure(ctx: Context) -> Findings:
    """Ratios of the times in Figure 1."""
    ratio = {data: slow / fast for data, (fast, slow) in TIMES.items()}
    inputs = {"data": "CIFAR10"}
    at = "12.90 s over 2.55 s"
    lhs = ratio["CIFAR10"]
    yield ctx.compare("literal", "printed", lhs, inputs, at, bound=8.5, script="fig1_nine")
    for data, speedup in ratio.items():
        inputs = {"data": data}
        at = "second fastest over SAFE"
        yield ctx.compare("third", "printed", 1 - 1 / speedup, inputs, "time saved", bound=0.3)
        yield ctx.compare("double", "printed", speedup, inputs, at, bound=2.0, script="fig1_double")


def check_hyper(ctx: Context) -> Findings:
    """Hyperparameters in two sections each, and in the grids."""
    for interpretation, rule, pair in (
        ("literal", "equal in 4.1 and B.2", LAMBDA),
        ("step", "equal in B.2 and B.5", STEP),
    ):
        table = [row(one, other, data=data) for data, one, other in zip(DATA, *pair, strict=True)]
        yield ctx.reproduce(interpretation, "printed", rule, table)
    members = zip(DATA, STEP[0], GRIDS, strict=True)
    table = [row(K, str(grid), K in grid, data=data) for data, K, grid in members]
    yield ctx.reproduce("grid", "printed", "a member of the grid", table)


CHECKS = (
    Check("safe.tab3", check_notation),
    Check("safe.tab5_8", check_rounds),
    Check("safe.tab9", check_mardia),
    Check("safe.b5", check_larger),
    Check("safe.fig1", check_figure),
    Check("safe.hyper", check_hyper),
)
