"""Which privacy problems there are: the name of an algorithm -> where its problem stands."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accounting.problems import Problem

PROBLEMS = {
    "langevin": "bounds.sglu.problem:Langevin",
    "online": "bounds.olu.problem:Online",
    "recollection": "bounds.hf.problem:Recollection",
    "safe": "bounds.safe.problem:Safe",
    "tracking": "accounting.problems.tracking:Tracking",
    "newton-removal": "bounds.guo.problem:NewtonRemoval",
    "d2d": "accounting.problems.descent_to_delete:DescentToDelete",
    "contraction": "accounting.problems.contraction:Contraction",
}


@cache
def problem(name: str) -> type[Problem] | None:
    """The problem of this name or alias, or None."""
    if name in PROBLEMS:
        module, _, attribute = PROBLEMS[name].partition(":")
        found: type[Problem] = getattr(import_module(module), attribute)
        return found
    return next((p for p in map(problem, PROBLEMS) if p is not None and name in p.aliases), None)
