"""Which privacy problems there are: those that papers declare, by the name of the algorithm."""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING

import bounds
from bounds import Paper
from bounds.library import blame

if TYPE_CHECKING:
    from accounting.problems import Problem


@cache
def _declared() -> dict[str, tuple[str, Paper]]:
    """The name of an algorithm -> where its problem stands, and the paper that says so."""
    found: dict[str, tuple[str, Paper]] = {}
    for paper in bounds.papers():
        for name, place in paper.problems.items():
            first = found.setdefault(name, (place, paper))[1]
            if first is not paper:
                blame(_source(name, paper), ValueError(f"{first.key} has a problem of this name"))
    return found


def problems() -> dict[str, str]:
    """The name of an algorithm -> where its problem stands, "module:class"; the papers say so."""
    return {name: place for name, (place, _) in _declared().items() if problem(name)}


@cache
def problem(name: str) -> type[Problem] | None:
    """The problem of this name or alias, or None."""
    if name not in _declared():
        others = (problem(other) for other in _declared())
        return next((p for p in others if p is not None and name in p.aliases), None)
    place, paper = _declared()[name]
    try:
        found: type[Problem] = resolve_name(place)
    except (Exception, SystemExit) as error:  # a stranger's module may fail in any way
        if not paper.foreign:
            raise
        blame(_source(name, paper), error)
        return None
    return found


def _source(name: str, paper: Paper) -> str:
    return f"the problem {name} of {paper.distribution}"


def aliases(name: str) -> tuple[str, ...]:
    """The other names of a problem; none if there is no such problem."""
    found = problem(name)
    return found.aliases if found else ()
