"""Templates: mechanism documents whose numbers are expressions over the fields of a file.

A template is a JSON document:

    template   "forgetproof/template/1"
    each       patterns of the files that it reads, such as "runs/**/*.yaml"
    names      name -> dotted path in a file, or {"path": ..., "default": ...}
    when       conditions on names: a file for which one does not hold is passed over
    let        name -> expression over the names before it
    documents  each with `when` (conditions that all have to hold), `let`, and `mechanism`:
               a mechanism document in which a text that begins with "=" is an expression
    at         dotted path of the field whose line a finding shows

Expressions are those of `forgetproof.expressions`; nothing of a file is executed.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgetproof.expressions import number
from forgetproof.linting.configurations import SUFFIXES, Configuration, read
from simulators.data.disk import read_json

VERSION = "forgetproof/template/1"
_KEYS = {"template", "each", "names", "when", "let", "documents", "at"}
_NAME = re.compile(r"[^\W\d]\w*")
_CONDITION = re.compile(r"\s*(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*")
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_DEEPEST = 32


@dataclass(frozen=True)
class Filled:
    """A document that a template made of a file: its place, and itself."""

    file: str
    line: int
    document: dict[str, Any]


@dataclass(frozen=True)
class _Part:
    """One document of a template, with what it is for."""

    when: tuple[str, ...]
    let: Mapping[str, str]
    mechanism: Mapping[str, Any]


@dataclass(frozen=True)
class Template:
    """How configuration files become mechanism documents.

    Attributes:
        file: where the template lies.
        each: patterns of files.
        names: name -> (dotted path, default); a default of `...` stands for none.
        when: conditions on names.
        let: name -> expression.
        parts: documents with their conditions.
        at: dotted path of the field whose line a finding shows; empty for none.
    """

    file: str
    each: tuple[str, ...]
    names: Mapping[str, tuple[str, Any]]
    when: tuple[str, ...]
    let: Mapping[str, str]
    parts: tuple[_Part, ...]
    at: str = ""

    @classmethod
    def of(cls, path: Path) -> Template:
        """The template in a JSON file; ValueError beginning with "template" for any other."""
        try:
            value = read_json(path)
        except (ValueError, OSError) as error:
            raise ValueError(f"template: {path} must be a JSON document: {error}") from error
        fields = _mapping(value, "template")
        if fields.get("template") != VERSION:
            raise ValueError(
                f"template must have template: {VERSION!r}, got {fields.get('template')!r:.50}"
            )
        if unknown := sorted(fields.keys() - _KEYS):
            raise ValueError(f"template must have only {', '.join(sorted(_KEYS))}, got {unknown}")
        parts = [
            _part(part, f"template.documents[{place}]")
            for place, part in enumerate(_list(fields.get("documents"), "template.documents"))
        ]
        if not parts:
            raise ValueError("template.documents must not be empty, got []")
        names = _mapping(fields.get("names", {}), "template.names")
        return cls(
            file=str(path),
            each=tuple(_words(fields.get("each", ["**/*.yaml"]), "template.each")),
            names={name: _place(name, place) for name, place in names.items()},
            when=tuple(_words(fields.get("when", []), "template.when")),
            let=_texts(fields.get("let", {}), "template.let"),
            parts=tuple(parts),
            at=_text(fields.get("at", ""), "template.at"),
        )

    def files(self, target: Path) -> list[Path]:
        """The files that the template reads: the target, or all in a folder that it names."""
        if not target.is_dir():
            return [target]
        try:
            matches = {path for pattern in self.each for path in target.glob(pattern)}
        except (ValueError, NotImplementedError) as error:
            raise ValueError(f"template.each must hold patterns below a folder: {error}") from error
        return sorted(path for path in matches if path.is_file() and path.suffix in SUFFIXES)

    def fill(self, path: Path) -> Iterator[Filled]:
        """The documents of a file: none where no condition holds.

        Raises ValueError naming the file and what it lacks.
        """
        configuration = read(path)
        try:
            values = self._values(configuration)
            if not all(_holds(condition, values) for condition in self.when):
                return
            values = _let(self.let, values)
        except ValueError as error:
            raise ValueError(f"{path}: template: {error}") from error
        for place, part in enumerate(self.parts):
            try:
                if not all(_holds(condition, values) for condition in part.when):
                    continue
                document = _filled(part.mechanism, _let(part.let, values), 0)
            except ValueError as error:
                raise ValueError(f"{path}: template.documents[{place}]: {error}") from error
            document.setdefault("name", path.stem)
            yield Filled(str(path), configuration.lines.get(self.at, 1), document)

    def _values(self, configuration: Configuration) -> dict[str, Any]:
        """Every name with its value, or with the absence of one."""
        values: dict[str, Any] = {}
        for name, (path, default) in self.names.items():
            try:
                values[name] = _plain(configuration.field(path))
            except KeyError:
                values[name] = _Absent(path) if default is ... else default
        return values


@dataclass(frozen=True)
class _Absent:
    """What stands for a field that the file does not have: an error only where it is used."""

    path: str


def _let(let: Mapping[str, str], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with those that follow from them, in order."""
    every = dict(values)
    for name, text in let.items():
        every[name] = _evaluated(text, every)
    return every


