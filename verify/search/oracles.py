"""Left sides that are closed forms of their own, as expressions for certification.

Each is written from the claim's statement, not from any form of its formula; called with sympy,
then the inputs by name. A claim without an entry can still be certified where a form is attained.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def _power_sum(sp: Any, k: Any, power: Any) -> Any:
    return sp.Add(*(sp.Pow(sp.Integer(i), power) for i in range(1, int(k) + 1)))


def _root_sum(sp: Any, k: Any, omega: Any) -> Any:
    return sp.sqrt(_power_sum(sp, k, 2 * omega))


def _step(sp: Any, gap: Any, eta: Any, G: Any, slope: Any) -> Any:
    """|z - eta g - z*|^2 expanded, <g, z - z*> = slope: (45) of olu without projection."""
    return gap**2 - 2 * eta * slope + eta**2 * G**2


EXPRESSIONS: Mapping[str, Callable[..., Any]] = {
    "olu.eq17": _root_sum,
    "olu.eq17.sum": _power_sum,
    "olu.eq17.below": _power_sum,
    "olu.eq45": _step,
}
