"""Worst cases beside data: what comes closest to a bound from which a run stays far away."""

from __future__ import annotations

from functools import cache

import bounds
from bounds import Statement
from bounds.library import blame
from verify import checks
from verify.context import Context
from verify.evidence import Comparison
from verify.measurements import RunComparisons

FAR = 0.1
"""A share of the best known form; what stays below it shows little of the form."""


def is_far(outcome: RunComparisons) -> bool:
    """Whether a run shows less than a tenth of what the statement allows, or cannot show it.

    Data that contradict a form, or that meet an equality, are never far from it.
    """
    if not outcome.comparisons or any(
        c.violated or c.relation == "==" for c in outcome.comparisons
    ):
        return False
    levels = (closeness(c) for c in outcome.comparisons if not c.tells_less)
    return max(levels, default=0.0) < FAR


def closeness(comparison: Comparison) -> float:
    """Measured over the best known form, or the other way round where it bounds from below."""
    attainment = comparison.attainment
    if attainment is None or attainment <= 0:
        return 0.0
    return attainment if comparison.relation != ">=" else 1 / attainment


def companion(statement: Statement, interpretation: str) -> Comparison | None:
    """The constructed instance of the check that comes closest, of this interpretation first."""
    return max(
        _constructed(statement.id),
        key=lambda c: (closeness(c) >= FAR, c.interpretation == interpretation, closeness(c)),
        default=None,
    )


@cache
def _constructed(id: str) -> tuple[Comparison, ...]:
    """What the statement's check finds without data, and does not contradict a form."""
    statement = bounds.get(id)
    try:
        comparisons = [
            e for e in checks.check(statement)(Context(statement)) if isinstance(e, Comparison)
        ]
    except Exception as error:  # a third-party check may fail in any way
        owner = bounds.paper(statement.paper)
        if not owner.foreign:
            raise
        blame(f"the check of {id} of {owner.distribution}", error)
        return ()
    return tuple(c for c in comparisons if c.role == "bound" and not c.violated)
