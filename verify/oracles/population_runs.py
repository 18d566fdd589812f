"""Excess risks over samples of the rows, against all samples and all sets to delete."""

import math
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy.stats import ncx2

from simulators.experiments.population import Labels
from simulators.experiments.unlearning import HessianFree
from verify.oracles import Equality
from verify.oracles.path_runs import GIVEN
from verify.oracles.step_runs import GONE, LAM, WHOLE, Hand, far, seen


def equalities() -> Iterator[Equality]:
    """Quadratics of rows, and signs."""
    yield from _population()
    yield from _labels()


def _population() -> Iterator[Equality]:
    """Every sample of three of 12 rows, the first of each forgotten."""
    run: Any = HessianFree(**{**WHOLE, "data": "linear"}, loss="quadratic", decay=0.8).run()
    run.drawn = 3
    centres = run.world.data.features / LAM
    goal = centres.mean(axis=0)
    samples = np.array(list(product(range(12), repeat=3)))
    first, whole = centres[samples[:, 0]], centres[samples].mean(axis=1)
    best = centres[samples[:, 1:]].mean(axis=1)
    w, v, A = (np.zeros((len(samples), 3)) for _ in range(3))
    for eta in run.world.training.steps:
        rate = LAM * eta
        A = A - rate * A + rate / 3 * (w - first)
        w = w - rate * (w - whole)
        v = v - rate * 2 / 3 * (v - best)
    model, risk = w + A, LAM / 2
    yield seen(run, "excess_risk", risk * ((model - goal) ** 2).sum(axis=1).mean())
    R = np.linalg.norm(centres, axis=1).max()
    for name, sigma in (("noisy", 0.01 * R), ("near", 0.01 * R), ("far", 10 * R / math.sqrt(3))):
        found = run[f"{name}_excess_risk"]
        wanted = risk * (((model - goal) ** 2).sum(axis=1).mean() + 3 * sigma**2)
        yield Equality(f"{name} excess", found.values, wanted, 1e-8)
        yield Equality(f"{name} sigma", found.at["sigma"], sigma)
    near = ((model - best) ** 2).sum(axis=1).mean()
    yield Equality("distance", run["near_excess_risk"].at["distance"], math.sqrt(near), 1e-8)
    away = math.sqrt(near + 3 * (10 * R) ** 2 / 3)
    yield Equality("far distance", run["far_excess_risk"].at["distance"], away, 1e-8)
    at = run["excess_risk"].at
    most = [np.linalg.norm(x, axis=1).max() for x in (v - model, v - best)]
    room = [at["error"] / most[0] > 1 - 1e-9, at["distance"] / most[1] > 1 - 1e-9]
    yield Equality("bounds on the error and the distance", room, [1, 1])
    slopes = max(float(LAM * np.linalg.norm(p - c)) for p in model for c in centres)
    yield Equality("L", [at["L"], at["L"] >= slopes], [2 * LAM * R, 1])
    batches: Any = HessianFree(**GIVEN, statistics="set").run()
    found = batches["noisy_distance"]
    error = float(batches["batch_error"].values)
    roots = [s * ncx2.expect(np.sqrt, (3, (error / s) ** 2)) for s in found.at["sigma"]]
    yield Equality("mean distance with noise", found.values, roots, 1e-7)
    ways, hand = batches["triangle"], Hand(batches)
    model = hand.v[-1] - (hand.v[-1] - hand.w[-1] - _left(batches))
    noise = np.random.default_rng(0).standard_normal(3)
    model = model + noise * far(hand.v[-1] - hand.w[-1]) / math.sqrt(3)
    rest = hand.best([i for i in range(12) if i not in GONE])
    yield Equality("triangle", ways.values, far(model - rest), 1e-8)
    both = far(model - hand.v[-1]) + far(hand.v[-1] - rest)
    yield Equality("two ways", ways.at["ways"], both, 1e-8)


def _left(run: Any) -> Any:
    """The recursion's vector with whole batches' Hessians."""
    hand, A = Hand(run), np.zeros(3)
    for t, (rows, eta) in enumerate(zip(hand.batches, hand.steps, strict=True)):
        out = [i for i in rows if i in GONE]
        A = A - eta * hand.bend(hand.w[t], rows) @ A
        A = A + (eta * len(out) / 4 * hand.slope(hand.w[t], out) if out else 0.0)
    return A


def _labels() -> Iterator[Equality]:
    """All draws of seven signs, all sets of them."""
    share, n = 0.3, 7
    labels, goal = Labels(n, share), 2 * share - 1
    blind, worst = np.zeros(n), np.zeros(n)
    for signs in product((-1, 1), repeat=n):
        z, chance = np.array(signs), share ** signs.count(1) * (1 - share) ** signs.count(-1)
        for m in range(n):
            blind[m] += chance * (z[m:].mean() - goal) ** 2 / 2
            kept = [z[list(rest)].mean() for rest in combinations(range(n), n - m)]
            worst[m] += chance * max((x - goal) ** 2 / 2 for x in kept)
    yield Equality("blind deletions", [labels.blind(m) for m in range(n)], blind)
    yield Equality("worst deletions", [labels.worst(m) for m in range(n)], worst)
    fine = [m for m in range(n) if worst[m] <= 0.3]
    yield Equality("capacity", labels.capacity(0.3), max(fine))
    run: Any = HessianFree(**{**WHOLE, "epochs": 1}, statistics="set").run()
    y = run.world.data.targets
    p = float((y > 0).mean())
    own = Labels(12, p)
    yield seen(run, "label_excess", [2 * p * (1 - p) / (12 - m) for m in (1, 1, 6, 11)])
    yield seen(run, "worst_label_excess", [own.worst(m) for m in (1, 1, 4, 6)])
    yield seen(run, "label_capacity", own.capacity(0.25))
    fine = [m for m in range(12) if 2 * p * (1 - p) / (12 - m) <= 0.25]
    yield seen(run, "blind_label_capacity", max(fine))
