"""What a learner does with its iterate when a deletion is asked for, before noise is added."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.online.streams import Stream, project_rows_


@dataclass
class Call:
    """One request, served in one run.

    state: the iterate (trials, d), which a map replaces.  seen: how many losses have been
    suffered.  absent: rounds this run never had.  deleted: those, and u_1..u_i.  newly: u_1..u_i
    without the absent ones.  start: w_1 (trials, d).  replay(removed): the noiseless run over the
    losses seen without those removed, from w_1.
    """

    stream: Stream
    state: torch.Tensor
    seen: int
    absent: frozenset[int]
    deleted: frozenset[int]
    start: torch.Tensor
    replay: Callable[[frozenset[int]], torch.Tensor]

    @property
    def newly(self) -> list[int]:
        """u_1..u_i, where this run had them."""
        return sorted(s for s in self.deleted - self.absent if s <= self.seen)

    def project_(self, points: torch.Tensor) -> None:
        """Onto the domain, in place."""
        project_rows_(self.stream.domain, points)


class Unlearner(ABC):
    """The map of a request. `restarts`: the steps start again at eta_1.

    `hessians`: how many matrices (d, d) it holds at a time for each trial.
    """

    restarts = False
    hessians = 0

    @abstractmethod
    def __call__(self, call: Call) -> dict[str, int]:
        """Replace call.state; the gradients this took per trial, by purpose."""


@dataclass(frozen=True)
class Passive(Unlearner):
    """Nothing: the noise alone hides the loss (olu Algorithm 1)."""

    def __call__(self, call: Call) -> dict[str, int]:
        """No gradients."""
        return {}


@typed
@dataclass(frozen=True)
class Descent(Unlearner):
    """Projected gradient descent over the losses seen (olu Algorithm 2).

    first: I_1 steps on all of them, deleted ones included (the paper's phase 1; 0 is better).
    second: I_2 steps on the retained ones.
    rate: the step on the mean loss; None is 2/(beta + mu), which contracts by
    rho = (beta - mu)/(beta + mu).  `printed` gives the paper's 1/(beta + mu), which contracts by
    beta/(beta + mu) only.
    mean: descend the mean (True), or, as printed, the sum, which diverges for several losses.
    """

    second: int
    first: int = 0
    rate: float | None = None
    mean: bool = True

    def __post_init__(self) -> None:
        validation.count("second", self.second, low=0)
        validation.count("first", self.first, low=0)
        if self.rate is not None:
            validation.scalar("rate", self.rate, low=0.0, low_open=True, high_open=True)

    @classmethod
    @typed
    def printed(cls, stream: Stream, first: int, second: int, mean: bool = True) -> Descent:
        """Algorithm 2 as printed: both phases at the rate 1/(beta + mu); mean False is literal."""
        constants = stream.constants
        rate = 1.0 / (constants.smoothness + constants.strong_convexity)
        return cls(second, first, rate, mean)

    def __call__(self, call: Call) -> dict[str, int]:
        """(I_1 + I_2) times as many gradients as losses are descended on."""
        constants = call.stream.constants
        total = constants.smoothness + constants.strong_convexity
        if not total > 0:
            raise ValueError("stream must have smoothness > 0 for an active unlearner, got 0")
        rate = 2.0 / total if self.rate is None else self.rate
        cost = 0
        for steps, removed in ((self.first, call.absent), (self.second, call.deleted)):
            number = call.stream.kept(call.seen, removed)
            # Nothing is left to descend on.
            if not number:
                continue
            for _ in range(steps):
                pull = call.stream.gradient_total(call.state, call.seen, removed)
                call.state = call.state - (rate / number if self.mean else rate) * pull
                call.project_(call.state)
            cost += steps * number
        return {"unlearn": cost}


@typed
@dataclass(frozen=True)
class Newton(Unlearner):
    """One Newton step to the retained minimiser (olu Algorithm 3), after I_1 steps of descent.

    form "retained": z - H^{-1} mean_{kept} grad f(z), the corrected step.
    form "removed": z + H^{-1} (1/n) sum_{deleted} grad f(z): the same where the mean of all
    gradients at z is 0 (Sekhari et al. 2021).
    form "printed": that with the paper's minus, which doubles the deleted points' weight.
    H is the mean Hessian at z of the n losses kept.  The printed algorithm has no projection:
    project False leaves it out.
    """

    hessians = 4  # two sums, their mean, and the factors of its equations
    form: str = "retained"
    first: int = 0
    project: bool = True

    def __post_init__(self) -> None:
        validation.choice("form", self.form, ("retained", "removed", "printed"))
        validation.count("first", self.first, low=0)

    def __call__(self, call: Call) -> dict[str, int]:
        """Hessians are counted as one gradient a loss."""
        # I_1 steps over all losses, none over the retained ones alone.
        cost = Descent(0, self.first)(call)["unlearn"] if self.first else 0
        number = call.stream.kept(call.seen, call.deleted)
        if not number:
            return {"unlearn": cost}
        hessian = call.stream.hessian_total(call.state, call.seen, call.deleted) / number
        if self.form == "retained":
            pull = call.stream.gradient_total(call.state, call.seen, call.deleted) / number
            cost += 2 * number
        else:
            # Rounds count from 1, indices from 0.
            indices = [s - 1 for s in call.newly]
            pull = torch.zeros_like(call.state)
            if indices:
                pull = call.stream.gradient_sum(call.state, indices) / number
            pull = -pull if self.form == "removed" else pull
            cost += number + len(indices)
        try:
            # (trials, d, d) with (trials, d): torch takes the right side for one vector a trial.
            step = torch.linalg.solve(hessian, pull)
        except RuntimeError as error:
            raise ValueError("stream must be strongly convex for Newton's step") from error
        call.state = call.state - step
        if self.project:
            call.project_(call.state)
        return {"unlearn": cost}


@dataclass(frozen=True)
class Restart(Unlearner):
    """Discard everything: back to w_1, and to the first step size. Exact, without noise."""

    restarts = True

    def __call__(self, call: Call) -> dict[str, int]:
        """No gradients."""
        call.state = call.start.clone()
        return {}


@dataclass(frozen=True)
class Retrain(Unlearner):
    """Run again over the losses seen without the deleted ones. Exact, without noise."""

    def __call__(self, call: Call) -> dict[str, int]:
        """One gradient for every loss kept."""
        call.state = call.replay(call.deleted)
        return {"retrain": call.stream.kept(call.seen, call.deleted)}
