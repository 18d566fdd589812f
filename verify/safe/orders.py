"""In which order the rows of a stream leave."""

from typing import Any

from simulators.experiments.losses import aligned
from simulators.streaming.deletions import by_class, given, random_subsets


def deletions_of(schedule: str, risk: Any, m: int, rounds: int, trials: int, seed: int) -> Any:
    """m rows leave in every round: at random, class after class, or the most aligned ones first.

    Aligned: by how far the gradients at 0 lie along their first singular direction, so that the
    minimisers go one way.
    """
    train = risk.data
    if schedule == "random":
        return random_subsets(len(train), [m] * rounds, trials, seed)
    if schedule == "aligned":
        rows = aligned(risk.loss, train).tolist()
        return given(len(train), [rows[t * m : (t + 1) * m] for t in range(rounds)], trials)
    order = [t * risk.outputs // rounds for t in range(rounds)]
    return by_class(train.targets.astype(int), order, m, trials, seed)
