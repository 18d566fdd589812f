"""Lemma D.2 of sglu: random kernels and the projection do not increase Rényi divergences."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact import discrete
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import ProjectedRun, renyi_difference


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    before, after = [], []
    for _ in range(ctx.pick(500, 20_000)):
        size = int(rng.integers(2, 6))
        p, q = rng.dirichlet(np.ones(size), 2)
        kernel = rng.dirichlet(np.full(size, rng.uniform(0.1, 2)), size)
        alpha = float(rng.choice([1.0, 1.0 + rng.exponential(3), math.inf]))
        before.append(discrete.renyi(p, q, alpha))
        first, second = p @ kernel, q @ kernel
        after.append(discrete.renyi(first / first.sum(), second / second.sum(), alpha))
    yield ctx.compare(
        "literal", "printed", after, {"count": len(after)}, "random kernels on up to 5 points",
        bound=np.array(before) * (1 + 1e-12) + 1e-15,
    )  # fmt: skip
    for R in (0.6, 1.2, 2.5):
        box = ProjectedRun.linear(R=R, eta=0.8, m=0.5, sigma=0.3, b=2, J=3, old=1.0, new=-1.0)
        p, q = box.unlearned(math.inf, 1), box.stationary(-1)
        for alpha in (1.5, 3.0):
            yield ctx.compare(
                "literal", "printed", renyi_difference(p, q, alpha), {"R": R, "alpha": alpha},
                "the last projection of Algorithm 1",
                bound=renyi_difference(p.unprojected(), q.unprojected(), alpha),
            )  # fmt: skip
    p, q = rng.dirichlet(np.ones(4), 2)
    yield ctx.compare(
        "literal", "printed",
        discrete.renyi(p @ rng.dirichlet(np.ones(4), 4), q @ rng.dirichlet(np.ones(4), 4), 2.0),
        {"alpha": 2.0}, "different kernels for the two laws do increase it",
        bound=min(discrete.renyi(p, q, 2.0), 1e-3), role="control",
    )  # fmt: skip


CHECKS = (Check("sglu.lemd.2", evidence=check),)
