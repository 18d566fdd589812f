"""Arguments typed by their annotations: what is not of the stated type is refused by name.

`typed` looks at types only, and at NaN; ranges are the business of `validation`, in the function.
"""

import dataclasses
import functools
import inspect
import itertools
import re
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar, Union, cast

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics.validation import _fail

_F = TypeVar("_F", bound=Callable[..., Any])
_WORD = re.compile(r"\w+")
_INT64 = np.iinfo(np.int64)
_ARRAYS = (np.ndarray, np.memmap)
_Parameter = inspect.Parameter
_POSITIONAL = (_Parameter.POSITIONAL_ONLY, _Parameter.POSITIONAL_OR_KEYWORD)
_COLLECTIONS = (Collection, np.ndarray)


class _Kind(typing.NamedTuple):
    """One type of an annotation: the words for it, and whether a value is of it."""

    words: str
    holds: Callable[[object], bool]


class _NoValue(ValueError):
    """A call that left the range of floats: of nested ones the user sees their own."""

    cause = ""


_NAMELESS = (ValueError, np.linalg.LinAlgError, _NoValue)


def typed(function: _F) -> _F:
    """Decorator of a function, a method or a class: a bad argument is a ValueError that names it.

    Before the call every argument is compared with its annotation.  Known are classes, bool, int,
    float, str, arrays, functions, Literal, collections of these, and unions; parameters with other
    annotations are not looked at.  Annotations are read at the first call.

    During the call, numbers that leave the range of floats (overflow, division by zero, an
    undefined value), and a ValueError that names no parameter of the function, no field of the
    instance whose method it is, and not what its parameter `name` calls a value, become a
    ValueError that shows the call.  It costs a few microseconds.
    """
    if isinstance(function, type):
        function.__init__ = typed(function.__init__)  # type: ignore[misc]
        return function

    parameters = inspect.signature(function).parameters
    names = [name for name, p in parameters.items() if p.kind in _POSITIONAL]
    rest = next((n for n, p in parameters.items() if p.kind is _Parameter.VAR_POSITIONAL), None)
    # At the first call, as annotations may name what is defined further down in the module.
    kinds: dict[str, tuple[_Kind, ...]] | None = None
    silent = False  # whether floating-point errors are left as they are

    def given(values: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip(names, values, strict=False))

    @functools.wraps(function)
    def guarded(*values: Any, **named: Any) -> Any:
        nonlocal kinds, silent
        if kinds is None:
            kinds = _kinds(function)
            # A caller's function runs in the state that the caller has set.
            silent = _FUNCTION in itertools.chain(*kinds.values())
        for name, value in zip(names, values, strict=False):
            if name in kinds:
                _check(name, value, kinds[name])
        if rest in kinds:
            for value in values[len(names) :]:
                _check(rest, value, kinds[rest])
        for name, value in named.items():
            if name in kinds:
                _check(name, value, kinds[name])
        try:
            if silent:
                return function(*values, **named)
            with np.errstate(**_raising()):
                return function(*values, **named)
        except (ArithmeticError, ValueError) as error:
            if isinstance(error, ValueError) and type(error) not in _NAMELESS:
                raise  # it has a meaning of its own
            plain = isinstance(error, ValueError) and not isinstance(error, _NoValue)
            if plain and _about(str(error), {**parameters, **given(values), **named}):
                raise
            shown = ", ".join(
                f"{name}={_short(value)}"
                for name, value in {**given(values), **named}.items()
                if name != "self"
            )
            cause = error.cause if isinstance(error, _NoValue) else str(error)
            found = _NoValue(f"{function.__qualname__}({shown}) has no value: {cause}")
            found.cause = cause
            raise found from error

    return cast(_F, guarded)


def _about(message: str, arguments: dict[str, Any]) -> bool:
    """Whether the message of an error says what of the call it is about."""
    known, instance, label = set(arguments), arguments.get("self"), arguments.get("name")
    if dataclasses.is_dataclass(instance):
        known |= {each.name for each in dataclasses.fields(instance)}
    words = _WORD.findall(message)
    return not known.isdisjoint(words) or (isinstance(label, str) and words[:1] == [label])


def _raising() -> dict[str, Any]:
    """Raise what would be a warning; what somebody has silenced stays silent."""
    now = np.geterr()
    return {kind: "raise" for kind in ("over", "divide", "invalid") if now[kind] == "warn"}


