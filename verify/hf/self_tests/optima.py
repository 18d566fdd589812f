"""Minimisers of runs on a path, and statistics at them, against plain descent by hand."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.runs.unlearning import HessianFree
from verify.hf.self_tests.runs import (
    FORGOTTEN,
    LAM,
    REMAINING,
    ROWS,
    SETTINGS,
    PathsByHand,
    equality,
    norm,
)
from verify.hf.views.one_shots import OneShots
from verify.hf.views.optima import OptimumDistances
from verify.self_tests import Equality


def equalities() -> Iterator[Equality]:
    """Distances from the minimisers, the objective, Newton's step and the jackknife."""
    run: Any = HessianFree(**SETTINGS, statistics="set").run()
    run.view(OptimumDistances)
    run.view(OneShots)
    hand = PathsByHand(run)
    yield from _learned(run, hand, hand.minimiser(range(ROWS)))
    yield from _retrained(run, hand, hand.minimiser(REMAINING))
    yield from _one_shots(run, hand)


def _learned(run: Any, hand: PathsByHand, best: Any) -> Iterator[Equality]:
    """The learned path beside the minimiser over all rows."""
    distances = [norm(w - best) for w in hand.learned]
    yield equality(run, "optimum_distance", distances[1:])
    at = run["optimum_distance"].at
    slope = norm(hand.gradient(hand.learned[0], range(ROWS)))
    yield Equality("start, L", [at["start"], at["L"]], [distances[0], slope])
    yield equality(run, "next_distance", distances[1:])
    yield Equality("now", run["next_distance"].at["now"], distances[:-1], 1e-8)
    yield equality(run, "left_share", distances[-1] / distances[0])
    least = hand.risk(best)
    yield equality(run, "objective_gap", [hand.risk(w) - least for w in hand.learned])
    points = [*hand.learned, best]
    slopes = [norm(hand.gradient(w, [i])) for w in points for i in range(ROWS)]
    yield Equality("largest gradient", run["objective_gap"].at["L"], max(slopes))


def _retrained(run: Any, hand: PathsByHand, best: Any) -> Iterator[Equality]:
    """The retrained path beside the minimiser over the rows that stay."""
    distances = [norm(v - best) for v in hand.retrained]
    yield equality(run, "kept_optimum_distance", distances[1:])
    at = run["kept_optimum_distance"].at
    slope = norm(hand.gradient(np.zeros(3), REMAINING))
    expected = [norm(best), slope, len(REMAINING) / ROWS]
    yield Equality("start, L, beta", [at["start"], at["L"], at["beta"]], expected, 1e-8)
    yield equality(run, "sampled_optimum_distance", distances[-1])
    residuals = [norm(hand.gradient(best, remaining)) for _, remaining, _ in hand.steps()]
    at = run["sampled_optimum_distance"].at
    yield Equality("residuals", at["residuals"], residuals, 1e-8)
    yield equality(run, "batch_gradient", max(residuals))


def _one_shots(run: Any, hand: PathsByHand) -> Iterator[Equality]:
    """Both statistics at the minimiser over all rows."""
    whole = hand.minimiser(range(ROWS))
    best = hand.minimiser(REMAINING)
    total = sum(hand.gradient(whole, [u]) for u in FORGOTTEN)
    newton = np.linalg.solve(len(REMAINING) * hand.hessian(whole, REMAINING), total)
    jackknife = np.linalg.solve(ROWS * hand.hessian(whole, range(ROWS)), total)
    yield equality(run, "newton_error", norm(best - whole - newton))
    yield equality(run, "jackknife_error", norm(best - whole - jackknife))
    yield equality(run, "statistics_gap", norm(newton - jackknife))
    slopes = [norm(hand.gradient(w, [u])) for w in (whole, best) for u in FORGOTTEN]
    yield Equality("slope of U", run["newton_error"].at["L"], max(slopes), 1e-8)
    yield equality(run, "way", norm(best - whole))
    yield Equality("G", run["way"].at["G"], norm(total) / LAM, 1e-8)
