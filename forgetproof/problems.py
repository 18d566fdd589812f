"""Which privacy problems there are: those that papers declare, by the name of the algorithm."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import bounds

if TYPE_CHECKING:
    from accounting.problems import Problem


@cache
def problems() -> dict[str, str]:
    """The name of an algorithm -> where its problem stands, "module:class"; the papers say so."""
    return {name: place for paper in bounds.papers() for name, place in paper.problems.items()}


@cache
def problem(name: str) -> type[Problem] | None:
    """The problem of this name or alias, or None."""
    if name in problems():
        module, _, attribute = problems()[name].partition(":")
        found: type[Problem] = getattr(import_module(module), attribute)
        return found
    return next((p for p in map(problem, problems()) if p is not None and name in p.aliases), None)
