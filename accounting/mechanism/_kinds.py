"""Kinds of values that a mechanism document holds: each checks, writes and describes its own.

A kind raises ValueErrors whose message begins with the name of the field, so that the path of a
nested one is put together on the way up: ``steps[0].clip.norm must be > 0, got -1``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any

from accounting.numerics import validation
from accounting.numerics.validation import _fail

UNKNOWN = "unknown"
"""What stands in a draft for a value that is not known."""
LARGEST_WHOLE = 2**53
KEY = "kind"


def unknown(*values: object) -> bool:
    """Whether one of the values is not known."""
    return any(isinstance(value, str) and value == UNKNOWN for value in values)


@dataclass(frozen=True)
class Kind:
    """The base of all kinds: any value, as it is."""

    def check(self, name: str, value: Any) -> Any:
        """The value as it is held. Raises ValueError naming it."""
        raise NotImplementedError

    def document(self, value: Any) -> Any:
        """The value as JSON has it."""
        return value

    def schema(self) -> dict[str, Any]:
        """What JSON Schema says of it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Text(Kind):
    """A text that is not empty."""

    def check(self, name: str, value: Any) -> str:
        if not isinstance(value, str) or not value:
            _fail(name, "a text that is not empty", value)
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True)
class OneWord(Kind):
    """One of the words."""

    words: tuple[str, ...]

    def check(self, name: str, value: Any) -> str:
        return validation.choice(name, value, self.words)

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class WholeNumber(Kind):
    """A whole number from `low` to 2^53."""

    low: int = 1

    def check(self, name: str, value: Any) -> int:
        return validation.count(name, value, low=self.low, high=LARGEST_WHOLE)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": LARGEST_WHOLE}


@dataclass(frozen=True)
class RealNumber(Kind):
    """A finite number in the range."""

    low: float = 0.0
    low_open: bool = False
    high: float = math.inf
    high_open: bool = True

    def check(self, name: str, value: Any) -> float:
        ends: dict[str, Any] = {"low_open": self.low_open, "high_open": self.high_open}
        return validation.scalar(name, value, low=self.low, high=self.high, **ends)

    def schema(self) -> dict[str, Any]:
        document: dict[str, Any] = {"type": "number"}
        document["exclusiveMinimum" if self.low_open else "minimum"] = self.low
        if math.isfinite(self.high):
            document["exclusiveMaximum" if self.high_open else "maximum"] = self.high
        return document


@dataclass(frozen=True)
class Flag(Kind):
    """true or false."""

    def check(self, name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            _fail(name, "true or false", value)
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Either(Kind):
    """A value of the first kind that takes it; `words` say what is wanted where none does."""

    kinds: tuple[Kind, ...]
    words: str

    def check(self, name: str, value: Any) -> Any:
        for kind in self.kinds:
            # A list is refused by the place in it.
            if isinstance(kind, List) and isinstance(value, list | tuple):
                return kind.check(name, value)
            try:
                return kind.check(name, value)
            except ValueError:
                continue
        _fail(name, self.words, value)

    def document(self, value: Any) -> Any:
        # What is held is a list only where the kind is one.
        return list(value) if isinstance(value, tuple) else value

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [kind.schema() for kind in self.kinds]}


@dataclass(frozen=True)
class Nested(Kind):
    """A node of its own; of several classes, the first whose `mark` is among the keys."""

    classes: tuple[type[Any], ...]

    def check(self, name: str, value: Any) -> Any:
        if isinstance(value, self.classes):
            return value
        if not isinstance(value, Mapping):
            _fail(name, "an object", value)
        marked = [of for of in self.classes if of.mark in value]
        try:
            return (marked or self.classes)[0].of_mapping(value)
        except ValueError as error:
            raise ValueError(f"{name}.{error}") from None

    def document(self, value: Any) -> Any:
        return value.document()

    def schema(self) -> dict[str, Any]:
        references = [{"$ref": f"#/$defs/{of.__name__.lower()}"} for of in self.classes]
        return references[0] if len(references) == 1 else {"oneOf": references}


@dataclass(frozen=True)
class List(Kind):
    """A list of values of one kind, held as a tuple."""

    of: Kind
    least: int = 0

    def check(self, name: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            _fail(name, "a list", value)
        if len(value) < self.least:
            raise ValueError(f"{name} must have at least {self.least} entry, got none")
        return tuple(self.of.check(f"{name}[{at}]", each) for at, each in enumerate(value))

    def document(self, value: Iterable[Any]) -> list[Any]:
        return [self.of.document(each) for each in value]

    def schema(self) -> dict[str, Any]:
        document: dict[str, Any] = {"type": "array", "items": self.of.schema()}
        return document | ({"minItems": self.least} if self.least else {})


@dataclass(frozen=True)
class Ascending(List):
    """A list of whole numbers, each larger than the one before."""

    def check(self, name: str, value: Any) -> tuple[Any, ...]:
        checked = super().check(name, value)
        if list(checked) != sorted(set(checked)):
            _fail(name, "ascending", list(checked))
        return checked

    def schema(self) -> dict[str, Any]:
        return {**super().schema(), "uniqueItems": True}


@dataclass(frozen=True)
class Keyed(Kind):
    """An object with any keys and values of one kind, held as pairs in the order of the keys."""

    of: Kind

    def check(self, name: str, value: Any) -> tuple[tuple[str, Any], ...]:
        if isinstance(value, tuple):
            value = dict(value)
        if not isinstance(value, Mapping):
            _fail(name, "an object", value)
        pairs = []
        for key in sorted(value, key=str):
            if not isinstance(key, str) or not key:
                _fail(name, "an object whose keys are texts", key)
            pairs.append((key, self.of.check(f"{name}[{key!r}]", value[key])))
        return tuple(pairs)

    def document(self, value: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        return {key: self.of.document(each) for key, each in value}

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.of.schema()}


@dataclass(frozen=True)
class Unknown(Kind):
    """A value of another kind, or the word `unknown` of a draft."""

    of: Kind

    def check(self, name: str, value: Any) -> Any:
        return UNKNOWN if unknown(value) else self.of.check(name, value)

    def document(self, value: Any) -> Any:
        return value if unknown(value) else self.of.document(value)

    def schema(self) -> dict[str, Any]:
        within = self.of.schema()
        if set(within) == {"enum"}:
            return {"enum": [*within["enum"], UNKNOWN]}
        return {"anyOf": [within, {"const": UNKNOWN}]}


def entry(kind: Kind, help: str, default: Any = MISSING, *, known: bool = False) -> Any:
    """A field of a node: its kind, and what it says; `known` where a draft has to know it."""
    within = kind if known else Unknown(kind)
    return field(default=default, metadata={KEY: within, "help": help})
