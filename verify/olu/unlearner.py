"""Definition 1 and equation (3) of olu: what an unlearner is compared with, and in what order."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from simulators.exact.gaussian_divergence import renyi_gauss
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def check_unlearner(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    n = ctx.pick(500, 20_000)
    gap, sigma, alpha = (
        rng.exponential(size=n),
        rng.exponential(size=n),
        1 + rng.exponential(size=n),
    )
    for first, second in ((gap, 0.0), (0.0, gap)):
        found = renyi_gauss(first, sigma**2, second, sigma**2, alpha)
        inputs = {"gap": gap, "sigma": sigma, "alpha": alpha}
        words = "Gaussian noise on both: alpha gap^2/(2 sigma^2), either direction"
        yield ctx.compare(
            "literal", "printed", found, inputs, words, bound=alpha * gap**2 / (2 * sigma**2)
        )
    # One direction says nothing about the other.
    narrow, wide = (0.0, 1.0), (0.0, 2.0)
    order = 3.0
    found = renyi_gauss(*narrow, *wide, order)
    words = "variance 1 against 2: finite in the direction of the definition"
    yield ctx.compare("literal", "printed", found, {"alpha": order}, words, bound=math.log(2) / 4)
    found, words = renyi_gauss(*wide, *narrow, order), "variance 2 against 1: infinite in the other"
    yield ctx.compare(
        "literal", "printed", found, {"alpha": order}, words, bound=1e300, role="control"
    )


def check_composition(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    # g halves, h moves by 1, rho adds s N(0, 1): mean and variance tell the order.
    x, s = rng.normal(size=50), rng.exponential(size=50)
    draws = np.array([-1.0, 1.0])  # a two-point noise has the same mean and variance
    outputs = (x[:, None] / 2 + 1) + s[:, None] * draws
    mean, spread = outputs.mean(axis=1), outputs.std(axis=1)
    found = np.concatenate((mean, spread))
    words = "update, then unlearning map, then noise: the noise is passed on unchanged"
    yield ctx.compare(
        "literal", "printed", found, {"count": 50}, words, bound=np.concatenate((x / 2 + 1, s))
    )
    other = ((x[:, None] + s[:, None] * draws) / 2 + 1).std(axis=1)
    words = "noise before the update would be halved"
    yield ctx.compare(
        "literal", "printed", other, {"count": 50}, words, bound=s, relation="==", role="control"
    )
    for sigma in (0.1, 0.5, 2.0):
        z = float(np.clip(-3.0, -1, 1))
        outside = float(ndtr((-1 - z) / sigma) + ndtr((z - 1) / sigma))
        words = "probability outside K = [-1, 1], noise after the projection"
        yield ctx.compare(
            "in_k", "printed", outside, {"sigma": sigma}, words, bound=0.0, script="eq3"
        )
        nodes = np.clip(z + sigma * np.linspace(-8, 8, 2001), -1, 1)
        words = "largest output with the projection last"
        yield ctx.compare(
            "in_k", "corrected", float(np.abs(nodes).max()), {"sigma": sigma}, words, bound=1.0
        )


CHECKS = (Check("olu.def1", evidence=check_unlearner), Check("olu.eq3", evidence=check_composition))
