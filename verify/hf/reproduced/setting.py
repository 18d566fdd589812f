"""The convex setting of hf's experiments (5.1, B.1): softmax regression on n images of MNIST.

p = 7,850: pixels normalised by their usual mean and deviation, and a bias; whole batches, eta q^t
with q = .995, T = 50 epochs, clip 10, ridge 1e-6.  `ImageTraining` is what the network shares with
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bounds.hf.certificates import error_aposteriori
from simulators.data.dataset import Dataset
from simulators.losses.softmax import Softmax as Loss
from simulators.trajectory.model import Model
from simulators.trajectory.recursion import Differences, Recursion, differences
from simulators.trajectory.softmax_score import SoftmaxScore
from simulators.trajectory.training import Training, batches_of, geometric_steps
from verify.showcases.cells import Bound
from verify.showcases.data import Chosen
from verify.showcases.work import NotRun

MEAN, DEVIATION = 0.1307, 0.3081  # of MNIST's pixels, as usual in its loaders
CLIP, RIDGE, DECAY, EPOCHS, ETA, SIZE = 10.0, 1e-6, 0.995, 50, 0.05, 1000
TESTED = 2000
STATED = "stated, eqs 5 and 9"
LATE = "order of eq 23, mean"
NOTHING = "nothing done"


def prepared(pixels: Dataset) -> Dataset:
    """Normalised pixels and a constant 1."""
    scaled = (pixels.features - MEAN) / DEVIATION
    features = np.hstack([scaled, np.ones((len(scaled), 1))])
    note = f"pixels less {MEAN}, divided by {DEVIATION}, and a 1"
    return replace(pixels, features=features, record=(*pixels.record, note))


@dataclass(frozen=True)
class ImageTraining:
    """A training run: n images of those chosen, in an order by the seed.

    batch_size: None for whole batches.
    """

    chosen: Chosen
    seed: int
    size: int = SIZE
    eta: float = ETA
    epochs: int = EPOCHS
    decay: float = DECAY
    batch_size: int | None = None

    @cached_property
    def data(self) -> Dataset:
        """All images, those to learn from first. Raises NotRun where there are too few."""
        return prepared(self.chosen.ten_classes(self.seed, at_least=self.size))

    @property
    def model(self) -> Model:
        """On the rows to learn from."""
        raise NotImplementedError

    @property
    def start(self) -> np.ndarray:
        """w_0."""
        return np.zeros(self.model.parameters)

    def scores(self, point: np.ndarray, features: np.ndarray) -> np.ndarray:
        """Of every class (rows, 10)."""
        raise NotImplementedError

    def certified(self, error: float, gone: np.ndarray, found: Differences, i: int) -> list[Bound]:
        """What holds of the error of the set, line i of what was found."""
        return []

    @cached_property
    def training(self) -> Training:
        """Batches, each sample once an epoch, and steps eta q^t."""
        b = min(self.batch_size or self.size, self.size)
        batches = batches_of(self.size, b, self.epochs, seed=self.seed, shuffle=b < self.size)
        steps = geometric_steps(self.eta, self.decay, len(batches))
        return Training(batches, steps, self.start, clip=CLIP)

    def forget(self, rate: float, which: int = 0) -> np.ndarray:
        """A share of the rows, by the seed."""
        random = np.random.default_rng([self.seed, round(1000 * rate), which])
        count = max(1, round(rate * self.size))
        return np.sort(random.permutation(self.size)[:count])

    def end(self, gone: Sequence[int] | np.ndarray = (), scaling: str = "linear") -> np.ndarray:
        """w_T, or v_T, run once. Raises NotRun where the iterates leave the floats."""
        key = (scaling, np.asarray(gone, dtype=np.int64).tobytes())
        if key not in self._ends:
            try:
                *_, (_, w, _) = self.training.walk(self.model, gone, scaling)
            except ValueError as error:
                raise NotRun(f"the run diverges: {error}") from None
            self._ends[key] = w.cpu().numpy()
        return self._ends[key]

    @cached_property
    def _ends(self) -> dict[tuple[str, bytes], np.ndarray]:
        return {}

    @cached_property
    def learned(self) -> np.ndarray:
        """w_T."""
        return self.end()

    def vectors(self, sets: Sequence[np.ndarray], order: str = "early") -> Differences:
        """The recursion of every set, with whole batches' Hessians."""
        chosen = Recursion("batch", order=order)
        return differences(self.model, self.training, sets, chosen, record_norms=order == "early")

    def errors(
        self, rates: Sequence[float], stated: Differences | None = None
    ) -> tuple[dict[str, Mapping[str, float]], list[Bound]]:
        """Rate -> interpretation -> |v_T - w_T - a|, and what Theorem 4.3 certifies of it.

        stated: the vectors of these rates' sets, where they are at hand.
        """
        sets = [self.forget(rate) for rate in rates]
        stated = stated or self.vectors(sets)
        late = self.vectors(sets, "late").vectors
        cells: dict[str, Mapping[str, float]] = {}
        bounds: list[Bound] = []
        for i, (rate, gone) in enumerate(zip(rates, sets, strict=True)):
            slots = self.end(gone) - self.learned
            mean = self.end(gone, "mean") - self.learned
            error = float(np.linalg.norm(slots - stated.vectors[i]))
            cells[f"{rate:.0%}"] = {
                STATED: error,
                LATE: float(np.linalg.norm(mean - late[i])),
                NOTHING: float(np.linalg.norm(mean)),
            }
            bounds += self.certified(error, gone, stated, i)
        return cells, bounds

    def change(self, move: np.ndarray, rows: np.ndarray) -> float:
        """The change of the loss of the rows from w_T to w_T + move."""
        here, there = (self.model.tensor(x) for x in (self.learned, self.learned + move))
        return float((self.model.values(there, rows) - self.model.values(here, rows)).sum())

    def accuracy(self, point: np.ndarray) -> float:
        """Percent of the images that were not learned from, at most 2,000. NotRun without any."""
        test = slice(self.size, self.size + TESTED)
        if len(self.data) <= self.size:
            raise NotRun(f"needs more than {self.size} rows; there is none to test on")
        return self.right(point, test)

    def right(self, point: np.ndarray, rows: Any) -> float:
        """Percent of these rows whose class has the largest score."""
        found = self.scores(point, self.data.features[rows]).argmax(axis=1)
        return float(100 * np.mean(found == self.labels[rows]))

    @property
    def labels(self) -> np.ndarray:
        """The class of every row."""
        assert self.data.targets is not None
        return self.data.targets


