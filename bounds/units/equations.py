"""Linear equations between units, of which some are unknown."""

from __future__ import annotations

from fractions import Fraction

from bounds.units.unit import UNKNOWN, Unit


class Equations:
    """What is known of unknown units so far; every equation that is added is solved at once."""

    def __init__(self) -> None:
        self.solved: dict[str, Unit] = {}
        self.count = 0

    def fresh(self, name: str = "") -> Unit:
        """A unit of which nothing is known; a name is told where it stays so."""
        self.count += 1
        return Unit({f"{UNKNOWN}{name or self.count}": Fraction(1)})

    def reduced(self, unit: Unit) -> Unit:
        """The unit by those that are not solved for."""
        # A solution may hold unknowns that were solved for later, hence again until none is left.
        while name := next((n for n in unit.powers if n in self.solved), ""):
            rest = Unit({n: p for n, p in unit.powers.items() if n != name})
            unit = rest * self.solved[name] ** unit.powers[name]
        return unit

    def equal(self, a: Unit, b: Unit) -> bool:
        """Takes the two for one unit; False, and nothing is taken, where they cannot be."""
        quotient = self.reduced(a / b)
        if not quotient.powers:
            return True
        name = quotient.unknown
        if not name:
            return False
        power = quotient.powers[name]
        rest = Unit({n: p for n, p in quotient.powers.items() if n != name})
        # name^power rest = 1, so name = rest^(-1/power).
        self.solved[name] = rest ** (-1 / power)
        return True
