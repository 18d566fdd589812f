"""Dataclasses from plain data whose types are checked: a file that is read may be anybody's."""

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def build(cls: type[T], data: Any) -> T:
    """`cls(**data)`. Raises ValueError that names the first field which is missing or unfit."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{cls.__name__} must be a mapping, got {_short(data)}")
    kind: Any = cls
    hints = _hints(kind)
    for name, value in data.items():
        if name not in hints:
            raise ValueError(f"{cls.__name__} has no {name!r}")
        if not _fits(value, hints[name]):
            raise ValueError(f"{name} must be {_words(hints[name])}, got {_short(value)}")
    try:
        return cls(**data)
    except TypeError as error:
        raise ValueError(str(error)) from error


def insist(name: str, value: object, hint: Any) -> Any:
    """The value. Raises ValueError naming it if it is not of the type."""
    if not _fits(value, hint):
        raise ValueError(f"{name} must be {_words(hint)}, got {_short(value)}")
    return value


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _fits(value: object, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if hint is float:  # JSON does not tell 1 from 1.0
        # bool is an int to Python, not to us; NaN never equals itself.
        return _whole(value) or (isinstance(value, float) and value == value)
    if hint is int:
        return _whole(value)
    if origin is Literal:
        # Literals here are all texts; `in` would take 1 for True.
        return isinstance(value, str) and value in inner
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is tuple:
        return isinstance(value, list | tuple) and all(_fits(v, inner[0]) for v in value)
    if origin is not None:
        return isinstance(value, origin)
    return isinstance(value, hint)


def _whole(value: object) -> bool:
    """An integer, and one that a float can hold: longer ones overflow when they are printed."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**1000


def _words(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return f"one of {', '.join(get_args(hint))}"
    return str(getattr(hint, "__name__", hint)).removeprefix("typing.")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
