"""A wall-clock limit that interrupts slow exact sides, which answer to no budget of evaluations."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LEAST = 1e-3
AGAIN = 0.02
IMPORT = "<frozen importlib._bootstrap>"
COLLECTING = "gc_callback"  # of hypothesis: what is raised there is printed and lost


class Late(BaseException):
    """The limit was reached. Not an Exception, so that no exact side takes it for a failure."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raises Late inside the block once it has run for this long.

    Works by an interval timer, hence in the main thread and between bytecodes: a single call into
    compiled code ends first, and so does an import, which leaves a broken module behind if it is
    interrupted. Elsewhere, and where a timer set by others is due sooner, the block
    runs as it is. A later timer of others is put back with what is left of it.
    """
    # Signals reach the main thread only, and Windows has no interval timers.
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return
    started = time.monotonic()
    outer, interval = signal.getitimer(signal.ITIMER_REAL)
    # The outer limit would end this block first; its timer stays as it is.
    if 0 < outer <= seconds:
        yield
        return

    def ring(_number: int, frame: FrameType | None) -> None:
        # An exception here would leave a half-made module, or be lost: rings again a little later.
        if _importing(frame) or (frame is not None and frame.f_code.co_name == COLLECTING):
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
            return
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    try:
        # setitimer(0) would switch the timer off, not ring at once.
        signal.setitimer(signal.ITIMER_REAL, max(seconds, LEAST))
        yield
    finally:
        # Off before the handler goes: a late signal would otherwise meet the default, which kills.
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer:
            remainder = outer - (time.monotonic() - started)
            # With a little left at least, as 0 would cancel the outer limit.
            signal.setitimer(signal.ITIMER_REAL, max(remainder, LEAST), interval)


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == IMPORT:
            return True
        frame = frame.f_back
    return False
