"""Which data an exhibit shows, and how many rows of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounting import validation
from simulators.data import idx


@dataclass(frozen=True)
class Chosen:
    """mnist: folder of IDX files, or None.  rows: of each set at most; None: the exhibit's own.

    share: of the rows, held out.
    """

    mnist: str | None
    rows: int | None
    share: float

    def __post_init__(self) -> None:
        if self.rows is not None:
            validation.count("rows", self.rows, low=100)
        validation.scalar("test_share", self.share, low=0.0, low_open=True, high=0.9)

    def cut(self, data: Any, rows: int | None = None) -> Any:
        """The first rows: as many as were asked for, else `rows`, or all."""
        most = rows if self.rows is None else self.rows
        return data if most is None or most >= len(data) else data.first(most)

    def images(self, rows: int, *, classes: tuple[int, int] | None = None, seed: int = 0) -> Any:
        """Two classes of MNIST in the files' order, or all ten shuffled; None without a folder."""
        if self.mnist is None:
            return None
        part = idx.part_in(self.mnist)
        if classes is not None:
            low, high = classes
            return self.cut(idx.mnist(self.mnist, part=part, negative=low, positive=high), rows)
        data = idx.mnist(self.mnist, part=part, negative=None)
        return self.cut(data.normalised().shuffled(seed), rows)

    def learned(self, n: int, batch: int) -> int:
        """Rows to learn from: whole batches of what is not held out."""
        return max(1, int((1.0 - self.share) * n) // batch) * batch
