"""What is told of a method that unlearns on data: distances, accuracies, operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulators.experiments.data import about
from simulators.experiments.trajectory import Measured, World


def compare(
    world: World,
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
    retraining = world.retrained(scaling)
    unlearned.flops -= int(path_found_again * world.learning.flops)
    counted = {"learning": world.learning, "unlearning": unlearned, "retraining": retraining}
    if precomputation is not None:
        counted["precomputation"] = precomputation
    points = {
        "learned": world.path[-1],
        "unlearned": unlearned.value,
        "retrained": retraining.value,
    }
    details["clip_active"] = world.learning.value.clip_active
    return Report(world, points, counted, details, world.training.length)


@dataclass
class Report:
    """The learned, unlearned and retrained models, what was counted, and a method's details.

    steps: of the training; None for a method that minimises.
    """

    world: World
    points: dict[str, Any]
    counted: dict[str, Measured]
    details: dict[str, Any]
    steps: int | None

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        world = self.world
        left = float(np.linalg.norm(self.points["unlearned"] - self.points["retrained"]))
        whole = float(np.linalg.norm(self.points["learned"] - self.points["retrained"]))
        parts = self._parts()
        return {
            "data": about(world.data, parameters=world.model.parameters),
            "settings": world.asked.settings,
            "steps": self.steps,
            "forgotten": len(world.forget),
            "difference": {
                "norm": whole,
                "left": left,
                "ratio": left / whole if whole > 0 else None,
            },
            "accuracy": self._table(parts, _accuracy) if _classifies(world) else {},
            "loss": self._table(
                parts, lambda model, w, rows, data: float(model.values(w, rows).mean())
            ),
            "membership_auc": self._membership(parts),
            "loss_change_correlation": self._correlation(),
            "operations": {name: done.flops for name, done in self.counted.items()},
            "seconds": {name: done.seconds for name, done in self.counted.items()},
            "details": self.details,
        }

    def _parts(self) -> dict[str, tuple[Any, Any, Any]]:
        """(model, rows, data) of the retained, the forgotten and the held-out samples."""
        world = self.world
        kept = np.setdiff1d(np.arange(world.model.size), world.forget)
        parts = {"forgotten": (world.model, world.forget, world.data)}
        if len(kept):
            parts["retained"] = (world.model, kept, world.data)
        if world.test is not None:
            every = np.arange(len(world.test))
            parts["test"] = (world.model_of(world.test), every, world.test)
        return parts

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
        world = self.world
        losses = {
            name: world.model.values(world.model.tensor(point), world.forget).cpu().numpy()
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


def _classifies(world: World) -> bool:
    if world.asked.loss in ("softmax", "logistic", "hinge"):
        return True
    return world.data.targets is not None and bool((np.abs(world.data.targets) == 1.0).all())


def _accuracy(model: Any, w: Any, rows: Any, data: Any) -> float:
    features, labels, w = data.features[rows], data.targets[rows], w.cpu().numpy()
    if hasattr(model, "matrix"):
        found = (features @ model.matrix(w)).argmax(axis=1)
    else:
        found = np.where(features @ w >= 0, 1.0, -1.0)
    return float((found == labels).mean())