def _evaluated(text: str, values: Mapping[str, Any]) -> Any:
    """The value of an expression, or of a name, which may be a word; 'word' is itself."""
    stripped = text.strip()
    if re.fullmatch(r"'[^']*'", stripped):
        return stripped[1:-1]
    for name in _NAME.findall(stripped):
        if isinstance(values.get(name), _Absent):
            raise ValueError(f"the file must have {values[name].path}, which {name} reads")
    if stripped in values:
        return values[stripped]
    numbers = {n: v for n, v in values.items() if isinstance(v, int | float)}
    try:
        value = number(stripped, numbers)
    except ValueError as error:
        raise ValueError(f"{stripped!r} must be a number: {error}") from error
    if not math.isfinite(value):
        raise ValueError(f"{stripped!r} must be finite, got {value}")
    # A count is a whole number, also where it was computed.
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def _holds(condition: str, values: Mapping[str, Any]) -> bool:
    match = _CONDITION.fullmatch(condition)
    if match is None:
        raise ValueError(f"a condition is written LEFT == RIGHT, got {condition!r}")
    left, sign, right = match.groups()
    first, second = _evaluated(left, values), _evaluated(right, values)
    numbers = isinstance(first, int | float) and isinstance(second, int | float)
    if sign not in ("==", "!=") and not numbers:
        raise ValueError(f"{condition!r} must compare numbers, got {first!r} and {second!r}")
    return _COMPARED[sign](first, second)


def _filled(value: Any, values: Mapping[str, Any], depth: int) -> Any:
    """The template's value with every expression in its place."""
    if depth > _DEEPEST:
        raise ValueError(f"it must be nested at most {_DEEPEST} levels deep")
    if isinstance(value, Mapping):
        return {key: _filled(each, values, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, values, depth + 1) for each in value]
    if isinstance(value, str) and value.startswith("="):
        return _evaluated(value[1:], values)
    return value


def _plain(value: Any) -> Any:
    """A number where YAML 1.1 reads a text, as of 1e-05 without a point."""
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value


def _part(value: Any, path: str) -> _Part:
    fields = _mapping(value, path)
    if unknown := sorted(fields.keys() - {"when", "let", "mechanism"}):
        raise ValueError(f"{path} must have only let, mechanism, when, got {unknown}")
    return _Part(
        when=tuple(_words(fields.get("when", []), f"{path}.when")),
        let=_texts(fields.get("let", {}), f"{path}.let"),
        mechanism=_mapping(fields.get("mechanism"), f"{path}.mechanism"),
    )


def _place(name: str, value: Any) -> tuple[str, Any]:
    path = f"template.names.{name}"
    if not name.isidentifier():
        raise ValueError(f"{path} must be a name, got {name!r:.50}")
    if isinstance(value, str):
        return value, ...
    fields = _mapping(value, path)
    if fields.keys() != {"path", "default"}:
        raise ValueError(f"{path} must be a path, or have path and default, got {sorted(fields)}")
    return _text(fields["path"], f"{path}.path"), fields["default"]


def _mapping(value: Any, path: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{path} must be a mapping, got {value!r:.50}")
    return value


def _list(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{path} must be a list, got {value!r:.50}")
    return value


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{path} must be a text, got {value!r:.50}")
    return value


def _words(value: Any, path: str) -> list[str]:
    return [_text(word, f"{path}[{place}]") for place, word in enumerate(_list(value, path))]


def _texts(value: Any, path: str) -> dict[str, str]:
    return {name: _text(text, f"{path}.{name}") for name, text in _mapping(value, path).items()}
