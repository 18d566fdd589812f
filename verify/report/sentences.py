"""Comparisons, errors of checks and counts as a page says them."""

from __future__ import annotations

import math

from verify.case_values import DIGITS, shown
from verify.power import Power
from verify.record import DecidingCase
from verify.words import number, pair, typeset

CLAIMED = {"<=": "at most", ">=": "at least", "==": "exactly"}


def sides(case: DecidingCase) -> str:
    """Both sides of a comparison: "Measured 5, claimed at most 3"."""
    if math.isinf(case.measured) or math.isinf(case.bound):
        measured, bound = shown(case.measured), shown(case.bound)
    else:
        measured, bound = pair(case.measured, case.bound, DIGITS)
    return typeset(f"Measured {measured}, claimed {CLAIMED[case.relation]} {bound}")


def basis(case: DecidingCase) -> str:
    """How sure a comparison is: "exact", "statistical, at level 1e-6", and of what."""
    level = "" if case.level is None else f", at level {case.level:.0e}"
    rows = f", {case.rows}" if case.rows else ""
    return typeset(f"{case.basis}{level}{rows}")


def noticed(power: Power | None) -> str:
    """Which other bounds the check would have found false."""
    if power is None:
        return ""
    ends = []
    if 0 < power.lowest < math.inf:
        ends.append(f"smaller than {number(power.lowest, 3)} times this one")
    if 0 < power.highest < math.inf:
        ends.append(f"greater than {number(power.highest, 3)} times this one")
    return f"The check would notice a bound {' or '.join(ends)}." if ends else ""
