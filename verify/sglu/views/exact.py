"""What an exact law shows, and the orders and targets at which the views measure it."""

from __future__ import annotations

from typing import Any

from simulators.runs.experiment import Observable

ALPHA = 2.0
"""The order of Renyi divergences."""
EPSILON, DELTA = 1.0, 1e-5
"""The target of least noises and fewest epochs."""


def of_law(values: Any, unit: str = "1", **at: Any) -> Observable:
    """Numbers of a law that is known exactly; at: what each of them belongs to."""
    return Observable(values, at=at, basis="law", rounding=1e-12, unit=unit)


def divergence_of_law(values: Any, **at: Any) -> Observable:
    """D_2 of laws that are known exactly, in nats."""
    return of_law(values, "nat", alpha=ALPHA, **at)
