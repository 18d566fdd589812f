"""Methods that take one step of second order from a learned model, or from a minimum."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from accounting.problems.options import natural, positive, real, word
from simulators.runs import path_extremes
from simulators.runs.comparison import Report, UnlearningRun, compare
from simulators.runs.data import OnRows
from simulators.runs.deletion_options import DeletionOptions, TrainingOptions, divisor
from simulators.runs.path_samples import REMOVALS
from simulators.runs.removal_run import RemovalRun
from simulators.runs.trajectory import LearningTask, measured


@dataclass(frozen=True, kw_only=True, eq=False)
class SolverOptions:
    """What a method is asked for that solves one linear system."""

    solver: str = word("Of the linear system.", "cholesky", "cg")
    scaling: str | None = divisor()


def one_step(
    task: LearningTask, step: Callable[..., Any], solver: str, scaling: str | None
) -> Report:
    """The report of a step from the learned model; step(model, w, rows, solver=) (p,)."""
    w = task.path[-1]
    unlearned = measured(lambda: w + step(task.model, w, task.forget, solver=solver))
    return compare(task, unlearned, scaling or "linear")


@dataclass(frozen=True, kw_only=True, eq=False)
class NewtonStep(SolverOptions, TrainingOptions, DeletionOptions, OnRows):
    """The Newton step from the learned model (its target is the retained minimiser)."""

    algorithm = "ns"
    example = "--data digits --epochs 200 --solver cg"
    measures = UnlearningRun

    def report(self, task: LearningTask) -> Report:
        """Unlearns and compares."""
        from simulators.trajectory.newton import newton_step

        return one_step(task, newton_step, self.solver, self.scaling)


@dataclass(frozen=True, kw_only=True, eq=False)
class Jackknife(SolverOptions, TrainingOptions, DeletionOptions, OnRows):
    """The infinitesimal jackknife from the learned model."""

    algorithm = "ij"
    example = "--data digits --epochs 200"
    measures = UnlearningRun

    def report(self, task: LearningTask) -> Report:
        """Unlearns and compares."""
        from simulators.trajectory.newton import infinitesimal_jackknife

        return one_step(task, infinitesimal_jackknife, self.solver, self.scaling)


@dataclass(frozen=True, kw_only=True, eq=False)
class PerturbedRemoval(DeletionOptions, OnRows):
    """Certified removal: a perturbed objective, one Newton step, a budget of residuals."""

    algorithm = "newton-removal"
    example = "--data digits --noise 0.1 --epsilon 1 --delta 1e-4"
    measures = RemovalRun
    samples: ClassVar = REMOVALS
    extremes: ClassVar = path_extremes.REMOVALS

    noise: float = natural("s of b.", 0.1)
    epsilon: float = positive("Target epsilon.", 1.0)
    delta: float = real("Target delta.", 1e-4, low=0.0, low_open=True, high=1.0, high_open=True)

    def report(self, task: LearningTask) -> Report:
        """Unlearns and compares."""
        from simulators.trajectory.linear_score import LinearScore
        from simulators.trajectory.removal import CertifiedRemoval

        model = task.model
        if not isinstance(model, LinearScore):
            raise ValueError(f"loss must be one of a linear score, got {self.loss!r}")
        if not math.isfinite(model.loss.curvature_lipschitz):
            raise ValueError(f"loss must have a Lipschitz second derivative, got {self.loss!r}")
        server = measured(
            lambda: CertifiedRemoval(model, self.noise, self.epsilon, self.delta, self.seed)
        )
        # What follows replaces the model that the server has learned.
        learned, linear = server.value.point, server.value.linear
        unlearned = measured(lambda: server.value.remove(task.forget))
        residual, unlearned.value = unlearned.value, server.value.point
        retraining = task.minimum(linear)
        return Report(
            task,
            {"learned": learned, "unlearned": unlearned.value, "retrained": retraining.value},
            {"learning": server, "unlearning": unlearned, "retraining": retraining},
            {
                "residual": asdict(residual),
                "spent": server.value.spent,
                "budget": server.value.budget,
                "retrained_for_the_budget": server.value.retrainings > 0,
            },
            steps=None,
        )
