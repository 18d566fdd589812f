"""A run of a method that unlearns on a path: the learned and the retrained path, and what holds."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simulators.runs.batch_means import BatchMeans, batch_means
from simulators.runs.comparison import UnlearningRun
from simulators.runs.experiment import Observable

if TYPE_CHECKING:
    from simulators.trajectory.training import Training


class PathRun(UnlearningRun):
    """The learned path w_0..w_T and the retrained one v_0..v_T of one set of rows.

    Its experiment has the settings of training, and says in `default_scaling` what retraining
    divides by unless it is asked.
    """

    @property
    def scaling(self) -> str:
        """What retraining divides by: "linear", the whole batch, or "mean", its remaining rows."""
        asked_for = getattr(self.experiment, "scaling", None)
        return str(asked_for or self.experiment.default_scaling)

    @cached_property
    def learned(self) -> np.ndarray:
        """w_0..w_T (T + 1, p)."""
        return np.asarray(self.task.path)

    @cached_property
    def retrained(self) -> np.ndarray:
        """v_0..v_T (T + 1, p)."""
        return self._retrained_by(self.task.training)

    def _retrained_by(self, training: Training) -> np.ndarray:
        """The points of this training without the rows that are forgotten (T + 1, p)."""
        import torch

        walk = training.walk(self.task.model, self.task.forget, self.scaling)
        return np.asarray(torch.stack([w for _, w, _ in walk]).cpu().numpy())

    @property
    def difference(self) -> np.ndarray:
        """v_t - w_t (T + 1, p)."""
        return np.asarray(self.retrained - self.learned)

    @property
    def distances(self) -> np.ndarray:
        """|v_t - w_t| (T + 1,)."""
        return np.asarray(np.linalg.norm(self.difference, axis=1))

    @cached_property
    def whole_batches(self) -> BatchMeans:
        """Means over all rows of every batch, along both paths."""
        return self._means(self.task.training.batches)

    @cached_property
    def remaining_batches(self) -> BatchMeans:
        """Means over those rows of every batch that stay, along both paths."""
        removed = self.task.removal_mask
        return self._means([rows[~removed[rows]] for rows in self.task.training.batches])

    def _means(self, parts: list[np.ndarray]) -> BatchMeans:
        return batch_means(self.task.model, parts, self.learned, self.retrained)

    def length(self, value: Any, **at: Any) -> Observable:
        """A length, or an array of them, between points of the two paths."""
        largest = float(np.linalg.norm(np.vstack([self.learned, self.retrained]), axis=1).max())
        # Every step rounds a point by a few units in the last place of its length.
        room = 64 * float(np.finfo(float).eps) * max(1.0, largest) * len(self.learned)
        return Observable(value, at=at, rounding=room, unit="length")

    @cached_property
    def constants(self) -> dict[str, Any]:
        """lam, M, Lam of the rows; C, kept_C, Gm on the paths; the schedule, row by row."""
        certified = self.task.loss.constants(self.task.data)
        curvature = {
            "lam": certified.strong_convexity,
            "M": certified.smoothness,
            "Lam": certified.hessian_lipschitz,
        }
        return {**curvature, **self._gradient_bounds, **self._schedule, **self._contraction}

    @cached_property
    def _gradient_bounds(self) -> dict[str, float]:
        """Largest norms of rows' gradients: of those to forget, of those that stay, of all, on
        both paths; and of the data terms of all rows, without the ridge, on the learned path."""
        removed, lam = self.task.removal_mask, self.experiment.regularisation
        forgotten, remaining, data_term = 0.0, 0.0, 0.0
        for path in (self.learned, self.retrained):
            # No step begins at the last point.
            for point in path[:-1]:
                gradients, w = self._gradients_at(point)
                norms = np.linalg.norm(gradients.reshape(len(gradients), -1), axis=1)
                forgotten = max(forgotten, norms[removed].max())
                remaining = max(remaining, norms[~removed].max(initial=0.0))
                if path is self.learned:
                    inner = (gradients - lam * w).reshape(len(gradients), -1)
                    data_term = max(data_term, np.linalg.norm(inner, axis=1).max())
        return {
            "C": float(forgotten),
            "kept_C": float(remaining),
            "all_C": max(float(forgotten), float(remaining)),
            "Gm": float(data_term),
        }

    def _gradients_at(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The gradient of every row at a point (n, ...), and the point in its shape (...)."""
        import torch

        model = self.task.model
        w = model.matrix(point) if hasattr(model, "matrix") else point
        gradients = self.task.loss.gradient(torch.tensor(w)[None], self.task.data)
        return gradients[0].numpy(), w

    @cached_property
    def _schedule(self) -> dict[str, Any]:
        """Steps, batches and counts of rows, by the symbols of the papers."""
        training, settings = self.task.training, self.experiment
        T = training.length
        sizes = [len(rows) for rows in training.batches]
        missing = [int(self.task.removal_mask[rows].sum()) for rows in training.batches]
        return {
            "steps": training.steps.tolist(),
            "sizes": sizes,
            "missing": missing,
            "eta": float(training.steps[0]),
            "q": settings.decay,
            "T": T,
            "t": T,
            "s": T,
            "n": self.task.model.size,
            "m": len(self.task.forget),
            "B": T // settings.epochs,
            "b": max(sizes),
            "b_u": 0,
            "E": settings.epochs - 1,
            "beta": max(m / b for m, b in zip(missing, sizes, strict=True)),
            "k": getattr(settings, "k", None) or T,
        }

    @cached_property
    def _contraction(self) -> dict[str, float]:
        """Largest factors of a step, |1 - eta_t h| at h = lam and M, and what follows from them."""
        certified = self.task.loss.constants(self.task.data)
        curvatures = [certified.strong_convexity, certified.smoothness]
        steps, schedule = self.task.training.steps, self._schedule
        # |1 - eta h| is convex in h, hence largest at an end of [lam, M].
        rho = np.abs(1 - np.outer(steps, curvatures)).max(axis=1)
        growth = max(1.0, rho.max()) ** (schedule["B"] - 1)
        return {
            "rho_0": float(rho[0]),
            "rho_max": float(rho.max()),
            "K_one": (1 - schedule["q"]) * growth / (steps[0] * schedule["b"]),
        }

    @cached_property
    def _clipped(self) -> bool:
        """Whether the clip changed a step of the learned path, or of the retrained one."""
        training = self.task.training
        if training.clip is None or self.task.learning.value.clip_active:
            return training.clip is not None
        # Shrinking by 1 changes no bit: the same path without a clip is the same numbers.
        return not np.array_equal(self._retrained_by(replace(training, clip=None)), self.retrained)

    @property
    def hypotheses(self) -> dict[str, bool]:
        k, steps = self.constants, self.task.training.steps
        batches = zip(k["missing"], k["sizes"], strict=True)
        return {
            "no clip": not self._clipped,
            "linear": self.scaling == "linear",
            "steps at most 2/M": bool((steps * k["M"] <= 2).all()),
            "smooth curvature": bool(np.isfinite(k["Lam"])),
            "one row": k["m"] == 1,
            "whole batches": set(k["sizes"]) == {k["n"]},
            "one step size": bool((steps == steps[0]).all()),
            "steps at most 2/(lam + M)": bool((steps * (k["lam"] + k["M"]) <= 2).all()),
            "steps that vanish": self.experiment.decay ** k["T"] < 1e-9,
            "shrinking steps": self.experiment.decay < 1,
            "strong convexity": k["lam"] > 0,
            "quadratic losses": k["Lam"] == 0,
            "equal Hessians": self.experiment.loss == "quadratic",
            "something is kept": all(missing < size for missing, size in batches),
        }
