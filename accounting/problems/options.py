"""Fields of a problem or an experiment: what each is, its range, and how a person writes it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from pkgutil import resolve_name
from typing import Any, Literal

import numpy as np

from accounting.numerics import validation

Kind = Literal[
    "real", "whole", "word", "wholes", "formula", "table", "text", "texts", "flag", "rule", "built"
]
_KEY = "option"


@dataclass(frozen=True)
class Rule:
    """A function of the round, or of names that a run knows, with the words it was written in."""

    words: str
    function: Callable[[Any], Any]

    def __call__(self, points: Any) -> Any:
        return self.function(points)

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Column:
    """A column of a table: finite numbers in [low, high], whole ones, or ones in order."""

    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    ordered: bool = False

    def check(self, name: str, values: Any) -> Any:
        """The numbers as an array. Raises ValueError naming them outside the range."""
        if self.whole:
            return validation.integer(name, values, low=int(self.low), high=int(self.high))
        return validation.real(name, values, low=self.low, high=self.high, high_open=True)

    @property
    def allowed(self) -> str:
        """What its numbers are, in words."""
        if self.whole:
            return f"a whole number {validation._range(self.low, self.high, False, False)}"
        return "a finite number" + (
            f" >= {validation.shortest(self.low)}" if math.isfinite(self.low) else ""
        )


SCHEDULE = {
    "index": Column(low=1, high=validation.LONGEST, whole=True),
    "time": Column(low=1, high=validation.LONGEST, whole=True, ordered=True),
}
"""Deletions from a stream: the round of the loss that leaves, and when."""


@dataclass(frozen=True)
class Option:
    """How a field is asked for.

    Attributes:
        kind: a number, a whole number, a word, a list of whole numbers, a formula, a table, any
            text, several texts, yes or no, a rule (a number, or a function of names that a run
            gives values), or what a function builds.
        help: one sentence.
        low, high, low_open, high_open: range of a number.
        words: the words it may be (a formula may be one of them as well); of yes or no, the word
            for yes, and the one for no where there is one; of several texts, the form of one.
        names: of a formula: the names that may occur -> the fields whose values they have.
        argument: of a formula that is a function: the name of its argument.
        columns: of a table, by name; a single one without a name has no header.
        by: "module:function" that builds the value from the field's name and what was given, text
            or the value itself.
        shown: the default in words, where it depends on other fields.
        only: the question to which it belongs ("noise"), where it does not belong to all.
        also: other ways to write it on the command line.
    """

    kind: Kind
    help: str
    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False
    words: tuple[str, ...] = ()
    names: Mapping[str, str] | None = None
    argument: str | None = None
    columns: Mapping[str, Column] | None = None
    by: str = ""
    shown: str | None = None
    only: str | None = None
    also: tuple[str, ...] = ()

    def check(self, name: str, value: Any) -> Any:
        """The value in its type. Raises ValueError naming it outside the range."""
        ends: dict[str, Any] = {"low": self.low, "high": self.high}
        if self.kind == "real" or (self.kind == "formula" and isinstance(value, float | int)):
            ends.update(low_open=self.low_open, high_open=self.high_open)
            return validation.scalar(name, value, **ends)
        if self.kind in ("whole", "wholes"):
            ends = {key: None if math.isinf(end) else int(end) for key, end in ends.items()}
            whole = validation.count if self.kind == "whole" else validation.integer
            return whole(name, value, **ends)
        if self.kind == "word":
            return validation.choice(name, value, self.words)
        if self.kind == "table":
            return self._table(name, value)
        if self.kind in ("text", "flag"):
            expected_type, what = (
                (str, "a text") if self.kind == "text" else (bool, "True or False")
            )
            if not isinstance(value, expected_type):
                raise ValueError(f"{name} must be {what}, got {value!r}")
            return value
        if self.kind == "texts":
            if not isinstance(value, tuple | list) or not all(isinstance(x, str) for x in value):
                raise ValueError(f"{name} must be a list of texts, got {value!r}")
            return tuple(value)
        if self.kind == "rule" and not callable(value):
            return validation.scalar(name, value, low=0.0, low_open=True, high_open=True)
        if self.kind == "built":
            return resolve_name(self.by)(name, value)
        if isinstance(value, str):
            return validation.choice(name, value, self.words)
        return value if callable(value) else validation.real(name, value)

    def _table(self, name: str, value: Any) -> dict[str, Any]:
        """Column -> numbers, all of one length."""
        columns = dict(self.columns or {})
        entries = value if isinstance(value, Mapping) else {"": value}
        if set(entries) != set(columns):
            raise ValueError(
                f"{name} must have the columns {', '.join(columns)}, got {list(entries)}"
            )
        arrays = {}
        for title, column in columns.items():
            arrays[title] = np.atleast_1d(column.check(title or name, entries[title]))
        lengths = {array.shape for array in arrays.values()}
        if len(lengths) > 1 or len(lengths.pop()) > 1:
            shapes = ", ".join(f"{column} {array.shape}" for column, array in arrays.items())
            raise ValueError(f"{name} must have columns of one length, got {shapes}")
        return arrays

    @property
    def range(self) -> str:
        """The range in words; empty where there is none."""
        if self.kind not in ("real", "whole") or (math.isinf(self.low) and math.isinf(self.high)):
            return ""
        return validation._range(self.low, self.high, self.low_open, self.high_open)


def option(of: Field[Any]) -> Option:
    """The option of a problem's field."""
    specification: Option = of.metadata[_KEY]
    return specification


