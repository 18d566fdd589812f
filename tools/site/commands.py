"""A page a command, from its own --help."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from forgetproof.cli import COMMANDS, PURPOSES, group
from tools.site.folder import SourceFolder
from tools.site.markdown import cell, contents, plain, table

WIDTH = 92
_EXAMPLE = re.compile(r"^Example: (.*)$", re.M)


def lay(folder: SourceFolder) -> None:
    """Lays the pages of all commands and their index."""
    context = click.Context(group, info_name="forgetproof")
    for name in COMMANDS:
        command = group.get_command(context, name)
        folder.write(f"reference/commands/{name}.md", _page(name, command, context))
    parts = [
        f"## {purpose}\n\n"
        + table(("command", "does"), ([f"[{n}]({n}.md)", cell(COMMANDS[n])] for n in names))
        for purpose, names in PURPOSES.items()
    ]
    folder.write(
        "reference/commands/index.md",
        "# Commands\n\n`forgetproof COMMAND --help` prints what stands here. Exit codes: 0 as"
        " expected, 1 an unexpected verdict or a target not met, 2 bad input, 3 internal or"
        " incomplete, 130 interrupted.\n\n"
        + "\n".join(parts)
        + "\n"
        + contents(COMMANDS, hidden=True),
    )


def _page(name: str, command: click.Command, parent: click.Context) -> str:
    parts = [f"# forgetproof {name}\n", plain(COMMANDS[name]) + "\n"]
    for title, each, context in _commands(name, command, parent):
        if title != name:
            parts.append(f"## forgetproof {title}\n")
        text = each.get_help(context)
        for example in _EXAMPLE.findall(text):
            parts.append(f"```console\n$ {example}\n```\n")
        parts.append(f"```text\n{text}\n```\n")
    return "\n".join(parts)


def _commands(
    name: str, command: click.Command, parent: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """The command, and those below it, with their full names."""
    context = click.Context(command, parent=parent, info_name=name.rpartition(" ")[2])
    context.terminal_width = context.max_content_width = WIDTH
    yield name, command, context
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None:
                yield from _commands(f"{name} {below}", found, context)
