"""epsilon of gradient steps from both sides."""

from __future__ import annotations

import math
from functools import partial

from accounting.mechanism._certified import certified, certified_clipped
from accounting.mechanism._coverage import alike, uncovered
from accounting.mechanism._needed import needed
from accounting.mechanism._setting import GradientSteps, refuse
from accounting.mechanism._two_sides import Truth, consistent
from accounting.mechanism._unhidden import without_secret
from accounting.mechanism._value import MechanismFields
from accounting.numerics.attempt import attempt


def gradient_truth(mechanism: MechanismFields, delta: float) -> Truth:
    """epsilon at delta of gradient steps, from both sides.

    Raises FieldNotCovered where maps stand among them.
    """
    steps = GradientSteps(mechanism)
    if mechanism.relation.adjacency == "maps":
        refuse("relation.adjacency", "gradient steps are about rows")
    if not steps.seen.any() and alike(steps) and mechanism.start.value == 0:
        return Truth(0.0, 0.0, "no step sees the rows in question")
    bare = without_secret(steps, delta)
    if bare is not None:
        return bare
    least, how = needed(steps, delta)
    upper, route, open_fields = math.inf, "", uncovered(steps)
    if not open_fields:
        upper, route, open_fields = certified(steps, delta)
    if mechanism.released == "last" and mechanism.requests == "oblivious":
        other, _ = attempt(partial(certified_clipped, mechanism, delta), math.inf)
        if other < upper:
            upper, route, open_fields = other, "clipped steps of any losses", ()
    said = f"{route}; {how}" if route and how else route or how or "nothing is known"
    return consistent(least, upper, said, open_fields)
