"""What is told of a method that unlearns on data: distances, accuracies, operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.data import about
from simulators.runs.experiment import Run
from simulators.runs.scores import majority
from simulators.runs.trajectory import LearningTask, Measured, in_settings


class UnlearningRun(Run):
    """A learning task, and the report of a method on it.

    Attributes:
        task: data, model, rows to forget, and the training of them.
    """

    experiment: Any

    def __init__(self, experiment: Any) -> None:
        super().__init__(experiment)
        self.task = LearningTask(experiment)

    @cached_property
    def report(self) -> Report:
        """What the method made."""
        with in_settings():
            report: Report = self.experiment.report(self.task)
        return report

    def document(self) -> dict[str, Any]:
        return self.report.document()


def compare(
    task: LearningTask,
    unlearned: Measured,
    scaling: str,
    *,
    precomputation: Measured | None = None,
    path_found_again: float = 0.0,
    **details: Any,
) -> Report:
    """The report of a method whose target is retraining with this scaling.

    path_found_again: how many learned runs the call made to find stored iterates and gradients
    again; a server has them, so they are taken off the count.
    """
    retraining = task.retrained(scaling)
    unlearned.flops -= int(path_found_again * task.learning.flops)
    work = {"learning": task.learning, "unlearning": unlearned, "retraining": retraining}
    if precomputation is not None:
        work["precomputation"] = precomputation
    points = {
        "learned": task.path[-1],
        "unlearned": unlearned.value,
        "retrained": retraining.value,
    }
    details["clip_active"] = task.learning.value.clip_active
    return Report(task, points, work, details, task.training.length)


@dataclass
class Report:
    """The learned, unlearned and retrained models, what was counted, and a method's details.

    points: the three models by name (p,).  work: what each part took, by its name.
    steps: of the training; None for a method that minimises.
    """

    task: LearningTask
    points: dict[str, Any]
    work: dict[str, Measured]
    details: dict[str, Any]
    steps: int | None

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        task = self.task
        remaining = float(np.linalg.norm(self.points["unlearned"] - self.points["retrained"]))
        whole = float(np.linalg.norm(self.points["learned"] - self.points["retrained"]))
        parts = self._parts()
        return {
            "data": about(task.data, parameters=task.model.parameters),
            "settings": task.experiment.settings,
            "steps": self.steps,
            "forgotten": len(task.forget),
            "difference": {
                "norm": whole,
                "left": remaining,
                "ratio": remaining / whole if whole > 0 else None,
            },
            "accuracy": self._accuracies(parts) if _classifies(task) else {},
            "loss": self._table(
                parts, lambda model, w, rows, data: float(model.values(w, rows).mean())
            ),
            "membership_auc": self._membership(parts),
            "loss_change_correlation": self._correlation(),
            "operations": {name: call.flops for name, call in self.work.items()},
            "seconds": {name: call.seconds for name, call in self.work.items()},
            "details": self.details,
        }

    def _parts(self) -> dict[str, tuple[Any, Any, Any]]:
        """(model, rows, data) of the retained, the forgotten and the held-out samples."""
        task = self.task
        parts = {"forgotten": (task.model, task.forget, task.data)}
        if len(task.remaining):
            parts["retained"] = (task.model, task.remaining, task.data)
        if task.test is not None:
            every = np.arange(len(task.test))
            parts["test"] = (task.model_of(task.test), every, task.test)
        return parts

    def _accuracies(self, parts: dict[str, tuple[Any, Any, Any]]) -> dict[str, dict[str, float]]:
        """Of the models, and of always naming the class that most rows learned from have."""
        largest = majority(self.task.data, self.task.data)[0]
        always = {
            part: float((data.targets[rows] == largest).mean())
            for part, (_, rows, data) in parts.items()
        }
        return {**self._table(parts, _accuracy), "larger_class": always}

    def _table(
        self, parts: dict[str, tuple[Any, Any, Any]], measure: Callable[..., float]
    ) -> dict[str, dict[str, float]]:
        return {
            name: {
                part: measure(model, model.tensor(point), rows, data)
                for part, (model, rows, data) in parts.items()
            }
            for name, point in self.points.items()
        }

    def _correlation(self) -> float | None:
        """Pearson's, over the forgotten rows, of the loss changes by unlearning and retraining."""
        task = self.task
        losses = {
            name: task.model.values(task.model.tensor(point), task.forget).cpu().numpy()
            for name, point in self.points.items()
        }
        ours, target = (losses[name] - losses["learned"] for name in ("unlearned", "retrained"))
        if min(np.ptp(ours), np.ptp(target)) <= 1e-12 * np.abs(losses["learned"]).max():
            return None  # constant to rounding: one row, or nothing moved
        return float(np.corrcoef(ours, target)[0, 1])

    def _membership(self, parts: dict[str, tuple[Any, Any, Any]]) -> dict[str, float]:
        """AUC of the loss threshold, forgotten against held-out samples."""
        from simulators.trajectory.membership import auc, loss_scores

        if "test" not in parts:
            return {}
        (model, rows, _), (other, others, _) = parts["forgotten"], parts["test"]
        return {
            name: auc(loss_scores(model, point, rows), loss_scores(other, point, others))
            for name, point in self.points.items()
        }


def _classifies(task: LearningTask) -> bool:
    if task.experiment.loss in ("softmax", "logistic", "hinge"):
        return True
    return task.data.targets is not None and bool((np.abs(task.data.targets) == 1.0).all())


def _accuracy(model: Any, w: Any, rows: Any, data: Any) -> float:
    features, labels, w = data.features[rows], data.targets[rows], w.cpu().numpy()
    if hasattr(model, "matrix"):
        predicted = (features @ model.matrix(w)).argmax(axis=1)
    else:
        predicted = np.where(features @ w >= 0, 1.0, -1.0)
    return float((predicted == labels).mean())
