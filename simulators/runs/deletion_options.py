"""What methods that unlearn rows are asked for: groups of fields, which experiments take in.

The groups have no base: an experiment is one on rows with those that its method needs, and the
fields of the later base come first in commands and documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from accounting.problems.options import Rule, natural, positive, real, text, whole, word
from simulators.runs.data import share
from simulators.runs.losses import LOSSES, step_rule


@dataclass(frozen=True, kw_only=True, eq=False)
class DeletionOptions:
    """What every method is asked for; it stands before `OnRows` among the bases."""

    made_rows: ClassVar[int] = 400

    test_share: float = share(0.2)
    loss: str = word("Of a row.", *LOSSES)
    regularisation: float = natural("lambda.", 0.005)
    ratio: float = real("Share forgotten.", 0.05, low=0.0, low_open=True, high=1.0, high_open=True)
    forget: str | None = text(
        "Rows to forget, such as 0,3,8, in place of --ratio; or aligned: those whose gradients at "
        "0 pull farthest one way."
    )

    def unused(self) -> dict[str, str]:
        """Fields of the experiment that the others leave without a use -> why."""
        of_rows: dict[str, str] = super().unused()  # type: ignore[misc]  # the next base has it
        rows_are_named = self.forget not in (None, "aligned")
        return of_rows | ({"ratio": "with forget"} if rows_are_named else {})


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingOptions:
    """What a method is asked for that follows gradient steps."""

    epochs: int = whole("Of training.", 20)
    batch_size: int | None = whole("Full batch if not given.", None)
    step_size: Rule | float | None = step_rule("1/L")
    decay: float = positive("q: eta q^t.", 1.0)
    clip: float | None = positive("Bound on the norm of every step's mean gradient.", None)


def divisor() -> Any:
    """The field that says what retraining divides a batch's gradients by."""
    help = "Retraining divides by the whole batch, or by what is kept of it."
    return word(help, "linear", "mean", default=None, shown="the method's own")


def last_steps() -> Any:
    """The field k of a method that redoes the end of training."""
    return whole("Last steps to redo.", 10, low=0)
