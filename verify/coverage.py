"""How many statements meet data: counts by paper of what runs on data at hand could be held to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import bounds
from bounds import Statement
from verify import checks
from verify.context import Context
from verify.observed import on_samples

BOUNDS = ("inequality", "asymptotic", "recursion", "algorithm")
"""The kinds of statements that bound something."""


@dataclass
class Count:
    """Of one paper: ids of its bounds, and of statements of any kind by what data say of them."""

    bounds: list[str] = field(default_factory=list)
    observed: list[str] = field(default_factory=list)
    met: list[str] = field(default_factory=list)
    bounds_met: list[str] = field(default_factory=list)
    refuted: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    plotted: list[str] = field(default_factory=list)

    def document(self) -> dict[str, int]:
        """How many."""
        return {name: len(ids) for name, ids in vars(self).items()}


def coverage(statements: Iterable[Statement], seed: int = 0) -> dict[str, Count]:
    """Counts by paper, from runs on data at hand.

    Bounds; statements whose check observes runs; those that a run can be held to, and the bounds
    among them; those of which a run refutes a printed form; those that the property tests hold, at
    inputs that are drawn or against runs; the bounds that `forgetproof plot` draws.
    """
    found: dict[str, Count] = {}
    for statement in statements:
        count = found.setdefault(statement.paper, Count())
        is_bound = statement.kind in BOUNDS
        count.bounds += [statement.id] * is_bound
        count.plotted += [statement.id] * (is_bound and drawable(statement))
        held = list(on_samples(Context(statement, seed=seed)))
        count.observed += [statement.id] * bool(held)
        wrong = {c.form for h in held for c in h.found if c.violated}
        met = any(h.found for h in held)
        count.drawn += [statement.id] * bool(met or _drawn(statement))
        if met:
            count.met.append(statement.id)
            count.bounds_met += [statement.id] * is_bound
            count.refuted += [statement.id] * ("printed" in wrong)
    return found


def drawable(statement: Statement) -> bool:
    """Whether there is a plot: over a natural variable, or of a bound with a formula or a check."""
    if statement.plot is not None and statement.forms:
        return True
    owner = next((paper for paper in bounds.papers() if paper.key == statement.paper), None)
    if statement.kind not in BOUNDS or owner is None:
        return False
    return bool(statement.forms or owner.checks)


def _drawn(statement: Statement) -> bool:
    """Whether inputs are drawn at which an oracle is held against a form."""
    from verify.search.targets import expected_to_hold

    return checks.check(statement).oracle is not None and bool(expected_to_hold(statement))
