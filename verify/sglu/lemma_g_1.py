"""Lemma G.1 of sglu: joint convexity of exp((alpha - 1) D_alpha) over random mixtures."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact import discrete, line_divergence
from simulators.exact.line import LineLaw
from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="sglu.lemg.1",
    label="Lemma G.1",
    kind="inequality",
    statement="exp((alpha - 1) D_alpha) of two mixtures with the same weights is at most the "
    "mixture of its values on the pairs.",
    aliases=("sglu.lemG.1",),
    formula=False,
    readings=(
        Reading(
            "literal",
            "alpha >= 1, the same weights on both sides",
            ("printed",),
            proofs={"printed": "(x, y) -> x^alpha y^(1 - alpha) is convex and 1-homogeneous"},
        ),
        Reading(
            "kl",
            "joint convexity of the divergence itself, alpha > 1 (as the text's words suggest)",
            ("printed",),
        ),
    ),
    correction='It is joint convexity of exp((alpha - 1) D_alpha), not "of KL divergence".',
)


def sides(
    p: np.ndarray, q: np.ndarray, weights: np.ndarray, alpha: float
) -> tuple[float, float]:
    """Both sides on discrete laws, rows of p and q."""
    mixed = [weights @ laws / (weights @ laws).sum() for laws in (p, q)]
    left = math.exp((alpha - 1) * discrete.renyi(*mixed, alpha))
    each = [math.exp((alpha - 1) * discrete.renyi(a, b, alpha)) for a, b in zip(p, q, strict=True)]
    return left, float(weights @ each)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    left, right = [], []
    for _ in range(ctx.pick(500, 20_000)):
        points, count = int(rng.integers(2, 5)), int(rng.integers(2, 5))
        p, q = rng.dirichlet(np.full(points, 1.5), (2, count))
        one = sides(p, q, rng.dirichlet(np.ones(count)), 1 + float(rng.exponential()))
        left.append(one[0])
        right.append(one[1])
    yield ctx.compare(
        "literal", "printed", left, {"count": len(left)}, "random mixtures of discrete laws",
        bound=right,
    )  # fmt: skip
    p, q = rng.dirichlet(np.ones(3), 2)
    same = sides(np.stack((p, p)), np.stack((q, q)), np.array([0.3, 0.7]), 2.5)
    yield ctx.compare(
        "literal", "printed", same[0], {"alpha": 2.5}, "equal pairs: equality", bound=same[1],
        relation="==",
    )  # fmt: skip
    weights, means = np.array([0.4, 0.6]), np.array([-0.5, 1.0])
    for alpha in (1.5, 4.0):
        old, new = (LineLaw(weights, means + shift, np.ones(2)) for shift in (0.0, 0.4))
        whole = math.exp((alpha - 1) * line_divergence.renyi(old, new, alpha))
        yield ctx.compare(
            "literal", "printed", whole, {"alpha": alpha}, "two Gaussians, each moved by 0.4",
            bound=math.exp((alpha - 1) * alpha * 0.4**2 / 2),
        )  # fmt: skip
    # Divergences 0 and large: the mixture's divergence exceeds the mean of the two.
    alpha, odds = 8.0, np.array([0.5, 0.5])
    p = np.array([[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.99, 0.01]])
    q = np.array([[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.01, 0.99]])
    mixed = discrete.renyi(odds @ p, odds @ q, alpha)
    mean = 0.5 * discrete.renyi(p[0], q[0], alpha) + 0.5 * discrete.renyi(p[1], q[1], alpha)
    yield ctx.compare(
        "kl", "printed", mixed, {"alpha": alpha}, "disjoint pairs, one equal and one far apart",
        bound=mean,
    )  # fmt: skip
