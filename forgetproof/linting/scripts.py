"""The literals that stand in a Python script: arguments of its calls, read and never executed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulators.data.disk import read_text

MOST_BYTES = 2**22


@dataclass(frozen=True)
class Literal:
    """A number, truth value or text of the script, with the line where it stands."""

    value: Any
    line: int


@dataclass(frozen=True)
class ScriptCall:
    """A call of the script.

    Attributes:
        name: the last part of what is called, such as DataLoader.
        qualifier: what stands before it, such as torch.utils.data; may be empty.
        line: where it begins.
        assigned_to: the name that the call is assigned to, or "".
        arguments: keyword, or place of a positional argument -> its literal, or None where it has
            none.
        names: keyword, or place -> the name that is arguments.
    """

    name: str
    qualifier: str
    line: int
    assigned_to: str
    arguments: dict[str | int, Literal | None]
    names: dict[str | int, str]

    def literal(self, keyword: str, place: int | None = None) -> Literal | None:
        """The literal of an argument that may be arguments by keyword or by place."""
        for key in (keyword, place):
            if key is not None and key in self.arguments:
                return self.arguments[key]
        return None

    def passes(self, keyword: str) -> bool:
        """Whether the argument is arguments by keyword, as a literal or not."""
        return keyword in self.arguments


class Script:
    """A Python file as text: its calls, and the names that are one literal throughout."""

    def __init__(self, path: Path) -> None:
        """Raises ValueError that begins with "draft" for text that is no Python."""
        self.file = str(path)
        try:
            tree = ast.parse(read_text(path, MOST_BYTES), filename=self.file)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            message = f"draft: {path} must be Python: {error}"
            raise ValueError(message) from error
        self._constants = dict(_constants(tree))
        self.calls = tuple(self._calls(tree))

    def named(self, *names: str) -> list[ScriptCall]:
        """The calls of these names, in the order of the text."""
        return [call for call in self.calls if call.name in names]

    def _calls(self, tree: ast.Module) -> Iterator[ScriptCall]:
        assigned = {
            id(node.value): target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and len(node.targets) == 1
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            dotted = _dotted(node.func)
            if dotted is None:
                continue
            qualifier, _, name = dotted.rpartition(".")
            arguments: list[tuple[str | int, ast.expr]] = [*enumerate(node.args)]
            arguments += [(each.arg, each.value) for each in node.keywords if each.arg is not None]
            yield ScriptCall(
                name,
                qualifier,
                node.lineno,
                assigned.get(id(node), ""),
                {key: self._literal(value) for key, value in arguments},
                {key: value.id for key, value in arguments if isinstance(value, ast.Name)},
            )

    def _literal(self, node: ast.expr) -> Literal | None:
        """The literal that an expression is, or names."""
        if isinstance(node, ast.Name):
            return self._constants.get(node.id)
        value = _value(node)
        return None if value is None else Literal(value, node.lineno)


def _constants(tree: ast.Module) -> Iterator[tuple[str, Literal]]:
    """Names that the whole script binds once, and to a literal."""
    bindings: dict[str, int] = {}
    literals: dict[str, Literal] = {}
    for node in ast.walk(tree):
        for name in _bound(node):
            bindings[name] = bindings.get(name, 0) + 1
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = _value(node.value)
            for target in targets:
                if isinstance(target, ast.Name) and value is not None:
                    literals[target.id] = Literal(value, node.lineno)
    yield from ((name, literal) for name, literal in literals.items() if bindings[name] == 1)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds: by assignment, as an argument, by an import or a definition."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Global | ast.Nonlocal):
        # What another scope may set is no constant.
        yield from (name for name in node.names for _ in range(2))
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name


def _value(node: ast.expr) -> Any:
    """The value of a literal: a number, a truth value or a text; None for anything else."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, bool | int | float | str) else None


def _dotted(node: ast.expr) -> str | None:
    """The dotted name of what is called, or None where it is no such name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    elif not parts:
        return None
    return ".".join(reversed(parts))
