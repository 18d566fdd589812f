"""Lemma G.1 of sglu: exact rational laws, disjoint pairs that attain it, Gaussian mixtures."""

from fractions import Fraction

import numpy as np

from simulators.exact import line_divergence
from simulators.exact.discrete import power_sum, renyi
from simulators.exact.mixture import random_position
from verify.checks import Check, Context, Findings


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


def check(ctx: Context) -> Findings:
    """Ratio of both sides for rational laws in exact arithmetic, and Gaussian mixtures."""
    rng = ctx.rng()
    yield from _finite(ctx, rng)
    yield from _attained(ctx, rng)
    for alpha, J, K in ((3.0, 3, 1), (1.5, 4, 2), (8.0, 2, 1)):
        unlearned, retrained = random_position(0.6, 0.8, 0.38, J, K)
        gaps = (unlearned.means - retrained.means) / unlearned.scales
        at = {"alpha": alpha, "w": unlearned.weights, "D": alpha * gaps**2 / 2, "J": J, "K": K}
        exact = line_divergence.renyi(unlearned, retrained, alpha)
        instance = "Gaussian mixtures over the batch position of the replaced point"
        yield ctx.compare("literal", "printed", exact, at, instance)


def _finite(ctx: Context, rng: np.random.Generator) -> Findings:
    """Mixtures of random laws: both sides in rationals at whole orders, in floats at others."""
    whole = {"bound": 1.0, "tight": 1.0, "basis": "certified", "tolerance": 0.0}
    for _ in range(ctx.pick(40, 400)):
        size, parts, order = (int(k) for k in rng.integers((2, 2, 2), (6, 5, 6)))
        p = rational_law(rng, parts)
        sides = [[rational_law(rng, size) for _ in p] for _ in range(2)]
        # exp((alpha - 1) D_alpha) is a rational number here: of the mixtures, and in the mean.
        sums = [power_sum(a, b, order) for a, b in zip(*sides, strict=True)]
        mean = sum((x * y for x, y in zip(p, sums, strict=True)), Fraction(0))
        first, second = (mixed(p, laws) for laws in sides)
        joint = power_sum(first, second, order)
        at = {"alpha": order}
        instance = "ratio of both sides, rational laws in exact arithmetic"
        yield ctx.compare("literal", "printed", float(joint / mean), at, instance, **whole)
        floats = [[np.array(law, dtype=float) for law in laws] for laws in sides]
        both = [np.array(law, dtype=float) for law in (first, second)]
        for alpha in (1.0, 1 + float(rng.exponential())):
            pairs = [renyi(a, b, alpha) for a, b in zip(*floats, strict=True)]
            at = {"alpha": alpha, "w": np.array(p, dtype=float), "D": pairs}
            exact = renyi(both[0], both[1], alpha)
            yield ctx.compare("literal", "printed", exact, at, "random finite laws")


def _attained(ctx: Context, rng: np.random.Generator) -> Findings:
    """Pairs on disjoint sets: equality, and the mean of the divergences would be too small."""
    for alpha in (1.0, 1.7, 4.0):
        w = np.array([0.2, 0.5, 0.3])
        laws = [[rng.dirichlet((2.0, 2.0)) for _ in w] for _ in range(2)]
        pairs = [renyi(a, b, alpha) for a, b in zip(*laws, strict=True)]
        # The mixture of laws on disjoint sets lists their masses one after the other.
        whole = [np.concatenate(w[:, None] * np.array(side)) for side in laws]
        joint = renyi(whole[0], whole[1], alpha)
        at = {"alpha": alpha, "w": w, "D": pairs}
        yield ctx.compare("literal", "printed", joint, at, "pairs on disjoint sets", relation="==")
        if alpha > 1:
            options = {"bound": float(w @ pairs), "role": "control"}
            instance = "D_alpha itself is not jointly convex"
            yield ctx.compare("literal", "printed", joint, at, instance, **options)


CHECKS = (Check("sglu.lemg.1", evidence=check).measured_by("langevin", "placed_renyi"),)
