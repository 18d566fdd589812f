"""A stream of deletions from data, for softmax regression with a ridge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accounting.publications.deletion_stream import DeletionStream
from simulators.runs.losses import aligned
from simulators.streaming.deletions import by_class, given, random_subsets


@dataclass(frozen=True, eq=False)
class StreamProblem:
    """One stream on one data set, and what every method on it has to reach.

    train, test: data sets with class numbers as targets.  deletions: of all trials.  optimal:
    w_t* (T + 1, trials, d, classes), t = 0..T, the minimisers over what is left.
    stream: the public constants.  weight: lambda of SAFE.  epsilon, delta: the target, for
    `releases` published models together.
    """

    name: str
    train: Any
    test: Any
    risk: Any
    deletions: Any
    optimal: np.ndarray
    stream: DeletionStream
    weight: float
    epsilon: float
    delta: float
    releases: int = 1

    @classmethod
    def of(
        cls,
        data: Any,
        name: str,
        *,
        rounds: int = 20,
        share: float = 0.01,
        schedule: str = "random",
        regularisation: float = 0.01,
        weight: float = 1.0,
        constant: float = 2.5,
        gamma: float | None = None,
        steps: int = 250,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        releases: int = 1,
        trials: int = 8,
        seed: int = 0,
        device: str = "auto",
        row_norm: float | None = None,
        test_share: float = 0.2,
    ) -> StreamProblem:
        """`share` of the training rows leave in each round, as `deletions_of` says.

        `test_share` of the rows, the last, are held out for testing.  constant, gamma: of SAFE's
        step.  steps: J of tracking.  row_norm: as of Risk.
        """
        from simulators.losses.softmax import Softmax
        from simulators.streaming.minimise import Minimiser
        from simulators.streaming.risk import Risk

        train, test = data.split(test_share)
        # A rare class may have all its rows among those held out: the classes of both.
        classes = int(data.targets.max()) + 1
        risk = Risk(train, Softmax(classes, regularisation), device, row_norm)

        size = max(1, round(share * len(train)))
        deletions = deletions_of(schedule, risk, size, rounds, trials, seed)
        stream = DeletionStream(
            len(train),
            deletions.sizes.max(axis=0),
            risk.lipschitz,
            risk.strong_convexity,
            risk.smoothness,
            constant=constant,
            gamma=gamma,
            steps=steps,
            radius=risk.radius,
        )

        # Each minimiser is sought from the one before.
        solve = Minimiser(risk)
        points = [solve.center[None].expand(trials, *solve.center.shape)]
        for t in range(1, rounds + 1):
            points.append(solve(deletions.kept(t), points[-1].contiguous()))
        optimal = np.stack([p.cpu().numpy() for p in points])

        target = epsilon, delta, releases
        return cls(name, train, test, risk, deletions, optimal, stream, weight, *target)

    @property
    def rounds(self) -> int:
        """T."""
        return int(self.deletions.rounds)

    def tensor(self, points: np.ndarray) -> Any:
        """Parameters (trials, d, classes) as a tensor where the risk computes."""
        import torch

        return torch.tensor(points, device=self.risk.place)


def deletions_of(schedule: str, risk: Any, size: int, rounds: int, trials: int, seed: int) -> Any:
    """So many rows leave in every round: at random, by class, or the most aligned ones first.

    Aligned: by how far the gradients at 0 lie along their first singular direction, so that the
    minimisers go one way.
    """
    train = risk.data
    if schedule == "random":
        return random_subsets(len(train), [size] * rounds, trials, seed)
    if schedule == "aligned":
        rows = aligned(risk.loss, train).tolist()
        requests = [rows[t * size : (t + 1) * size] for t in range(rounds)]
        return given(len(train), requests, trials)
    # The rounds are shared evenly among the classes, one after the other.
    order = [t * risk.outputs // rounds for t in range(rounds)]
    return by_class(train.targets.astype(int), order, size, trials, seed)
