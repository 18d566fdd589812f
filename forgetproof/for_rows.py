"""From rows to a noise: the problem that they pose, its answer, what it costs, code to paste."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from accounting.problems import Answers, Problem, Target
from accounting.problems.derivation import pose

if TYPE_CHECKING:
    from dataclasses import Field

    from simulators.runs.bounded import Bounded


@dataclass(frozen=True, eq=False)
class ForRows:
    """A problem posed by rows, with its answers.

    Attributes:
        task: the rows, their bounds, and how they are learned from.
        problem, answers: as if the constants had been given.
    """

    task: Bounded
    problem: Problem
    answers: Answers

    @cached_property
    def cost(self) -> Mapping[str, Any] | None:
        """What the recommended noise costs on the rows held out; None where that is not known."""
        from simulators.runs.noise_cost import cost

        if self.answers.recommended is None:
            return None
        return cost(self.task, self.problem, self.answers.best)

    @cached_property
    def snippet(self) -> str | None:
        """Code that adds the recommended noise; None without one."""
        from forgetproof.snippets import snippet

        if self.answers.recommended is None:
            return None
        return snippet(self.task, self.problem, self.answers.best)

    def document(self) -> dict[str, Any]:
        """What rows add to the document of an answer."""
        return {**self.task.document(), "cost": self.cost, "snippet": self.snippet}


def settings(kind: type[Problem]) -> list[Field[Any]]:
    """What rows are asked for where they pose a problem of this kind; empty: they cannot."""
    from simulators.runs.bounded import TRAINING, Bounded

    if not kind.derived:
        return []
    left_out = {"dimension", *TRAINING} - set(kind.takes)
    options = [each for each in fields(Bounded) if each.name not in left_out]
    # The device last, as in every command.
    return sorted(options, key=lambda each: each.name == "device")


def posed(kind: type[Problem], given: Mapping[str, Any]) -> tuple[Bounded, Problem]:
    """The rows and the problem that they pose; `given` are settings of both by name."""
    from simulators.runs.bounded import Bounded

    names = {each.name for each in settings(kind)}
    for name in given:
        if name in kind.derived and name not in names:
            raise ValueError(f"{name} must not be given with data, from which it follows")
    # The problem's usual settings, unless others are given.
    usual = {name: x for name, x in kind.usual.items() if name in names}
    task = Bounded(**{**usual, **{name: x for name, x in given.items() if name in names}})
    rest = {name: x for name, x in given.items() if name not in names}
    return task, pose(kind, task.learner, rest)


def noise_for(
    loss: Any,
    data: Any,
    *,
    epsilon: float,
    delta: float | None = None,
    algorithm: str = "langevin",
    **given: Any,
) -> ForRows:
    """The least noise for a loss on rows whose bounds are public, and what it costs.

    Args:
        loss: a loss of `simulators.losses`, or its name, with `regularisation`.
        data: a Dataset, features and targets, or the name of a .csv or .npz file.
        algorithm: a privacy problem by name, such as online, recollection, tracking,
            newton-removal, d2d.
        given: the options of `forgetproof noise ALGORITHM`, by their names in Python.

    Raises ValueError naming what is out of range, and where nothing follows from rows.
    """
    from bounds.declared import PROBLEMS

    kind = PROBLEMS.get(algorithm)
    able = [name for name in PROBLEMS.names() if PROBLEMS.get(name).derived]
    if kind is None or not kind.derived:
        raise ValueError(f"algorithm must be one of {', '.join(able)}, got {algorithm!r}")
    option_names = {each.name for each in (*settings(kind), *fields(kind))}
    for name in given:
        if name not in option_names or name in ("loss", "data"):
            raise ValueError(f"{name} must not be given: {algorithm} knows no such setting")
    task, problem = posed(kind, {"loss": loss, "data": data, **given})
    return ForRows(task, problem, problem.least_noise(Target(epsilon, delta)))
