"""Lemma G.1 of sglu: exact rational laws, disjoint pairs that attain it, Gaussian mixtures."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from simulators.exact import line_divergence
from simulators.exact.discrete import power_sum, renyi
from simulators.exact.mixture import random_position
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def rational_law(rng: np.random.Generator, size: int, low: int = 1) -> list[Fraction]:
    """A random law on `size` points with rational masses."""
    weights = [int(k) for k in rng.integers(low, 30, size=size)]
    total = sum(weights)
    return [Fraction(k, total) for k in weights]


def mixed(weights: list[Fraction], laws: list[list[Fraction]]) -> list[Fraction]:
    """The mixture of laws on the same points."""
    return [
        sum((w * x for w, x in zip(weights, column, strict=True)), Fraction(0))
        for column in zip(*laws, strict=True)
    ]


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 400)):
        size, parts = int(rng.integers(2, 6)), int(rng.integers(2, 5))
        p = rational_law(rng, parts)
        nu, other = ([rational_law(rng, size) for _ in p] for _ in range(2))
        order = int(rng.integers(2, 6))
        sums = [power_sum(a, b, order) for a, b in zip(nu, other, strict=True)]
        mean = sum((x * y for x, y in zip(p, sums, strict=True)), Fraction(0))
        joint = power_sum(mixed(p, nu), mixed(p, other), order)
        yield ctx.compare(
            "literal", "printed", float(joint / mean), {"alpha": order},
            "ratio of both sides, rational laws in exact arithmetic", bound=1.0, tight=1.0,
            basis="certified", tolerance=0.0,
        )  # fmt: skip
        for alpha in (1.0, 1 + float(rng.exponential())):
            floats = [[np.array(law, dtype=float) for law in laws] for laws in (nu, other)]
            pairs = [renyi(a, b, alpha) for a, b in zip(*floats, strict=True)]
            whole = [np.array(mixed(p, laws), dtype=float) for laws in (nu, other)]
            yield ctx.compare(
                "literal", "printed", renyi(whole[0], whole[1], alpha),
                {"alpha": alpha, "w": np.array(p, dtype=float), "D": pairs}, "random finite laws",
            )  # fmt: skip
    yield from _attained(ctx, rng)
    for alpha, J, K in ((3.0, 3, 1), (1.5, 4, 2), (8.0, 2, 1)):
        unlearned, retrained = random_position(0.6, 0.8, 0.38, J, K)
        gaps = (unlearned.means - retrained.means) / unlearned.scales
        yield ctx.compare(
            "literal", "printed", line_divergence.renyi(unlearned, retrained, alpha),
            {"alpha": alpha, "w": unlearned.weights, "D": alpha * gaps**2 / 2, "J": J, "K": K},
            "Gaussian mixtures over the batch position of the replaced point",
        )  # fmt: skip


def _attained(ctx: Context, rng: np.random.Generator) -> Iterator[Evidence]:
    """Pairs on disjoint sets: equality, and the mean of the divergences would be too small."""
    for alpha in (1.0, 1.7, 4.0):
        w = np.array([0.2, 0.5, 0.3])
        laws = [[rng.dirichlet((2.0, 2.0)) for _ in w] for _ in range(2)]
        pairs = [renyi(a, b, alpha) for a, b in zip(*laws, strict=True)]
        whole = [np.concatenate([x * law for x, law in zip(w, side, strict=True)]) for side in laws]
        joint = renyi(whole[0], whole[1], alpha)
        inputs = {"alpha": alpha, "w": w, "D": pairs}
        yield ctx.compare(
            "literal", "printed", joint, inputs, "pairs on disjoint sets", relation="=="
        )
        if alpha > 1:
            yield ctx.compare(
                "literal", "printed", joint, inputs, "D_alpha itself is not jointly convex",
                bound=float(w @ pairs), role="control",
            )  # fmt: skip


CHECKS = (Check("sglu.lemg.1", evidence=check),)
