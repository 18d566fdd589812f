"""Lemma 4 of olu: affine maps attain it; psi may expand and psi' may be anything."""

import math

import numpy as np

from simulators.exact import discrete
from simulators.exact.shifted import shifted_law
from verify.checks import Check, Context, Findings, Instances


def measure(alpha: float, x: float, s: float, e: float) -> float:
    """Left side for psi(z) = z/2 + 3 and psi'(z) = z/2: means x/2 + 3 apart, shift e/2 + 3."""
    gap = max(x / 2 + 3.0 - (e / 2 + 3.0), 0.0)
    return alpha * gap**2 / (2 * (s / 2) ** 2)


def check(ctx: Context) -> Findings:
    """Laws on five points under random maps, contracting and expanding, by taut strings."""
    rng = ctx.rng(1)
    words = "laws on five points under random maps, taut strings"
    for interpretation in ("literal", "general"):
        samples = (
            _random_maps(rng, interpretation == "general") for _ in range(ctx.pick(150, 5000))
        )
        lhs, right = zip(*(pair for pair in samples if pair is not None), strict=True)
        at = {"pairs": len(lhs)}
        bound = np.array(right) * (1 + 1e-11) + 1e-13
        yield ctx.compare(interpretation, "printed", lhs, at, words, bound=bound, tight=math.nan)
    law = shifted_law([0.0, 1.0], [0.5, 0.5], [0.0, 1.0], [0.9, 0.1], 0.0)
    assert law is not None
    divergence = discrete.renyi([0.5, 0.5], [0.9, 0.1], 2.0)
    words = "a law that could be moved by 1 before cannot be moved by 0 after"
    yield ctx.compare("literal", "printed", divergence, {}, words, bound=0.0, role="control")


def _random_maps(rng: np.random.Generator, expanding: bool) -> tuple[float, float] | None:
    """(D^(c e + s) after, D^(e) before) for random increasing maps on five points."""
    points = np.cumsum(rng.integers(1, 4, 5)).astype(float)
    p, q = rng.dirichlet(np.ones(5), 2)
    slopes = rng.uniform(0.2, 2.0 if expanding else 1.0, 4)
    image = np.concatenate(([0.0], np.cumsum(slopes * np.diff(points))))
    # psi': a skip half of the time, otherwise another map of the kind that is allowed.
    other = points if expanding else image + np.cumsum(rng.uniform(0, 0.1, 5))
    c = float(slopes.max())
    if not expanding:
        c = max(c, float((np.diff(other) / np.diff(points)).max()))
    s = float(np.abs(image - other).max())
    e = float(rng.choice([0.0, 1.0, 2.0]))
    alpha = float(rng.choice([1.5, 2.0, 4.0]))
    before = shifted_law(points.tolist(), p.tolist(), points.tolist(), q.tolist(), e)
    after = shifted_law(
        image.tolist(), p.tolist(), other.tolist(), q.tolist(), (c * e + s) * (1 + 1e-12)
    )
    if before is None or after is None:
        return None
    laws = [np.maximum(np.asarray(law, dtype=float), 0.0) for law in (after, before)]
    divergences = [discrete.renyi(law / law.sum(), q, alpha) for law in laws]
    return divergences[0], divergences[1]


AFFINE = Instances(
    "psi = x/2 + 3 and psi' = x/2",
    draws=(15, 150),
    within={"x": (0.1, 20), "e": (0, 5)},
    relations={"printed": "=="},
)
SHIFTED = "no sample shows a shifted divergence; it is known of Gaussians"
CHECKS = (Check("olu.lem4", check, measure, (AFFINE,), exact_only=SHIFTED),)
