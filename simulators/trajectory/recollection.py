"""The statistics of all n samples, kept for online deletion by vector addition (paper hf).

`learn` trains and follows the recursion of every sample; `forget` adds statistics to the model;
`release` adds noise and keeps the account; `repair` trains on and carries the statistics along
(hf Algorithm 2, corrected).  Statistics that do not fit the memory live in a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from accounting.curves.gaussian import delta_gdp, epsilon_gdp
from accounting.curves.gaussian_rules import compose_gdp
from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.device.reporting import Progress
from simulators.trajectory.inputs import rows_of
from simulators.trajectory.model import Model
from simulators.trajectory.recursion import EACH, Recursion, differences
from simulators.trajectory.training import Training
from simulators.trajectory.variants import follow

_FILE = "statistics.npy"


@typed
@dataclass(eq=False)
class Recollection:
    """A model w_T with the statistic a^{-u} of every sample u.

    Attributes:
        statistics: shape (n, p), an array or a memory-mapped file.
        learned: w_T, shape (p,).
        recursion: how the statistics were found.  "batch" ones add up exactly to the set's own
            statistic (hf Theorem 3.1); "kept" ones are exact on quadratics one by one and do not.
        norms: |A_t^u| for t = 0..T, shape (n, T + 1), for a-posteriori certificates; or None.
        clip_active: the clip changed a step; then no certificate below is valid.
        point: the current model, after deletions.
        forgotten: rows deleted so far, in order.
        releases: mu of every release so far.
    """

    statistics: np.ndarray
    learned: np.ndarray
    recursion: Recursion
    norms: np.ndarray | None = None
    clip_active: bool = False
    forgotten: list[int] = field(default_factory=list)
    releases: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.point = self.learned.copy()
        # A record holds rows, no point; after `repair` their statistics are 0 and add nothing.
        if self.forgotten:
            self.point += self.statistics[self.forgotten].sum(axis=0)

    @classmethod
    @typed
    def learn(
        cls,
        model: Model,
        training: Training,
        recursion: Recursion | None = None,
        *,
        memory: float = 1 << 30,
        folder: str | Path | None = None,
        variant: str = "auto",
        record_norms: bool = False,
        progress: Progress | None = None,
    ) -> Recollection:
        """Train, and find the statistics of all n samples (hf eqs 9-13, corrected).

        memory: bytes for the statistics and the work on them; where they need more, `folder` must
        name a folder for them, and they are worked on part by part.
        Raises ValueError on bad input, or for statistics that do not fit and have no folder.
        """
        chosen = recursion or Recursion("batch")
        budget = validation.scalar("memory", memory, low=0.0, low_open=True)
        needed = 8 * model.size * model.parameters
        out = None
        if folder is not None:
            place = Path(folder)
            place.mkdir(parents=True, exist_ok=True)
            shape = (model.size, model.parameters)
            # A file from the start: the recursion fills it part by part.
            out = np.lib.format.open_memmap(place / _FILE, mode="w+", dtype=np.float64, shape=shape)
        elif needed > budget:
            raise ValueError(
                f"memory must be >= {needed} bytes for {model.size} statistics of "
                f"{model.parameters} numbers, or folder be given, got {validation.shortest(budget)}"
            )
        outcome = follow(
            model,
            training,
            EACH,
            chosen,
            variant=variant,
            out=out,
            memory=budget,
            record_norms=record_norms,
            progress=progress,
        )
        recollection = cls(
            outcome.vectors, outcome.learned, chosen, outcome.norms, outcome.clip_active
        )
        if folder is not None:
            recollection.save(folder)
        return recollection

    @typed
    def save(self, folder: str | Path) -> None:
        """Write everything to the folder; statistics that are a file there are flushed."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        target = place / _FILE
        statistics = self.statistics
        # To save a mapped file onto itself would empty it before it is read.
        if (
            isinstance(statistics, np.memmap)
            and Path(str(statistics.filename)).resolve() == target.resolve()
        ):
            statistics.flush()
        else:
            np.save(target, statistics)
        norms = np.empty(0) if self.norms is None else self.norms
        np.savez(place / "model.npz", learned=self.learned, norms=norms)
        record = {
            "recursion": asdict(self.recursion),
            "clip_active": self.clip_active,
            "forgotten": self.forgotten,
            "releases": self.releases,
        }
        (place / "record.json").write_text(json.dumps(record))

    @classmethod
    @typed
    def open(cls, folder: str | Path) -> Recollection:
        """What `save` wrote; statistics stay on disk and are read as they are used."""
        place = Path(folder)
        record = json.loads((place / "record.json").read_text())
        with np.load(place / "model.npz") as arrays:
            learned_model, norms = arrays["learned"], arrays["norms"]
        return cls(
            np.load(place / _FILE, mmap_mode="r+"),
            learned_model,
            Recursion(**record["recursion"]),
            norms if norms.size else None,
            record["clip_active"],
            record["forgotten"],
            record["releases"],
        )

    def forget(self, rows: Iterable[int]) -> np.ndarray:
        """Add the statistics of the rows to the model and return it, shape (p,): no data needed.

        The other statistics still depend on the rows forgotten (hf.forget-recollections).
        Raises ValueError for a row out of range, repeated, or forgotten before.
        """
        chosen = rows_of("rows", rows, len(self.statistics))
        again = set(chosen.tolist()) & set(self.forgotten)
        if again or np.unique(chosen).size != chosen.size:
            raise ValueError(f"rows must be distinct and not yet forgotten, got {chosen.tolist()}")
        # Row by row: of statistics in a file no more than that is read at a time.
        for row in chosen.tolist():
            self.point += self.statistics[row]
        self.forgotten.extend(chosen.tolist())
        return self.point.copy()

    def norm_bound(self, rows: Iterable[int]) -> np.ndarray:
        """sum_u |A_t^u| >= |A_t^U| for t = 0..T, shape (T + 1,): what certificates need of a set.

        Raises ValueError where no norms were recorded.
        """
        if self.norms is None:
            raise ValueError("record_norms must have been set when learning, got False")
        chosen = rows_of("rows", rows, len(self.norms))
        bounds: np.ndarray = self.norms[chosen].sum(axis=0)
        return bounds

    def release(self, noise: float, gap: float, *, seed: int) -> np.ndarray:
        """Return the model with N(0, noise^2 I) added, shape (p,), and enter it in the account.

        gap: a bound on the distance to the retrained model, fixed in advance, or certified here
        and replaced by retraining where it fails (hf Definition 2.1, corrected).
        """
        scale = validation.scalar("noise", noise, low=0.0, low_open=True, high_open=True)
        apart = validation.scalar("gap", gap, low=0.0, high_open=True)
        random = np.random.default_rng(validation.count("seed", seed, low=0))
        # Means at most `gap` apart, in standard deviations of the noise: mu of this release.
        self.releases.append(apart / scale)
        sample: np.ndarray = self.point + scale * random.standard_normal(len(self.point))
        return sample

    @property
    def mu(self) -> float:
        """All releases together are mu-Gaussian-DP from those of retraining: sqrt(sum mu_j^2)."""
        return float(compose_gdp(0.0, *self.releases))

    @typed
    def delta(self, epsilon: float) -> float:
        """The delta of all releases together at epsilon."""
        return float(delta_gdp(self.mu, epsilon))

    def epsilon(self, delta: float) -> float:
        """The epsilon of all releases together at delta."""
        return float(epsilon_gdp(self.mu, delta))

    @typed
    def repair(self, model: Model, training: Training, *, memory: float = 1 << 30) -> None:
        """Train on what is left and carry the statistics along (hf Algorithm 2, corrected).

        training.start is the model to repair, noise included.  Each statistic continues with the
        kept Hessian; on quadratics it stays the exact difference between this repair and the one
        from start + statistic without the sample.  Norms, if any, are dropped.
        Raises ValueError for a batch with a forgotten row.
        """
        visited = np.unique(np.concatenate(training.batches))
        conflicts = np.intersect1d(visited, self.forgotten)
        if len(conflicts):
            raise ValueError(f"batches must hold no forgotten row, got {conflicts.tolist()}")
        carried = Recursion("kept", self.recursion.scaling, order=self.recursion.order)
        recursion = differences(
            model,
            training,
            EACH,
            carried,
            initial=self.statistics,
            out=self.statistics,
            memory=memory,
        )
        # The repaired model is without them already: `__post_init__` must not add them again.
        self.statistics[self.forgotten] = 0.0
        self.learned, self.norms = recursion.learned.copy(), None
        self.point = self.learned.copy()
        self.clip_active |= recursion.clip_active
