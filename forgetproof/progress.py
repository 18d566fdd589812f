"""What standard error says of long work: a bar with the time that is left where it is a terminal,
else a line a minute; and what is worked on, once that has taken some seconds.
"""

import logging
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Lock, Thread
from typing import Any

import click

PATIENCE = 3.0  # seconds before a line says what is worked on, or a bar is drawn
EVERY = 60.0  # seconds between lines about the same work
LOOK = 1.0  # seconds between looks at the clock while nothing moves
OFTEN = 0.1  # seconds in which one move is noticed: loops may report every few microseconds
clock = time.monotonic
Move = Callable[..., None]
"""Called with (done, total), or (done, total, the name of what was done last)."""


class WorkNotice:
    """When a line about work is due, and what it says. It knows no clock: times are arguments.

    what: is worked on, in words.  now: seconds of any clock.  patience: seconds before the first
    line, which says what is worked on and no more; None: lines come every minute only.
    total: how much there is to do, 0 where that is not known.
    """

    def __init__(self, what: str, now: float, patience: float | None, total: int = 0) -> None:
        self.what, self.start = what, now
        self.opening = patience is not None
        self.due = now + (EVERY if patience is None else patience)
        self.count = (0, total, "")
        # How much was done when, from where the pace is counted; None before anything is known.
        self._since: tuple[int, float] | None = None

    def move(self, done: int, total: int, name: str, now: float) -> None:
        """So much of the whole is done; the name is that of what was done last."""
        # What an earlier run has finished, or another part of the work, says nothing of the pace.
        if self._since is None or done < self.count[0]:
            self._since = (done, now)
        self.count = (done, total, name)

    def left(self, now: float) -> float | None:
        """Seconds that the rest takes at the pace so far; None before there is one."""
        done, total, _ = self.count
        if self._since is None or done <= self._since[0]:
            return None
        before, since = self._since
        return (now - since) / (done - before) * max(total - done, 0)

    def line(self, now: float) -> str | None:
        """The line that is due now, or None."""
        if now < self.due:
            return None
        if self.opening:
            self.opening = False
            self.due = self.start + EVERY
            return f"{self.what} ..."
        # After a stretch in which nothing could be said one line is enough.
        while self.due <= now:
            self.due += EVERY
        count = f"{self.count[0]} of {self.count[1]}, " if self.count[1] else ""
        return f"{self.what}: {count}{self.words(now)}"

    def words(self, now: float) -> str:
        """What was done last, how long all has taken, and how long it will."""
        words = [f"{duration(now - self.start)} so far"]
        if self.count[2]:
            words.insert(0, self.count[2])
        if (left := self.left(now)) is not None:
            words.append(f"about {duration(left)} left")
        return ", ".join(words)


def duration(seconds: float) -> str:
    """So many seconds in the units in which a person counts them."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours == 0:
        return f"{minutes} min"
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


class WorkBar:
    """A bar at a terminal, with words beside it; a new one where counting begins anew."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._bar: Any = None

    def move(self, what: str, done: int, total: int, words: str) -> None:
        """Draws it at this place."""
        if self._bar is not None and done < self._bar.pos:
            self.end()
        if self._bar is None:
            self._bar = self._stack.enter_context(
                click.progressbar(
                    length=total,
                    label=what,
                    width=0,  # as wide as the terminal leaves it beside the words
                    show_pos=True,
                    # Click knows the pace since the bar was drawn, not since the work began.
                    show_eta=False,
                    item_show_func=lambda item: item or "",
                    file=sys.stderr,
                )
            )
        self._bar.length, self._bar.current_item = total, words
        self._bar.update(done - self._bar.pos)
        # Without a step click draws nothing, and the words may be others.
        self._bar.render_progress()

    def end(self) -> None:
        """Leaves the bar as it is, and the next line to others."""
        self._stack.close()
        self._bar = None


class WaitingLine:
    """Says on standard error what is worked on, and how far that is.

    opening: whether a line says so after PATIENCE seconds, or only what takes a minute is told.
    """

    def __init__(self, *, opening: bool = True) -> None:
        self._opening = opening
        self._lock = Lock()
        self._notice: WorkNotice | None = None
        self._stop: Event | None = None
        self._bar = WorkBar()
        self._again = -math.inf  # when a move is noticed again

    def begin(self, line: str, total: int = 0) -> None:
        """What follows is this; what was before has ended.

        total: how much there is to do, 0 where that is not known.
        """
        with self._lock:
            self._bar.end()
            patience = PATIENCE if self._opening else None
            self._notice = WorkNotice(line, clock(), patience, total)
        self._say()
        if self._stop is None:
            self._stop = Event()
            # A daemon: a line that waits does not keep the process alive.
            Thread(target=self._watch, args=[self._stop], daemon=True).start()

    def move(self, done: int, total: int, name: str = "") -> None:
        """So much of the whole is done."""
        now = clock()
        if now < self._again and done < total:
            return
        with self._lock:
            self._again = now + OFTEN
            if self._notice is None:
                return
            self._notice.move(done, total, name, now)
        self._say()

    def end(self) -> None:
        """What was worked on has ended."""
        with self._lock:
            self._notice = None
            self._bar.end()
        if self._stop is not None:
            self._stop.set()
            self._stop = None

    def _watch(self, stop: Event) -> None:
        """Says what is due while nothing moves."""
        while not stop.wait(LOOK):
            self._say()

    def _say(self) -> None:
        with self._lock:
            if self._notice is None:
                return
            now, (done, total, _) = clock(), self._notice.count
            line = self._notice.line(now)
            # What is over in a moment needs no bar.
            if sys.stderr.isatty() and total > 0 and now - self._notice.start >= PATIENCE:
                self._bar.move(self._notice.what, done, total, self._notice.words(now))
            elif line is not None:
                click.echo(line, err=True)


@contextmanager
def progress(total: int, *, what: str = "checks", quiet: bool = False) -> Iterator[Move]:
    """Yields a callback that is told of work in parts.

    total: as far as it is known, 0 where it is not.  Says nothing in the first minute but at a
    terminal, and nothing at all if quiet.
    """
    waiting = WaitingLine(opening=sys.stderr.isatty())
    if not quiet:
        waiting.begin(what, total)
    try:
        yield waiting.move
    finally:
        waiting.end()


@contextmanager
def line_when_long(line: str) -> Iterator[Move]:
    """Prints the line once what is within has taken PATIENCE seconds.

    Yields a callback for what can be counted of it.
    """
    waiting = WaitingLine()
    waiting.begin(line)
    try:
        yield waiting.move
    finally:
        waiting.end()


class _LogLines(logging.Handler):
    """Each record of a log begins a line."""

    def __init__(self, waiting: WaitingLine) -> None:
        super().__init__(logging.INFO)
        self.waiting = waiting

    def emit(self, record: logging.LogRecord) -> None:
        self.waiting.begin(record.getMessage())


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
