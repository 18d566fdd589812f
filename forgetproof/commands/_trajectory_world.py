"""Data, model, training and comparison that the trajectory commands of `simulate` share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from forgetproof.commands._experiment import load, make_loss

MOST_WORK = 10**15  # operations of one training


@dataclass
class Measured:
    """What a call returned, its matrix-product operations, and its seconds."""

    value: Any
    flops: int
    seconds: float


def measured(work: Callable[[], Any]) -> Measured:
    """Calls it and counts."""
    from simulators.trajectory.operations import Counter

    start = time.perf_counter()
    with Counter() as counter:
        value = work()
    return Measured(value, counter.flops, time.perf_counter() - start)


class World:
    """One learning problem with its rows to forget and rows held out."""

    def __init__(self, options: dict[str, Any]) -> None:
        import numpy as np

        from accounting import validation

        self.options = options
        seed = validation.count("seed", options["seed"], low=0)
        data = self._load()
        if options["normalise"]:
            data = data.normalised()
        share = validation.scalar("test_share", options["test_share"], low=0.0, high=0.9)
        data = data.shuffled(seed)
        held = int(share * len(data))
        self.test = data._take(np.arange(len(data) - held, len(data)), "test") if held else None
        self.data = data.first(len(data) - held)
        self.forget = self._rows_to_forget(np.random.default_rng(seed))
        self.loss = make_loss(options["loss"], options["regularisation"], None, data)
        self.model = self._model(self.data)
        self.training = self._training(seed)

    def _load(self) -> Any:
        from simulators.data import sklearn_sets

        options = self.options
        if options["loss"] == "softmax" and options["data"] in ("digits", "wine"):
            return getattr(sklearn_sets, options["data"])(None)
        return load(
            options["data"], folder=options["data_folder"], n=options["n"],
            dimension=options["dimension"], seed=options["seed"],
        )  # fmt: skip

    def _rows_to_forget(self, random: Any) -> Any:
        import numpy as np

        from accounting import validation

        n, text = len(self.data), self.options["forget"]
        if text is not None:
            try:
                rows = [int(part) for part in text.split(",")]
            except ValueError:
                raise ValueError(f"forget must be rows such as 0,3,8, got {text!r}") from None
            return np.unique(validation.integer("forget", rows, low=0, high=n - 1))
        ratio = validation.scalar(
            "ratio", self.options["ratio"], low=0.0, low_open=True, high=1.0, high_open=True
        )
        return np.sort(random.permutation(n)[: min(max(1, round(ratio * n)), n - 1)])

    def _model(self, data: Any) -> Any:
        import numpy as np

        from simulators.trajectory.generic import FunctionModel
        from simulators.trajectory.models import LinearScore, SoftmaxScore

        name, lam = self.options["loss"], self.options["regularisation"]
        if name == "softmax":
            return SoftmaxScore(self.loss, data)
        if name == "quadratic":
            return FunctionModel(
                lambda w, x, y: 0.5 * lam * (w @ w) - x @ w,
                data.features.copy(), np.zeros(len(data)), data.dimension,
            )  # fmt: skip
        return LinearScore(self.loss, data)

    def _training(self, seed: int) -> Any:
        import numpy as np

        from accounting import validation
        from forgetproof.commands.simulate import _step
        from simulators.trajectory.training import Training, batches_of, geometric_steps

        n, options = self.model.size, self.options
        size = n if options["batch_size"] is None else options["batch_size"]
        size = validation.count("batch_size", size, low=1, high=n)
        epochs = validation.count("epochs", options["epochs"], low=1)
        work = 4 * epochs * n * self.model.parameters
        if work > MOST_WORK:
            most = MOST_WORK * epochs // work
            raise ValueError(f"epochs must be at most {most} for this problem, got {epochs}")
        batches = batches_of(n, size, epochs, seed=seed, shuffle=size < n)
        eta = _step(options["step_size"], self.loss.constants(self.data), n)
        steps = geometric_steps(eta, options["decay"], len(batches))
        start = np.zeros(self.model.parameters)
        return Training(batches, steps, start, clip=options["clip"])

    @cached_property
    def path(self) -> Any:
        """w_0..w_T."""
        return self.learning.value.points

    @cached_property
    def learning(self) -> Measured:
        """The learned run."""
        return measured(lambda: self.training.run(self.model))

    def report(
        self,
        unlearned: Measured,
        scaling: str | None,
        *,
        learned: Any = None,
        linear: Any = None,
        precomputation: Measured | None = None,
        **details: Any,
    ) -> Report:
        """Compare with retraining, or, where `scaling` is None, with the retained minimiser."""
        import numpy as np

        if scaling is None:
            from simulators.trajectory.newton import minimiser

            kept = np.setdiff1d(np.arange(self.model.size), self.forget)
            retraining = measured(lambda: minimiser(self.model, kept, linear=linear))
        else:
            retraining = measured(lambda: self._last(scaling))
            learned = self.path[-1]
            details["clip_active"] = self.learning.value.clip_active
        counted = {"retraining": retraining, "unlearning": unlearned}
        if precomputation is not None:
            counted["precomputation"] = precomputation
        if scaling is not None:
            counted["learning"] = self.learning
        points = {"learned": learned, "unlearned": unlearned.value, "retrained": retraining.value}
        return Report(self, points, counted, details)

    def _last(self, scaling: str) -> Any:
        point = None
        for _, w, _ in self.training.walk(self.model, self.forget, scaling):
            point = w.numpy()
        return point


@dataclass
class Report:
    """The three models, what was counted, and details of the method."""

    world: World
    points: dict[str, Any]
    counted: dict[str, Measured]
    details: dict[str, Any]

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
            "steps": world.training.length,
            "forgotten": len(world.forget),
            "difference": {
                "norm": whole, "left": left, "ratio": left / whole if whole > 0 else None
            },
            "accuracy": self._table(parts, _accuracy) if _classifies(world) else {},
            "loss": self._table(parts, lambda model, w, rows, data: float(
                model.values(w, rows).mean()
            )),
            "membership_auc": self._membership(parts),
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
            parts["test"] = (world._model(world.test), every, world.test)
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
