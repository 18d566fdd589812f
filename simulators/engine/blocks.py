"""How trials are cut into blocks, and what a block costs in memory.

Every block has the same number of trials; the last one is padded and its surplus dropped.  On the
CPU matrix products have two shapes: at most ALONE trials are one block of ALONE columns, since a
larger one would cost them as much as it holds; more are cut into blocks whose size is a function of
the problem only.  With the streams of `seeds` a trial's path is then the same bit for bit however
many trials are asked for on either side of ALONE, and across it but for the last digits of its
products.  A device needs many trials at a time, and would be idle for most of a block of fixed
size: there it is near the number of trials, and the last digits of a path depend on it.  So it is
for online runs on the CPU too, whose rounds are short.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from accounting.numerics import validation
from simulators.random.normals import PANEL

SMALLEST, LARGEST = 64, {"cpu": 4096, "cuda": 65536}
ALONE = 24
"""Trials, at most, that are one block of so many columns on the CPU."""
FEWEST = 1024
"""Trials of a block on a device, unless the natural size is smaller."""
ENTRIES = {"cpu": 1 << 17, "cuda": 1 << 24}
"""Aimed number of working entries of a block: a CPU's L2 cache, or enough work for a GPU."""
PASSES = {"cpu": 2, "cuda": 6}
"""Panels of noise that are held while one is made."""


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


def natural_size(
    entries: int,
    device: torch.device,
    trials: int | None = None,
    cached: int = ENTRIES["cpu"],
    most: int = LARGEST["cpu"],
) -> int:
    """Trials per block for so many entries of each: a power of two.

    On a device no more than hold so many trials, if that is said.  cached, most: entries and
    trials of a block on the CPU at most.
    """
    # On the CPU the number of trials must not change the size (see the module).
    there = device.type != "cpu"
    capacity = max(1, (ENTRIES[device.type] if there else cached) // entries)
    # The largest power of two within the capacity.
    natural = max(1 << (capacity.bit_length() - 1), SMALLEST)
    size = min(natural, LARGEST[device.type] if there else most)
    return size if trials is None or not there else near(trials, size)


def size_on_cpu(entries: int, trials: int) -> int:
    """Trials per block of a run of so many on the CPU: ALONE, or the natural size."""
    return ALONE if trials <= ALONE else natural_size(entries, torch.device("cpu"))


def near(trials: int, most: int, fewest: int = FEWEST) -> int:
    """The power of two from `fewest` on that holds so many trials; or `most`, if it is less."""
    return min(most, max(fewest, 1 << (trials - 1).bit_length()))


def blocks(
    trials: object,
    block: object,
    *,
    parameters: int,
    scores: int,
    batch_size: int,
    runs: int,
    device: torch.device,
    dtype: torch.dtype,
    memory: object,
    threads: int = 1,
    first_trial: int = 0,
) -> Blocks:
    """The blocks of a run; block None means the natural size; at most `threads` run at a time.

    scores: entries that the loss needs for a trial's step, beside its parameters.
    first_trial: trials of the same run that others compute, before these: so many whole blocks.

    Raises ValueError where these are no whole blocks, and when blocks need more than `memory`
    bytes: states of all runs, one more that a step may need, scores, the panel of noise and what
    making it takes.  (Results and data are held besides; their size is the caller's.)
    """
    number = validation.count("trials", trials, low=1)
    # One state beside the runs': what a step makes of them.
    each = parameters * (runs + 1) + scores
    if block is not None:
        size = validation.count("block", block, low=1)
    elif device.type == "cpu":
        size = size_on_cpu(parameters + batch_size, first_trial + number)
    else:
        size = natural_size(each, device, number)
        # Whole blocks before them: the largest power of two that divides their number.
        size = min(size, first_trial & -first_trial) if first_trial else size
    if first_trial % size:
        raise ValueError(f"first_trial must be a multiple of the block, {size}, got {first_trial}")
    budget = validation.scalar("memory", memory, low=1.0)
    entries = size * each + max(size * parameters, PANEL[device.type]) * PASSES[device.type]
    # No more blocks than there are can be at work at once.
    together = min(threads, Blocks(number, size).count)
    needed = together * entries * math.ceil(torch.finfo(dtype).bits / 8)
    if not needed <= budget:
        few = "one block" if together == 1 else f"{together} blocks at a time"
        raise ValueError(
            f"memory must be >= {needed} bytes for {few} of {size} trials "
            f"({parameters} parameters, batches of {batch_size}), got {validation.shortest(budget)}"
        )
    return Blocks(number, size, together)
