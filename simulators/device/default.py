"""Where a run computes what names no device of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from accounting.numerics import validation

DEVICES = ("auto", "cpu", "cuda")
_RUN: ContextVar[str | None] = ContextVar("device", default=None)


@contextmanager
def computing_on(device: object) -> Iterator[None]:
    """Inside, what is left to "auto" computes there; "auto" leaves it as it was outside.

    No device is looked for, and torch is not imported, before a simulator asks.
    """
    word = validation.choice("device", device, DEVICES)
    before = _RUN.set(_RUN.get() if word == "auto" else word)
    try:
        yield
    finally:
        _RUN.reset(before)


def device_of_the_run() -> str | None:
    """ "cpu" or "cuda" inside `computing_on`; None outside."""
    return _RUN.get()
