"""Numbers of unlearning steps against the noise that they need, and what that costs on the rows.

Fewer steps after a deletion need more noise in training.  Which pair to take depends on the rows:
the accuracy that is left decides.  The noise that no accountant can go below is cheap and comes
first; where it leaves a model that is no better than a guess, nothing more is asked.  A noise is
certified for the recommended number of steps, and for others where that costs one evaluation.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from accounting.problems import Target
from accounting.problems.answer import shown
from accounting.problems.problem import RESOLUTION
from accounting.problems.step_length import longest_step
from accounting.sampled.privacy import sampled_noise

if TYPE_CHECKING:
    from accounting.problems import SampledDescent
    from simulators.runs.bounded import Bounded

SHARES = (1 / 20, 1 / 10, 1 / 4, 1 / 2)
"""K as parts of N: K/(N+K) is 5 %, 9 %, 20 %, 33 %."""
_NEAR = 1.01  # two noises whose ratio is below this cost the same
_SHARP = 1 + 2e-6  # of two noises that are one, up to the precision of a search


@dataclass(frozen=True)
class UnlearningCell:
    """One number of unlearning steps.

    Attributes:
        unlearning_steps, ratio: K, and K/(N+K).
        least_sigma: no accountant certifies less; inf where no noise is enough.
        sigma: the noise that is certified; None where the sharpest accountant was not asked.
        bearable: whether the model with this noise is better than a guess, or as good as without.
        measured, standard_error: on the rows held out, with this noise; None without a finite one.
        without: the same steps without noise.
    """

    unlearning_steps: int
    ratio: float
    least_sigma: float
    sigma: float | None = None
    bearable: bool = False
    measured: float | None = None
    standard_error: float | None = None
    without: float | None = None


@dataclass(frozen=True)
class UnlearningTable:
    """Several numbers of unlearning steps, and which of them to take.

    Attributes:
        training_steps: N.
        measure: accuracy, or mean_squared_error.
        guess: what always naming the larger class, or the mean, comes to.
        larger_class: its name; None of numbers.
        rows, trials: held out, and runs with noise.
        cells: K ascending.
        recommended: the least K whose cost is within two standard errors of none; None: there is
            none.
        seconds_a_step: processor time here, which no two calls share.
    """

    training_steps: int
    measure: str
    guess: float
    larger_class: str | None
    rows: int
    trials: int
    cells: tuple[UnlearningCell, ...]
    recommended: int | None
    seconds_a_step: float

    @property
    def cost(self) -> dict[str, Any] | None:
        """What the recommended noise costs, as `simulators.runs.noise_cost` says it."""
        for cell in self.cells:
            if cell.unlearning_steps == self.recommended:
                return {
                    "measure": self.measure,
                    "rows": self.rows,
                    "trials": self.trials,
                    "without": cell.without,
                    "with": cell.measured,
                    "majority_class": self.guess if self.measure == "accuracy" else None,
                    "majority_name": self.larger_class,
                    "standard_error": cell.standard_error,
                }
        return None

    def document(self) -> dict[str, Any]:
        """As data."""
        return asdict(self)


def unlearning_table(
    task: Bounded, problem: SampledDescent, target: Target, accountant: str = "exact"
) -> UnlearningTable:
    """The noise of several numbers of steps, and what each costs on the rows held out.

    Raises ValueError where none are held out, and where batches are not sampled by Poisson.
    """
    from simulators.runs.data import reads_pieces
    from simulators.runs.sampled_steps import covers

    if target.delta is None:
        raise ValueError("delta must be given, in (0, 1), got None")
    if task.parts[1] is None or not covers(problem) or reads_pieces(task):
        raise ValueError(
            "unlearning_steps must be given with data, unless rows in memory are held out and "
            "batches are sampled by Poisson for one request that deletes, got none"
        )
    longest = longest_step(problem, target.delta)
    if longest is not None:
        raise ValueError(
            f"step_size must be at most {shown(longest, 3, up=False)} for batches of "
            f"{problem.batch_size} such rows, got {problem.step_size:g}"
        )
    lengths = sorted({max(1, round(problem.steps * share)) for share in SHARES})
    problems = [problem.with_fields(unlearning_steps=length) for length in lengths]
    measure = _Measure(task, problem)
    cells = measure.with_cost([_least(each, target) for each in problems])
    recommended, sharp = None, False
    for place, cell in enumerate(cells):
        # The sharpest accountants may take seconds a cell: those that come into question ask them.
        if recommended is None and measure.near(cell):
            sigma = float(problems[place].noise(accountant, target).noise)
            (cells[place],) = measure.with_cost([_certified(cell, sigma)])
            if sigma < math.inf and measure.near(cells[place]):
                recommended = cell.unlearning_steps
                sharp = sigma <= cell.least_sigma * _SHARP
    if sharp:
        cells = [_at_least(*each, target, accountant) for each in zip(cells, problems, strict=True)]
    return UnlearningTable(
        training_steps=problem.steps,
        measure=measure.name,
        guess=measure.guess,
        larger_class=measure.larger_class,
        rows=len(task.parts[1]),
        trials=task.trials,
        cells=tuple(cells),
        recommended=recommended,
        seconds_a_step=measure.seconds_a_step,
    )


def _least(problem: SampledDescent, target: Target) -> UnlearningCell:
    """What no accountant can go below."""
    steps = problem.unlearning_steps
    assert target.delta is not None
    least = sampled_noise(problem.setting, target.epsilon, target.delta, "lower")
    return UnlearningCell(steps, steps / (problem.steps + steps), least)


def _certified(cell: UnlearningCell, sigma: float) -> UnlearningCell:
    """The cell with its noise, where there is a finite one; what it costs may be open again."""
    if not sigma < math.inf:
        return cell
    known = sigma < _NEAR * cell.least_sigma
    return replace(cell, sigma=sigma, measured=cell.measured if known else None)


def _at_least(
    cell: UnlearningCell, problem: SampledDescent, target: Target, accountant: str
) -> UnlearningCell:
    """The cell with its least noise, where that is enough, and not lost in rounding."""
    if cell.sigma is not None or not cell.bearable:
        return cell
    if problem.share_of_length(cell.least_sigma) < RESOLUTION:
        return cell
    epsilon = problem.certified(accountant, cell.least_sigma, target.delta).epsilon
    assert epsilon is not None
    return replace(cell, sigma=cell.least_sigma) if epsilon <= target.epsilon else cell


class _Measure:
    """What models are worth on the rows held out; runs with noise, and one without."""

    def __init__(self, task: Bounded, problem: SampledDescent) -> None:
        self._task, self._problem = task, problem
        from simulators.runs.noise_cost import majority_share

        learned, test = task.parts
        assert learned.targets is not None
        assert test is not None
        assert test.targets is not None
        self._test = test
        self.larger_class: str | None
        if task.wants == "pair":
            self.name = "accuracy"
            self.guess, self.larger_class = majority_share(task)
        else:
            self.name, self.larger_class = "mean_squared_error", None
            self.guess = float(((test.targets - learned.targets.mean()) ** 2).mean())
        self.seconds_a_step = 0.0
        self._quiet: dict[int, float] = {}

    def with_cost(self, cells: Sequence[UnlearningCell]) -> list[UnlearningCell]:
        """The cells with a finite noise that was not measured yet, measured."""
        from simulators.runs.scores import tested

        open_cells = [c for c in cells if c.measured is None and c.least_sigma < math.inf]
        if not open_cells:
            return list(cells)
        lengths = [cell.unlearning_steps for cell in open_cells]
        if not self._quiet:
            self._run_quietly(lengths)
        noises = [(cell.sigma or cell.least_sigma) * self._problem.clip for cell in open_cells]
        models = self._run(lengths, noises, self._task.trials)
        measured = {}
        for cell, points in zip(open_cells, models, strict=True):
            scores = tested(points, self._test)
            known = replace(
                cell,
                measured=scores[self.name],
                standard_error=scores["standard_error"],
                without=self._quiet[cell.unlearning_steps],
            )
            measured[cell.unlearning_steps] = replace(known, bearable=self._bears(known))
        return [measured.get(cell.unlearning_steps, cell) for cell in cells]

    def _run_quietly(self, lengths: Sequence[int]) -> None:
        from simulators.runs.scores import tested

        begun = time.process_time()
        models = self._run(lengths, [0.0] * len(lengths), 1)
        self.seconds_a_step = (time.process_time() - begun) / (self._problem.steps + lengths[-1])
        for length, points in zip(lengths, models, strict=True):
            value = tested(points, self._test)[self.name]
            assert value is not None
            self._quiet[length] = value

    def _run(self, lengths: Sequence[int], deviations: Sequence[float], trials: int) -> Any:
        from simulators.runs.sampled_steps import last_models

        return last_models(self._task, self._problem, lengths, deviations, trials)

    def _bears(self, cell: UnlearningCell) -> bool:
        """Whether the model with this noise is better than a guess, or as good as without."""
        if cell.measured is None:
            return False
        return self._gain(cell.measured, self.guess) > 0 or self.near(cell)

    def near(self, cell: UnlearningCell) -> bool:
        """Whether the noise costs no more than two standard errors."""
        if cell.measured is None or cell.without is None or cell.standard_error is None:
            return False
        return self._gain(cell.measured, cell.without) >= -2 * cell.standard_error

    def _gain(self, value: float, other: float) -> float:
        """How much better the value is than the other."""
        return value - other if self.name == "accuracy" else other - value
