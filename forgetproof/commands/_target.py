"""`--target NAME`: the column of targets, also where a command has a law of that name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click


class ColumnName(str):
    """A value of --target that is no word of the command, and so the name of a column."""


class LawOrColumn(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of the words, or the name of a column."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        # A column that is called like a word needs --target-column.
        return super().convert(value, param, ctx) if value in self.choices else ColumnName(value)


def with_target(options: Sequence[click.Option]) -> list[click.Option]:
    """The options of a command, of which --target names a column too where there is one."""
    by_name = {str(each.name): each for each in options}
    column = by_name.get("target_column")
    law = by_name.get("target")
    if column is None:
        return list(options)
    if law is None:
        column.opts.append("--target")
    elif isinstance(law.type, click.Choice):
        law.type = LawOrColumn(law.type.choices)
    return list(options)


def column_of_target(values: dict[str, Any]) -> dict[str, str]:
    """Takes the name of a column from what --target was given; empty where it is a law.

    Raises ValueError where a column is named twice.
    """
    name = values.get("target")
    if not isinstance(name, ColumnName):
        return {}
    values["target"] = None
    if values.get("target_column") is not None:
        raise ValueError(
            f"target_column must not be given with the column --target {name}, got "
            f"{values['target_column']}"
        )
    return {"target_column": str(name)}


def refuse_column(column: dict[str, str], options: Sequence[click.Parameter]) -> None:
    """Refuses a column where there are no rows, in the words of the law's choice."""
    for each in options:
        if column and isinstance(each.type, LawOrColumn):
            context = click.get_current_context()
            click.Choice(each.type.choices).convert(column["target_column"], each, context)
