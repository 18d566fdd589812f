"""Definition 1 and equation (3) of olu: what an unlearner is compared with, and in what order."""

import math

import numpy as np
from scipy.special import ndtr

from simulators.exact.gaussian_divergence import renyi_gauss
from verify.checks import Check, Context, Findings


def check_unlearner(ctx: Context) -> Findings:
    """Divergence of Gaussians in both directions, at one variance and at two."""
    gap, sigma, alpha = ctx.rng().exponential(size=(3, ctx.pick(500, 20_000)))
    inputs = {"gap": gap, "sigma": sigma, "alpha": 1 + alpha}
    words = "Gaussian noise on both: alpha gap^2/(2 sigma^2), either direction"
    bound = (1 + alpha) * gap**2 / (2 * sigma**2)
    for first, second in ((gap, 0.0), (0.0, gap)):
        divergence = renyi_gauss(first, sigma**2, second, sigma**2, 1 + alpha)
        yield ctx.compare("literal", "printed", divergence, inputs, words, bound=bound)
    # One direction says nothing about the other.
    divergence = renyi_gauss(0.0, 1.0, 0.0, 2.0, 3.0)
    inputs = {"alpha": 3.0}
    words = "variance 1 against 2: finite in the direction of the definition"
    yield ctx.compare("literal", "printed", divergence, inputs, words, bound=math.log(2) / 4)
    divergence = renyi_gauss(0.0, 2.0, 0.0, 1.0, 3.0)
    words = "variance 2 against 1: infinite in the other"
    yield ctx.compare("literal", "printed", divergence, inputs, words, bound=1e300, role="control")


def check_composition(ctx: Context) -> Findings:
    """Mean and variance of update, map and noise in two orders; outputs outside K."""
    rng = ctx.rng()
    count = {"count": 50}
    # g halves, h moves by 1, rho adds s N(0, 1): mean and variance tell the order.
    x, s = rng.normal(size=50), rng.exponential(size=50)
    draws = np.array([-1.0, 1.0])  # a two-point noise has the same mean and variance
    outputs = (x[:, None] / 2 + 1) + s[:, None] * draws
    statistics = np.concatenate((outputs.mean(axis=1), outputs.std(axis=1)))
    words = "update, then unlearning map, then noise: the noise is passed on unchanged"
    bound = np.concatenate((x / 2 + 1, s))
    yield ctx.compare("literal", "printed", statistics, count, words, bound=bound)
    other = ((x[:, None] + s[:, None] * draws) / 2 + 1).std(axis=1)
    words = "noise before the update would be halved"
    more = {"relation": "==", "role": "control"}
    yield ctx.compare("literal", "printed", other, count, words, bound=s, **more)
    for sigma in (0.1, 0.5, 2.0):
        z = float(np.clip(-3.0, -1, 1))
        inputs = {"sigma": sigma}
        outside = float(ndtr((-1 - z) / sigma) + ndtr((z - 1) / sigma))
        words = "probability outside K = [-1, 1], noise after the projection"
        yield ctx.compare("in_k", "printed", outside, inputs, words, bound=0.0, script="eq3")
        largest_norm = np.abs(np.clip(z + sigma * np.linspace(-8, 8, 2001), -1, 1)).max()
        words = "largest output with the projection last"
        yield ctx.compare("in_k", "corrected", largest_norm, inputs, words, bound=1.0)


CHECKS = (Check("olu.def1", evidence=check_unlearner), Check("olu.eq3", evidence=check_composition))
