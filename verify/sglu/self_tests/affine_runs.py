"""Exact laws of runs on a handful of rows, by loops over the batches and by root finding."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

from simulators.runs.langevin_run import LangevinRun
from verify.self_tests import Equality
from verify.self_tests.experiments import gaussian_delta
from verify.sglu.self_tests.langevin_runs import MADE, SHAPES, MeanByHand, length, viewed
from verify.sglu.views.learning import LearnedLaws
from verify.sglu.views.least import LeastCosts
from verify.sglu.views.requests import RequestLaws
from verify.sglu.views.stationary import StationaryLaws


def equalities() -> Iterator[Equality]:
    """The mean family in three shapes, and a plan for two requests."""
    for shape in SHAPES:
        run = viewed(StationaryLaws, LearnedLaws, LeastCosts, RequestLaws, **MADE, **shape)
        hand = MeanByHand(run)
        yield from _stationary(run, hand)
        yield from _learning(run, hand)
        yield from _least(run, hand)
        yield from _requests(run, hand)
    yield from _plan(viewed(RequestLaws, **MADE, batch_size=3, requests=2))


def _same(run: LangevinRun, name: str, expected: Any, tolerance: float = 1e-9) -> Equality:
    batches = len(run.data) // run.batch_size
    return Equality(f"{name} of {batches} batches", run[name].values, expected, tolerance)


def _stationary(run: LangevinRun, hand: MeanByHand) -> Iterator[Equality]:
    """Laws of one covariance, where D_2 = mu^2."""
    fixed, variance, last = hand.fixed, hand.stationary_variance, hand.rows[-1]
    mu = hand.stationary_mu(hand.K)
    yield _same(run, "stationary_renyi", mu**2)
    yield _same(run, "initial_renyi", mu**2)
    at = run["initial_renyi"].at
    start = length(fixed[0] - fixed[-1])
    yield Equality("eps0, C", [at["eps0"], at["C"]], [start**2 / variance, variance], 1e-9)
    model = hand.after(hand.zero, last, hand.T)
    yield _same(run, "learning_renyi", length(model - fixed[-1]) ** 2 / variance)
    yield Equality("W0", run["learning_renyi"].at["W0"], length(fixed[-1]), 1e-9)
    middle = hand.after(hand.zero, last, hand.T + hand.K)
    x = length(hand.after(fixed[0], last, hand.K) - middle)
    y = length(middle - fixed[-1])
    at = run["triangle_renyi"].at
    expected = np.array([x, y]) / math.sqrt(variance)
    yield Equality("x, y", [at["x"], at["y"]], expected, 1e-9)
    yield _same(run, "triangle_renyi", mu**2)
    epsilon = brentq(lambda e: gaussian_delta(mu, e) - 1e-5, 0.0, 200.0, xtol=1e-13)
    yield _same(run, "converted_epsilon", epsilon, 1e-8)


def _learning(run: LangevinRun, hand: MeanByHand) -> Iterator[Equality]:
    yield _same(run, "same_maps_renyi", hand.same_maps_mu**2)
    if hand.J == 1:
        variance = hand.variance(hand.T, 2 * 0.4**2 / hand.m)
        yield _same(run, "full_batch_renyi", length(hand.learned_gap) ** 2 / variance)


def _least(run: LangevinRun, hand: MeanByHand) -> Iterator[Equality]:
    """The noise by root finding, the epochs by counting."""
    target = brentq(lambda mu: gaussian_delta(mu, 1) - 1e-5, 0.01, 9)
    yield _same(run, "least_sigma", 0.4 * hand.stationary_mu(hand.K) / target, 1e-8)

    def is_enough(epochs: int) -> bool:
        return gaussian_delta(hand.stationary_mu(epochs), 1) <= 1e-5

    yield _same(run, "least_epochs", next(filter(is_enough, range(99))))
    counts = []
    for start in (hand.zero, hand.fixed[0]):
        x, epochs = start, 0
        while length(x - hand.fixed[-1]) > 1e-4:
            x, epochs = hand.after(x, hand.rows[-1], 1), epochs + 1
        counts.append(epochs)
    yield _same(run, "saved_epochs", counts[0] - counts[1])


def _requests(run: LangevinRun, hand: MeanByHand) -> Iterator[Equality]:
    if len(hand.rows) > 2:
        yield _same(run, "request_distance", hand.sequence[0][1:])
        largest = 2 * hand.eta / hand.b / (1 - hand.c**hand.J)
        yield Equality("Z", run["request_distance"].at["Z"], largest, 1e-9)


def _plan(run: LangevinRun) -> Iterator[Equality]:
    """Epochs until the exact delta is small enough, request by request."""
    hand = MeanByHand(run)
    w, total = hand.fixed[0], 0
    spread = math.sqrt(hand.s2 / (1 - hand.c**2))
    for rows, target in zip(hand.rows[1:], hand.fixed[1:], strict=True):
        while True:
            w, total = hand.after(w, rows, 1), total + 1
            if gaussian_delta(length(w - target) / spread, 1.0) <= 1e-5:
                break
    yield Equality("epochs of a plan", run["planned_epochs"].values, total)
