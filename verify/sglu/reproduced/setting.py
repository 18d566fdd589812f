"""The setting of sglu's experiments (Section 4, Appendix K): classes 3 and 8, logistic regression.

MNIST's pixels, or features of CIFAR-10 that the user has.  The noise, the ridge and the number of
steps are the paper's at its own n, whatever the images are: with fewer of them each stands for
several, and accuracies can be compared.  (Privacy of the fewer images would need more noise.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import bounds
from accounting.curves.gaussian import mu_gdp
from bounds.sglu.settings import BURN_IN, LARGEST_BATCH, LIPSCHITZ, RADIUS, SIZES, regularisation
from simulators.data.adjacency import replaced
from simulators.data.dataset import Dataset
from simulators.data.labels import class_pair, class_value
from simulators.domains import Ball
from simulators.engine.initial import gaussian
from simulators.langevin.descent_to_delete import descent_to_delete
from simulators.langevin.unlearning import learn_unlearn
from simulators.losses.logistic import Logistic
from verify.showcases.arrays import of_paper
from verify.showcases.cells import Bound
from verify.showcases.data import Chosen
from verify.showcases.work import NotRun

FILES = {"CIFAR-10": "cifar10"}
TRIALS = 8
# Gradient descent with steps 2/(L + m) is at the minimiser, up to rounding, after so many.
CONVERGED = 500
ALONE = 2000
"""Steps at b = 1, where the paper names no number: (1 - eta m)^2000 is below 1e-38."""


@dataclass(frozen=True)
class Pair:
    """Images of two classes by a seed, some to learn from and the rest to test on.

    Attributes:
        name: MNIST, or CIFAR-10.
    """

    chosen: Chosen
    seed: int
    name: str

    @property
    def paper_n(self) -> int:
        """Images that the paper learns from."""
        return SIZES[self.name]

    @property
    def ridge(self) -> float:
        """That of the paper's n."""
        return float(regularisation(self.paper_n))

    @property
    def smoothness(self) -> float:
        """L of rows of norm 1."""
        return 0.25 + self.ridge

    @cached_property
    def rows(self) -> tuple[Dataset, Dataset]:
        """To learn from, a multiple of the largest batch where there are so many; to test on."""
        data = of_paper(self.chosen, self.name, self.seed, FILES)
        if self.name in FILES:
            data = data.shuffled(self.seed)
        low, high = (class_value(data, word) for word in ("3", "8"))
        pair = class_pair(data, low, high).normalised()
        batch = LARGEST_BATCH if len(pair) >= 2 * LARGEST_BATCH else 128
        count = min(self.paper_n, int(0.95 * len(pair)) // batch * batch)
        if not 0 < count < len(pair):
            raise NotRun(f"needs 128 images of classes 3 and 8; there are {len(pair)}")
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
        """With that ridge."""
        return Logistic(self.ridge)

    def accuracy(self, models: np.ndarray) -> float:
        """On the test images, mean over models (trials, d)."""
        test = self.rows[1]
        assert test.targets is not None
        return float((np.sign(models @ test.features.T) == test.targets).mean())

    def epochs(self, batch: int | None, epochs: int) -> int:
        """Here, for as many steps as the paper's epochs take at its n."""
        size = self.n if batch is None else batch
        steps = epochs if batch is None else epochs * self.paper_n // batch
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
        distance, epochs = self.apart(batch, sigma)
        J, claim = self.n // size, bounds.get("sglu.lem3.5")
        at = {"eta": 1 / self.smoothness, "m": self.ridge, "M": LIPSCHITZ, "R": RADIUS}
        value = float(claim("printed", **at, b=size, J=J, T=epochs, j0=J - 1))
        return [Bound("sglu.lem3.5", "printed", distance, value)]

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
            step_size=1 / self.smoothness,
            batch_size=size,
            domain=Ball(RADIUS),
            trials=2 if self.chosen.quick else TRIALS,
            seed=self.seed,
            initial=gaussian(math.sqrt(2 / self.ridge) * sigma),
            device=self.chosen.device,
        )
        weights = run.unlearned if unlearn else run.learned
        assert weights is not None
        return np.asarray(weights)

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
        needed = gap / float(mu_gdp(1.0, 1 / self.n))
        guarantees = [
            Bound("sglu.thml.1", form, needed, self.descent_noise(form, steps, 1.0, self.n))
            for form in ("printed", "corrected", "tight")
        ]
        return secret, guarantees

    def descent_noise(self, form: str, steps: int, epsilon: float, n: int) -> float:
        """The noise of Descent-to-Delete at delta = 1/n by a form of Theorem L.1."""
        at = {"n": n, "m": self.ridge, "L": self.smoothness, "M": LIPSCHITZ}
        claim = bounds.get("sglu.thml.1")
        return float(claim(form, I=steps, epsilon=epsilon, delta=1 / n, **at))

    def published(self, secret: np.ndarray, sigmas: Sequence[float]) -> list[float]:
        """Accuracies of the secret model with each noise."""
        random = np.random.default_rng([self.seed, 4])
        count = 2 if self.chosen.quick else TRIALS
        noise = random.standard_normal((count, *secret.shape))
        return [self.accuracy(secret + sigma * noise) for sigma in sigmas]
