"""The convex setting of hf's experiments (5.1, B.1): softmax regression on n images of MNIST.

p = 7,850: pixels normalised by their usual mean and deviation, and a bias; whole batches, eta q^t
with q = .995, T = 50 epochs, clip 10, ridge 1e-6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from simulators.data.dataset import Dataset
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.softmax_score import SoftmaxScore
from simulators.trajectory.training import Training, batches_of, geometric_steps
from verify.exhibits.data import Chosen
from verify.exhibits.rows import Bound
from verify.exhibits.work import NotRun

MEAN, DEVIATION = 0.1307, 0.3081  # of MNIST's pixels, as usual in its loaders
CLIP, RIDGE, DECAY, EPOCHS, ETA, SIZE = 10.0, 1e-6, 0.995, 50, 0.05, 1000
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
class Softmax:
    """A training run: n images of those chosen, in an order by the seed."""

    chosen: Chosen
    seed: int
    size: int = SIZE
    eta: float = ETA
    epochs: int = EPOCHS
    decay: float = DECAY

    @cached_property
    def data(self) -> Dataset:
        """All images, those to learn from first. Raises NotRun where there are too few."""
        return prepared(self.chosen.ten_classes(self.seed, at_least=self.size))

    @cached_property
    def model(self) -> SoftmaxScore:
        """On the rows to learn from."""
        from simulators.losses.softmax import Softmax as Loss

        return SoftmaxScore(Loss(10, RIDGE), self.data.first(self.size), self.chosen.device)

    @cached_property
    def training(self) -> Training:
        """Whole batches from 0."""
        batches = batches_of(self.size, self.size, self.epochs, shuffle=False)
        steps = geometric_steps(self.eta, self.decay, self.epochs)
        return Training(batches, steps, np.zeros(self.model.parameters), clip=CLIP)

    def forget(self, rate: float) -> np.ndarray:
        """A share of the rows, by the seed."""
        random = np.random.default_rng([self.seed, round(1000 * rate)])
        count = max(1, round(rate * self.size))
        return np.sort(random.permutation(self.size)[:count])

    def end(self, gone: Sequence[int] | np.ndarray = (), scaling: str = "linear") -> np.ndarray:
        """w_T, or v_T. Raises NotRun where the iterates leave the floats."""
        try:
            *_, (_, w, _) = self.training.walk(self.model, gone, scaling)
        except ValueError as error:
            raise NotRun(f"the run diverges: {error}") from None
        found: np.ndarray = w.cpu().numpy()
        return found

    @cached_property
    def learned(self) -> np.ndarray:
        """w_T."""
        return self.end()

    def vectors(self, sets: Sequence[np.ndarray], order: str = "early") -> Any:
        """The recursion of every set, with whole batches' Hessians."""
        chosen = Recursion("batch", order=order)
        return differences(self.model, self.training, sets, chosen, record_norms=order == "early")

    def errors(self, rates: Sequence[float]) -> tuple[dict[str, Mapping[str, float]], list[Bound]]:
        """Rate -> reading -> |v_T - w_T - a|, and what Theorem 4.3 certifies of it."""
        sets = [self.forget(rate) for rate in rates]
        stated, late = self.vectors(sets), self.vectors(sets, "late").vectors
        cells: dict[str, Mapping[str, float]] = {}
        bounds = []
        for i, (rate, gone) in enumerate(zip(rates, sets, strict=True)):
            slots = self.end(gone) - self.learned
            mean = self.end(gone, "mean") - self.learned
            error = float(np.linalg.norm(slots - stated.vectors[i]))
            cells[f"{rate:.0%}"] = {
                STATED: error,
                LATE: float(np.linalg.norm(mean - late[i])),
                NOTHING: float(np.linalg.norm(mean)),
            }
            bounds.append(self.certified(error, len(gone), stated.norms[i]))
        return cells, bounds

    def certified(self, error: float, missing: int, norms: np.ndarray) -> Bound:
        """Form (C') of Theorem 4.3 from the norms on the way, beside what is left."""
        from bounds.hf.certificates import error_aposteriori

        c, T = self.constants, self.training.length
        m, n = np.full(T, float(missing)), np.full(T, float(self.size))
        found = error_aposteriori(self.training.steps, m, n, norms[:T], *c, "batch")
        return Bound("hf.thm4.3.stored", "corrected", error, float(found[-1]))

    @cached_property
    def constants(self) -> tuple[float, float, float]:
        """lam, M and Lam of every row."""
        c = self.model.loss.constants(self.model.data)
        return c.strong_convexity, c.smoothness, c.hessian_lipschitz
