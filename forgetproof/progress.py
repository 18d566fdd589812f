"""A progress bar on standard error for a person at a terminal; silence for everyone else."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(total: int, *, quiet: bool = False) -> Iterator[Callable[[int, int, str], None]]:
    """Yields a callback (done, total, name of what was done) that moves a bar of `total` checks.

    Draws nothing unless standard error is a terminal and rich is installed.
    """
    if quiet or not sys.stderr.isatty():
        yield _silent
        return
    try:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
    except ImportError:
        yield _silent
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("checks", total=total, last="")

        def move(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, last=name)

        yield move


def _silent(done: int, total: int, name: str) -> None:
    pass
