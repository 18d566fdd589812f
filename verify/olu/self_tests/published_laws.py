"""Means and variance round by round, with and without two losses, noise at 10 and 20."""

import math
from collections.abc import Iterator

import numpy as np

from simulators.runs.online import Online
from verify.olu.self_tests.descents import MEANS, norm
from verify.olu.views.laws import PublishedLaws
from verify.self_tests import Equality

U, TAU = (5, 7), (10, 20)


def equalities() -> Iterator[Equality]:
    """Divergences of the passive learner of means, steps 1/(mu t)."""
    schedule = {"index": list(U), "time": list(TAU)}
    run = Online(**{**MEANS, "schedule": schedule, "epsilon": 2.0}).run()
    run.view(PublishedLaws)
    gap, variance = _last_request(run.stream.points, run.rule["sigmas"])
    square = float(norm(gap) ** 2) / variance
    # D_2 of two Gaussian laws of one variance is the squared distance over the variance.
    whole = run["law_divergence"].values
    yield Equality("D_2 at the last request", whole, square, 1e-7)
    yield Equality("the same by rounds", run["law_by_rounds"].values, square, 1e-7)
    largest = np.abs(gap).max() ** 2 / variance
    yield Equality("D_2 of a coordinate", run["law_of_a_coordinate"].values, largest, 1e-7)
    yield Equality("mu at the last request", run["law_mu"].values, math.sqrt(square), 1e-7)


def _last_request(points: np.ndarray, sigmas: np.ndarray) -> tuple[np.ndarray, float]:
    """Difference of the means of both runs, and the variance of a coordinate, at w_20."""
    learned = retrained = np.zeros(3)
    variance = 0.0
    for t, x in enumerate(points[:19], start=1):
        # The noise of a request is added to w_10, before the step of round 10.
        if t == TAU[0]:
            variance += sigmas[0] ** 2
        learned = learned - (learned - x) / t
        if t not in U:
            retrained = retrained - (retrained - x) / t
        variance *= (1 - 1 / t) ** 2
    return learned - retrained, float(variance + sigmas[1] ** 2)
