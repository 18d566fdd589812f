"""What units are derived from: the parts of a form and of a statement that are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from bounds.symbols import Symbol


class FormLike(Protocol):
    """What a unit is derived from: a form (`bounds.forms`)."""

    formula: Any
    because: str
    arguments: tuple[str, ...]

    @property
    def statement(self) -> StatementLike: ...


class StatementLike(Protocol):
    """Formulas of one quantity in common symbols: a statement (`bounds.statements`)."""

    @property
    def kind(self) -> str: ...
    @property
    def symbols(self) -> Mapping[str, Symbol]: ...
    @property
    def forms(self) -> Mapping[str, FormLike]: ...
    def __hash__(self) -> int: ...
