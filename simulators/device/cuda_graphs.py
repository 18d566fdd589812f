"""A loop's operations, submitted to a device at once: CUDA graphs.

A graph keeps which operations were asked for, on which memory and with which numbers of the host;
a replay does the same again.  So what is recorded may neither ask the device anything, nor bring
anything from the host, nor take shapes from what is computed, and what changes from one time to
the next has to be changed by the graph itself (the steps of `normals` are).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

import torch

LEAST = 64
"""Steps of a recording at least, where the loop has so many."""
MOST = 4096
"""Steps of a recording at most: the host and the device keep each of its operations."""


class Recorded:
    """Does things over and over: plainly, or from the second time on from a graph."""

    def __init__(self, records: bool) -> None:
        self.records = records
        self.graphs: dict[Hashable, torch.cuda.CUDAGraph | None] = {}

    def __call__(self, what: Hashable, play: Callable[[], None]) -> bool:
        """Do `play`, which does the same whenever it comes under this name; whether it was kept.

        The first time it runs plainly, as libraries allocate then what they need.
        """
        if not self.records:
            play()
            return False
        if what not in self.graphs:
            self.graphs[what] = None
            play()
            return False
        graph = self.graphs[what]
        available = graph is not None
        if graph is None:
            graph = self.graphs[what] = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                play()
        graph.replay()
        return available
