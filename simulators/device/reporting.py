"""Whom long loops tell how far they are, where no function was passed to them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Progress = Callable[[int, int], None]
Step = TypeVar("Step")
_LISTENER: ContextVar[Progress | None] = ContextVar("listener", default=None)


@contextmanager
def reporting(progress: Progress) -> Iterator[None]:
    """Inside, loops call `progress` with (steps done, steps of this loop in all).

    One loop may follow another, or run inside one; each counts its own steps.
    """
    # A context variable: threads and tasks beside this one keep their own.
    before = _LISTENER.set(progress)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def listener() -> Progress | None:
    """The function of the innermost `reporting`; None outside."""
    return _LISTENER.get()


def reporting_steps(steps: Collection[Step]) -> Iterator[Step]:
    """The steps, one by one; whoever listens is told of each when it is done."""
    progress, total = listener(), len(steps)
    for done, step in enumerate(steps, start=1):
        yield step
        if progress is not None:
            progress(done, total)
