"""Methods that train once, unlearn rows along the path, and are compared with retraining."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from accounting.numerics import validation
from accounting.problems.options import positive, text, whole, word
from simulators.runs import path_extremes
from simulators.runs.comparison import Report, UnlearningRun, compare
from simulators.runs.data import OnRows
from simulators.runs.deletion_options import (
    DeletionOptions,
    TrainingOptions,
    divisor,
    last_steps,
)
from simulators.runs.path_run import PathRun
from simulators.runs.path_samples import LAST_STEPS, RECOLLECTIONS
from simulators.runs.trajectory import LearningTask, measured


@dataclass(frozen=True, kw_only=True, eq=False)
class HessianFree(TrainingOptions, DeletionOptions, OnRows):
    """Hessian-free recollection: statistics of all samples, deletion by vector addition."""

    algorithm = "recollection"
    example = "--data digits --epochs 30 --batch-size 64 --decay 0.995 --hessian kept"
    measures = PathRun
    default_scaling: ClassVar = "linear"
    samples: ClassVar = RECOLLECTIONS
    extremes: ClassVar = path_extremes.RECOLLECTIONS

    scaling: str | None = divisor()
    hessian: str = word("As the paper has it, or without the forgotten samples.", "batch", "kept")
    statistics: str = word(
        "Of all samples, added up; or of the set, which must be known in advance.", "each", "set"
    )
    memory: float = positive("Bytes for statistics.", 2.0**30, shown="1 GiB")
    folder: str | None = text("Keep the statistics in files there, whatever their size.")

    def unused(self) -> dict[str, str]:
        set_known = dict.fromkeys(("memory", "folder"), "with statistics set")
        return super().unused() | (set_known if self.statistics == "set" else {})

    def report(self, task: LearningTask) -> Report:
        """Unlearns and compares."""
        from simulators.trajectory.recollection import Recollection
        from simulators.trajectory.recursion import Recursion
        from simulators.trajectory.variants import follow

        recursion = Recursion(self.hessian, self.scaling or self.default_scaling)
        if self.statistics == "each":
            place: dict[str, Any] = {"memory": self.memory, "folder": self.folder}
            store = measured(
                lambda: Recollection.learn(task.model, task.training, recursion, **place)
            )
            point = measured(lambda: store.value.forget(task.forget))
            return compare(task, point, recursion.scaling, precomputation=store)
        of_the_set = measured(lambda: follow(task.model, task.training, [task.forget], recursion))
        of_the_set.value = of_the_set.value.learned + of_the_set.value.vectors[0]
        return compare(task, of_the_set, recursion.scaling, path_found_again=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class LastSteps(TrainingOptions, DeletionOptions, OnRows):
    """Mini-Unlearning: the last k steps of the recursion, on top of the learned model."""

    algorithm = "mini"
    example = "--data digits --batch-size 64 --k 10 --hessian lbfgs"
    measures = PathRun
    default_scaling: ClassVar = "mean"
    samples: ClassVar = LAST_STEPS
    extremes: ClassVar = path_extremes.LAST_STEPS

    k: int = last_steps()
    hessian: str = word("Of the recursion.", "exact", "lbfgs")
    pairs: int = whole("m of L-BFGS.", 2)

    def unused(self) -> dict[str, str]:
        exact = self.hessian == "exact"
        return super().unused() | ({"pairs": "with hessian exact"} if exact else {})

    def report(self, task: LearningTask) -> Report:
        """Unlearns and compares."""
        from simulators.trajectory.lbfgs import mini_lbfgs
        from simulators.trajectory.mini import mini

        arguments = (task.model, task.training, task.forget, self.k)
        if self.hessian == "exact":
            unlearned = measured(lambda: mini(*arguments))
        else:
            unlearned = measured(lambda: mini_lbfgs(*arguments, pairs=self.pairs))
        return compare(task, unlearned, self.default_scaling, path_found_again=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Rewinding(TrainingOptions, DeletionOptions, OnRows):
    """The last k steps again, on what is kept, from the stored w_{T-k}."""

    algorithm = "rewind"
    example = "--data digits --batch-size 64 --k 10"
    measures = UnlearningRun

    k: int = last_steps()
    scaling: str | None = divisor()

    def report(self, task: LearningTask) -> Report:
        """Unlearns and compares."""
        from simulators.trajectory.rewind import rewind

        k = validation.count("k", self.k, low=0, high=task.training.length)
        start = task.path[task.training.length - k]
        how = {"scaling": self.scaling or "mean", "from_point": start}
        unlearned = measured(lambda: rewind(task.model, task.training, task.forget, k, **how))
        return compare(task, unlearned, how["scaling"])


@dataclass(frozen=True, kw_only=True, eq=False)
class DeltaGrad(TrainingOptions, DeletionOptions, OnRows):
    """DeltaGrad: retraining with most gradients replaced by stored ones and L-BFGS products."""

    algorithm = "deltagrad"
    example = "--data digits --batch-size 64 --period 5 --burn-in 10"
    measures = UnlearningRun

    period: int = whole("T_0.", 5)
    burn_in: int = whole("j_0.", 10)
    pairs: int = whole("m of L-BFGS.", 2)

    def unused(self) -> dict[str, str]:
        return super().unused() | {"clip": "to DeltaGrad, whose stored gradients have none"}

    def report(self, task: LearningTask) -> Report:
        """Unlearns and compares."""
        from simulators.trajectory.deltagrad import deltagrad

        settings = {"period": self.period, "burn_in": self.burn_in, "pairs": self.pairs}
        unlearned = measured(lambda: deltagrad(task.model, task.training, task.forget, **settings))
        exact_steps, unlearned.value = unlearned.value.exact_steps, unlearned.value.point
        # A step finds its scores, its gradient and, for the store, that gradient once more.
        return compare(task, unlearned, "mean", path_found_again=1.5, exact_steps=exact_steps)


@dataclass(frozen=True, kw_only=True, eq=False)
class Amnesiac(TrainingOptions, DeletionOptions, OnRows):
    """Amnesiac unlearning: every step that saw a forgotten sample is taken back."""

    algorithm = "amnesiac"
    example = "--data digits --batch-size 16 --epochs 5 --ratio 0.01"
    measures = UnlearningRun

    def report(self, task: LearningTask) -> Report:
        """Unlearns and compares."""
        from simulators.trajectory.amnesiac import amnesiac, untouched_probability

        unlearned = measured(lambda: amnesiac(task.model, task.training, task.forget))
        size = max(len(rows) for rows in task.training.batches)
        untouched = untouched_probability(task.model.size, len(task.forget), size)
        return compare(
            task,
            unlearned,
            "mean",
            path_found_again=1,
            probability_of_an_untouched_batch=untouched,
        )
