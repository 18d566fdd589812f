"""What `forgetproof lint` is pointed at, as mechanisms with their places.

A target is a mechanism document, a certificate, a ledger, a folder of documents, with a template a
configuration file or a folder of those, or MODULE:OBJECT: a `Mechanism`, a document, an object with
a method `mechanism` (an engine, a recorder), an event of dp-accounting, an engine or accountant of
Opacus, a list of these, or a function without arguments that returns one. An object is asked as it
is; only what MODULE says at import runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accounting.mechanism import Mechanism
from forgetproof.linting.findings import Position
from forgetproof.linting.live import is_event, is_opacus, of_event, of_opacus
from forgetproof.linting.places import line_of
from forgetproof.linting.places import lines as lines_of
from forgetproof.linting.records import is_certificate, of_certificate, of_ledger
from forgetproof.linting.templates import Template
from simulators.data.disk import parse_json, read_text

PATTERN = "*.mechanism.json"
MOST_BYTES = 16 * 10**6
_DEEPEST = 4
"""How often an object may lead to another: a function returns an engine that has a mechanism."""


@dataclass(frozen=True)
class LintTarget:
    """A mechanism and where it was read.

    Attributes:
        mechanism: itself.
        file: its document, its configuration, or MODULE:OBJECT.
        line: of a configuration, where a finding points.
        lines: path of a field -> its line in the document; empty where there is none.
    """

    mechanism: Mechanism
    file: str
    line: int = 1
    lines: dict[str, int] = field(default_factory=dict, compare=False)

    def place(self, key: str) -> Position:
        """Where a field was read: as the document says, or where it stands in the document."""
        for path, said in self.mechanism.places:
            if path == key:
                return Position(said.file, said.line or 1, key)
        read_from = self.mechanism.source
        if read_from is not None and read_from.line is not None:
            return Position(read_from.file, read_from.line, key)
        return Position(self.file, line_of(self.lines, key) or self.line, key)


def sources(target: str, template: Template | None = None) -> Iterator[LintTarget]:
    """The mechanisms of a target, in the order of their files.

    Raises ValueError that begins with "target" for a target that is none, with file and field for
    what is no mechanism; OSError where a file cannot be read.
    """
    path = Path(target)
    if template is not None:
        if not path.exists():
            raise ValueError(f"target must be a file or folder that exists, got {target!r}")
        yield from _of_template(template, path)
    elif path.is_dir():
        files = sorted(path.rglob(PATTERN))
        if not files:
            raise ValueError(f"target must hold files {PATTERN}, got the folder {target!r}")
        for file in files:
            yield _of_document(file)
    elif path.exists():
        yield _of_document(path)
    elif ":" in target:
        yield from _of_object(target)
    else:
        raise ValueError(
            f"target must be a file or folder that exists, or MODULE:OBJECT, got {target!r}"
        )


def _of_document(path: Path) -> LintTarget:
    try:
        if path.suffix == ".jsonl":
            return LintTarget(of_ledger(path), str(path))
        text = read_text(path, MOST_BYTES)
        # `read` takes a text for one that begins with a brace, and for a path otherwise.
        if not text.lstrip().startswith("{"):
            raise ValueError("it must be a JSON object")
        # A certificate's lines are those of another document.
        if '"predicate"' in text and is_certificate(document := parse_json(text)):
            return LintTarget(of_certificate(document), str(path))
        mechanism = Mechanism.read(text)
    except ValueError as error:
        raise ValueError(f"target: {path}: {error}") from error
    return LintTarget(mechanism, str(path), lines=lines_of(text))


def _of_template(template: Template, path: Path) -> Iterator[LintTarget]:
    files = template.files(path)
    if not files:
        raise ValueError(f"target must hold files that the template reads, got {str(path)!r}")
    for file in files:
        for filled in template.fill(file):
            try:
                mechanism = Mechanism.of_document(filled.document)
            except ValueError as error:
                raise ValueError(f"template: {file}: {error}") from error
            yield LintTarget(mechanism, filled.file, filled.line)


def _of_object(target: str) -> Iterator[LintTarget]:
    from verify.audit.load import named

    for mechanism in mechanisms(named(target), target):
        yield LintTarget(mechanism, target)


def mechanisms(value: Any, name: str, depth: int = 0) -> Iterator[Mechanism]:
    """The mechanisms that an object is, has, holds or returns.

    name: of the object, in a refusal. Raises ValueError that begins with "target".
    """
    if isinstance(value, Mechanism):
        yield value
        return
    if depth > _DEEPEST:
        raise ValueError(f"target must lead to a mechanism, got a longer way from {name!r}")
    if isinstance(value, dict):
        try:
            yield Mechanism.of_document(value)
        except ValueError as error:
            raise ValueError(f"target: {name}: {error}") from error
    elif isinstance(value, list | tuple):
        for each in value:
            yield from mechanisms(each, name, depth + 1)
    else:
        yield from mechanisms(_asked(value, name), name, depth + 1)


def _asked(value: Any, target: str) -> Any:
    """What an object that is no mechanism says of itself."""
    if is_event(value):
        return of_event(value)
    if is_opacus(value):
        return of_opacus(value)
    # Of a class an instance is asked.
    method = value if isinstance(value, type) else getattr(value, "mechanism", value)
    if not callable(method):
        raise ValueError(
            f"target must be a mechanism, or have or return one, got {type(value).__name__} "
            f"at {target!r}"
        )
    try:
        return method()
    except Exception as error:
        raise ValueError(f"target: {target} raised {type(error).__name__}: {error}") from error
