"""Checks: how the left side of a statement is measured, and on which instances.

A check module is named as its statement's and ends with `CHECKS`, one for each statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cache
from importlib import import_module
from inspect import signature
from types import ModuleType
from typing import Any

import numpy as np

import bounds
from bounds import Hypothesis, Statement
from verify.context import Context, Findings
from verify.evidence import Basis, Relation
from verify.search.domain import domain

__all__ = [
    "NEAR_1",
    "Check",
    "Context",
    "ExactSide",
    "Findings",
    "Instances",
    "Limit",
    "Measurement",
    "case_table",
    "check",
    "module",
]

ExactSide = Callable[..., Any]
Side = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Instances:
    """Inputs at which the exact side is compared with every form of some interpretations.

    Attributes:
        words: the experiment in words.
        cases: inputs that are always tried, each with all arguments of the exact side by name.
        draws: how many more are drawn in the quick and in the full profile, from the ranges of
            the symbols and inside the hypotheses of the interpretation.
        within: argument -> narrower range, (low, high), from which it is drawn; (x, x) holds it.
            Names that the statement does not have are passed over: claims share tables of ranges.
        interpretations, forms: names of those that these instances are about; all by default.
        tolerance, basis: as in `Context.compare`.
        relations: form -> relation where more is shown than is stated ("==" where attained).
        script: a program beside the check that reproduces what these instances refute.
    """

    words: str
    cases: Sequence[Mapping[str, Any]] = ()
    draws: tuple[int, int] = (0, 0)
    within: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    interpretations: tuple[str, ...] = ()
    tolerance: float = 1e-9
    basis: Basis = "exact"
    relations: Mapping[str, Any] = field(default_factory=dict)
    _: KW_ONLY
    forms: tuple[str, ...] = ()
    script: str | None = None


def case_table(names: str, *values: Sequence[Any]) -> tuple[dict[str, Any], ...]:
    """Inputs of several instances as a table: names in one string, then a tuple an instance."""
    return tuple(dict(zip(names.split(), row, strict=True)) for row in values)


@dataclass(frozen=True)
class Limit:
    """What an exact side cannot do; it says nothing of the statement.

    Attributes:
        reason: the limit in words (a lattice, a quadrature, numbers that cancel).
        where: conditions on the inputs outside which nothing can be said.
        size: of the numbers that the exact side subtracts; sides closer than a few units in their
            last place are equal.
        searchable: False where the check compares what inputs alone do not say.
        others: forms that the check compares with another left side than the exact side's.
        within: argument -> narrower range, from which a search draws: where the exact side answers.
    """

    reason: str
    where: tuple[Hypothesis, ...] = ()
    size: Callable[[Mapping[str, Any]], float] | None = None
    searchable: bool = True
    others: tuple[str, ...] = ()
    within: Mapping[str, tuple[float, float]] = field(default_factory=dict)


NEAR_1 = Limit(
    "logarithms of sums of powers of the order near 1, over the order less 1",
    size=lambda p: p["alpha"] / (p["alpha"] - 1),
)
"""Of exact sides that integrate a Renyi divergence: what is below it is rounding."""


@dataclass(frozen=True)
class Measurement:
    """The left side of a statement in a run.

    Attributes:
        experiment, observable: their names.
        symbols: the statement's symbol -> the name that the run gives to its value, where the two
            differ, or a number. What the observable knows of its values comes before the run's
            constants.
        interpretations, forms: names of those that it is about; all by default.
        where: hypotheses that the run must meet besides those on symbols, by the run's names.
        sides: form -> its value where the form itself is of another shape than the run (a vector
            where the form is a line's, or no form at all): the name that the run gives it, a
            number, or a function of all that the run knows by name.
        relation: what is shown, where it is less than what is stated: a path's distance is at most
            what the statement says equal of laws.
    """

    experiment: str
    observable: str
    symbols: Mapping[str, str | float] = field(default_factory=dict)
    interpretations: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    sides: Mapping[str, str | float | Side] = field(default_factory=dict)
    relation: Relation | None = None


@dataclass(frozen=True)
class Check:
    """How one statement is checked.

    Attributes:
        id: of the statement.
        evidence: a generator of evidence, given a `Context`.
        exact side: the left side of the statement at inputs by name.
        at: instances at which the exact side is compared with the forms.
        measurements: what of which experiment's runs on data the left side is.
        extremes: names of extreme runs of these experiments to which it is held as well.
        limits: interpretation -> what the exact side cannot do there.
        expression: the exact side as an expression, for certification: written from the statement,
            not from a form, and called with sympy, then the inputs by name.
        worst_cases: "module:function" of worst cases by semidefinite programming, beside forms.
        pictures: "module:function" of wider pictures, with baselines, over several variables.
        exact_only: why no run on data can have its left side, where none can.
        far: why no run comes within a factor of two of any form, where none does.
    """

    id: str
    evidence: Callable[[Context], Findings] | None = None
    exact_side: ExactSide | None = None
    at: tuple[Instances, ...] = ()
    limits: Mapping[str, Limit] = field(default_factory=dict)
    _: KW_ONLY
    measurements: tuple[Measurement, ...] = ()
    extremes: tuple[str, ...] = ()
    expression: ExactSide | None = None
    worst_cases: str = ""
    pictures: str = ""
    exact_only: str = ""
    far: str = ""

    def __post_init__(self) -> None:
        if self.at and self.exact_side is None:
            raise ValueError(f"exact_side must be given: {self.id} has instances to hold it at")
        if self.exact_only and self.measurements:
            raise ValueError(
                f"exact_only must be empty: {self.id} is measured by {self.measurements[0]}"
            )

    def measured_by(self, experiment: str, observable: str, **how: Any) -> Check:
        """This check, with one more observable of a run on data (`Measurement`) as its left
        side."""
        return replace(
            self, measurements=(*self.measurements, Measurement(experiment, observable, **how))
        )

    def beside(self, *extremes: str) -> Check:
        """This check, held to these extreme runs as well."""
        return replace(self, extremes=(*self.extremes, *extremes))

    @property
    def statement(self) -> Statement:
        return bounds.get(self.id)

    def __call__(self, ctx: Context) -> Findings:
        """All evidence but on data: at the instances, and what `evidence` yields."""
        # A stream for each group of instances: one more draw in one leaves the others as they are.
        for block, instances in enumerate(self.at):
            yield from self._at_instances(ctx, instances, ctx.rng(block))
        if self.evidence is not None:
            yield from self.evidence(ctx)

    def _at_instances(
        self, ctx: Context, instances: Instances, rng: np.random.Generator
    ) -> Findings:
        assert self.exact_side is not None
        # Arguments of the exact side that the statement has not are the cases' own.
        names = [n for n in signature(self.exact_side).parameters if n in self.statement.symbols]
        for interpretation in self.statement.interpretations:
            if instances.interpretations and interpretation.name not in instances.interpretations:
                continue
            limit = self.limits.get(interpretation.name)
            where = (*interpretation.where, *(limit.where if limit else ()))
            space = domain(self.statement, names, where=where, within=instances.within)
            count = ctx.pick(*instances.draws)
            # Lazily: every draw moves the stream on, interpretation after interpretation.
            samples = (space.decode(space.sample(rng)) for _ in range(count))
            for row in (*instances.cases, *samples):
                # Once for all forms: the exact side is what costs.
                value, tight = self.exact_side(**row), ctx.tight(row)
                for form in interpretation.forms:
                    if instances.forms and form not in instances.forms:
                        continue
                    yield ctx.compare(
                        interpretation.name,
                        form,
                        value,
                        row,
                        instances.words,
                        tight=tight,
                        relation=instances.relations.get(form),
                        basis=instances.basis,
                        tolerance=instances.tolerance,
                        script=instances.script,
                    )


def module(statement: Statement) -> ModuleType:
    """The module of the statement's check. Raises ValueError where it has none."""
    return import_module(bounds.paper(statement.paper).check(statement.id))


@cache
def _checks(name: str) -> dict[str, Check]:
    return {check.id: check for check in import_module(name).CHECKS}


def check(statement: Statement) -> Check:
    """The statement's check. Raises ValueError where it has none."""
    name = bounds.paper(statement.paper).check(statement.id)
    claim_check = _checks(name).get(statement.id)
    if claim_check is None:
        raise ValueError(f"{name} makes no check of {statement.id}")
    return claim_check
