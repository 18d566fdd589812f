"""A constant of a mechanism: a number, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accounting.mechanism._kinds import Kind, OneWord, RealNumber, Text, entry
from accounting.mechanism._node import Node
from accounting.numerics.validation import _fail

ORIGINS = {
    "public": "known without the rows",
    "enforced": "kept by code that runs: a clip, a projection, a refusal",
    "assumed": "a bound that is believed, and that nothing keeps",
    "estimated": "measured on samples or by a search, and no bound",
    "rows": "computed from private rows, which the number then shows",
}
FIRM = ("public", "enforced")
"""Origins that carry a number without a condition."""


@dataclass(frozen=True, kw_only=True)
class Constant(Node):
    """A finite number and its origin; a bare number of a document is public."""

    value: float = entry(RealNumber(low=-1e308), "The number.", known=True)
    origin: str = entry(OneWord(tuple(ORIGINS)), "Where it comes from.", "public", known=True)
    by: str | None = entry(Text(), "What enforces, estimates or says it.", None, known=True)

    @property
    def firm(self) -> bool:
        """Whether a number that rests on it needs no condition for it."""
        return self.origin in FIRM


@dataclass(frozen=True)
class ConstantKind(Kind):
    """A constant whose number is in the range of `number`."""

    number: RealNumber

    def check(self, name: str, value: Any) -> Constant:
        if isinstance(value, Constant):
            self.number.check(name, value.value)
            return value
        if not isinstance(value, Mapping):
            return Constant(value=self.number.check(name, value))
        try:
            found = Constant.of_mapping(value)
            self.number.check("value", found.value)
        except ValueError as error:
            raise ValueError(f"{name}.{error}") from None
        # An object that says its origin is written as an object.
        if "origin" not in found.stated:
            _fail(f"{name}.origin", "given", None)
        return found

    def document(self, value: Constant) -> Any:
        bare = value.origin == "public" and value.by is None and not value.stated
        return value.value if bare else {**value.document(), "origin": value.origin}

    def schema(self) -> dict[str, Any]:
        number = self.number.schema()
        properties = {
            "value": number,
            "origin": {"enum": list(ORIGINS)},
            "by": {"type": "string", "minLength": 1},
        }
        whole = {
            "type": "object",
            "required": ["value", "origin"],
            "additionalProperties": False,
            "properties": properties,
        }
        return {"anyOf": [number, whole]}


POSITIVE = ConstantKind(RealNumber(low_open=True))
NATURAL = ConstantKind(RealNumber())
RATE = ConstantKind(RealNumber(low_open=True, high=1.0, high_open=False))