def _field(kind: Kind, help: str, default: Any, **about: Any) -> Any:
    return field(default=default, metadata={_KEY: Option(kind, help, **about)})


def real(help: str, default: Any = MISSING, **about: Any) -> Any:
    """A number, with `low`, `high`, `low_open`, `high_open`."""
    return _field("real", help, default, **about)


def positive(help: str, default: Any = MISSING, **about: Any) -> Any:
    """A number > 0, finite."""
    return real(help, default, low=0.0, low_open=True, high_open=True, **about)


def natural(help: str, default: Any = MISSING, **about: Any) -> Any:
    """A number >= 0, finite."""
    return real(help, default, low=0.0, high_open=True, **about)


def whole(help: str, default: Any = MISSING, low: float = 1, **about: Any) -> Any:
    """A whole number >= `low`."""
    return _field("whole", help, default, low=low, **about)


def wholes(help: str, default: Any = None, **about: Any) -> Any:
    """A list of whole numbers >= 0."""
    return _field("wholes", help, default, low=0, **about)


def word(help: str, *words: str, **about: Any) -> Any:
    """One of the words; unless there is a `default`, the first if none is given."""
    return _field("word", help, about.pop("default", words[0]), words=words, **about)


def text(help: str, default: Any = None, **about: Any) -> Any:
    """Any text."""
    return _field("text", help, default, **about)


def texts(help: str, form: str) -> Any:
    """Any number of texts of this form, none at first; the command line repeats the option."""
    return _field("texts", help, (), words=(form,))


def flag(help: str, yes: str, no: str | None = None, default: bool | None = False) -> Any:
    """Yes or no."""
    return _field("flag", help, default, words=(yes,) if no is None else (yes, no))


def rule(help: str, default: Any = None, **about: Any) -> Any:
    """A number > 0, or a function of a mapping that gives names their values."""
    return _field("rule", help, default, **about)


def formula(help: str, names: Mapping[str, str], **about: Any) -> Any:
    """A number > 0, or a function, which may be written in the names of other fields."""
    bounds = {"low": 0.0, "low_open": True, "high_open": True}
    return _field("formula", help, None, names=names, **bounds, **about)


def table(help: str, columns: Mapping[str, Column], default: Any = MISSING) -> Any:
    """Columns of numbers of one length."""
    return _field("table", help, default, columns=columns)


def settle(asked: Any, unused: Callable[[], Mapping[str, str]]) -> None:
    """Brings the fields of a frozen dataclass into their types.

    unused: fields that the others leave without a use -> why. Raises ValueError for a value outside
    its range, and for one that would be dropped.
    """
    for each in fields(asked):
        value = getattr(asked, each.name)
        if value is not None or each.default is not None:
            object.__setattr__(asked, each.name, option(each).check(each.name, value))
    defaults = {each.name: each.default for each in fields(asked)}
    for name, why in unused().items():
        value = getattr(asked, name)
        # Identity first: == of two arrays is an array.
        if value is not defaults[name] and value != defaults[name]:
            raise ValueError(f"{name} must not be given {why}")


def built(help: str, by: str, default: Any = MISSING) -> Any:
    """What the function "module:function" makes of what is given."""
    return _field("built", help, default, by=by)
