"""The setting of sglu's experiments (Section 4, Appendix K): 3s against 8s, logistic regression.

The noise, the ridge and the number of steps are the paper's at its own n, whatever the images are:
with fewer of them each stands for several, and accuracies can be compared.  (Privacy of the fewer
images would need more noise.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import bounds
from accounting.gaussian import mu_gdp
from bounds.sglu.settings import BURN_IN, DATA, LARGEST_BATCH, LIPSCHITZ, RADIUS, regularisation
from simulators.d2d import descent_to_delete
from simulators.data.adjacency import replaced
from simulators.data.dataset import Dataset
from simulators.data.labels import class_pair
from simulators.domains import Ball
from simulators.initial import gaussian
from simulators.langevin import learn_unlearn
from simulators.losses.logistic import Logistic
from verify.exhibits.data import Chosen
from verify.exhibits.rows import Bound
from verify.exhibits.work import NotRun

N = DATA["MNIST"].n
RIDGE = float(regularisation(N))
STEP = 1 / (0.25 + RIDGE)
TRIALS = 8
# Gradient descent with steps 2/(L + m) is at the minimiser, up to rounding, after so many.
CONVERGED = 500
ALONE = 2000
"""Steps at b = 1, where the paper names no number: (1 - eta m)^2000 is below 1e-38."""


@dataclass(frozen=True)
class Digits:
    """Images of 3s and 8s by a seed, some to learn from and the rest to test on."""

    chosen: Chosen
    seed: int

    @cached_property
    def rows(self) -> tuple[Dataset, Dataset]:
        """To learn from, a multiple of the largest batch where there are so many; to test on."""
        pair = class_pair(self.chosen.ten_classes(self.seed), 3, 8).normalised()
        batch = LARGEST_BATCH if len(pair) >= 2 * LARGEST_BATCH else 128
        count = min(N, int(0.95 * len(pair)) // batch * batch)
        if not 0 < count < len(pair):
            raise NotRun(f"needs 128 images of 3s and 8s; there are {len(pair)}")
        return pair.split((len(pair) - count + 0.5) / len(pair))

    @property
    def n(self) -> int:
        """Images to learn from."""
        return len(self.rows[0])

    @cached_property
    def adjacent(self) -> Dataset:
        """One image of the last batch replaced by a random direction and label (Appendix K)."""
        learn = self.rows[0]
        random = np.random.default_rng([self.seed, 3])
        row = random.standard_normal(learn.dimension)
        label = random.choice([-1.0, 1.0])
        return replaced(learn, self.n - 1, row / np.linalg.norm(row), [label])

    @property
    def loss(self) -> Logistic:
        """With the ridge of the paper's n."""
        return Logistic(RIDGE)

    def accuracy(self, models: np.ndarray) -> float:
        """On the test images, mean over models (trials, d)."""
        test = self.rows[1]
        assert test.targets is not None
        return float((np.sign(models @ test.features.T) == test.targets).mean())

    def epochs(self, batch: int | None, epochs: int) -> int:
        """Here, for as many steps as the paper's epochs take at its n."""
        size = self.n if batch is None else batch
        steps = epochs if batch is None else epochs * N // batch
        if self.chosen.quick:
            steps = min(steps, 40)
        return max(1, math.ceil(steps * size / self.n))

    def learned(self, batch: int | None, sigma: float, *, unlearn: int = 0) -> np.ndarray:
        """Algorithm 1: the paper's learning epochs, then so many of unlearning (trials, d)."""
        return self._run(batch, sigma, unlearn, self.rows[0])

    def apart(self, batch: int | None, sigma: float) -> tuple[float, int]:
        """The largest distance of two coupled runs on adjacent images, and their epochs."""
        pair = [self._run(batch, sigma, 0, rows) for rows in (self.rows[0], self.adjacent)]
        longest = float(np.linalg.norm(pair[0] - pair[1], axis=1).max())
        return longest, self.epochs(batch, BURN_IN[batch])

    def lemma(self, batch: int | None, sigma: float) -> list[Bound]:
        """Lemma 3.5 at the coupled runs."""
        size = self.n if batch is None else batch
        measured, epochs = self.apart(batch, sigma)
        J = self.n // size
        at = {"eta": STEP, "m": RIDGE, "M": LIPSCHITZ, "b": size, "J": J, "T": epochs}
        value = float(bounds.get("sglu.lem3.5")("printed", **at, j0=J - 1, R=RADIUS))
        return [Bound("sglu.lem3.5", "printed", measured, value)]

    def _run(self, batch: int | None, sigma: float, unlearn: int, rows: Dataset) -> np.ndarray:
        size = self.n if batch is None else batch
        if self.n % size:
            raise NotRun(f"needs images in batches of {size}; there are {self.n} to learn from")
        alone = math.ceil((40 if self.chosen.quick else ALONE) / self.n)
        learn = alone if batch == 1 else self.epochs(batch, BURN_IN[batch])
        run = learn_unlearn(
            self.loss,
            rows,
            self.adjacent,
            learn_epochs=learn,
            unlearn_epochs=self.epochs(batch, unlearn) if unlearn else 0,
            sigma=sigma,
            step_size=STEP,
            batch_size=size,
            domain=Ball(RADIUS),
            trials=2 if self.chosen.quick else TRIALS,
            seed=self.seed,
            initial=gaussian(math.sqrt(2 / RIDGE) * sigma),
            device=self.chosen.device,
        )
        found = run.unlearned if unlearn else run.learned
        assert found is not None
        return np.asarray(found)

    def descended(self, steps: int) -> tuple[np.ndarray, list[Bound]]:
        """Descent-to-Delete with its secret state: (d,) after one request, and Theorem L.1."""
        run = descent_to_delete(
            self.loss,
            self.rows[0],
            [self.adjacent],
            sigma=0.0,
            learn_steps=CONVERGED,
            unlearn_steps=steps,
            internal_state=True,
            trials=1,
            seed=self.seed,
            retrain=True,
            device=self.chosen.device,
        )
        assert run.unlearned is not None
        assert run.retrained is not None
        secret = np.asarray(run.unlearned[0])
        gap = float(np.linalg.norm(secret - run.retrained[0]))
        at = {"I": steps, "epsilon": 1.0, "delta": 1 / self.n, "n": self.n, "m": RIDGE}
        claim = bounds.get("sglu.thml.1")
        needed = gap / float(mu_gdp(1.0, 1 / self.n))
        held = [
            Bound(
                "sglu.thml.1", form, needed, float(claim(form, **at, L=0.25 + RIDGE, M=LIPSCHITZ))
            )
            for form in ("printed", "corrected", "tight")
        ]
        return secret, held

    def published(self, secret: np.ndarray, sigmas: Sequence[float]) -> list[float]:
        """Accuracies of the secret model with each noise."""
        random = np.random.default_rng([self.seed, 4])
        count = 2 if self.chosen.quick else TRIALS
        drawn = random.standard_normal((count, *secret.shape))
        return [self.accuracy(secret + sigma * drawn) for sigma in sigmas]
