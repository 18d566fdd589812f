"""Single steps of runs of the last k steps, against the same by hand."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.runs.unlearning import HessianFree, LastSteps
from verify.hf.self_tests.runs import SETTINGS, PathsByHand, equality, norm
from verify.mini.views.steps import RemainingSteps
from verify.self_tests import Equality


def equalities() -> Iterator[Equality]:
    """Remainders of what stays of a batch, what a step adds, and eq (6) in both forms."""
    run: Any = LastSteps(**SETTINGS, k=3).run()
    run.view(RemainingSteps)
    hand = PathsByHand(run, mean=True)
    remaining = [rows for _, rows, _ in hand.steps()]
    remainders = [hand.remainder(t, rows) for t, rows in enumerate(remaining)]
    yield equality(run, "kept_remainder", remainders)
    yield from _injection(run, hand)
    yield from _exact_step(run, hand)
    # The same where the steps shrink and retraining divides by the whole batch.
    shrinking: Any = HessianFree(**SETTINGS, decay=0.9, statistics="set").run()
    shrinking.view(RemainingSteps)
    yield from _injection(shrinking, PathsByHand(shrinking))


def _injection(run: Any, hand: PathsByHand) -> Iterator[Equality]:
    """G of every step, and the share of its batch that is forgotten."""
    lengths = []
    shares = []
    for w, (rows, remaining, rate) in zip(hand.learned, hand.steps(), strict=False):
        lengths.append(rate * norm(hand.gradient(w, rows) - hand.gradient(w, remaining)))
        shares.append(1 - len(remaining) / len(rows))
    yield equality(run, "injection", lengths)
    yield Equality("shares", run["injection"].at["beta"], shares)


def _exact_step(run: Any, hand: PathsByHand) -> Iterator[Equality]:
    """The difference after every step, and eq (6) with both signs of the rows to forget."""
    lengths: list[float] = []
    forms: dict[str, list[float]] = {"printed": [], "corrected": []}
    for t, (rows, remaining, rate) in enumerate(hand.steps()):
        w, v = hand.learned[t], hand.retrained[t]
        after = hand.retrained[t + 1] - hand.learned[t + 1]
        lost = [i for i in rows if i not in remaining]
        share = rate * len(lost) / len(rows)
        own = share * hand.gradient(w, lost) if lost else np.zeros(3)
        # eq (6): the averaged Hessian times the difference, and what the rows to forget pull.
        bend = rate * (hand.gradient(v, remaining) - hand.gradient(w, remaining))
        plain = v - w - bend - share * hand.gradient(w, remaining)
        lengths.append(norm(after))
        for name, sign in (("printed", -1), ("corrected", 1)):
            forms[name].append(norm(after) + norm(after - plain - sign * own))
    yield equality(run, "exact_step", lengths)
    for name, values in forms.items():
        yield Equality(f"eq (6), {name}", run["exact_step"].at[name], values, 1e-9)
