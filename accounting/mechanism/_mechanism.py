"""The mechanism: what is executed as a value, with what is true of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from accounting.mechanism._from_problem import of_history, of_problem
from accounting.mechanism._to_problem import problem_of
from accounting.mechanism._truth import truth
from accounting.mechanism._two_sides import Truth
from accounting.mechanism._value import MechanismFields
from accounting.mechanism._verdicts import ClaimVerdict, conditions, verdicts
from accounting.problems.problem import Problem
from accounting.problems.training_history import TrainingHistory


@dataclass(frozen=True, kw_only=True)
class Mechanism(MechanismFields):
    """What is executed, and what is claimed of it; fields as in the JSON Schema."""

    @classmethod
    def of(
        cls,
        problem: Problem,
        sigma: ArrayLike,
        accountant: str | None = None,
        place: int | None = None,
    ) -> Self:
        """What a problem executes at the noise `sigma`.

        accountant: whose method, where the accountants of a problem have several.  place: which
        place of the noise, from 0, where there are several.  Raises ValueError that names the field
        of the problem which no mechanism says.
        """
        return cls.of_document(of_problem(problem, sigma, accountant, place))

    @classmethod
    def of_history(cls, history: TrainingHistory, **lacking: Any) -> Self:
        """What a privacy library remembers of a training, with what it does not know.

        lacking: `released` and `requests`; of clip, step_size, weight_decay and divisor those that
        the history lacks; any other field of a document.  Raises ValueError naming what is missing.
        """
        return cls.of_document(of_history(history, lacking))

    def problem(self) -> tuple[Problem, float]:
        """The problem that the mechanism is, and the sigma at which it is one.

        Raises ValueError that begins with the path of the field which no problem says.
        """
        return problem_of(self)

    def truth(self, delta: float) -> Truth:
        """epsilon at delta: certified from above, needed from below."""
        return truth(self, delta)

    def upper(self, delta: float) -> float:
        """The epsilon at delta that is certified of the mechanism; inf where nothing is."""
        return truth(self, delta).upper

    def lower(self, delta: float) -> float:
        """The epsilon at delta that some instance of the declared class needs."""
        return truth(self, delta).lower

    @property
    def conditions(self) -> tuple[str, ...]:
        """What every number of the mechanism rests on."""
        return conditions(self)

    def verdicts(self) -> tuple[ClaimVerdict, ...]:
        """The verdict of every claim, in the order of the document."""
        return verdicts(self)
