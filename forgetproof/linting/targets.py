"""What `forgetproof lint` is pointed at, as mechanisms with their places.

A target is a mechanism document, a folder of them, with a template a configuration file or a folder
of those, or MODULE:OBJECT: a `Mechanism`, a document, an object with a method `mechanism` (an
engine, a recorder), an event of dp-accounting, an engine or accountant of Opacus, a list of these,
or a function without arguments that returns one. An object is asked as it is; only what MODULE says
at import runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accounting.mechanism import Mechanism
from forgetproof.linting import places
from forgetproof.linting.findings import Place
from forgetproof.linting.templates import Template
from simulators.data.disk import read_text

PATTERN = "*.mechanism.json"
MOST_BYTES = 16 * 10**6
_DEEPEST = 4
"""How often an object may lead to another: a function returns an engine that has a mechanism."""


@dataclass(frozen=True)
class Source:
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

    def place(self, key: str) -> Place:
        """Where a field was read: as the document says, or where it stands in the document."""
        for path, said in self.mechanism.places:
            if path == key:
                return Place(said.file, said.line or 1, key)
        read_from = self.mechanism.source
        if read_from is not None and read_from.line is not None:
            return Place(read_from.file, read_from.line, key)
        return Place(self.file, places.line_of(self.lines, key) or self.line, key)


def sources(target: str, template: Template | None = None) -> Iterator[Source]:
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


def _of_document(path: Path) -> Source:
    try:
        text = read_text(path, MOST_BYTES)
        # `read` takes a text for one that begins with a brace, and for a path otherwise.
        if not text.lstrip().startswith("{"):
            raise ValueError("it must be a JSON object")
        mechanism = Mechanism.read(text)
    except ValueError as error:
        raise ValueError(f"target: {path}: {error}") from error
    return Source(mechanism, str(path), lines=places.lines(text))


def _of_template(template: Template, path: Path) -> Iterator[Source]:
    files = template.files(path)
    if not files:
        raise ValueError(f"target must hold files that the template reads, got {str(path)!r}")
    for file in files:
        for filled in template.fill(file):
            try:
                mechanism = Mechanism.of_document(filled.document)
            except ValueError as error:
                raise ValueError(f"template: {file}: {error}") from error
            yield Source(mechanism, filled.file, filled.line)


def _of_object(target: str) -> Iterator[Source]:
    from verify.audit.load import named

    for mechanism in _mechanisms(named(target), target, 0):
        yield Source(mechanism, target)


def _mechanisms(value: Any, target: str, depth: int) -> Iterator[Mechanism]:
    """The mechanisms that an object is, has, holds or returns."""
    if isinstance(value, Mechanism):
        yield value
        return
    if depth > _DEEPEST:
        raise ValueError(f"target must lead to a mechanism, got a longer way from {target!r}")
    if isinstance(value, dict):
        try:
            yield Mechanism.of_document(value)
        except ValueError as error:
            raise ValueError(f"target: {target}: {error}") from error
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _mechanisms(each, target, depth + 1)
    else:
        yield from _mechanisms(_asked(value, target), target, depth + 1)


def _asked(value: Any, target: str) -> Any:
    """What an object that is no mechanism says of itself."""
    from forgetproof.linting.live import is_event, is_opacus, of_event, of_opacus

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
