"""What standard error says of long work: a bar of checks at a terminal, and what takes long."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

import click

PATIENCE = 3.0  # seconds before a line says what is worked on


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


class WaitingLine:
    """Says on standard error what is worked on, once that has taken PATIENCE seconds."""

    def __init__(self) -> None:
        self._timer: Timer | None = None

    def begin(self, line: str) -> None:
        """What follows is this; what was before has ended."""
        self.end()
        self._timer = Timer(PATIENCE, click.echo, [line], {"err": True})
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        """What was worked on has ended."""
        if self._timer is not None:
            self._timer.cancel()


@contextmanager
def line_when_long(line: str) -> Iterator[None]:
    """Prints the line once what is within has taken PATIENCE seconds."""
    waiting = WaitingLine()
    waiting.begin(f"{line} ...")
    try:
        yield
    finally:
        waiting.end()


class _LogLines(logging.Handler):
    """Each record of a log begins a line."""

    def __init__(self, waiting: WaitingLine) -> None:
        super().__init__(logging.INFO)
        self.waiting = waiting

    def emit(self, record: logging.LogRecord) -> None:
        self.waiting.begin(f"{record.getMessage()} ...")


@contextmanager
def said_of(name: str) -> Iterator[None]:
    """Within it, what the logger of this name says is said of what takes long."""
    logger, waiting = logging.getLogger(name), WaitingLine()
    lines, level = _LogLines(waiting), logger.level
    logger.addHandler(lines)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        waiting.end()
        logger.setLevel(level)
        logger.removeHandler(lines)
