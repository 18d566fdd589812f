"""Regret and contraction of descent on means of points, with three rules of steps."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accounting.problems.options import Rule
from simulators.runs.online import OnlineLearning
from simulators.runs.online_run import OnlineRun
from verify.olu.views.contraction import Contractions
from verify.olu.views.regret import Regrets
from verify.self_tests import Equality

T, MU, DIAMETER = 40, 0.5, 100.0
MEANS: dict[str, Any] = {
    "data": "quadratic",
    "dimension": 3,
    "rounds": T,
    "regularisation": MU,
    "radius": DIAMETER / 2,
    "trials": 1,
    "schedule": {"index": [5, 12], "time": [10, 20]},
}
ADAPTIVE = Rule("adaptive", lambda at: at["t"])
Sizes = Callable[[int], float]


def norm(points: Any) -> Any:
    """Of each row."""
    return np.linalg.norm(points, axis=-1)


@dataclass(frozen=True)
class MeanDescent:
    """Descent on (mu/2)|w - x_t|^2 by hand; u = 5, 12 are deleted at 10 and 20.

    run: of the experiment.  rule: t -> eta_t, None for D/sqrt(p(t)).
    """

    run: OnlineRun
    rule: Sizes | None

    @property
    def x(self) -> Any:
        """(T, 3)."""
        return self.run.stream.points

    def path(self, skipped: int | None = None, sizes: Any = None) -> tuple[Any, Any, Any]:
        """Points (T + 1, 3), gradients and step sizes, of a run without one round."""
        w = np.zeros(3)
        p = 0.0
        points = [w]
        pulls = []
        etas = []
        for t in range(1, T + 1):
            pull = np.zeros(3) if t == skipped else MU * (w - self.x[t - 1])
            p += float(pull @ pull)
            eta = self.rule(t) if self.rule else DIAMETER / math.sqrt(p)
            if sizes is not None:
                eta = sizes[t - 1]
            step = w - eta * pull
            w = step / max(1.0, 2 * float(norm(step)) / DIAMETER)
            points.append(w)
            pulls.append(pull)
            etas.append(eta)
        return np.array(points), np.array(pulls), np.array(etas)

    @cached_property
    def learned(self) -> tuple[Any, Any, Any]:
        """Of the learner."""
        return self.path()

    @cached_property
    def gap(self) -> Any:
        """|w_t - w'_t| (T + 1,), w' the run without u_1 and with the learner's steps."""
        points, _, sizes = self.learned
        return norm(points - self.path(5, sizes)[0])

    @cached_property
    def stars(self) -> Any:
        """The means of all points, and of those without the deleted (3, 3)."""
        absent: tuple[list[int], ...] = ([], [4], [4, 11])
        return np.array([np.delete(self.x, rows, axis=0).mean(axis=0) for rows in absent])

    @cached_property
    def moves(self) -> Any:
        """How far each request moves the comparator (2,)."""
        return norm(np.diff(self.stars, axis=0))

    @cached_property
    def in_force(self) -> Any:
        """The comparator of each round (T, 3)."""
        return np.repeat(self.stars, [10, 10, 20], axis=0)

    def losses(self, points: Any) -> Any:
        """f_t of the points of each round, or of one (T,)."""
        return MU / 2 * norm(points - self.x) ** 2

    def regret(self, comparators: Any) -> float:
        """Of the learner."""
        return float((self.losses(self.learned[0][:-1]) - self.losses(comparators)).sum())


def descents() -> Iterator[tuple[str, MeanDescent]]:
    """Steps 1/(mu t), of one size, and D/sqrt(p(t)), with words."""
    rules: dict[str, tuple[Any, Sizes | None]] = {
        "1/(mu t)": (None, lambda t: 1 / (MU * t)),
        "one size": (0.4, lambda t: 0.4),
        "adaptive": (ADAPTIVE, None),
    }
    for words, (step_size, rule) in rules.items():
        yield words, MeanDescent(OnlineLearning(**MEANS, step_size=step_size).run(), rule)


def observable_equality(
    run: OnlineRun, words: str, name: str, expected: Any, **at: Any
) -> Iterator[Equality]:
    """An observable, and what it says of its values, against numbers by hand."""
    result = run[name]
    yield Equality(f"{name}, steps {words}", result.values, expected, 1e-7)
    for symbol, value in at.items():
        yield Equality(f"{symbol} of {name}, steps {words}", result.at[symbol], value, 1e-7)


def equalities() -> Iterator[Equality]:
    """Three rules of steps."""
    for words, descent in descents():
        descent.run.view(Regrets)
        descent.run.view(Contractions)
        yield from _regrets(descent, words)
        yield from _contractions(descent, words)


def _regrets(hand: MeanDescent, words: str) -> Iterator[Equality]:
    run = hand.run
    stars = hand.stars
    moves = hand.moves
    fixed = hand.regret(stars[0])
    moving = hand.regret(hand.in_force)
    yield from observable_equality(run, words, "plain_regret", fixed)
    yield from observable_equality(run, words, "expected_regret", moving, path=moves, P=moves.sum())
    yield from observable_equality(run, words, "fixed_regret", fixed)
    yield from observable_equality(run, words, "regret_shift", abs(fixed - moving))
    distances = norm(stars[1:] - stars[0])
    yield from observable_equality(run, words, "comparator_distance", distances, m=[1, 2])
    totals = np.array([hand.losses(star).sum() for star in stars])
    yield from observable_equality(
        run, words, "comparator_gap", totals[1:] - totals[0], r=distances
    )


def _contractions(hand: MeanDescent, words: str) -> Iterator[Equality]:
    run = hand.run
    gap = hand.gap
    eta = hand.learned[2]
    rounds = np.arange(6, T + 2)
    yield from observable_equality(
        run, words, "adjacent_distance", gap[5:], tau=rounds, l=rounds - 6, eta=eta[4]
    )
    n = len(run["adjacent_expansion"].values)  # the gap shrinks until rounding is left of it
    ratios = gap[6 : 6 + n] / gap[5 : 5 + n]
    yield from observable_equality(run, words, "adjacent_expansion", ratios, eta=eta[5 : 5 + n])
    if gap[9] > 1e-8:
        ratio = [gap[21] / gap[9]]
        yield from observable_equality(run, words, "block_expansion", ratio, tau_p=[10], tau_i=[20])
    # On quadratics a step 2/(beta + mu) ends at the mean, and 1/(beta + mu) halves distances.
    inner = run["inner_distance"]
    yield Equality("inner distance, of 1", 1 + inner.values, np.ones(20))
    start = norm(hand.learned[0][0] + 0.1 - hand.stars[0])
    yield Equality("its start", inner.at["r"], start)
    pairs = len(run["mean_step_expansion"].values)
    yield from observable_equality(run, words, "mean_step_expansion", np.full(pairs, 0.5))
