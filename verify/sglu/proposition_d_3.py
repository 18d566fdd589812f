"""Proposition D.3 of sglu: exact on Gaussians at the best p, true of random discrete laws."""

import math

import numpy as np

from simulators.exact import discrete
from simulators.exact.gaussian import Gaussian
from simulators.exact.gaussian_divergence import renyi
from verify.checks import Check, Context, Findings, Instances, case_table


def measure(alpha: float, x: float, y: float, p: float = 2.0) -> float:
    """Exact divergence of Gaussians x + y apart (Q lies between them)."""
    unit = np.eye(1)
    return renyi(Gaussian(np.array([x + y]), unit), Gaussian(np.zeros(1), unit), alpha)


def triangle(p1: np.ndarray, p2: np.ndarray, p3: np.ndarray, alpha: float, p: float) -> float:
    """The right side on discrete laws."""
    first = (alpha - 1 / p) / (alpha - 1) * discrete.renyi(p1, p2, p * alpha)
    return first + discrete.renyi(p2, p3, (p * alpha - 1) / (p - 1))


def check(ctx: Context) -> Findings:
    """Both sides on Gaussians on a line at the best p, and on random triples of laws."""
    for rng in ctx.draws(30, 300, block=1):
        alpha, x, y = 1 + float(rng.exponential(2)), *map(float, rng.uniform(0.05, 2, 2))
        inputs = {"alpha": alpha, "p": 1 + (alpha - 1) * y / (alpha * x), "x": x, "y": y}
        exact = measure(**inputs)
        instance = "Gaussians on a line, best p"
        yield from ctx.compare_forms("literal", exact, inputs, instance, relation="==")
    lhs, rhs = [], []
    for _ in range(ctx.pick(1000, 10_000)):
        laws = rng.dirichlet(np.full(int(rng.integers(2, 5)), rng.uniform(0.3, 3)), 3)
        laws = np.maximum(laws, 1e-9)
        laws /= laws.sum(axis=1, keepdims=True)
        alpha = 1 + float(rng.exponential()) + 1e-3
        p = 1 + float(rng.exponential()) + 1e-3
        lhs.append(discrete.renyi(laws[0], laws[2], alpha))
        rhs.append(triangle(laws[0], laws[1], laws[2], alpha, p) * (1 + 1e-12) + 1e-13)
    inputs = {"count": len(lhs)}
    instance = "random laws on up to 4 points"
    options = {"bound": rhs, "tight": math.nan}
    yield ctx.compare("literal", "printed", lhs, inputs, instance, **options)
    (plain,) = case_table("alpha p x y", (2, 2, 1, 1))
    exact = measure(**plain)
    remark = "the plain triangle inequality, without raised orders, is false"
    yield ctx.compare("literal", "printed", exact, plain, remark, bound=2.0, role="control")


ANY = Instances(
    "Gaussians on a line, any p", case_table("alpha p x y", (3, 2, 0, 1)), draws=(30, 300)
)
CHECKS = (
    Check("sglu.propd.3", evidence=check, exact_side=measure, at=(ANY,))
    .measured_by("langevin", "triangle_renyi")
    .beside("mean of 1 and -1, the longest steps"),
)
