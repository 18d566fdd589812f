"""A stream of deletions from data, for softmax regression with a ridge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from accounting.publications.deletion_stream import DeletionStream
from simulators.runs.losses import aligned
from simulators.runs.trajectory import in_settings
from simulators.streaming.deletions import by_class, given, random_subsets

MOST_VALUES = 2 * 10**7  # of all trials' models together


@dataclass(frozen=True, eq=False)
class StreamProblem:
    """One stream on one data set, and what every method on it has to reach.

    train, test: data sets with class numbers as targets.  schedule, size: who leaves, and how many
    in a round (`deletions_of`).  trials: how many, from number `first_trial` on; seed: of theirs.
    stream: the public constants.  weight: lambda of SAFE.  epsilon, delta: the target, for
    `releases` published models together.
    """

    name: str
    train: Any
    test: Any
    risk: Any
    minimiser: Any
    stream: DeletionStream
    schedule: str
    size: int
    weight: float
    epsilon: float
    delta: float
    releases: int = 1
    trials: int = 8
    seed: int = 0
    first_trial: int = 0

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
        # As many rows leave in a round of every trial.
        one = deletions_of(schedule, risk, size, rounds, 1, seed)
        stream = DeletionStream(
            len(train),
            one.sizes[0],
            risk.lipschitz,
            risk.strong_convexity,
            risk.smoothness,
            constant=constant,
            gamma=gamma,
            steps=steps,
            radius=risk.radius,
        )
        return cls(
            name,
            train,
            test,
            risk,
            Minimiser(risk),
            stream,
            schedule,
            size,
            weight,
            epsilon,
            delta,
            releases,
            trials,
            seed,
        )

    def piece(self, place: slice) -> StreamProblem:
        """The same stream in some of its trials."""
        begin = self.first_trial + place.start
        return replace(self, first_trial=begin, trials=place.stop - place.start)

    @cached_property
    def deletions(self) -> Any:
        """Which rows leave, in every trial (`simulators.streaming.deletions.Deletions`).

        Raises ValueError for trials that memory cannot hold at a time.
        """
        self._insist_on_memory()
        how = (self.schedule, self.risk, self.size, self.rounds, self.trials, self.seed)
        return deletions_of(*how, first_trial=self.first_trial)

    @cached_property
    def optimal(self) -> np.ndarray:
        """w_t* (T + 1, trials, d, classes), t = 0..T, the minimisers over what is left.

        Raises ValueError for trials that memory cannot hold at a time.
        """
        self._insist_on_memory()
        solve = self.minimiser
        with in_settings():
            center = solve.center
            # Each minimiser is sought from the one before.
            points = [center[None].expand(self.trials, *center.shape)]
            for t in range(1, self.rounds + 1):
                points.append(solve(self.deletions.kept(t), points[-1].contiguous()))
        return np.stack([p.cpu().numpy() for p in points])

    def _insist_on_memory(self) -> None:
        values = self.rounds * self.risk.size
        if self.trials * values > MOST_VALUES:
            raise ValueError(
                f"trials must be fewer for {self.rounds} rounds of {self.risk.size} parameters, "
                f"where all are looked at together: at most {max(1, MOST_VALUES // values)}, "
                f"got {self.trials}"
            )

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.stream.sizes)

    def tensor(self, points: np.ndarray) -> Any:
        """Parameters (trials, d, classes) as a tensor where the risk computes."""
        import torch

        return torch.tensor(points, device=self.risk.place)


def deletions_of(
    schedule: str,
    risk: Any,
    size: int,
    rounds: int,
    trials: int,
    seed: int,
    first_trial: int = 0,
) -> Any:
    """So many rows leave in every round: at random, by class, or the most aligned ones first.

    Aligned: by how far the gradients at 0 lie along their first singular direction, so that the
    minimisers go one way.
    """
    train = risk.data
    if schedule == "random":
        return random_subsets(len(train), [size] * rounds, trials, seed, first_trial)
    if schedule == "aligned":
        rows = aligned(risk.loss, train).tolist()
        requests = [rows[t * size : (t + 1) * size] for t in range(rounds)]
        return given(len(train), requests, trials)
    # The rounds are shared evenly among the classes, one after the other.
    order = [t * risk.outputs // rounds for t in range(rounds)]
    return by_class(train.targets.astype(int), order, size, trials, seed, first_trial)