def _short(value: object) -> str:
    """A number or a word in full, a list by its length, anything else by its class."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"array {value.shape}"
    text = repr(value) if isinstance(value, (str, int, float, np.generic, np.ndarray)) else ""
    return text if 0 < len(text) <= 60 else type(value).__name__


def _check(name: str, value: object, kinds: tuple[_Kind, ...]) -> None:
    for kind in kinds:
        if kind.holds(value):
            return
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isnan(value).any():
        value = np.nan
    _fail(name, " or ".join(dict.fromkeys(kind.words for kind in kinds)), value)


def _kinds(function: Callable[..., Any]) -> dict[str, tuple[_Kind, ...]]:
    plain = inspect.unwrap(function)
    notes = {name: note for name, note in plain.__annotations__.items() if name != "return"}
    holder = types.SimpleNamespace(__annotations__=notes)
    hints = typing.get_type_hints(holder, globalns=plain.__globals__)
    parameters = inspect.signature(function).parameters
    kinds_by_name = {
        name: _of(hints[name])
        for name, parameter in parameters.items()
        if name in hints and parameter.kind is not _Parameter.VAR_KEYWORD
    }
    return {name: kinds for name, kinds in kinds_by_name.items() if kinds}


def _of(hint: Any) -> tuple[_Kind, ...]:
    """What an annotation admits; empty where that is not known."""
    if isinstance(hint, TypeVar) and hint.__bound__ is not None:
        hint = hint.__bound__
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        if set(typing.get_args(ArrayLike)) <= set(inner):
            rest = [member for member in inner if member not in typing.get_args(ArrayLike)]
            parts = [(_NUMBERS,), *map(_of, rest)]
        else:
            parts = [_of(member) for member in inner]
        return tuple(kind for part in parts for kind in part) if all(parts) else ()
    if origin is Literal:
        return (_Kind("one of " + ", ".join(map(repr, inner)), lambda v: _hashable(v) in inner),)
    if origin is Callable:
        return (_FUNCTION,)
    if origin in (tuple, list, Sequence, Iterable) and inner:
        return _collection(origin, inner)
    if origin is np.ndarray:
        return (_NUMBERS,)
    if hint in _SIMPLE:
        return (_SIMPLE[hint],)
    if hint in (Any, object) or not isinstance(hint, type) or getattr(hint, "_is_protocol", False):
        return ()
    return (_Kind(_called(hint), lambda v: isinstance(v, hint)),)


def _collection(origin: Any, inner: tuple[Any, ...]) -> tuple[_Kind, ...]:
    """Tuples of a fixed length, entry by entry; other collections, every entry the same."""
    every = [_of(member) for member in inner if member is not Ellipsis]
    if not all(every):
        return ()
    fixed = origin is tuple and inner[-1] is not Ellipsis
    words = [" or ".join(kind.words for kind in kinds) for kinds in every]

    def holds(value: object) -> bool:
        if origin is Iterable and isinstance(value, Iterator):
            return True  # to look would be to take
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, _COLLECTIONS):
            return False
        if isinstance(value, np.ndarray) and (type(value) not in _ARRAYS or value.ndim == 0):
            return False
        if fixed and len(value) != len(every):
            return False
        wanted = every if fixed else itertools.repeat(every[0])
        return all(
            any(kind.holds(entry) for kind in kinds)
            for kinds, entry in zip(wanted, value, strict=False)
        )

    return (_Kind(f"({', '.join(words)})" if fixed else f"a list, each {words[0]}", holds),)


def _hashable(value: object) -> object:
    return value if isinstance(value, (str, int, float)) else None


def _called(kind: type[Any]) -> str:
    if kind is type(None):
        return "None"
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


def _is_float(value: Any) -> bool:
    if type(value) is float:
        return value == value
    try:
        return _is_number(value) and float(value) == float(value)
    except OverflowError:
        return False


def _is_int(value: Any) -> bool:
    if type(value) is not int and not (_is_number(value) and np.asarray(value).dtype.kind in "iu"):
        return False
    return bool(_INT64.min <= value <= _INT64.max)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, (int, float, np.integer, np.floating)):
        return True
    return type(value) in _ARRAYS and value.ndim == 0 and value.dtype.kind in "fiu"


def _are_numbers(value: Any) -> bool:
    """Numbers in any shape, without NaN; masks of bool are taken as arrays only."""
    if type(value) is float:
        return value == value
    if type(value) not in _ARRAYS:
        if isinstance(value, (str, bytes, np.ndarray)) or value is None:
            return False
        if not (isinstance(value, (Collection, int, float, np.generic)) or _converts(value)):
            return False
        if _holds_bool(value) or isinstance(value, (dict, set, frozenset)):
            return False
        try:
            value = np.asarray(value)
        except (ValueError, TypeError, OverflowError, RuntimeError):
            return False
    if type(value) is np.memmap:
        return value.dtype.kind in "fiub"  # to look for NaN would read the whole file
    if value.dtype.kind == "f":
        return not np.isnan(value).any()
    return value.dtype.kind in "iub"


def _converts(value: object) -> bool:
    return hasattr(value, "__array__") and not isinstance(value, type)


def _holds_bool(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_bool, value))
    return isinstance(value, (bool, np.bool_))


_FUNCTION = _Kind("a function", callable)
_NUMBERS = _Kind("numbers (no NaN)", _are_numbers)
_SIMPLE: dict[Any, _Kind] = {
    bool: _Kind("True or False", lambda v: isinstance(v, (bool, np.bool_))),
    int: _Kind("an integer of 64 bits", _is_int),
    float: _Kind("a real number", _is_float),
    str: _Kind("a word", lambda v: isinstance(v, str)),
    np.ndarray: _NUMBERS,
    ArrayLike: _NUMBERS,
    type(None): _Kind("None", lambda v: v is None),
}
