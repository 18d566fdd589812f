"""How trials are cut into blocks, and what a block costs in memory.

Every block has the same number of trials, a function of the problem and the device only; the last
one is padded and its surplus dropped.  Matrix products therefore have one shape for any number
of trials, and with the streams of `seeds` a trial's path is the same bit for bit however many
trials are asked for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from accounting import validation
from simulators.normals import PANEL

SMALLEST, LARGEST = 64, {"cpu": 4096, "cuda": 65536}
ENTRIES = {"cpu": 1 << 17, "cuda": 1 << 24}
"""Aimed number of working entries of a block: a CPU's L2 cache, or enough work for a GPU."""


@dataclass(frozen=True)
class Blocks:
    """`count` blocks of `size` trials each that hold `trials` of them; `threads` at a time."""

    trials: int
    size: int
    threads: int = 1

    @property
    def count(self) -> int:
        """Number of blocks."""
        return -(-self.trials // self.size)

    def kept(self, block: int) -> slice:
        """The trials of this block, as a slice of all trials (the padding is cut off)."""
        start = block * self.size
        return slice(start, min(start + self.size, self.trials))


def natural_size(parameters: int, batch_size: int, device: torch.device) -> int:
    """Trials per block for so many parameters and rows per batch: a power of two."""
    wanted = max(1, ENTRIES[device.type] // (parameters + batch_size))
    return min(max(1 << (wanted.bit_length() - 1), SMALLEST), LARGEST[device.type])


def blocks(
    trials: object,
    block: object,
    *,
    parameters: int,
    batch_size: int,
    worlds: int,
    device: torch.device,
    dtype: torch.dtype,
    memory: object,
    threads: int = 1,
) -> Blocks:
    """The blocks of a run; block None means the natural size; at most `threads` run at a time.

    Raises ValueError when these need more than `memory` bytes: states of all worlds, scores
    and the panel of noise.  (Results and data are held besides; their size is the caller's.)
    """
    number = validation.count("trials", trials, low=1)
    size = (
        natural_size(parameters, batch_size, device)
        if block is None
        else validation.count("block", block, low=1)
    )
    budget = validation.scalar("memory", memory, low=1.0)
    panel = max(size * parameters, PANEL) * 2
    entries = size * (parameters * worlds + batch_size) + panel
    together = min(threads, Blocks(number, size).count)
    needed = together * entries * math.ceil(torch.finfo(dtype).bits / 8)
    if not needed <= budget:
        few = "one block" if together == 1 else f"{together} blocks at a time"
        raise ValueError(
            f"memory must be >= {needed} bytes for {few} of {size} trials "
            f"({parameters} parameters, batches of {batch_size}), got {budget:.17g}"
        )
    return Blocks(number, size, together)
