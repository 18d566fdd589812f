"""From rows to a noise: the problem that they pose, its answer, what it costs, code to paste."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from accounting.problems import Answers, Problem, Target
from accounting.problems.derivation import pose

if TYPE_CHECKING:
    from dataclasses import Field

    from forgetproof.unlearning_table import UnlearningTable
    from simulators.runs.bounded import Bounded

_NOTHING_HELPS = (
    "no number of steps up to half of the training's leaves a model as good as without noise: "
    "retrain, or train with more ridge or for fewer rows"
)


@dataclass(frozen=True, eq=False)
class ForRows:
    """A problem posed by rows, with its answers.

    Attributes:
        task: the rows, their bounds, and how they are learned from.
        problem, answers: as if the constants had been given.
        table: of several numbers of steps, where their number was not given.
        form: what the snippet is written for, numpy or opacus.
    """

    task: Bounded
    problem: Problem
    answers: Answers
    table: UnlearningTable | None = None
    form: str = "numpy"

    @cached_property
    def executed(self) -> Problem:
        """The problem, with the number of steps that the answer has planned."""
        name = self.problem.tabulated
        planned = self.answers.best.details.get(name or "")
        if name is None or planned is None:
            return self.problem
        return self.problem.with_fields(**{name: planned})

    @cached_property
    def cost(self) -> Mapping[str, Any] | None:
        """What the recommended noise costs on the rows held out; None where that is not known."""
        from simulators.runs.noise_cost import cost

        if self.answers.recommended is None:
            return None
        if self.table is not None:
            return self.table.cost
        return cost(self.task, self.executed, self.answers.best)

    @cached_property
    def snippet(self) -> str | None:
        """Code that adds the recommended noise; None without one, and of rows in pieces."""
        from forgetproof.snippets import snippet
        from simulators.runs.data import reads_pieces

        # A program would hold all rows.
        if self.answers.recommended is None or reads_pieces(self.task):
            return None
        return snippet(self.task, self.executed, self.answers.best, self.form)

    @cached_property
    def claim(self) -> dict[str, Any]:
        """The recommended noise as a claim that `forgetproof check` computes anew.

        Raises ValueError without one, and where no mechanism says what the problem does.
        """
        from forgetproof.certificates import claim_document

        delta = self.answers.delta
        assert self.answers.epsilon is not None
        assert delta is not None
        problem: Any = self.executed
        # The table recommends by what models are worth on rows that are private as well.
        chosen = [] if self.table is None else ["unlearning_steps", "sigma"]
        return claim_document(
            problem,
            float(self.answers.best.noise),
            epsilon=self.answers.epsilon,
            delta=delta,
            retraining=getattr(problem, "steps", None),
            tuned_on_rows=[*problem.assumptions.from_data, *chosen],
            conditions=problem.assumptions.conditions,
        )

    def document(self) -> dict[str, Any]:
        """What rows add to the document of an answer."""
        document = {**self.task.document(), "cost": self.cost, "snippet": self.snippet}
        return document if self.table is None else {**document, "table": self.table.document()}


def settings(kind: type[Problem]) -> list[Field[Any]]:
    """What rows are asked for where they pose a problem of this kind; empty: they cannot."""
    from simulators.runs.bounded import TRAINING, Bounded

    if not kind.derived:
        return []
    left_out = {"dimension", *TRAINING} - set(kind.takes) | set(kind.settings_by_field)
    if "rows" not in kind.derived:
        # A problem's own `rows` are those of a request, and no part of the data.
        left_out |= {"rows"} & {each.name for each in fields(kind)}
    options = [each for each in fields(Bounded) if each.name not in left_out]
    # The device last, as in every command.
    return sorted(options, key=lambda each: each.name == "device")


def posed(kind: type[Problem], given: Mapping[str, Any]) -> tuple[Bounded, Problem]:
    """The rows and the problem that they pose; `given` are settings of both by name."""
    from simulators.runs.bounded import Bounded

    fields_of = kind.settings_by_field
    names = {each.name for each in settings(kind)} | set(fields_of)
    for name in given:
        if name in kind.derived and name not in (*names, *fields_of.values()):
            raise ValueError(f"{name} must not be given with data, from which it follows")
    own = {name: x for name, x in given.items() if name in names}
    for setting, field in fields_of.items():
        if field in given and setting in given:
            raise ValueError(f"{setting} must not be given with {field}, which is the same")
        own |= {setting: given[field]} if field in given else {}
    # The problem's usual settings, unless others are given, or a loss that has its own.
    usual = {name: x for name, x in kind.usual.items() if name in names}
    if not isinstance(own.get("loss", ""), str):
        usual.pop("regularisation", None)
    if own.get("test_share") == 0:
        usual.pop("trials", None)
    task = Bounded(**{**usual, **own})
    taken = {*names, *fields_of.values()}
    return task, pose(kind, task.learner, {k: x for k, x in given.items() if k not in taken})


def answered(
    task: Bounded,
    problem: Problem,
    target: Target,
    names: Iterable[str] | None = None,
    *,
    tabulate: bool,
    form: str = "numpy",
) -> ForRows:
    """The least noise for rows, at the recommended number of steps where `tabulate` asks for it.

    names: accountants, those that are preferred if None.
    """
    asked = problem.preferred if names is None and problem.tabulated else names
    if not tabulate:
        return ForRows(task, problem, problem.least_noise(target, asked), form=form)
    from accounting.problems import SampledDescent
    from forgetproof.unlearning_table import unlearning_table

    assert isinstance(problem, SampledDescent)
    accountants = tuple(asked or problem.preferred)
    table = unlearning_table(task, problem, target, accountants[0])
    if table.recommended is None:
        answers = problem.unanswered(target, accountants, _NOTHING_HELPS)
        return ForRows(task, problem, answers, table, form)
    chosen = problem.with_fields(unlearning_steps=table.recommended)
    return ForRows(task, chosen, chosen.least_noise(target, accountants), table, form)


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
        data: a Dataset, a DataFrame, features and targets (arrays, or DataFrame and Series), or the
            name of a file: .npz, .csv, .parquet, .feather, .arrow.
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
    option_names |= set(kind.settings_by_field)
    for name in given:
        if name not in option_names or name in ("loss", "data"):
            raise ValueError(f"{name} must not be given: {algorithm} knows no such setting")
    task, problem = posed(kind, {"loss": loss, "data": data, **given})
    tabulate = kind.tabulated is not None and kind.tabulated not in given
    return answered(task, problem, Target(epsilon, delta), tabulate=tabulate)
