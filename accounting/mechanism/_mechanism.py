"""The mechanism: what is executed as a value, with what is true of it."""

from __future__ import annotations

from dataclasses import dataclass

from accounting.mechanism._gradients import Truth
from accounting.mechanism._truth import truth
from accounting.mechanism._value import MechanismFields
from accounting.mechanism._verdicts import ClaimVerdict, conditions, verdicts


@dataclass(frozen=True, kw_only=True)
class Mechanism(MechanismFields):
    """What is executed, and what is claimed of it; fields as in the JSON Schema."""

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
