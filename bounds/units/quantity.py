"""Quantities: what a formula computes with when only units count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from bounds.units.equations import Equations
from bounds.units.unit import NUMBER, Unit

LONGEST = 60
"""Characters of a term that is told."""


@dataclass(frozen=True)
class UnitClash:
    """Terms that are added or compared, or of which a number was to be made, and their units."""

    terms: tuple[tuple[str, Unit], ...]
    words: str = ""

    def __str__(self) -> str:
        units = ", ".join(f"{text} in {unit}" for text, unit in self.terms)
        return f"{self.words}: {units}" if self.words else units


class FormulaWalk:
    """One walk through a formula: the equations that it writes, and the clashes that it meets."""

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.clashes: list[UnitClash] = []

    def lifted(self, x: Any) -> Quantity:
        """A constant as a quantity; 0 and infinity have any unit."""
        if isinstance(x, Quantity):
            return x
        if isinstance(x, bool) or not isinstance(x, int | float | Fraction):
            raise TypeError(f"{type(x).__name__} has no unit")
        if x in (0, float("inf"), float("-inf")):
            return Quantity(self, self.equations.fresh(), lambda: str(x))
        value = Fraction(x)
        return Quantity(self, NUMBER, lambda: str(x) if value >= 0 else f"({x})", value)

    def number(self, x: Any, words: str) -> Quantity:
        """The argument, which has to be a number."""
        quantity = self.lifted(x)
        if not self.equations.equal(quantity.unit, NUMBER):
            self.clashes.append(UnitClash(((quantity.told, quantity.unit),), words))
        return quantity

    def same(self, rows: tuple[Any, ...], text: Callable[[], str], words: str = "") -> Quantity:
        """A quantity in the one unit of all these."""
        first, *others = [self.lifted(x) for x in rows]
        unit, terms = first.unit, [first]
        for other in others:
            if not self.equations.equal(unit, other.unit):
                terms.append(other)
        if len(terms) > 1:
            self.clashes.append(UnitClash(tuple((t.told, t.unit) for t in terms), words))
            # After a clash the sum has any unit, lest every term around it be told as a clash too.
            unit = self.equations.fresh()
        return Quantity(self, unit, text)


class Quantity:
    """A unit, the text of the term, and its value where it is a constant."""

    def __init__(
        self, walk: FormulaWalk, unit: Unit, text: Callable[[], str], value: Fraction | None = None
    ) -> None:
        self.walk, self.unit, self.text, self.value = walk, unit, text, value

    @property
    def told(self) -> str:
        """The term, shortened."""
        text = self.text()
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."

    def _folded(self, other: Quantity, op: Callable[[Any, Any], Any]) -> Fraction | None:
        if self.value is None or other.value is None:
            return None
        return Fraction(op(self.value, other.value))

    def _sum(self, other: Any, sign: str, before: bool = False) -> Quantity:
        a, b = self.walk.lifted(other), self
        if not before:
            a, b = b, a
        quantity = self.walk.same((a, b), lambda: f"{a.text()} {sign} {b.text()}")
        quantity.value = a._folded(b, lambda x, y: x + y if sign == "+" else x - y)
        return SumQuantity(quantity)

    def __add__(self, other: Any) -> Quantity:
        return self._sum(other, "+")

    def __radd__(self, other: Any) -> Quantity:
        return self._sum(other, "+", before=True)

    def __sub__(self, other: Any) -> Quantity:
        return self._sum(other, "-")

    def __rsub__(self, other: Any) -> Quantity:
        return self._sum(other, "-", before=True)

    def __mul__(self, other: Any) -> Quantity:
        b = self.walk.lifted(other)
        value = self._folded(b, lambda x, y: x * y)
        return Quantity(
            self.walk, self.unit * b.unit, lambda: f"{self.factor()}*{b.factor()}", value
        )

    def __rmul__(self, other: Any) -> Quantity:
        return self.walk.lifted(other) * self

    def __truediv__(self, other: Any) -> Quantity:
        b = self.walk.lifted(other)
        value = self._folded(b, lambda x, y: x / y)
        return Quantity(self.walk, self.unit / b.unit, lambda: f"{self.factor()}/{b.atom()}", value)

    def __rtruediv__(self, other: Any) -> Quantity:
        return self.walk.lifted(other) / self

    def __pow__(self, other: Any) -> Quantity:
        b = self.walk.number(other, "an exponent")
        if b.value is None:
            # A power that varies would vary the unit, unless the base is a number.
            self.walk.number(self, "raised to a power that is no fixed number")
            unit = NUMBER
        else:
            unit = self.unit**b.value
        return Quantity(self.walk, unit, lambda: f"{self.atom()}^{b.atom()}")

    def __rpow__(self, other: Any) -> Quantity:
        return self.walk.lifted(other) ** self

    def __neg__(self) -> Quantity:
        value = None if self.value is None else -self.value
        return Quantity(self.walk, self.unit, lambda: f"-{self.factor()}", value)

    def __pos__(self) -> Quantity:
        return self

    def __abs__(self) -> Quantity:
        return Quantity(self.walk, self.unit, lambda: f"|{self.text()}|")

    def __mod__(self, other: Any) -> Quantity:
        return self.walk.same((self, other), lambda: f"{self.factor()} mod ...")

    def _compared(self, other: Any) -> Condition:
        self.walk.same((self, other), str, "compared")
        return Condition()

    __lt__ = __le__ = __gt__ = __ge__ = _compared

    def _refused(self) -> Any:
        raise TypeError("of a quantity only its unit is known")

    # A formula that asks for a value, as in `if x > 0`, is stopped here; `derive` says why.
    __bool__ = __float__ = __int__ = _refused

    def factor(self) -> str:
        """Its text as a factor of a product."""
        return self.text()

    def atom(self) -> str:
        """Its text as a base, an exponent or a divisor."""
        text = self.text()
        return text if text.isidentifier() or text.isdigit() else f"({text})"


class SumQuantity(Quantity):
    """A sum: in parentheses within a product."""

    def __init__(self, found: Quantity) -> None:
        super().__init__(found.walk, found.unit, found.text, found.value)

    def factor(self) -> str:
        return f"({self.text()})"


class Condition:
    """A comparison, of which only the units counted."""

    def __and__(self, other: Any) -> Condition:
        return self

    __or__ = __rand__ = __ror__ = __and__

    def __invert__(self) -> Condition:
        return self

    def __bool__(self) -> bool:
        raise TypeError("of a condition only its units are known")


class Entries:
    """A list or an orbit: every entry is the same quantity."""

    def __init__(self, name: str, entry: Quantity) -> None:
        self.name, self.entry = name, entry

    def __getitem__(self, i: Any) -> Quantity:
        entry = self.entry
        at = i.text() if isinstance(i, Quantity) else str(i)
        return Quantity(entry.walk, entry.unit, lambda: f"{self.name}[{at}]")
