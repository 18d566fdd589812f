"""Settings of an experiment as NAME=VALUE, for commands that are about something else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from accounting.problems.options import option as option_of
from forgetproof.commands._problems import click_option, field_values
from forgetproof.expressions import parse


def settings_from(
    kinds: Iterable[Any], texts: Iterable[str], begins: str, *, without: str = ""
) -> dict[str, Any]:
    """The fields of the classes by name, from NAME=VALUE; a list in brackets stays one.

    begins: of the complaint about another text, which lists what can be set.
    without: a name that cannot be.

    Raises ValueError for such a text, and click's errors for a value that a field does not take.
    """
    options = {of.name: (of, click_option(of)) for kind in kinds for of in fields(kind)}
    options.pop(without, None)
    values: dict[str, Any] = {}
    for text in texts:
        head, equal, value = text.partition("=")
        name = head.replace("-", "_")
        if not equal or name not in options:
            raise ValueError(f"{begins} NAME=VALUE of {', '.join(options)}; got {text!r}")
        of, option = options[name]
        if option_of(of).kind == "texts":
            values[name] = tuple(value.split(","))
        elif value.startswith("["):
            values[name] = parse(value)
        else:
            # Read as the command line reads it, so that a bad value is refused in the same words.
            typed = option.type.convert(value, option, None)
            values |= field_values([of], {name: typed})
    return values
