"""The streams of safe's experiments on softmax regression: every method, and its accuracies.

The paper trains a CNN on 60,000 images with a weight decay of 1e-4, and 400 of them leave in every
round.  Here the same ridge holds, and the same share leaves in a round; of other data 400 rows, or
as many as leave half of them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

import bounds
from simulators.data.dataset import Dataset
from simulators.losses.softmax import Softmax
from simulators.streaming.baselines import perturbed_descent, retrain
from simulators.streaming.deletions import Deletions, by_class, random_subsets
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk
from simulators.streaming.safe import safe
from simulators.trajectory.membership import Shadows, auc, rates
from verify.showcases.arrays import of_paper
from verify.showcases.cells import Bound
from verify.showcases.data import Chosen

PAPER_ROWS, RIDGE, CONSTANT, WEIGHT = 60_000, 1e-4, 2.5, 1000.0
TEST_SHARE, TOLERANCE = 0.25, 3e-4
# Desc: J and its noise are not given; these leave the accuracies near their start.
STEPS, SIGMA = 10, 0.003
ALONE = 1e12
"""A weight beside which the retention gradient is nothing: safe's "w/o TR"."""
MOST = 2000
"""Rows of each kind that an attack learns from."""
METRICS = ("RA", "FA", "TA", "MIA", "AUC", "precision", "recall")


Key = tuple[Chosen, str, int, int, int, bool]
"""What was chosen, the data set, the seed, rounds, size, and whether one class leaves."""
FILES = {"CoverType": "covtype", "SST-2": "sst2"}


