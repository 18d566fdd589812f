"""The terms of the steps on means of points, one by one and added up."""

import math
from collections.abc import Iterator

import numpy as np

from verify.olu.self_tests.descents import (
    DIAMETER,
    MU,
    MeanDescent,
    descents,
    norm,
    observable_equality,
)
from verify.olu.views.adaptive import AdaptiveSteps
from verify.olu.views.steps import DescentSteps
from verify.self_tests import Equality


def equalities() -> Iterator[Equality]:
    """Three rules of steps."""
    for words, descent in descents():
        descent.run.view(DescentSteps)
        descent.run.view(AdaptiveSteps)
        yield from _steps(descent, words)
        yield from _blocks(descent, words)
        yield from _adaptive(descent, words)


def _steps(hand: MeanDescent, words: str) -> Iterator[Equality]:
    run = hand.run
    star = hand.stars[0]
    w, g, eta = hand.learned
    squares = norm(g) ** 2
    away = norm(w - star)
    yield from observable_equality(run, words, "step_squares", eta @ squares)
    terms = (away[:-1] ** 2 - away[1:] ** 2) / (2 * eta) + eta * squares / 2
    yield from observable_equality(run, words, "telescoped_part", terms.sum())
    yield from observable_equality(
        run, words, "descent_part", (terms - MU / 2 * away[:-1] ** 2).sum()
    )
    slopes = (g * (w[:-1] - star)).sum(axis=1)
    at = {"r": away[:-1], "g": norm(g), "p": slopes, "eta": eta}
    at |= {"gap": away[:-1], "G": norm(g), "slope": slopes}
    yield from observable_equality(run, words, "squared_distance", away[1:] ** 2, **at)
    yield from observable_equality(run, words, "request_slopes", slopes[8] + slopes[18])
    a = w[[10, 20]]
    c = w[[8, 18]]
    at = {"cb": norm(c - star), "ac": norm(a - c)}
    yield from observable_equality(run, words, "two_steps", norm(a - star), **at)


def _blocks(hand: MeanDescent, words: str) -> Iterator[Equality]:
    """Telescoping squares against the comparators in force; one size does not increase."""
    w, _, eta = hand.learned
    if (np.diff(eta) > 0).any():
        return
    before = norm(w[:-1] - hand.in_force) ** 2
    after = norm(w[1:] - hand.in_force) ** 2
    total = ((before - after) / (2 * eta)).sum()
    at = {"eta": eta[-1], "path": hand.moves, "eta_tau": eta[[9, 19]]}
    yield from observable_equality(hand.run, words, "blockwise_part", total, **at)


def _adaptive(hand: MeanDescent, words: str) -> Iterator[Equality]:
    run, (w, g, _) = hand.run, hand.learned
    squares = norm(g) ** 2
    roots = np.sqrt(squares.cumsum())
    yield from observable_equality(
        run, words, "squares_over_roots", (squares / roots).sum(), a=squares
    )
    losses = hand.losses(w[:-1])
    yield from observable_equality(run, words, "squared_gradients", squares, gap=losses)
    root = 1.5 * DIAMETER * math.sqrt(squares.sum())
    yield from observable_equality(run, words, "root_of_squares", root, X=losses.sum())
    F = hand.losses(hand.in_force).sum()
    P = hand.moves.sum()
    at = {"X": losses.sum(), "P": P, "F": F}
    yield from observable_equality(run, words, "adaptive_regret", hand.regret(hand.in_force), **at)
    a = 2 * MU * (1.5 * DIAMETER + P) ** 2
    yield from observable_equality(run, words, "self_bounded_loss", losses.sum(), a=a, c=F)
