"""What a run will hold, reckoned from its shapes before it starts, against the memory that is free.

A run whose arrays are small is let through unseen; nobody asks how much is free for it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import torch

HOST = torch.device("cpu")
SMALL = 1 << 28
"""Bytes for which nobody looks how much is free."""
FLOOR = 3 << 20
"""Bytes that any run takes beside what grows with its settings: panels of noise, a batch, lists."""


@dataclass(frozen=True)
class Part:
    """Arrays of so many bytes, which grow with the setting `name` as its power."""

    name: str
    value: int
    size: float
    power: int = 1

    def most(self, room: float) -> int:
        """The largest value of the setting with which they fit."""
        return int(self.value * float((max(room, 0.0) / self.size) ** (1 / self.power)))


def insist(device: torch.device, *, kept: Iterable[Part] = (), held: Iterable[Part] = ()) -> None:
    """Raises ValueError, naming the setting to lower, where memory does not suffice.

    kept: what is answered, in the host's memory.  held: what is worked on, on the device.
    """
    if device.type == "cpu":
        _fit(device, [*kept, *held])
    else:
        _fit(HOST, list(kept))
        _fit(device, list(held))


def _fit(device: torch.device, parts: list[Part]) -> None:
    needed = FLOOR + sum(part.size for part in parts)
    if needed < SMALL or needed <= (room := free(device)):
        return
    largest = max(parts, key=lambda part: part.size)
    worst = replace(largest, size=sum(p.size for p in parts if p.name == largest.name))
    most = worst.most(room - needed + worst.size)
    limit = f"at most {most}" if most >= 1 else "fewer"
    where = "memory" if device.type == "cpu" else "the device's memory"
    raise ValueError(
        f"{worst.name} must be {limit} here, got {worst.value}: the run needs "
        f"{_gib(needed)} of {where}, {_gib(room)} is free"
    )


def _gib(size: float) -> str:
    return f"{size / 2**30:.3g} GiB"


def free(device: torch.device) -> float:
    """Bytes that are free; inf where the system does not say."""
    if device.type == "cuda":
        return float(torch.cuda.mem_get_info(device)[0])
    try:  # Linux counts what its file cache would give back
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        (line,) = (line for line in lines if line.startswith("MemAvailable:"))
        return 1024.0 * int(line.split()[1])
    except (OSError, ValueError):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return math.inf
