"""Lemma D.2 of sglu: random kernels and the projection do not increase Rényi divergences."""

import math

import numpy as np

from simulators.exact import discrete
from verify.checks import Check, Context, Findings
from verify.sglu.instances import ProjectedRun, renyi_difference


def check(ctx: Context) -> Findings:
    """Rényi divergences before and after random kernels, and Algorithm 1's projection."""
    rng = ctx.rng()
    renyi = discrete.renyi
    before, after = [], []
    for _ in range(ctx.pick(500, 20_000)):
        size = int(rng.integers(2, 6))
        laws = rng.dirichlet(np.ones(size), 2)
        kernel = rng.dirichlet(np.full(size, rng.uniform(0.1, 2)), size)
        alpha = float(rng.choice([1.0, 1.0 + rng.exponential(3), math.inf]))
        before.append(renyi(laws[0], laws[1], alpha) * (1 + 1e-12) + 1e-15)
        first, second = laws @ kernel
        after.append(renyi(first / first.sum(), second / second.sum(), alpha))
    at = {"count": len(after)}
    instance = "random kernels on up to 5 points"
    yield ctx.compare("literal", "printed", after, at, instance, bound=before)
    for R in (0.6, 1.2, 2.5):
        box = ProjectedRun.linear(R=R, eta=0.8, m=0.5, sigma=0.3, b=2, J=3, old=1.0, new=-1.0)
        p, q = box.unlearned(math.inf, 1), box.stationary(-1)
        for alpha in (1.5, 3.0):
            bound = renyi_difference(p.unprojected(), q.unprojected(), alpha)
            exact = renyi_difference(p, q, alpha)
            at = {"R": R, "alpha": alpha}
            instance = "the last projection of Algorithm 1"
            yield ctx.compare("literal", "printed", exact, at, instance, bound=bound)
    p, q = rng.dirichlet(np.ones(4), 2)
    apart = renyi(p @ rng.dirichlet(np.ones(4), 4), q @ rng.dirichlet(np.ones(4), 4), 2.0)
    at = {"alpha": 2.0}
    instance = "different kernels for the two laws do increase it"
    options = {"bound": min(renyi(p, q, 2.0), 1e-3), "role": "control"}
    yield ctx.compare("literal", "printed", apart, at, instance, **options)


CHECKS = (
    Check("sglu.lemd.2", evidence=check)
    .measured_by("online", "law_of_a_coordinate", sides={"printed": "whole"})
    .beside("means of 1 and -1 by turns, a small ball"),
)
