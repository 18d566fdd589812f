"""A part of a mechanism: a frozen value that is read from a JSON object and written as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, ClassVar, Self

from accounting.mechanism._kinds import KEY, Keyed, Kind, List, Nested, Unknown, unknown
from accounting.numerics.validation import _fail


@dataclass(frozen=True, kw_only=True)
class Node:
    """The base of all parts.

    Class attributes:
        mark: the key by which an object is known to be of this class, where several are possible.

    `stated` are the fields with a default that the document gave all the same: `document` writes
    them, so that what was read is what is written.  It does not count in comparisons.
    """

    mark: ClassVar[str] = ""

    stated: frozenset[str] = field(default=frozenset(), repr=False, compare=False)

    def __post_init__(self) -> None:
        for each in entries(type(self)):
            value = getattr(self, each.name)
            # A default that is None is a field that is absent.
            if value is not None or each.default is not None:
                object.__setattr__(self, each.name, kind_of(each).check(key(each), value))
        self._check()

    def _check(self) -> None:
        """Raises ValueError for fields that do not go together."""

    @classmethod
    def of_mapping(cls, given: Mapping[str, Any]) -> Self:
        """The value of a JSON object. Raises ValueError naming the field by its path."""
        known = {key(each): each for each in entries(cls)}
        for name in given:
            if name not in known:
                _fail(str(name), f"left out: the fields are {', '.join(known)}", given[name])
        values = {known[name].name: value for name, value in given.items()}
        for name, each in known.items():
            if each.default is MISSING and name not in given:
                raise ValueError(f"{name} must be given, got none")
            # null is no way to leave a field out.
            if name in given and given[name] is None:
                _fail(name, "given or left out", None)
        optional = {each.name for each in known.values() if each.default is not MISSING}
        return cls(**values, stated=frozenset(optional & set(values)))

    def document(self) -> dict[str, Any]:
        """The value as a JSON object; fields at their default only where they were stated."""
        document = {}
        for each in entries(type(self)):
            value = getattr(self, each.name)
            usual = each.default is not MISSING and value == each.default
            if not usual or each.name in self.stated:
                document[key(each)] = kind_of(each).document(value)
        return document

    def walk(self, path: str = "") -> Iterator[tuple[str, Any]]:
        """Path and value of every leaf and every node below, in the order of the document."""
        for each in entries(type(self)):
            value = getattr(self, each.name)
            if value is not None:
                yield from _walk(kind_of(each), f"{path}{key(each)}", value)


def _walk(kind: Kind, path: str, value: Any) -> Iterator[tuple[str, Any]]:
    within = kind.of if isinstance(kind, Unknown) else kind
    yield path, value
    if unknown(value):
        return
    if isinstance(within, Nested):
        yield from value.walk(f"{path}.")
    elif isinstance(within, List):
        for at, each in enumerate(value):
            yield from _walk(within.of, f"{path}[{at}]", each)
    elif isinstance(within, Keyed):
        for name, each in value:
            yield from _walk(within.of, f"{path}[{name!r}]", each)


def entries(of: type[Node]) -> list[Field[Any]]:
    """The fields that stand in a document."""
    return [each for each in fields(of) if KEY in each.metadata]


def kind_of(each: Field[Any]) -> Kind:
    """The kind of a field."""
    kind: Kind = each.metadata[KEY]
    return kind


def key(each: Field[Any]) -> str:
    """The name of a field in a document: a trailing underscore avoids a word of Python."""
    return each.name.removesuffix("_")
