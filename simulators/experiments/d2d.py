"""Descent to Delete: gradient descent, and noise where a model is published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounting.problems.options import Rule, flag, whole
from simulators.experiments.losses import step_rule
from simulators.experiments.noisy import Noisy, World


@dataclass(frozen=True, kw_only=True, eq=False)
class DescentToDelete(Noisy):
    """Descent to Delete (Algorithms 2 and 3): gradient descent, noise at publication."""

    algorithm = "d2d"
    example = "--data digits --sigma 0.01 --learn-epochs 50 --unlearn-epochs 2 --published-state"

    step_size: Rule | float | None = step_rule("2/(L+m)")
    unlearn_epochs: int = whole("K.", 1, low=0)
    internal_state: bool = flag("Continue from which?", "internal-state", "published-state", True)

    def best_step(self, constants: Any) -> float:
        return float(2 / (constants.smoothness + constants.strong_convexity))

    def start(self, world: World, **settings: Any) -> Any:
        from simulators.d2d import descent_to_delete

        for name in ("batch_size", "batch_order"):
            settings.pop(name)
        return descent_to_delete(
            world.loss,
            world.data,
            world.updates,
            learn_steps=self.learn_epochs,
            unlearn_steps=self.unlearn_epochs,
            internal_state=self.internal_state,
            **settings,
        )
