"""The inputs of a case as a person writes them: Greek letters, few digits, units."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bounds import Statement
from bounds.unicode_formulas import unicode_formula, unicode_words
from verify.words import number

DIGITS = 4
"""Significant digits of a value."""
_EXPONENT = re.compile(r"(?<=\d)e([+-])0*(?=\d)")
_DECIMAL = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")
_ROOT = re.compile(r"(\w+)\^\(1/2\)")
_INFINITE = {"inf": "∞", "-inf": "-∞"}


@dataclass(frozen=True)
class CaseValue:
    """One input: its name in the code, its symbol, its value as text, and its unit.

    unit: empty for a number, and where none is known.
    """

    name: str
    symbol: str
    value: str
    unit: str

    @property
    def equation(self) -> str:
        """As in "η = 0.25 parameter²/loss"."""
        return f"{self.symbol} = {self.value}{' ' if self.unit else ''}{self.unit}"


def case_values(claim: Statement, inputs: Mapping[str, Any]) -> tuple[CaseValue, ...]:
    """The inputs of a case of the claim, in their order."""
    units = _units(claim)
    return tuple(
        CaseValue(name, _symbol(claim, name), shown(value), units.get(name, ""))
        for name, value in inputs.items()
    )


def shown(value: Any) -> str:
    """A value with few digits; a list in brackets."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, str):
        # A list of many entries is kept as text, with its ends alone.
        text = _DECIMAL.sub(lambda match: number(float(match[0]), DIGITS), value)
        return short_powers(_INFINITE.get(text, text))
    if isinstance(value, int) and abs(value) >= 10**7 and value == float(f"{value:.{DIGITS - 1}e}"):
        # 1000000000 has to be counted; 1e9 is as exact.
        value = float(value)
    return short_powers(number(value, DIGITS))


def short_powers(text: str) -> str:
    """The text with 1e-05 and 1e+05 as 1e-5 and 1e5."""
    return _EXPONENT.sub(lambda match: f"e{match[1].strip('+')}", text)


def _symbol(claim: Statement, name: str) -> str:
    symbol = claim.symbols.get(name)
    if symbol is None:
        return unicode_words(name)
    try:
        return unicode_formula(symbol.tex)
    except ValueError:  # a third party's TeX may have a command without a sign
        return name


@lru_cache(maxsize=16)
def _units(claim: Statement) -> dict[str, str]:
    """Symbol -> its unit, declared or derived from the forms; numbers are left out."""
    derived = {
        name: str(unit) for units in claim.units().values() for name, unit in units.symbols.items()
    }
    declared = {s.name: s.unit for s in claim.symbols.values() if s.unit not in (None, "?")}
    units = {**derived, **declared}
    return {
        name: unicode_words(_ROOT.sub(r"√\1", unit))
        for name, unit in units.items()
        if unit and unit != "1"
    }
