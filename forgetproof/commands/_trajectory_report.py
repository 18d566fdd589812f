"""What the trajectory commands of `simulate` report: distances, accuracies, operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from forgetproof.commands._trajectory_world import Measured, World


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
        "learned": world.path[-1], "unlearned": unlearned.value, "retrained": retraining.value
    }  # fmt: skip
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

    def document(self, algorithm: str) -> dict[str, Any]:
        """Everything, ready for JSON."""
        import numpy as np

        world = self.world
        left = float(np.linalg.norm(self.points["unlearned"] - self.points["retrained"]))
        whole = float(np.linalg.norm(self.points["learned"] - self.points["retrained"]))
        parts = self._parts()
        return {
            "algorithm": algorithm,
            "data": {
                "name": world.data.name, "n": world.model.size,
                "dimension": world.data.dimension, "parameters": world.model.parameters,
                "sha256": world.data.sha256, "record": list(world.data.record),
            },
            "settings": {k: v for k, v in world.options.items() if v is not None},
            "steps": self.steps,
            "forgotten": len(world.forget),
            "difference": {
                "norm": whole, "left": left, "ratio": left / whole if whole > 0 else None
            },
            "accuracy": self._table(parts, _accuracy) if _classifies(world) else {},
            "loss": self._table(parts, lambda model, w, rows, data: float(
                model.values(w, rows).mean()
            )),
            "membership_auc": self._membership(parts),
            "loss_change_correlation": self._correlation(),
            "operations": {name: done.flops for name, done in self.counted.items()},
            "seconds": {name: done.seconds for name, done in self.counted.items()},
            "details": self.details,
        }  # fmt: skip

    def _parts(self) -> dict[str, tuple[Any, Any, Any]]:
        """(model, rows, data) of the retained, the forgotten and the held-out samples."""
        import numpy as np

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
        import torch

        return {
            name: {
                part: measure(model, torch.tensor(point), rows, data)
                for part, (model, rows, data) in parts.items()
            }
            for name, point in self.points.items()
        }

    def _correlation(self) -> float | None:
        """Pearson's, over the forgotten rows, of the loss changes by unlearning and retraining."""
        import numpy as np
        import torch

        world = self.world
        losses = {
            name: world.model.values(torch.tensor(point), world.forget).numpy()
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
    import numpy as np

    if world.options["loss"] in ("softmax", "logistic", "hinge"):
        return True
    return world.data.targets is not None and bool((np.abs(world.data.targets) == 1.0).all())


def _accuracy(model: Any, w: Any, rows: Any, data: Any) -> float:
    import numpy as np

    features, labels = data.features[rows], data.targets[rows]
    if hasattr(model, "matrix"):
        found = (features @ model.matrix(w.numpy())).argmax(axis=1)
    else:
        found = np.where(features @ w.numpy() >= 0, 1.0, -1.0)
    return float((found == labels).mean())


def show(document: dict[str, Any]) -> None:
    """Prints the document as text."""
    data, found = document["data"], document["difference"]
    click.echo(
        f"{document['algorithm']} on {data['name']}: n = {data['n']}, p = {data['parameters']}, "
        f"{document['forgotten']} forgotten"
    )
    for line in data["record"]:
        click.echo(f"  {line}")
    click.echo(f"  |retrained - learned|    {found['norm']:.6g}")
    click.echo(f"  |unlearned - retrained|  {found['left']:.6g}")
    ratio = found["ratio"]
    click.echo("  ratio                    " + ("-" if ratio is None else f"{ratio:.6g}"))
    click.echo(f"  {'':<12} {'retained':>10} {'forgotten':>10} {'test':>10}")
    for measure in ("accuracy", "loss"):
        for name, values in document[measure].items():
            cells = (values.get(part) for part in ("retained", "forgotten", "test"))
            shown = " ".join(f"{'-' if x is None else format(x, '.4f'):>10}" for x in cells)
            click.echo(f"  {measure + ',':<9} {name:<10} {shown}")
    for name, area in document["membership_auc"].items():
        click.echo(f"  membership AUC, {name:<10} {area:.4f}")
    if document["loss_change_correlation"] is not None:
        click.echo(f"  correlation of loss changes {document['loss_change_correlation']:.4f}")
    for name, flops in document["operations"].items():
        click.echo(f"  operations, {name:<14} {flops:.6g}")
    for name, value in document["details"].items():
        inner = value if isinstance(value, dict) else {"": value}
        for part, number in inner.items():
            label = f"{name} {part}".strip().replace("_", " ")
            click.echo(f"  {label}: {number:.6g}" if isinstance(number, float) else
                       f"  {label}: {number}")  # fmt: skip
