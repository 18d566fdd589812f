"""`forgetproof forget`: from a table and the rows to delete to a model that may be released."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from accounting.numerics.validation import shortest
from forgetproof.commands._problems import click_option, field_values
from forgetproof.commands._target import column_of_target, with_target
from forgetproof.deletion.facts import checked_sigma, checked_target, target_words
from forgetproof.deletion.task import TableDeletion
from forgetproof.options import NUMBER, emit_json, json_flag, refuse_unused
from forgetproof.progress import line_when_long

if TYPE_CHECKING:
    from forgetproof.deletion.result import DeletionResult

_EXAMPLE = (
    "\b\nExample: forgetproof forget --data customers.csv --target defaulted --drop customer_id\n"
    "         --missing mark --scale file --removed 0:20 --epsilon 1 --delta 1e-5"
)
_HELP = """Delete rows from a trained model, and give back one that may be released.

Newton's steps on the rows that stay lead to a model that is certified to be so near to exact
retraining that public noise hides the rest; where they do not suffice it is trained anew. A model
is trained here (C = 1) unless --model brings one.

What is printed is for you: the number of steps and the accuracy without noise tell of the rows.
What --save writes may be handed over: a page, the document that forgetproof check verifies, the
released model; and code that does the same, for whoever has the rows.
"""


def _forget(
    epsilon: float, delta: float, sigma: float, save: str | None, as_json: bool, **values: Any
) -> None:
    column = column_of_target(values)
    task = TableDeletion(**field_values(list(fields(TableDeletion)), values | column))
    for name, why in task.unused().items():
        refuse_unused([name], why)
    # What is wrong with the input is said before a line can say that this takes long.
    checked_target(epsilon, delta)
    checked_sigma(sigma)
    _insist_on_another_folder(save, task)
    task.insist_on_rows()
    files: tuple[Path, ...] = ()
    with _folder(save) as folder, line_when_long("forget: training and certifying"):
        result = task.forget(epsilon=epsilon, delta=delta, sigma=sigma)
        if folder is not None:
            from forgetproof.deletion.script import deletion_script

            files = result.save(folder, deletion_script(task, result))
    if as_json:
        emit_json(_document(task, result, files))
        return
    for line in _lines(task, result, files):
        click.echo(line)


def _insist_on_another_folder(save: str | None, task: TableDeletion) -> None:
    """ValueError where a file that is written is one that is read."""
    if save is None:
        return
    from forgetproof.deletion.result import DOCUMENT, PAGES, SCRIPT
    from forgetproof.deletion.statement import MODEL

    where = (task.removed_where or "").rpartition("=")[2]
    for file in (task.data, task.model, task.removed, where, task.ranges):
        for name in (*PAGES, DOCUMENT, MODEL, SCRIPT):
            if file and _same_file(Path(save, name), Path(file)):
                raise ValueError(
                    "save must be another folder than that of the files that are read, got "
                    f"{file!r:.60} in it"
                )


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is none
        return False


@contextmanager
def _folder(save: str | None) -> Iterator[Path | None]:
    """The folder to write to, which is made, and is gone again where what follows fails.

    Raises ValueError for what is there and is none, and for one that cannot be written.
    """
    if save is None:
        yield None
        return
    folder = Path(save)
    try:
        if not save or (folder.exists() and not folder.is_dir()):
            raise ValueError(f"save must be a folder, got {save!r:.60}")
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"save must be a folder that can be written: {error}") from None
    except ValueError as error:
        # A name with a zero byte.
        raise ValueError(f"save must be a folder, got {save!r:.60}") from error
    try:
        yield folder
    except OSError as error:
        raise ValueError(f"save must be a folder that can be written: {error}") from None
    finally:
        if is_new:
            with suppress(OSError):  # of one that has its files
                folder.rmdir()


def _lines(task: TableDeletion, result: DeletionResult, files: tuple[Path, ...]) -> list[str]:
    step = "step" if result.newton_steps == 1 else "steps"
    lines = [
        f"forget: the released model is {target_words(result.target)}-indistinguishable "
        f"from exact retraining without {result.removed} of {result.rows} rows",
        f"  noise      {shortest(result.sigma)} in every coefficient, public",
        f"  accuracy   {_accuracy(result)}",
        f"  cost       {result.newton_steps} Newton {step} (secret), {result.cost.words}",
        f"  rows       {_rows(task, result)}",
    ]
    if files:
        return [*lines, f"  hand over  {', '.join(str(each) for each in files)}"]
    names = "deletion.md, deletion.html, unlearning.json, model.json, forget.py"
    return [*lines, f"  hand over  --save DIR writes {names}"]


def _accuracy(result: DeletionResult) -> str:
    accuracy = result.accuracy
    if accuracy is None:
        return "not measured: no rows with classes are held out"
    always = accuracy.always
    words = (
        f"{accuracy.released:.3f} on {accuracy.rows} rows held out; "
        f"{accuracy.without_noise:.3f} without noise (secret); {accuracy.larger_class:.3f} by "
        f"always saying {always}"
    )
    return f"{words}: no better than always {always}" if accuracy.useless else words


def _rows(task: TableDeletion, result: DeletionResult) -> str:
    if not result.measured:
        return "as they are, and by public ranges"
    words = f"data-dependent: {', '.join(result.measured)}"
    first = next((each.name for each in task.table.maps if not each.public), None)
    if first is None:
        return words
    return f"{words} (give --range {first}=LOW:HIGH ... to have ranges public)"


def _document(
    task: TableDeletion, result: DeletionResult, files: tuple[Path, ...]
) -> dict[str, Any]:
    accuracy = result.accuracy
    return {
        "algorithm": "forget",
        "guarantee": result.guarantee,
        "target": {"epsilon": result.target.epsilon, "delta": result.target.delta},
        "sigma": result.sigma,
        "largest_distance": result.largest_distance,
        "rows": {
            "learned": result.rows,
            "removed": result.removed,
            "record": list(task.table.data.record),
            "from_data": list(result.measured),
        },
        "conditions": list(result.conditions),
        "accuracy": None
        if accuracy is None
        else {
            "rows": accuracy.rows,
            "released": accuracy.released,
            "larger_class": accuracy.larger_class,
            "always": accuracy.always,
            "no_better_than_always": accuracy.useless,
        },
        "secret": {
            "newton_steps": result.newton_steps,
            "distance": result.distance,
            "accuracy_without_noise": None if accuracy is None else accuracy.without_noise,
        },
        "files": [str(each) for each in files],
        "seconds": {
            "certificate": result.cost.certificate,
            "retraining": result.cost.retraining,
            "advice": result.advice,
        },
    }


command = click.Command(
    "forget",
    callback=_forget,
    params=[
        *with_target([click_option(each) for each in fields(TableDeletion)]),
        click.Option(["--epsilon"], type=NUMBER, required=True, help="Target epsilon, up to 20."),
        click.Option(["--delta"], type=NUMBER, required=True, help="Target delta."),
        click.Option(
            ["--sigma"],
            type=NUMBER,
            default=1e-3,
            show_default=True,
            help="Noise in every coefficient; public, fixed before the rows were seen.",
        ),
        click.Option(["--save"], metavar="DIR", help="Write what may be handed over."),
        json_flag(),
    ],
    help=_HELP,
    short_help="Delete rows from a trained model, and give back one that may be released.",
    epilog=_EXAMPLE,
)
