"""Excess risks over samples of the rows, against all samples and all sets to delete."""

import math
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np

from simulators.runs.unlearning import HessianFree
from verify.hf.self_tests.runs import LAM, WHOLE_BATCHES, equality
from verify.hf.views.labels import LabelRisk, SignDraws
from verify.hf.views.population import PopulationRisk
from verify.self_tests import Equality


def equalities() -> Iterator[Equality]:
    """Quadratics of rows, and signs."""
    yield from _quadratics()
    yield from _signs()
    yield from _labels()


def _quadratics() -> Iterator[Equality]:
    """Every sample of three of 12 rows, the first of each forgotten."""
    settings = {**WHOLE_BATCHES, "data": "linear", "loss": "quadratic", "decay": 0.8}
    run: Any = HessianFree(**settings).run()
    run.view(PopulationRisk).sample_size = 3
    centres = run.task.data.features / LAM
    model, retrained, best = _samples(centres, run.task.training.steps)
    # The law's minimiser is the mean of all centres.
    excess = LAM / 2 * _mean_square(model - centres.mean(axis=0))
    yield equality(run, "excess_risk", excess)
    farthest = np.linalg.norm(centres, axis=1).max()
    sigmas = {"noisy": 0.01 * farthest, "near": 0.01 * farthest, "far": 10 * farthest / 3**0.5}
    for name, sigma in sigmas.items():
        risk = run[f"{name}_excess_risk"]
        # Noise adds its own mean square, in three dimensions.
        with_noise = excess + LAM / 2 * 3 * sigma**2
        yield Equality(f"{name} excess", risk.values, with_noise, 1e-8)
        yield Equality(f"{name} sigma", risk.at["sigma"], sigma)
    near = _mean_square(model - best)
    distance = run["near_excess_risk"].at["distance"]
    yield Equality("distance", distance, math.sqrt(near), 1e-8)
    distance = run["far_excess_risk"].at["distance"]
    yield Equality("far distance", distance, math.sqrt(near + 3 * sigmas["far"] ** 2), 1e-8)
    at = run["excess_risk"].at
    # What holds for every sample is at least what holds for each.
    pairs = (("error", retrained - model), ("distance", retrained - best))
    covered = [at[name] / np.linalg.norm(gap, axis=1).max() > 1 - 1e-9 for name, gap in pairs]
    yield Equality("bounds on the error and the distance", covered, [1, 1])
    steepest = max(float(LAM * np.linalg.norm(point - centres, axis=1).max()) for point in model)
    yield Equality("L", [at["L"], at["L"] >= steepest], [2 * LAM * farthest, 1])


def _samples(centres: np.ndarray, steps: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of every sample: the unlearned model, the retrained one, and the mean of what stays."""
    samples = np.array(list(product(range(len(centres)), repeat=3)))
    forgotten = centres[samples[:, 0]]
    whole = centres[samples].mean(axis=1)
    best = centres[samples[:, 1:]].mean(axis=1)
    # w_t, v_t and the recursion's vector of every sample.
    w = np.zeros((len(samples), 3))
    v = np.zeros((len(samples), 3))
    vector = np.zeros((len(samples), 3))
    for eta in steps:
        rate = LAM * eta
        vector = vector - rate * vector + rate / 3 * (w - forgotten)
        w = w - rate * (w - whole)
        v = v - rate * 2 / 3 * (v - best)
    return w + vector, v, best


def _mean_square(gaps: np.ndarray) -> float:
    return float((gaps**2).sum(axis=1).mean())


def _signs() -> Iterator[Equality]:
    """All draws of seven signs, all sets of them."""
    share, n = 0.3, 7
    draws = SignDraws(n, share)
    goal = 2 * share - 1
    blind = np.zeros(n)
    worst = np.zeros(n)
    for signs in product((-1, 1), repeat=n):
        z = np.array(signs)
        ups = signs.count(1)
        chance = share**ups * (1 - share) ** (n - ups)
        for m in range(n):
            means = [z[list(rest)].mean() for rest in combinations(range(n), n - m)]
            blind[m] += chance * (z[m:].mean() - goal) ** 2 / 2
            worst[m] += chance * max((mean - goal) ** 2 / 2 for mean in means)
    yield Equality("blind deletions", [draws.blind(m) for m in range(n)], blind)
    yield Equality("worst deletions", [draws.worst(m) for m in range(n)], worst)
    cheap = [m for m in range(n) if worst[m] <= 0.3]
    yield Equality("capacity", draws.capacity(0.3), max(cheap))


def _labels() -> Iterator[Equality]:
    """The same of the labels of a run."""
    run: Any = HessianFree(**{**WHOLE_BATCHES, "epochs": 1}, statistics="set").run()
    run.view(LabelRisk)
    share = float((run.task.data.targets > 0).mean())
    draws = SignDraws(12, share)
    blind = [2 * share * (1 - share) / (12 - m) for m in range(12)]
    yield equality(run, "label_excess", [blind[m] for m in (1, 1, 6, 11)])
    yield equality(run, "worst_label_excess", [draws.worst(m) for m in (1, 1, 4, 6)])
    yield equality(run, "label_capacity", draws.capacity(0.25))
    cheap = [m for m in range(12) if blind[m] <= 0.25]
    yield equality(run, "blind_label_capacity", max(cheap))
