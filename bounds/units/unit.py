"""Units: products of powers of base units, such as parameter^2/loss.

Bases are words in lower case. What is minimised is a loss and what it depends on a parameter;
counts, times, shares and privacy losses are numbers, 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

UNKNOWN = "?"
"""Begins the names of units that are solved for."""
ANY = "any unit"
"""What a unit is called that nothing determines."""


@dataclass(frozen=True)
class Unit:
    """A product of powers; of bases, and while equations are solved of unknown units."""

    powers: Mapping[str, Fraction] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(frozenset(self.powers.items()))

    def __mul__(self, other: Unit) -> Unit:
        names = {**self.powers, **other.powers}
        zero = Fraction(0)
        sums = {n: self.powers.get(n, zero) + other.powers.get(n, zero) for n in names}
        return Unit({name: power for name, power in sums.items() if power})

    def __truediv__(self, other: Unit) -> Unit:
        return self * other**-1

    def __pow__(self, power: Fraction | int) -> Unit:
        return Unit({name: p * power for name, p in self.powers.items()} if power else {})

    @property
    def unknown(self) -> str:
        """An unknown unit in it, rather one without a name; empty where it is known."""
        return min((name for name in self.powers if name.startswith(UNKNOWN)), default="")

    @property
    def known(self) -> Unit:
        """Without the named units that are solved for: those of constants, taken as numbers."""
        if self.unknown[1:].isdigit():
            return self
        return Unit({name: p for name, p in self.powers.items() if not name.startswith(UNKNOWN)})

    def __str__(self) -> str:
        # Unknowns without a name are numbered (`Equations.fresh`).
        if self.unknown[1:].isdigit():
            return ANY
        over = [_power(name, p) for name, p in sorted(self.powers.items()) if p > 0]
        under = [_power(name, -p) for name, p in sorted(self.powers.items()) if p < 0]
        below = f"({' '.join(under)})" if len(under) > 1 else "".join(under)
        return (" ".join(over) or "1") + (f"/{below}" if under else "")


def _power(name: str, power: Fraction) -> str:
    if name.startswith(UNKNOWN):
        name = f"[{name.removeprefix(UNKNOWN)}]"
    if power == 1:
        return name
    return f"{name}^{power}" if power.denominator == 1 else f"{name}^({power})"


NUMBER = Unit()
# Factors with powers, products by spaces, one / at most: before a factor or a bracket.
_FACTOR = r"[a-z]+(?:\^(?:\d+|\(\d+/\d+\)))?"
_PRODUCT = rf"(?:1|{_FACTOR}(?: {_FACTOR})*)"
_UNIT = re.compile(rf"({_PRODUCT})(?:/({_FACTOR})|/\(({_PRODUCT})\))?")


@cache
def parsed(text: str) -> Unit:
    """The unit of this text: "1", "loss", "loss^(1/2)", "parameter^2/loss", "loss/(a b)".

    Raises ValueError for a text that is none.
    """
    match = _UNIT.fullmatch(text)
    if not match:
        raise ValueError(
            f"unit must be 1, or base units with powers such as parameter^2/loss, got {text!r}"
        )
    top, one, many = match.groups()
    return _product(top) / _product(one or many or "1")


def _product(text: str) -> Unit:
    product = NUMBER
    for factor in text.split():
        name, _, power = factor.partition("^")
        if name != "1":
            product *= Unit({name: Fraction(power.strip("()") or 1)})
    return product
