"""The run of Langevin unlearning: coupled paths, exact laws where there are some, and constants.

Coupled paths have no statistical error: the same noise and the same batches on both sides.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simulators.engine.batches import partition
from simulators.runs.affine_laws import AffineLaws
from simulators.runs.experiment import NotMeasured
from simulators.runs.noisy import NoisyRun

PATHS = 32
"""Trials of coupled runs: their largest distance hardly grows with more."""


class LineStep(NamedTuple):
    """A step of a run that moves along one direction only, as a step on the line.

    factor: c, of where it began.  shift: how far a batch with the replaced row moves it.
    noise: s, the standard deviation of the noise of a step.  direction: (d,), of norm 1.
    """

    factor: float
    shift: float
    noise: float
    direction: np.ndarray


class LangevinRun(NoisyRun):
    """Langevin unlearning, beside the same run on the replaced data, and from another start.

    A distance is the largest over the trials. What it is compared with must hold for every path.
    """

    @property
    def epochs(self) -> tuple[int, int]:
        """T, K."""
        return self.experiment.learn_epochs, self.experiment.unlearn_epochs

    @cached_property
    def paths(self) -> Any:
        """Learning and unlearning, against T + K epochs on the last data (`CoupledPaths`)."""
        from simulators.langevin.coupling import coupled_paths

        T, K = self.epochs
        settings = self._coupling_settings
        return coupled_paths(
            self.loss, self.data, self.last, learn_epochs=T, unlearn_epochs=K, **settings
        )

    @property
    def _coupling_settings(self) -> dict[str, Any]:
        few = min(PATHS, self.experiment.trials)  # the engine's natural block is for many more
        return {**self.engine_settings, "trials": few, "block": few, "claim": 1}

    def from_afar(self, second: Any, distance: float) -> Any:
        """Learning, against learning on `second` from a start at this distance (`CoupledPaths`)."""
        from simulators.langevin.coupling import coupled_schedules

        T = self.epochs[0]
        start = np.zeros(self.loss.parameter_shape(self.data))
        start.flat[0] = distance
        settings = self._coupling_settings
        return coupled_schedules(
            self.loss, [(self.data, T)], [(second, T)], second_initial=start, **settings
        )

    @cached_property
    def starts(self) -> Any:
        """The same data from two starts: a common noise, and nothing else between them."""
        return self.from_afar(self.data, min(1.0, self.experiment.radius))

    @cached_property
    def places(self) -> Counter[int]:
        """Batch -> how many of its rows are replaced."""
        return Counter(self.paths.settings["batch_positions"][0])

    @cached_property
    def batches(self) -> np.ndarray:
        """The rows of every batch of an epoch, (J, b)."""
        settings = self.experiment
        order, seed = settings.batch_order, settings.seed
        # With the claim of the coupled runs, so that these are their batches.
        return partition(len(self.data), self.batch_size, order, seed=seed, claim=1)

    @cached_property
    def laws(self) -> AffineLaws:
        """The exact laws of affine gradients on R^d. Raises NotMeasured where there are none."""
        from simulators.exact.affine_data import is_affine, one_epoch

        if not is_affine(self.loss):
            raise NotMeasured("the gradients are not affine: only samples of the laws are known")
        if math.isfinite(self.experiment.radius):
            raise NotMeasured("the laws are projected onto the ball")
        noise = math.sqrt(self.constants["s2"])
        if not noise > 0:
            raise NotMeasured("without noise the laws are points")
        versions = (self.data, *self.updates)
        settings = self.batches, self.step_size, noise
        kernels = [one_epoch(self.loss, version, *settings) for version in versions]
        return AffineLaws(kernels, *self.epochs)

    @cached_property
    def line(self) -> LineStep:
        """A step of the mean loss, along the one direction in which a replaced row moves it.

        Raises NotMeasured for another loss, on a ball, and where the steps do not contract.
        """
        from simulators.losses.quadratic import Quadratic

        constants = self.constants
        is_mean = isinstance(self.loss, Quadratic) and self.loss.clip is None
        if not is_mean or np.ndim(self.loss.curvature) or math.isfinite(constants["R"]):
            raise NotMeasured("only means on R^d move along a line")
        share = constants["eta"] * constants["m"]
        if not self.hypotheses["one row"] or not (constants["s2"] > 0 and 0 < share < 1):
            raise NotMeasured("one row is replaced, with noise and steps below 1/m")
        # Only the replaced row differs: the sum over all rows is its difference.
        difference = (self.data.features - self.last.features).sum(axis=0)
        length = float(np.linalg.norm(difference))
        shift = constants["eta"] * length / constants["b"]
        noise = math.sqrt(constants["s2"])
        return LineStep(1 - share, shift, noise, difference / length)

    @cached_property
    def constants(self) -> dict[str, Any]:
        """eta, m, L, M (of the rows that are replaced), b, J, n, T, K, R, sigma, c, and places."""
        certified, (T, K) = self.certified, self.epochs
        n, b, eta = len(self.data), self.batch_size, self.step_size
        M = self.half_difference
        return {
            "eta": eta,
            "m": certified.strong_convexity,
            "L": certified.smoothness,
            "L0": certified.smoothness - certified.strong_convexity,
            "M": M,
            "M_of_batch": M / b,
            "sigma": self.sigma,
            "s2": 2 * eta * self.sigma**2,
            "R": self.experiment.radius,
            "c": certified.contraction(eta),
            "n": n,
            "b": b,
            "J": n // b,
            "T": T,
            "K": K,
            "S": len(self.updates),
            "j0": max(self.places),
            "hits": dict(self.places),
        }

    @property
    def hypotheses(self) -> dict[str, bool]:
        certified, eta = self.certified, self.step_size
        settings = self.experiment
        predicts = settings.loss not in ("quadratic", "softmax")
        return {
            "short steps": eta * (certified.smoothness + certified.strong_convexity) <= 2,
            "steps at most 1/L": eta * certified.smoothness <= 1,
            "strong convexity": certified.strong_convexity > 0,
            "one row": len(self.updates) == 1,
            "one batch": len(self.places) == 1,
            "full batch": self.batch_size == len(self.data),
            "bounded": math.isfinite(settings.radius),
            "noise": self.sigma > 0,
            "clipped predictions": settings.clip is not None and predicts,
        }

    @property
    def rounding(self) -> float:
        """How far rounding can move a distance: 64 units in the last place of the norms, a step."""
        norms = [np.linalg.norm(x) for x in (self.paths.first[0], self.paths.second[0])]
        kind = np.dtype(self.experiment.dtype)
        return float(64 * np.finfo(kind).eps * max(1.0, *norms) * len(self.paths.batch))
