"""Follow the leader with deletions: the model of every round is made afresh from what is kept.

w_t minimises over K the sum of the losses seen before round t and not deleted by then (olu,
Section 5).  It depends on their set alone: serving a request is exact unlearning, and its price is
the passes over everything kept, in every round.
"""

from __future__ import annotations

import numpy as np
import torch

from accounting.deletions.schedule import DeletionSchedule
from accounting.numerics.arguments import typed
from simulators import domains
from simulators.online.comparators import LossSum, NewtonComparator, comparators, on_interval
from simulators.online.learners import comparator_losses
from simulators.online.result import OnlineResult
from simulators.online.setup import checked
from simulators.online.streams import Stream, projected


@typed
def follow_the_leader(
    stream: Stream, requests: DeletionSchedule | None = None, *, tolerance: float = 1e-10
) -> OnlineResult:
    """Play the leader in every round, in the run and in the adjacent run without all deleted
    losses.

    stream: losses with a unique leader: on R^d strongly convex; before any loss is seen w is P(0).
    requests: as for `learners.run`; in convention "A" the leader of round t has seen f_t.
    tolerance: as of `comparators`.

    Nothing is random: one trial, no noise.  gradient_evaluations: "learn", of single losses; where
    a leader has a closed form, the losses it is made of.  Raises ValueError on bad input, and where
    there is no leader.
    """
    setup, _ = checked(
        stream, requests, 1.0, 0.0, None, None, "after", 0.0, "none", "zero", 1, 0, 0
    )
    T, k, d = stream.rounds, len(setup.indices), stream.dimension
    stars = comparators(stream, setup.indices, tolerance)
    moving, fixed = comparator_losses(stream, stars, setup.times)
    losses = np.empty(T)
    published, final = np.empty((len(setup.runs), 1, k, d)), np.empty((len(setup.runs), 1, d))
    cost = 0
    for w, deletion_count in enumerate(setup.runs):
        leaders = _Leaders(stream, tolerance)
        absent = set(setup.indices[:deletion_count])
        # Round T + 1 plays no loss: requests after the last one, and the final model.
        for t in range(1, T + 2):
            horizon = t - 1 if setup.causal else min(t, T)
            request_count = 0
            for i, tau in enumerate(setup.times, start=1):
                if tau <= t:
                    request_count = i
                if tau == t:
                    published[w, 0, i - 1] = leaders.of(horizon, absent | set(setup.indices[:i]))
            played = leaders.of(horizon, absent | set(setup.indices[:request_count]))
            if t > T:
                final[w, 0] = played
            elif w == 0:
                losses[t - 1] = float(stream.value(t, torch.tensor(played[None]))[0])
        # Of the first run, which is the learner.
        cost = cost or leaders.evaluations
    return OnlineResult(
        regret=np.array([float((losses - moving).sum())]),
        constant_regret=np.array([float((losses - fixed).sum())]),
        total_loss=np.array([float(losses.sum())]),
        losses=losses[None],
        comparator_losses=moving,
        comparators=stars,
        runs=setup.runs,
        published=published,
        final=final,
        squared_gradients=None,
        gradient_evaluations={"learn": cost},
        noise_variance=0.0,
        settings={
            "learner": "follow the leader",
            "convention": requests.convention if requests else "C",
            "tolerance": tolerance,
        },
    )


class _Leaders:
    """Minimisers over K of the losses 1..last without some, each started at the one before."""

    def __init__(self, stream: Stream, tolerance: float) -> None:
        self.stream, self.solver = stream, NewtonComparator(stream, tolerance)
        self.origin = projected(stream.domain, np.zeros(stream.dimension))
        self.start = self.origin
        self.before: tuple[int, set[int]] = (0, set())
        self.evaluations = 0

    def of(self, last: int, gone: set[int]) -> np.ndarray:
        row_count = last - sum(u <= last for u in gone)
        if not row_count:
            return self.origin
        # The same losses as before have the same leader.
        if (last, gone) == self.before:
            return self.start
        self.before = (last, set(gone))
        closed = self.stream.minimiser([*gone, *range(last + 1, self.stream.rounds + 1)])
        if closed is not None:
            self.evaluations += row_count
            self.start = closed
            return closed
        problem = LossSum(self.stream, sorted(gone), last)
        if self.stream.dimension == 1 and not isinstance(self.stream.domain, domains.WholeSpace):
            self.start = on_interval(problem)
        else:
            self.start = self.solver.minimise(problem, self.start)
        self.evaluations += problem.evaluations
        return self.start
