"""Lines that read the rows as the noise was computed for them."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulators.runs.bounded import Bounded

# What says how a cost is measured, and where: the rows are the same.
_NOT_OF_THE_ROWS = ("trials", "device")


def rows(task: Bounded) -> list[str]:
    """X (n, d) and y (n,) as `task.parts` has them: scaled, in order, without those held out."""
    settings = ", ".join(f"{name}={text}" for name, text in _settings(task))
    lines = [
        "from simulators.runs.bounded import Bounded",
        "# The rows as the noise was computed for: scaled one by one, and some held out.",
        f"learned, test = Bounded({settings}).parts",
    ]
    if task.parts[0].targets is None:
        return [*lines, "X = learned.features.copy()"]
    return [*lines, "X, y = learned.features.copy(), learned.targets.copy()"]


def _settings(task: Bounded) -> list[tuple[str, str]]:
    """Name and text of the settings that are not as usual."""
    written = []
    for each in fields(task):
        value = getattr(task, each.name)
        usual = None if each.default is MISSING else each.default
        required = each.name in ("data", "loss")
        if each.name in _NOT_OF_THE_ROWS or (not required and _same(value, usual)):
            continue
        written.append((each.name, _text(each.name, value)))
    return written


def _same(value: Any, usual: Any) -> bool:
    return type(value) is type(usual) and bool(value == usual)


def _text(name: str, value: Any) -> str:
    """The value as Python; rows and losses from memory by the name of their setting."""
    if isinstance(value, str | bool | int | float | tuple | type(None)):
        return repr(value)
    return name
