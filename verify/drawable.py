"""Which statements there is a plot of, and how a plot of ours is known."""

import bounds
from bounds import Statement

BOUNDS = ("inequality", "asymptotic", "recursion", "algorithm")
"""The kinds of statements that bound something."""
PLOT = '<svg class="forgetproof"'
"""How the file of a plot begins: any other is not ours."""


def drawable(statement: Statement) -> bool:
    """Whether there is a plot: over a natural variable, or of a bound with a formula or a check."""
    if statement.plot is not None and statement.forms:
        return True
    owner = next((paper for paper in bounds.papers() if paper.key == statement.paper), None)
    if statement.kind not in BOUNDS or owner is None:
        return False
    return bool(statement.forms or owner.checks)
