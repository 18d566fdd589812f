"""Releases with noise of a run's unlearned model, against root finding and a noncentral chi."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import ncx2

from simulators.runs.unlearning import HessianFree
from verify.hf.self_tests.runs import REMAINING, SETTINGS, PathsByHand, equality, norm
from verify.hf.views.releases import NoisyReleases
from verify.self_tests import Equality
from verify.self_tests.experiments import gaussian_delta


def equalities() -> Iterator[Equality]:
    """Least noise, delta, and distances of the noisy model."""
    run: Any = HessianFree(**SETTINGS, statistics="set").run()
    run.view(NoisyReleases)
    hand = PathsByHand(run)
    vector, _ = hand.recursion("batch")
    error = norm(hand.retrained[-1] - hand.learned[-1] - vector)
    for name, releases in (("least_noise", 1), ("least_large_noise", 1), ("least_joint_noise", 20)):
        shift = error * math.sqrt(releases)
        yield equality(run, name, [shift / _largest_mu(e) for e in run[name].at["epsilon"]])
    at = run["release_delta"].at
    pairs = zip(at["sigma"], at["epsilon"], strict=True)
    yield equality(run, "release_delta", [gaussian_delta(error / s, e) for s, e in pairs])
    sigmas = run["noisy_distance"].at["sigma"]
    means = [s * ncx2.expect(np.sqrt, (3, (error / s) ** 2)) for s in sigmas]
    yield equality(run, "noisy_distance", means, 1e-7)
    yield from _triangle(run, hand, vector)


def _largest_mu(epsilon: float) -> float:
    """mu of the Gaussian pair with delta 1e-5 there."""
    return float(brentq(lambda mu: gaussian_delta(mu, epsilon) - 1e-5, 1e-3, 1e2))


def _triangle(run: Any, hand: PathsByHand, vector: Any) -> Iterator[Equality]:
    """The model with noise as long as the difference, on average."""
    w, v = hand.learned[-1], hand.retrained[-1]
    noise = np.random.default_rng(0).standard_normal(3) * norm(v - w) / math.sqrt(3)
    model = w + vector + noise
    best = hand.minimiser(REMAINING)
    yield equality(run, "triangle", norm(model - best))
    ways = norm(model - v) + norm(v - best)
    yield Equality("two ways", run["triangle"].at["ways"], ways, 1e-8)