@dataclass(frozen=True)
class SoftmaxTraining(ImageTraining):
    """Softmax regression from 0."""

    @cached_property
    def model(self) -> SoftmaxScore:
        """On the rows to learn from."""
        return SoftmaxScore(Loss(10, RIDGE), self.data.first(self.size), self.chosen.device)

    def scores(self, point: np.ndarray, features: np.ndarray) -> np.ndarray:
        """Of every class (rows, 10)."""
        return np.asarray(features @ self.model.matrix(point))

    def certified(self, error: float, gone: np.ndarray, found: Differences, i: int) -> list[Bound]:
        """Form (C') of Theorem 4.3 from the norms on the way, for whole batches without a clip."""
        if self.batch_size is not None or found.clip_active or found.norms is None:
            return []
        T = self.training.length
        m = np.full(T, float(len(gone)))
        n = np.full(T, float(self.size))
        constants = self.constants(gone)
        norms = found.norms[i, :T]
        bound = error_aposteriori(self.training.steps, m, n, norms, *constants, "batch")
        rounding = 64 * float(np.finfo(float).eps) * (1 + float(np.linalg.norm(self.learned))) * T
        return [Bound("hf.thm4.3.stored", "corrected", error, float(bound[-1]), rounding)]

    def constants(self, gone: np.ndarray) -> tuple[float, float, float]:
        """lam, M and Lam as far as whole batches need them: of means over what is kept, and gone.

        H = sum of the kept rows' Hessians over n has H <= beta M for M = |X^T X|/(2 (n - m)) + lam,
        beta = 1 - m/n; and the same of what is gone, with m. Third derivatives are at most c |x|^3,
        and a sum of |<x, u>|^3 at most max |x| times |X^T X|.
        """
        rows = self.model.data.features
        certified = self.model.loss.constants(self.model.data)
        longest = float(np.linalg.norm(rows, axis=1).max())
        kept = np.setdiff1d(np.arange(self.size), gone)
        square = max(float(np.linalg.norm(rows[k], 2)) ** 2 / len(k) for k in (kept, gone))
        square *= 1 + 1e-9
        whole = float(np.linalg.norm(rows, 2)) ** 2 / len(kept) * (1 + 1e-9)
        square = max(square, whole)
        return RIDGE, 0.5 * square + RIDGE, certified.hessian_lipschitz / longest**2 * square
