"""Hypotheses of readings that no symbol's range or requirement of the formula expresses.

A reading narrows its claim in words; the search needs the same as conditions on the inputs, or it
would report what lies outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Condition = Callable[[Mapping[str, Any]], bool]

READINGS: dict[tuple[str, str], tuple[Condition, ...]] = {}


def conditions(claim: str, reading: str) -> tuple[Condition, ...]:
    """The conditions under which a reading speaks, beyond the formula's own."""
    return READINGS.get((claim, reading), ())
