"""What rows add to a command of a problem: its options, the answer, and the files it leaves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forgetproof.for_rows import ForRows, answered
from forgetproof.progress import line_when_long
from forgetproof.snippets import FORMS

if TYPE_CHECKING:
    from accounting.problems import Problem
    from simulators.runs.bounded import Bounded

_FILES = ("train_and_forget.py", "unlearning.json")


def program_options(kind: type[Problem], group: str) -> list[click.Option]:
    """--as and --save, of problems for which rows make a table of steps; else none."""
    if group != "noise" or kind.tabulated is None:
        return []
    return [
        click.Option(
            ["--as", "form"],
            type=click.Choice(FORMS),
            default=FORMS[0],
            show_default=True,
            help="What the code to paste is written for.",
        ),
        click.Option(
            ["--save"],
            metavar="FOLDER",
            help="Writes train_and_forget.py, unlearning.json (for `check`) and answer.json.",
        ),
    ]


def tabulated_answer(
    task: Bounded, problem: Problem, asked: Mapping[str, Any], names: tuple[str, ...], form: str
) -> ForRows:
    """The least noise at the recommended number of steps, with the table of several."""
    from accounting.problems import Target

    target = Target(asked["epsilon"], asked["delta"])
    with line_when_long(f"{problem.algorithm}: unlearning steps against noise"):
        return answered(task, problem, target, names, tabulate=True, form=form)


def save(rows: ForRows, document: Mapping[str, Any], folder: str) -> list[str]:
    """Writes what an answer leaves into a folder, which is made; the names of the files.

    Raises ValueError where the folder cannot be written, and where it has a program or a claim of
    another answer that this one has none of.
    """
    from simulators.data.disk import write
    from verify.jsonio import SCHEMA, dumps

    texts = {"answer.json": dumps({"schema": SCHEMA, **document}, indent=1) + "\n"}
    if rows.snippet is not None:
        texts["train_and_forget.py"] = rows.snippet
    if rows.answers.recommended is not None:
        texts["unlearning.json"] = dumps(rows.claim, indent=1) + "\n"
    try:
        others = [name for name in _FILES if name not in texts and Path(folder, name).exists()]
        if others:
            raise ValueError(
                f"save must be a folder without the {others[0]} of another answer, as this one has "
                f"none, got {folder!r}"
            )
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write(Path(folder, name), text.encode("utf-8"))
    except OSError as error:
        raise ValueError(f"save must be a folder to write to, got {folder!r}: {error}") from error
    return sorted(texts)
