"""How many unlearning steps a request needs, for all rows that ever left, taken together."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from accounting.sampled.algorithm import MOST_STEPS, SampledSGD
from accounting.sampled.privacy import sampled_epsilon
from accounting.sampled.training_alone import available
from forgetproof.engine.refusals import EngineRefusal
from forgetproof.engine.settings import EngineSettings


@dataclass(frozen=True)
class Interval:
    """`steps` steps, before the first of which `left` rows left the data."""

    steps: int
    left: int = 0


@dataclass(frozen=True)
class UnlearningPlan:
    """The fewest steps that meet the target.

    Attributes:
        steps: K.
        retraining: steps that training takes from the start, on the rows that stay.
        epsilon: that is certified after K steps, by `accountant`.
    """

    steps: int
    retraining: int
    epsilon: float
    accountant: str

    @property
    def cheaper(self) -> bool:
        """Whether unlearning takes fewer steps than retraining."""
        return self.steps < self.retraining


def accountant(settings: EngineSettings) -> str:
    """Which accountant covers the steps: of losses of any kind only the composition does."""
    return "exact" if settings.contracts else "training"


def sampled(
    settings: EngineSettings, intervals: Sequence[Interval], published: Sequence[int] = ()
) -> SampledSGD:
    """The steps as `accounting` takes them; the rows in question are all that left.

    published: steps after which a model was released, besides the last.
    """
    deletions = np.cumsum([each.left for each in intervals])
    rows = np.repeat(deletions[-1] - deletions, [each.steps for each in intervals])
    seen = np.flatnonzero(rows)
    eta: ArrayLike = settings.step_size
    if settings.schedule:
        counts, sizes = zip(*settings.training_runs(intervals[0].steps), strict=True)
        eta = np.full(len(rows), settings.step_size)
        eta[: intervals[0].steps] = np.repeat(sizes, counts)
    # Training ends with the last step that sees a row in question.
    training = int(seen[-1]) + 1 if seen.size else 1
    return SampledSGD(
        n=settings.rows,
        batch_size=settings.divisor,
        rate=settings.rate,
        steps=training,
        unlearning_steps=len(rows) - training,
        step_size=eta,
        # Composition uses no smoothness; a setting needs a finite one.
        smoothness=settings.smoothness if settings.contracts else 0.0,
        ridge=settings.decay,
        rows=rows,
        published=tuple(t for t in published if t < len(rows)),
    )


def certified(
    settings: EngineSettings,
    intervals: Sequence[Interval],
    published: Sequence[int] = (),
    by: str | None = None,
) -> float:
    """epsilon at the settings' delta of the last model, or of it and all that were published.

    0 where no row has left: then there is nothing to tell.
    """
    if not any(each.left for each in intervals):
        return 0.0
    name = accountant(settings) if by is None else by
    if name == "training" and not available():
        raise EngineRefusal(
            "loss any needs the composition of dp-accounting, which is not installed: "
            "pip install 'forgetproof[composition]'"
        )
    setting = sampled(settings, intervals, published)
    return sampled_epsilon(setting, settings.noise, settings.delta, name)


def plan(
    settings: EngineSettings,
    intervals: Sequence[Interval],
    leaving: int,
    accepted: Callable[[int], bool] | None = None,
) -> UnlearningPlan:
    """The least K for `leaving` more rows, after the intervals that were run.

    accepted: a further test of K that has to pass, monotone in K.
    Raises EngineRefusal where `most` steps are not enough.
    """
    if leaving + sum(each.left for each in intervals) >= settings.rows:
        raise EngineRefusal(f"ids must leave a row of the {settings.rows}, got all that are there")
    name = accountant(settings)

    def epsilon(steps: int, by: str) -> float:
        return certified(settings, [*intervals, Interval(steps, leaving)], by=by)

    def enough(steps: int) -> bool:
        return epsilon(steps, name) <= settings.epsilon

    if not settings.contracts:
        return _composed(settings, epsilon(0, name))
    # What linear losses need is cheap to compute, and no accountant needs less.
    floor = _least(lambda steps: epsilon(steps, "lower") <= settings.epsilon, 0, settings)
    steps = _least(enough, floor, settings)
    if accepted is not None:
        steps = _least(accepted, steps, settings)
    return UnlearningPlan(steps, settings.steps, epsilon(steps, name), name)


def _composed(settings: EngineSettings, epsilon: float) -> UnlearningPlan:
    """Losses of any kind: the training alone has to meet the target, as no step takes it back."""
    if epsilon > settings.epsilon:
        raise EngineRefusal(
            f"loss must be convex in one prediction for unlearning steps to help, got any, whose "
            f"training alone certifies epsilon {epsilon:.4g} and not {settings.epsilon:g}: retrain"
        )
    return UnlearningPlan(0, settings.steps, epsilon, "training")


def _least(enough: Callable[[int], bool], floor: int, settings: EngineSettings) -> int:
    """The least number of steps from `floor` on that is enough, by doubling and bisection."""
    most = min(settings.most, MOST_STEPS)
    low, high = floor - 1, min(floor, most)
    while not enough(high):
        if high >= most:
            raise EngineRefusal(
                f"no plan of at most {most} steps reaches epsilon {settings.epsilon:g} at delta "
                f"{settings.delta:g} ({settings.steps} steps of training): retrain"
            )
        low, high = high, min(high + max(2 * (high - floor), 1), most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def spent(
    settings: EngineSettings, intervals: Sequence[Interval], releases: Sequence[int]
) -> dict[str, float]:
    """The odometer: epsilon of the last model alone, and of all that were released, together."""
    total = sum(each.steps for each in intervals)
    alone = certified(settings, intervals)
    before = sorted({t for t in releases if 0 < t < total})
    if not before:
        return {"last": alone, "all": alone}
    try:
        return {"last": alone, "all": certified(settings, intervals, before)}
    except ValueError as failure:
        if isinstance(failure, EngineRefusal):
            raise
        # What no accountant speaks of has no finite number.
        return {"last": alone, "all": math.inf}
