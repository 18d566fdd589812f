"""Langevin unlearning and retraining: learning with noise, then the replaced data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounting.problems.options import whole
from simulators.experiments.noisy import Batches, World


@dataclass(frozen=True, kw_only=True, eq=False)
class Langevin(Batches):
    """Langevin unlearning, full batch or mini-batches: learning, then the replaced data."""

    algorithm = "langevin"
    example = (
        "--data digits --sigma 0.01 --batch-size 32 --learn-epochs 10 --unlearn-epochs 1 "
        "--trials 256"
    )

    unlearn_epochs: int = whole("K.", 1, low=0)

    def start(self, world: World, **settings: Any) -> Any:
        from simulators.langevin import requests

        epochs = {name: getattr(self, name) for name in self.epochs()}
        return requests(world.loss, world.data, world.updates, **epochs, **settings)


@dataclass(frozen=True, kw_only=True, eq=False)
class Retraining(Batches):
    """Retraining from scratch on the replaced data."""

    algorithm = "retrain"
    example = "--data digits --sigma 0.01 --batch-size 32 --learn-epochs 10"

    def start(self, world: World, **settings: Any) -> Any:
        from simulators.retraining import retrain

        return retrain(world.loss, world.updates[-1], retrain_epochs=self.learn_epochs, **settings)
