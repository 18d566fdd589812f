"""Which data a showcase shows, and how many rows of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from accounting.numerics import validation
from simulators.data import idx, sklearn_sets
from simulators.data.dataset import Dataset
from verify.showcases.work import NotRun, Work

STAND_INS = ("digits", "synthetic")


@dataclass(frozen=True)
class Chosen:
    """Which data, and how much of everything.

    Attributes:
        mnist: folder of IDX files, or None.
        rows: of each set at most; None: the showcase's own.
        share: of the rows, held out.
        stand_in: what takes the place of MNIST, and is said to: "digits", "synthetic", or nothing.
        seeds: how many, from the first on.
        quick: a few small pieces, to see whether it runs.
        device: of what can run on one.
        work: pieces that are finished; two that differ in nothing else are equal.
    """

    mnist: str | None = None
    rows: int | None = None
    share: float = 0.2
    stand_in: str = ""
    seeds: int = 1
    quick: bool = False
    device: str = "cpu"
    work: Work = field(default_factory=Work, compare=False)

    def __post_init__(self) -> None:
        if self.rows is not None:
            validation.count("rows", self.rows, low=100)
        validation.scalar("test_share", self.share, low=0.0, low_open=True, high=0.9)
        validation.count("seeds", self.seeds, low=1, high=1000)

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
        # Shuffled where all classes are taken: the files' order may be by class.
        data = idx.mnist(self.mnist, part=part, negative=None)
        return self.cut(data.normalised().shuffled(seed), rows)

    @property
    def source(self) -> str:
        """What the rows of `ten_classes` are."""
        if self.stand_in:
            return {"digits": "scikit-learn's digits", "synthetic": "made data"}[self.stand_in]
        return "no data" if self.mnist is None else f"MNIST, {idx.part_in(self.mnist)}"

    def ten_classes(self, seed: int, *, at_least: int = 1) -> Any:
        """All ten digits with pixels in [0, 1], shuffled, or what stands in for them.

        Raises NotRun without data, or with fewer rows.
        """
        if self.stand_in == "digits":
            digits = sklearn_sets.digits(None)
            data = replace(digits, features=digits.features / 16.0)
        elif self.stand_in == "synthetic":
            data = _made(max(at_least, 2000), seed)
        elif self.mnist is None:
            raise NotRun("needs MNIST: --data FOLDER (stand-ins: --data digits, --synthetic)")
        else:
            try:
                data = idx.mnist(self.mnist, part=idx.part_in(self.mnist), negative=None)
            except FileNotFoundError as absent:
                raise NotRun(str(absent)) from None
        if len(data) < at_least:
            raise NotRun(f"needs {at_least} rows; {self.source} has {len(data)}")
        return data.shuffled(seed)

    def learned(self, n: int, batch: int) -> int:
        """Rows to learn from: whole batches of what is not held out.

        Raises NotRun where not one batch is left.
        """
        available = int((1.0 - self.share) * n)
        if available < batch:
            raise NotRun(f"needs a batch of {batch} rows to learn from, got {available}")
        return available // batch * batch


def _made(n: int, seed: int) -> Any:
    """Ten classes of 784 pixels: noise around ten random images."""
    random = np.random.default_rng(seed)
    images = random.random((10, 784)) * (random.random((10, 784)) < 0.2)
    labels = np.arange(n) % 10
    pixels = np.clip(images[labels] + 0.3 * random.standard_normal((n, 784)), 0.0, 1.0)
    return Dataset(pixels, labels.astype(float), "synthetic", (f"generated with seed {seed}",))
