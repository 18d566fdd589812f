"""mini's experiments (Section 5.1): softmax regression, five methods, a shadow attack.

The ridge .005, the step size .01 and k = 10 are the paper's; batches of 128 and 8 epochs are ours,
since it names none.  At .01 such a run is far from its minimiser; a step size of 1 comes near it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

import bounds
from simulators.data.dataset import Dataset
from simulators.losses.softmax import Softmax
from simulators.trajectory.amnesiac import amnesiac
from simulators.trajectory.deltagrad import deltagrad
from simulators.trajectory.membership import auc, loss_scores, rates, shadow_models
from simulators.trajectory.mini import mini
from simulators.trajectory.newton import newton_step
from simulators.trajectory.rewind import rewind
from simulators.trajectory.softmax_score import SoftmaxScore
from simulators.trajectory.training import Training, batches_of
from verify.showcases.arrays import of_paper
from verify.showcases.cells import Bound
from verify.showcases.data import Chosen

RIDGE, K, BATCH, EPOCHS, TEST_SHARE = 0.005, 10, 128, 8, 0.2
STEP_SIZES = {"eta .01, as printed": 0.01, "eta 1": 1.0}
PERIOD, BURN_IN = 5, 10
"""DeltaGrad's, which mini does not name."""
SHADOWS = 4
FILES = {"Covtype": "covtype", "HIGGS": "higgs"}
Key = tuple[Chosen, str, int, float]
"""What was chosen, the data set, the seed and the step size."""


@dataclass(frozen=True)
class MiniTraining:
    """A training run on one data set at one step size."""

    data: Dataset
    key: Key

    @property
    def chosen(self) -> Chosen:
        """What is asked for."""
        return self.key[0]

    @property
    def seed(self) -> int:
        """Of the split, the batches and who leaves."""
        return self.key[2]

    @property
    def eta(self) -> float:
        """The step size."""
        return self.key[3]

    @cached_property
    def parts(self) -> tuple[Dataset, Dataset]:
        """Rows to learn from, and to test on."""
        data = self.data.normalised().shuffled(self.seed)
        return (data.first(min(len(data), 600)) if self.chosen.quick else data).split(TEST_SHARE)

    def _model(self, data: Dataset) -> SoftmaxScore:
        targets = self.data.targets
        assert targets is not None
        return SoftmaxScore(
            Softmax(max(2, int(targets.max()) + 1), RIDGE), data, self.chosen.device
        )

    @cached_property
    def model(self) -> SoftmaxScore:
        """On the rows to learn from."""
        return self._model(self.parts[0])

    @cached_property
    def test(self) -> SoftmaxScore:
        """On the rows to test on."""
        return self._model(self.parts[1])

    @cached_property
    def training(self) -> Training:
        """From 0."""
        epochs = 4 if self.chosen.quick else EPOCHS
        batches = batches_of(self.model.size, BATCH, epochs, seed=self.seed)
        return Training(batches, np.full(len(batches), self.eta), np.zeros(self.model.parameters))

    def forget(self, ratio: float) -> np.ndarray:
        """A share of the rows, by the seed."""
        random = np.random.default_rng([self.seed, round(1000 * ratio)])
        return np.sort(random.permutation(self.model.size)[: round(ratio * self.model.size)])

    def accuracy(self, w: np.ndarray) -> float:
        """On the test rows."""
        test = self.parts[1]
        assert test.targets is not None
        found = (test.features @ self.test.matrix(w)).argmax(axis=1) == test.targets
        return float(found.mean())

    def unlearned(self, method: str, gone: np.ndarray, k: int = K) -> np.ndarray:
        """The model after the rows are unlearned (p,)."""
        run: dict[str, Callable[[], np.ndarray]] = {
            "Retraining": lambda: self._ends(gone)[1],
            "DeltaGrad": lambda: (
                deltagrad(self.model, self.training, gone, period=PERIOD, burn_in=BURN_IN).point
            ),
            "Certified": lambda: self._certified(gone),
            "Amnesiac": lambda: amnesiac(self.model, self.training, gone),
            "Mini": lambda: mini(self.model, self.training, gone, min(k, self.training.length)),
            "Rewind": lambda: rewind(self.model, self.training, gone, K, scaling="mean"),
            "nothing": lambda: self._ends(())[1],
        }
        found: np.ndarray = run[method]()
        return found

    def _certified(self, gone: np.ndarray) -> np.ndarray:
        """The Newton step of certified removal, without its noise, which mini does not name."""
        w = self._ends(())[1]
        return np.asarray(w + newton_step(self.model, w, gone, solver="cg", tolerance=1e-6))

    def _ends(self, gone: Iterable[int]) -> tuple[np.ndarray, np.ndarray]:
        """w_{T-K} and w_T of training without the rows, each batch by what is kept of it."""
        return _ends(self.key, tuple(gone))

    def walk(self, gone: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """The same, run."""
        before = self.training.start
        for t, w, _ in self.training.walk(self.model, np.array(gone, dtype=int), "mean"):
            if t == self.training.length - K:
                before = w.cpu().numpy().copy()
            last = w
        return before, last.cpu().numpy().copy()

    def rewound(self, gone: np.ndarray) -> Bound:
        """mini.rewind: K steps on kept data end within r^K of the distance K steps before."""
        whole, kept = self._ends(()), self._ends(gone)
        measured = float(np.linalg.norm(self.unlearned("Rewind", gone) - kept[1]))
        c = self.model.loss.constants(self.model.data)
        at = {"eta": self.eta, "mu": c.strong_convexity, "L": c.smoothness, "k": K}
        away = float(np.linalg.norm(whole[0] - kept[0]))
        value = float(bounds.get("mini.rewind")("tight", **at, distance=away))
        return Bound("mini.rewind", "tight", measured, value)

    def taught(self) -> float:
        """The threshold of the loss that models on random halves of the rows teach."""
        count = 2 if self.chosen.quick else SHADOWS
        return shadow_models(self.model, self.training, count, seed=self.seed).threshold()

    def attack(self, w: np.ndarray, gone: np.ndarray) -> dict[str, float]:
        """The shadow attack on as many unlearned, retained and test rows; half are members."""
        kept = np.setdiff1d(np.arange(self.model.size), gone)
        count = min(len(gone), self.test.size)
        others = loss_scores(self.test, w, np.arange(count))
        found = {}
        for name, rows in (("unlearned", gone[:count]), ("retained", kept[:count])):
            scores = loss_scores(self.model, w, rows)
            each = rates(scores, others, _threshold(self.key))
            if each.precision is not None:
                found[f"precision, {name}"] = each.precision
            found[f"recall, {name}"] = each.recall
            found[f"AUC, {name}"] = auc(scores, others)
        return found


@lru_cache(maxsize=2)
def _made(key: Key) -> MiniTraining:
    chosen, name, seed, _ = key
    return MiniTraining(of_paper(chosen, name, seed, FILES), key)


@lru_cache(maxsize=64)
def _ends(key: Key, gone: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Models are kept longer than the rows: methods come one after the other, seeds inside."""
    return _made(key).walk(gone)


@lru_cache(maxsize=64)
def _threshold(key: Key) -> float:
    return _made(key).taught()


def learned(chosen: Chosen, name: str, seed: int, eta: float) -> MiniTraining:
    """The run of this seed. Raises NotRun without data."""
    return _made((chosen, name, seed, eta))
