"""Blocks of trials on threads, some at a time, and their progress together."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import TypeVar

import torch

from simulators.device.placement import torch_threads
from simulators.device.reporting import Progress, listener

Found = TypeVar("Found")


class BlockProgress:
    """Progress of all blocks together, one call at a time; `stop` asks them to end.

    progress: called with (steps done, steps in all); None: whoever listens (`reporting`) is told.
    """

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress = listener() if progress is None else progress
        self.total, self.done = total, 0
        self.lock, self.stop = Lock(), Event()

    def more(self, steps: int) -> None:
        """So many steps more are done."""
        if self.progress is not None:
            # The caller's function need not be safe for threads.
            with self.lock:
                self.done += steps
                self.progress(self.done, self.total)

    def end(self) -> None:
        """All are."""
        if self.progress is not None and self.done < self.total:
            self.progress(self.total, self.total)


def run_blocks(
    one: Callable[[int], Found], count: int, threads: int, told: BlockProgress
) -> list[Found]:
    """What `one` finds of the blocks 0, 1, ..., of which so many run at a time.

    Torch uses one thread in each.  An error is the first block's that has one, in the caller's
    thread, after the others have seen `told.stop`.
    """

    def alone(block: int) -> Found:
        with torch.no_grad():  # which holds for the thread that enters it
            return one(block)

    with torch_threads(1):
        if threads == 1:
            results = [alone(block) for block in range(count)]
        else:
            with ThreadPoolExecutor(threads) as pool:
                futures = [pool.submit(alone, block) for block in range(count)]
                try:
                    results = [future.result() for future in futures]
                finally:
                    # After an error or an interrupt the blocks at work end at their next look;
                    # without one all are done.
                    told.stop.set()
                    for future in futures:
                        future.cancel()
    told.end()
    return results
