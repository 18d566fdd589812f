"""The last k steps, by recursion and by retraining, against the same by hand."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.runs.unlearning import LastSteps
from verify.hf.self_tests.runs import SETTINGS, PathsByHand, equality, norm
from verify.hf.views.paths import TrajectoryDistances
from verify.mini.views.last_steps import LastStepErrors
from verify.mini.views.rewinding import RewindingErrors
from verify.mini.views.secants import SecantForms
from verify.self_tests import Equality

K = 3


def equalities() -> Iterator[Equality]:
    """What three of six steps leave; all six; and a BFGS matrix."""
    run: Any = LastSteps(**SETTINGS, k=K).run()
    for view in (TrajectoryDistances, LastStepErrors, RewindingErrors, SecantForms):
        run.view(view)
    hand = PathsByHand(run, mean=True)
    yield from _distances(run, hand)
    yield from _recursion(run, hand)
    yield from _retraining(run, hand)
    yield from _secant(run, hand)
    every: Any = LastSteps(**SETTINGS, k=len(hand.batches)).run()
    every.view(RewindingErrors)
    yield Equality("rewound by all", 1 + every["rewound_error"].values, 1.0)


def _distances(run: Any, hand: PathsByHand) -> Iterator[Equality]:
    """|v_t - w_t| at the end, before the last steps, and where they start."""
    distances = [norm(v - w) for w, v in zip(hand.learned, hand.retrained, strict=True)]
    yield equality(run, "path_distance", distances[-1])
    before = [distances[t] for t in (5, 4, 3)]
    yield Equality("distances", run["short_error"].at["distances"], before, 1e-9)
    start = run["rewound_error"].at["distance"]
    yield Equality("distance at the start", start, distances[3], 1e-9)


def _recursion(run: Any, hand: PathsByHand) -> Iterator[Equality]:
    """D <- H D + G over the last steps, from the difference before them and from 0."""
    T = len(hand.batches)
    difference = hand.retrained[T] - hand.learned[T]
    followed = hand.retrained[T - K] - hand.learned[T - K]
    fresh = np.zeros(3)
    for w, (rows, remaining, rate) in list(zip(hand.learned, hand.steps(), strict=False))[T - K :]:
        G = rate * (hand.gradient(w, rows) - hand.gradient(w, remaining))
        H = np.eye(3) - rate * hand.hessian(w, remaining)
        followed, fresh = G + H @ followed, G + H @ fresh
    error = norm(difference - fresh)
    yield equality(run, "short_error", error)
    document = run.document()["difference"]
    yield Equality("left by Mini", document["left"], error, 1e-9)
    yield equality(run, "followed_difference", norm(difference))
    form = norm(difference) + norm(difference - followed)
    yield Equality("eq (9)", run["followed_difference"].at["printed"], form, 1e-9)
    yield equality(run, "points_read", K + 1)
    change = _change(hand)
    form = norm(change) + norm(change - fresh)
    yield Equality("eq (10)", run["restarted_move"].at["corrected"], form, 1e-9)


def _change(hand: PathsByHand) -> Any:
    """The last steps on what stays, from the learned path, less where that ends (3,)."""
    T = len(hand.batches)
    point = hand.learned[T - K]
    for _, remaining, rate in list(hand.steps())[T - K :]:
        point = point - rate * hand.gradient(point, remaining)
    return point - hand.learned[T]


def _retraining(run: Any, hand: PathsByHand) -> Iterator[Equality]:
    """The same steps of training."""
    change = _change(hand)
    yield equality(run, "restarted_move", norm(change))
    error = norm(hand.retrained[-1] - hand.learned[-1] - change)
    yield equality(run, "rewound_error", error)


def _secant(run: Any, hand: PathsByHand) -> Iterator[Equality]:
    """u^T B u by the parts of u along s and y."""
    rows = hand.batches[1]
    s = hand.learned[1] - hand.learned[0]
    y = hand.gradient(hand.learned[1], rows) - hand.gradient(hand.learned[0], rows)
    u = hand.retrained[-1] - hand.learned[-1]
    across = u @ u - (s @ u) ** 2 / (s @ s)
    yield equality(run, "secant_form", s @ y / (s @ s) * across + (y @ u) ** 2 / (s @ y))
