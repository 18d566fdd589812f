"""How small an error of a bound runs would notice: on rows at hand, and on extreme ones besides.

A bound that runs stay far below could be wrong by a factor without anybody seeing it there. The
strength of the runs is s where the bound times s is the least that they do not contradict (or, of
equalities and lower bounds, the bound over s the greatest): 1 says that an error shows at once,
0.1 that one of a factor of ten shows, and 0 that none does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from bounds import Statement
from verify import checks
from verify.context import Context
from verify.drawable import BOUNDS
from verify.evidence import Comparison
from verify.expectation import load
from verify.extremes import on_extremes
from verify.interpretations import GREEN
from verify.measurements import on_data
from verify.power import green_for_all, sharpness

TWO, TEN = 0.5, 0.1
"""Strengths from which an error of a factor of 2, of 10, is noticed."""


@dataclass(frozen=True)
class Strength:
    """Of the runs about one bound.

    Attributes:
        claim: the statement's id.
        key: "interpretation.form", of the form that runs come closest to.
        real: the strength of runs on rows at hand; None: none of them can be compared.
        runs: of these and of runs on made rows together.
        forms: "interpretation.form" -> the strength of all runs, for each form that should hold.
        why: why it stays below a half, where it does; or why no run can be compared.
    """

    claim: str
    key: str
    real: float | None
    runs: float | None
    forms: Mapping[str, float]
    why: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "forms": dict(self.forms)}


def strengths(statements: Iterable[Statement], seed: int = 0) -> Iterator[Strength]:
    """Of every bound among the statements, with the forms that are expected to hold."""
    expectations = load()
    for statement in statements:
        if statement.kind in BOUNDS:
            yield _strength(statement, expectations.get(statement.id, {}), seed)


def _strength(statement: Statement, words: Mapping[str, str], seed: int) -> Strength:
    check, context = checks.check(statement), Context(statement, seed=seed)
    found: dict[str, list[Comparison]] = {}
    for comparison in (*on_data(context), *on_extremes(context)):
        key = f"{comparison.interpretation}.{comparison.form}"
        # Without an expectation, as from outside, a form stands that no run contradicts.
        if words.get(key, "holds") in GREEN:
            found.setdefault(key, []).append(comparison)
    forms = {
        key: sharpness(*green_for_all(items))
        for key, items in found.items()
        if key in words or not any(each.violated for each in items)
    }
    why = check.exact_only or check.far
    if not forms:
        return Strength(statement.id, "", None, None, {}, why)
    closest = max(forms, key=lambda key: forms[key])
    real = [sharpness(*green_for_all(items)) for key in forms if (items := _real(found[key]))]
    return Strength(statement.id, closest, max(real, default=None), forms[closest], forms, why)


def _real(comparisons: Iterable[Comparison]) -> list[Comparison]:
    return [each for each in comparisons if each.on_data]


@dataclass(frozen=True)
class StrengthCounts:
    """Of how many bounds, of those that meet runs, an error is noticed.

    Attributes:
        bounds: how many meet runs.
        ten_real, two_real: of how many a factor of 10, of 2, shows on rows at hand.
        ten, two: of how many on those or on made rows.
        middle: the median strength.
    """

    bounds: int
    ten_real: int
    two_real: int
    ten: int
    two: int
    middle: float


def counts(items: Iterable[Strength]) -> StrengthCounts:
    """Of these; ValueError where none of them meets a run."""
    runs, real = [], []
    for each in items:
        if each.runs is not None:
            runs.append(each.runs)
            real.append(each.real or 0.0)
    if not runs:
        raise ValueError("items must have a bound that meets runs, got none")
    return StrengthCounts(
        len(runs),
        sum(s >= TEN for s in real),
        sum(s >= TWO for s in real),
        sum(s >= TEN for s in runs),
        sum(s >= TWO for s in runs),
        median(runs),
    )
