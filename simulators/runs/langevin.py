"""Langevin unlearning and retraining: learning with noise, then the replaced data."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any, ClassVar

from accounting import noisy_sgd
from accounting.problems.options import Rule, whole
from simulators.runs.data import OnRows
from simulators.runs.extreme_rows import later_half, only, turned_labels, turned_rows
from simulators.runs.langevin_run import LangevinRun
from simulators.runs.noisy import NoisyRun
from simulators.runs.noisy_options import (
    BatchOptions,
    DescentOptions,
    TargetOptions,
    unused_target_options,
)

MNIST_VARIABLE = "FORGETPROOF_MNIST"
"""An environment variable that names a folder with MNIST in IDX form."""

STEP = Rule("0.999/L", lambda names: 0.999 / names["L"])


def _samples() -> dict[str, dict[str, Any]]:
    short = {"step_size": STEP}
    logistic = {"batch_size": 32, "learn_epochs": 12, "sigma": 0.002, "trials": 2048, **short}
    free = {"radius": math.inf, "trials": 64, "learn_epochs": 3}
    mean = {**free, "loss": "quadratic", "regularisation": 0.05, "step_size": 2.0, "sigma": 0.01}
    wide = {**free, **short, "data": "diabetes", "loss": "ridge", "regularisation": 0.05}
    clipped = {"regularisation": 0.05, "clip": 0.2, "learn_epochs": 3, "trials": 16}
    samples = {
        "logistic loss on digits": {**logistic, "regularisation": 0.02},
        "logistic loss on digits, clipped": {**logistic, **clipped},
        "mean of digits": {**mean, "batch_size": 32},
        "mean of digits, whole": {**mean, "learn_epochs": 8},
        "mean of digits, four requests": {**mean, "batch_size": 32, "requests": 4},
        "ridge regression on diabetes": {**wide, "batch_size": 40, "sigma": 20.0},
    }
    if folder := os.environ.get(MNIST_VARIABLE):
        mnist = {"data": "mnist", "data_folder": folder, "batch_size": 128, "sigma": 0.001}
        samples["logistic loss on MNIST"] = {**logistic, **mnist, "trials": 1024}
    return samples


def _extremes() -> dict[str, dict[str, Any]]:
    two_sides = {"data": turned_rows("1 and -1", later_half(4)), "loss": "quadratic"}
    ball = {**two_sides, "regularisation": 1.0, "radius": 1.0, "step_size": 0.5, "sigma": 0.1}
    far = {**ball, "trials": 4096, "learn_epochs": 12}
    longest = {"step_size": Rule("1.9/L", lambda names: 1.9 / names["L"])}
    steep = {"step_size": Rule("1.999/(L+m)", lambda at: 1.999 / (at["L"] + at["m"]))}
    free: dict[str, Any] = {"radius": math.inf, "trials": 64}
    return {
        "mean of 1 and -1 in a ball, one epoch after the request": {**far, "unlearn_epochs": 1},
        "mean of 1 and -1, the longest steps": {
            **free,
            **longest,
            "data": turned_rows("1 and -1", later_half(10)),
            "loss": "quadratic",
            "regularisation": 0.2,
            "sigma": 1e-4,
            "learn_epochs": 2,
            "unlearn_epochs": 8,
            "batch_size": 2,
            "trials": 4096,
        },
        "mean of equal rows, strong regularisation": {
            **free,
            **steep,
            "data": turned_labels("equal rows", only(4, -1)),
            "loss": "quadratic",
            "regularisation": 50.0,
            "sigma": 0.01,
            "learn_epochs": 12,
            "unlearn_epochs": 2,
        },
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class LangevinUnlearning(TargetOptions, BatchOptions, DescentOptions, OnRows):
    """Langevin unlearning, full batch or mini-batches: learning, then the replaced data."""

    algorithm = "langevin"
    example = (
        "--data digits --sigma 0.01 --batch-size 32 --learn-epochs 10 --unlearn-epochs 1 "
        "--trials 256"
    )

    measures = LangevinRun
    takes_pieces = True
    samples: ClassVar = _samples()
    extremes: ClassVar = _extremes()

    unlearn_epochs: int = whole("K.", 1, low=0)

    def unused(self) -> dict[str, str]:
        return super().unused() | unused_target_options(self)

    def start(self, run: NoisyRun, **settings: Any) -> Any:
        from simulators.langevin.unlearning import requests

        epochs = {name: getattr(self, name) for name in self.epochs()}
        return requests(run.loss, run.data, run.updates, **epochs, **settings)

    def least_noise(self, run: NoisyRun, epsilon: float, delta: float) -> float:
        """Against T + K epochs on the replaced data."""
        certified = run.certified
        setting = noisy_sgd.NoisySGD(
            n=len(run.data),
            batch_size=run.batch_size,
            smoothness=certified.smoothness,
            strong_convexity=certified.strong_convexity,
            lipschitz=certified.half_gradient_difference,
            step_size=run.step_size,
            radius=self.radius,
        )
        T, K = self.learn_epochs, self.unlearn_epochs
        sigma = noisy_sgd.least_sigma(setting, epsilon, delta, K, learn_epochs=T, target="T+K")
        return float(sigma)


@dataclass(frozen=True, kw_only=True, eq=False)
class Retraining(BatchOptions, DescentOptions, OnRows):
    """Retraining from scratch on the replaced data."""

    algorithm = "retrain"
    example = "--data digits --sigma 0.01 --batch-size 32 --learn-epochs 10"

    measures = NoisyRun
    takes_pieces = True

    def start(self, run: NoisyRun, **settings: Any) -> Any:
        from simulators.langevin.retraining import retrain

        return retrain(run.loss, run.last, retrain_epochs=self.learn_epochs, **settings)