@dataclass(frozen=True)
class PaperStream:
    """One stream of deletions of random rows, or of the first class, `size` of the paper's n."""

    data: Dataset
    name: str
    seed: int
    rounds: int
    size: int
    one_class: bool
    device: str
    key: Key

    @cached_property
    def parts(self) -> tuple[Dataset, Dataset]:
        """Rows to learn from, and to test on."""
        data = self.data.normalised().shuffled(self.seed)
        return data.split(TEST_SHARE)

    @cached_property
    def labels(self) -> np.ndarray:
        """Of the rows to learn from."""
        targets = self.parts[0].targets
        assert targets is not None
        return np.asarray(targets, dtype=np.int64)

    @cached_property
    def risk(self) -> Risk:
        """Softmax regression on all classes."""
        return Risk(self.parts[0], Softmax(int(self.labels.max()) + 1, RIDGE), self.device)

    @cached_property
    def deletions(self) -> Deletions:
        """Who leaves, and when."""
        n = len(self.parts[0])
        if self.one_class:
            count = int((self.labels == 0).sum())
            sizes = [len(part) for part in np.array_split(np.arange(count), self.rounds)]
            return by_class(self.labels, [0] * self.rounds, sizes, seed=self.seed)
        share = max(1, round(self.size * n / PAPER_ROWS))
        if self.name != "MNIST":
            share = max(1, min(self.size, n // (2 * self.rounds)))
        return random_subsets(n, [share] * self.rounds, seed=self.seed)

    @property
    def optimal(self) -> np.ndarray:
        """w_0*..w_T* (T + 1, d, classes)."""
        return _solved(self.key)[0]

    @property
    def start(self) -> np.ndarray:
        """w_0*."""
        found: np.ndarray = self.optimal[0]
        return found

    def solve(self) -> tuple[np.ndarray, float]:
        """w_0*..w_T*, each from the one before, and processor seconds of a round."""
        first = Minimiser(self.risk, TOLERANCE).center.cpu().numpy()
        begun = time.process_time()
        run = retrain(self.risk, self.deletions, tolerance=TOLERANCE)
        each = (time.process_time() - begun) / self.rounds
        return np.concatenate([first[None], run.held[0]]), each

    def step_length(self, constant: float) -> float:
        """gamma = sqrt(W)/(K sqrt T), W the public bound on minimisers."""
        return float(np.sqrt(self.risk.radius / self.rounds) / constant)

    def published(
        self,
        method: str,
        *,
        constant: float = CONSTANT,
        weight: float = WEIGHT,
        variant: str = "printed",
    ) -> tuple[np.ndarray, float]:
        """w_1..w_T (T, d, classes) without noise for privacy, and processor seconds of a round."""
        if method == "Retrain":
            return self.optimal[1:], _solved(self.key)[1]
        if method == "keep w_0":
            return np.repeat(self.start[None], self.rounds, axis=0), 0.0
        start, begun = self.start, time.process_time()
        if method == "Desc":
            run = perturbed_descent(
                self.risk,
                self.deletions,
                steps=STEPS,
                sigma=SIGMA,
                seed=self.seed,
                tolerance=TOLERANCE,
            )
            models = run.published[0]
        else:
            found = safe(
                self.parts[0],
                self.deletions,
                regularisation=RIDGE,
                weight=weight,
                gamma=self.step_length(constant),
                variant=variant,
                w0=start,
                seed=self.seed,
                device=self.device,
                classes=int(self.labels.max()) + 1,
            )
            assert found.noiseless is not None
            models = found.noiseless[0]
        return models, (time.process_time() - begun) / self.rounds

    def accuracies(self, models: np.ndarray) -> np.ndarray:
        """RA, FA, TA in percent of every round (T, 3)."""
        learn, test = self.parts
        found = []
        for t, w in enumerate(models, start=1):
            right = _right(learn, w)
            kept = self.deletions.kept(t)[0]
            found.append((right[kept].mean(), right[~kept].mean(), _right(test, w).mean()))
        return 100 * np.array(found)

    def by_classes(self, models: np.ndarray) -> dict[str, np.ndarray]:
        """In percent, by round (T,): of the classes that stay, and of the one that leaves."""
        learn, test = self.parts
        assert test.targets is not None
        found = {}
        for rows, own, stay, gone in (
            (learn, self.labels, "RA", "FA"),
            (test, test.targets, "TA(R)", "TA(F)"),
        ):
            right = np.array([_right(rows, w) for w in models])
            found[stay] = 100 * right[:, own != 0].mean(axis=1)
            found[gone] = 100 * right[:, own == 0].mean(axis=1)
        return found

    def attacks(self, model: np.ndarray) -> dict[str, float]:
        """Membership inference on the last model, as the paper does it and by a threshold.

        MIA: share of forgotten rows, in percent, that an RBF machine takes for kept ones; it has
        learned the outputs of kept and of test rows.  AUC, precision, recall: of the loss, with the
        forgotten against the second half of the test rows, and the threshold from kept rows and
        the first half.
        """
        from sklearn.svm import SVC

        learn, test = self.parts
        kept = self.deletions.kept(self.rounds)[0]
        half = len(test) // 2
        outside = np.arange(half)[:MOST]
        inside = np.flatnonzero(kept)[: len(outside)]  # as many, or the machine says the larger
        held, seen = _outputs(learn, model), _outputs(test, model)
        machine = SVC(kernel="rbf", gamma="scale")
        labels = np.repeat([1, 0], [len(inside), len(outside)])
        machine.fit(np.concatenate([held[inside], seen[outside]]), labels)
        own, other = _losses(learn, model), _losses(test, model)
        both = np.concatenate([own[inside], other[outside]])
        cut = Shadows(both[None], labels[None].astype(bool)).threshold()
        found = rates(-own[~kept], -other[half:], cut)
        return {
            "MIA": 100 * float(machine.predict(held[~kept]).mean()),
            "AUC": auc(-own[~kept], -other[half:]),
            **({} if found.precision is None else {"precision": found.precision}),
            "recall": found.recall,
        }

    def held(self, models: np.ndarray, constant: float) -> list[Bound]:
        """SAFE's distance and the path, against what the ridge certifies of them."""
        gone = int(self.deletions.sizes[0].sum())
        gamma, n = self.step_length(constant), len(self.parts[0])
        risk, path = self.risk, self.optimal
        away = float(np.linalg.norm(models[-1] - path[-1]))
        moved = float(np.linalg.norm(np.diff(path, axis=0).reshape(self.rounds, -1), axis=1).sum())
        at = {"mu": RIDGE, "L": risk.lipschitz}
        distance = float(bounds.get("safe.thm2iii.ridge")("tight", n=n, M=gone, gamma=gamma, **at))
        length = float(
            bounds.get("safe.vt.ridge")("tight", n=n, deletions=self.deletions.sizes[0], **at)
        )
        return [
            Bound("safe.thm2iii.ridge", "tight", away, distance),
            Bound("safe.vt.ridge", "tight", moved, length),
        ]


@lru_cache(maxsize=1)
def _made(key: Key) -> PaperStream:
    chosen, name, seed, rounds, size, one_class = key
    data = of_paper(chosen, name, seed, FILES)
    return PaperStream(data, name, seed, rounds, size, one_class, chosen.device, key)


@lru_cache(maxsize=64)
def _solved(key: Key) -> tuple[np.ndarray, float]:
    """Minimisers are kept longer than the rows: methods come one after the other, seeds inside."""
    return _made(key).solve()


def stream(
    chosen: Chosen,
    seed: int,
    rounds: int = 20,
    size: int = 400,
    *,
    one_class: bool = False,
    name: str = "MNIST",
) -> PaperStream:
    """The stream of this seed. Raises NotRun without data."""
    rounds = min(rounds, 3) if chosen.quick else rounds
    return _made((chosen, name, seed, rounds, size, one_class))


def averaged(found: PaperStream, models: np.ndarray) -> Mapping[str, float]:
    """Accuracies, the mean over rounds, and the attacks on the last model."""
    means = found.accuracies(models).mean(axis=0)
    return dict(zip(METRICS, means.tolist(), strict=False)) | found.attacks(models[-1])


def _outputs(data: Dataset, w: np.ndarray) -> np.ndarray:
    scores = data.features @ w
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def _losses(data: Dataset, w: np.ndarray) -> np.ndarray:
    assert data.targets is not None
    own = _outputs(data, w)[np.arange(len(data)), data.targets.astype(int)]
    return np.asarray(-np.log(np.maximum(own, 1e-300)))


def _right(data: Dataset, w: np.ndarray) -> np.ndarray:
    correct: np.ndarray = (data.features @ w).argmax(axis=1) == data.targets
    return correct
