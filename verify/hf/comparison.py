"""The approximators of hf and mini on real data, each against the retraining it approximates.

Multinomial logistic regression. Distances are to the retrained parameters, as fractions of how far
retraining moves them (1: no better than doing nothing).  Two retrainings are approximated: "slots"
(hf eq 5: a batch keeps its size) and "mean" (mini eq 2: the mean of what is kept).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.hf.certificates import error_aposteriori

RATIOS = (0.01, 0.05, 0.1, 0.2, 0.3)


@dataclass(frozen=True)
class MethodEntry:
    """One method at one deletion ratio, averaged over the seeds.

    moved: |retrained - learned|.  error: |approximation - retrained|.  bound: a certified bound on
    the error where there is one.  seconds: of serving the request, statistics at hand.
    """

    data: str
    method: str
    retraining: str
    ratio: float
    moved: float
    error: float
    bound: float | None
    seconds: float

    @property
    def share(self) -> float:
        """error/moved."""
        return self.error / self.moved


@dataclass(frozen=True)
class RecollectionProblem:
    """A learning problem with its statistics for every sample.

    eta, decay, epochs: of full-batch descent, as hf trains its logistic regression.
    """

    name: str
    model: Any
    training: Any
    learned: Any
    paper: Any
    norms: np.ndarray
    constants: Any

    @classmethod
    def of(
        cls,
        data: Any,
        name: str,
        *,
        eta: float = 0.5,
        decay: float = 0.995,
        epochs: int = 50,
        regularisation: float = 1e-6,
    ) -> RecollectionProblem:
        """Full-batch training on the data (targets are class numbers), from 0."""
        from simulators.losses.softmax import Softmax
        from simulators.trajectory.models import SoftmaxScore
        from simulators.trajectory.recursion import Recursion
        from simulators.trajectory.training import Training, batches_of, geometric_steps
        from simulators.trajectory.variants import follow

        loss = Softmax(int(data.targets.max()) + 1, regularisation)
        model = SoftmaxScore(loss, data)
        batches = batches_of(len(data), len(data), epochs, shuffle=False)
        steps = geometric_steps(eta, decay, epochs)
        training = Training(batches, steps, np.zeros(model.parameters))
        found = follow(model, training, "each", Recursion("batch"), record_norms=True)
        assert found.norms is not None
        learned = training.run(model)
        constants = loss.constants(data)
        return cls(name, model, training, learned, found.vectors, found.norms, constants)

    @property
    def size(self) -> int:
        """n."""
        return int(self.model.size)

    def retrained(self, gone: np.ndarray, scaling: str) -> np.ndarray:
        """v_T."""
        last: np.ndarray = self.training.run(self.model, gone, scaling).last
        return last


def compare(
    problem: RecollectionProblem,
    ratios: Sequence[float] = RATIOS,
    *,
    seeds: Iterable[int] = range(3),
    k: int = 10,
) -> list[MethodEntry]:
    """Every method at every ratio, on random sets. k: steps followed by Mini and Rewind."""
    entries: list[MethodEntry] = []
    for ratio in ratios:
        rows: dict[tuple[str, str], list[tuple[float, float, float | None, float]]] = {}
        for seed in seeds:
            random = np.random.default_rng([seed, round(1000 * ratio)])
            deletions = np.sort(
                random.permutation(problem.size)[: max(1, round(ratio * problem.size))]
            )
            for key, values in _methods(problem, deletions, k).items():
                rows.setdefault(key, []).append(values)
        for (method, retraining), measurements in rows.items():
            bounds = [row[2] for row in measurements]
            distance, error = (float(np.mean([row[i] for row in measurements])) for i in (0, 1))
            bound = None if None in bounds else float(np.mean([b for b in bounds if b]))
            seconds = float(np.median([row[3] for row in measurements]))
            entries.append(
                MethodEntry(
                    problem.name, method, retraining, ratio, distance, error, bound, seconds
                )
            )
    return entries


def _methods(
    problem: RecollectionProblem, gone: np.ndarray, k: int
) -> dict[tuple[str, str], tuple[float, float, float | None, float]]:
    """(method, retraining) -> (moved, error, bound, seconds)."""
    from simulators.trajectory.deltagrad import deltagrad
    from simulators.trajectory.mini import mini
    from simulators.trajectory.recursion import Recursion, differences
    from simulators.trajectory.rewind import rewind

    model, training, start = problem.model, problem.training, problem.learned.last
    begin = problem.learned.points[max(training.length - k, 0)]

    def following(rule: Recursion) -> np.ndarray:
        return np.asarray(start + differences(model, training, [gone], rule).vectors[0])

    late = Recursion("batch", order="late")
    table: dict[tuple[str, str], Callable[[], np.ndarray]] = {
        ("hf, stored statistics", "slots"): lambda: start + problem.paper[gone].sum(axis=0),
        ("hf, order of eq 23", "slots"): lambda: following(late),
        ("leave-one-out, the set", "slots"): lambda: following(Recursion("kept")),
        ("hf, order of eq 23", "mean"): lambda: following(late),
        (f"Mini, k = {k}", "mean"): lambda: mini(model, training, gone, k),
        (f"Rewind, k = {k}", "mean"): lambda: rewind(model, training, gone, k, from_point=begin),
        ("DeltaGrad", "mean"): lambda: deltagrad(model, training, gone, period=5, burn_in=10).point,
    }
    targets = {name: problem.retrained(gone, _SCALING[name]) for name in ("slots", "mean")}
    entries = {}
    for (method, retraining), work in table.items():
        begun = time.perf_counter()
        point = work()
        seconds = time.perf_counter() - begun
        target = targets[retraining]
        bound = certified(problem, gone) if method == "hf, stored statistics" else None
        distance, error = (float(np.linalg.norm(target - x)) for x in (start, point))
        entries[method, retraining] = (distance, error, bound, seconds)
    return entries


_SCALING = {"slots": "linear", "mean": "mean"}


def certified(problem: RecollectionProblem, gone: np.ndarray) -> float:
    """Form (C') of Theorem 4.3 from the stored norms: a bound on the error without the data."""
    length, c = problem.training.length, problem.constants
    m = np.full(length, float(len(gone)))
    n = np.full(length, float(problem.size))
    norms = problem.norms[gone, :length].sum(axis=0)
    constants = c.strong_convexity, c.smoothness, c.hessian_lipschitz
    errors = error_aposteriori(problem.training.steps, m, n, norms, *constants, "batch")
    return float(errors[-1])
