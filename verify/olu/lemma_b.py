"""Lemma B of olu: no map, random or not, increases a Rényi divergence."""

import math

import numpy as np

from simulators.exact import discrete, line_divergence
from simulators.exact.line import LineLaw
from verify.checks import Check, Context, Findings


def check(ctx: Context) -> Findings:
    """Divergences before and after random kernels, invertible maps, and a projection."""
    rng = ctx.rng()
    before, after, same = [], [], []
    for _ in range(ctx.pick(500, 20_000)):
        size = int(rng.integers(2, 6))
        p, q = rng.dirichlet(np.ones(size), 2)
        kernel = rng.dirichlet(np.full(size, rng.uniform(0.1, 2)), size)
        alpha = float(rng.choice([1.0, 1.0 + rng.exponential(3), math.inf]))
        before.append(discrete.renyi(p, q, alpha))
        first, second = p @ kernel, q @ kernel
        after.append(discrete.renyi(first / first.sum(), second / second.sum(), alpha))
        order = rng.permutation(size)
        same.append(discrete.renyi(p[order], q[order], alpha))
    words = "random kernels on up to 5 points"
    yield ctx.compare(
        "literal", "printed", after, {}, words, bound=np.array(before) * (1 + 1e-12) + 1e-15
    )
    yield ctx.compare(
        "literal", "printed", same, {}, "invertible maps: equality", bound=before, relation="=="
    )
    for _ in range(ctx.pick(5, 60)):
        means = rng.normal(size=2)
        scale = float(np.exp(rng.normal()))
        radius = 0.8
        laws = [
            [LineLaw(np.ones(1), np.array(m), np.array(scale), r) for m in means]
            for r in (radius, math.inf)
        ]
        projected, free = (line_divergence.renyi(p, q, 2.5) for p, q in laws)
        words = "Gaussians projected onto an interval"
        yield ctx.compare(
            "literal", "printed", projected, {"scale": scale, "radius": radius}, words, bound=free
        )
    p, q = rng.dirichlet(np.ones(4), 2)
    kernels = np.eye(4)[[0, 0, 0, 0]], np.full((4, 4), 0.25)
    divergence = discrete.renyi(p @ kernels[0], q @ kernels[1], 2.0)
    words = "different maps for the two laws can increase it"
    yield ctx.compare("literal", "printed", divergence, {}, words, bound=0.5, role="control")


CHECKS = (
    Check("olu.lemb", evidence=check)
    .measured_by("online", "law_of_a_coordinate", sides={"printed": "whole"})
    .beside("means of 1 and -1 by turns, a small ball"),
)
