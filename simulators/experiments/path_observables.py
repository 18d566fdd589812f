"""What methods that unlearn on a path show: distances to retraining, and what certifies them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from simulators.experiment import Observable, Run, observable
from simulators.experiments.comparison import Report
from simulators.experiments.trajectory import World, in_settings


class Compared(Run):
    """A world, and the report of a method on it."""

    experiment: Any

    def __init__(self, experiment: Any) -> None:
        super().__init__(experiment)
        self.world = World(experiment)

    @cached_property
    def report(self) -> Report:
        """What the method made."""
        with in_settings():
            found: Report = self.experiment.report(self.world)
        return found

    def document(self) -> dict[str, Any]:
        return self.report.document()


class Paths(Compared):
    """The learned and the retrained path of one set of rows."""

    @property
    def scaling(self) -> str:
        """What retraining divides by."""
        return str(getattr(self.experiment, "scaling", None) or self.experiment.divides)

    @cached_property
    def learned(self) -> np.ndarray:
        """w_0..w_T (T + 1, p)."""
        return np.asarray(self.world.path)

    @cached_property
    def retrained(self) -> np.ndarray:
        """v_0..v_T (T + 1, p)."""
        import torch

        world = self.world
        walk = world.training.walk(world.model, world.forget, self.scaling)
        return np.asarray(torch.stack([w for _, w, _ in walk]).cpu().numpy())

    @property
    def apart(self) -> np.ndarray:
        """|v_t - w_t| (T + 1,)."""
        return np.asarray(np.linalg.norm(self.retrained - self.learned, axis=1))

    @cached_property
    def _slopes(self) -> tuple[float, float, float]:
        """Largest gradient norms: of what is forgotten, of what is kept, on both paths; and of the
        data terms of all rows on the learned path."""
        import torch

        world, gone = self.world, np.zeros(self.world.model.size, dtype=bool)
        gone[world.forget] = True
        lam, C, kept, data = self.experiment.regularisation, 0.0, 0.0, 0.0
        for learned, points in ((True, self.learned), (False, self.retrained)):
            for point in points[:-1]:
                w = point if not hasattr(world.model, "matrix") else world.model.matrix(point)
                pulls = world.loss.gradient(torch.tensor(w)[None], world.data)[0].numpy()
                norms = np.linalg.norm(pulls.reshape(len(pulls), -1), axis=1)
                C, kept = max(C, norms[gone].max()), max(kept, norms[~gone].max(initial=0.0))
                if learned:
                    inner = (pulls - lam * w).reshape(len(pulls), -1)
                    data = max(data, np.linalg.norm(inner, axis=1).max())
        return float(C), float(kept), float(data)

    @cached_property
    def constants(self) -> dict[str, Any]:
        """lam, M, Lam of the rows; C, kept_C, Gm on the paths; the schedule, row by row."""
        world, training = self.world, self.world.training
        found = world.loss.constants(world.data)
        gone = set(world.forget.tolist())
        sizes = [len(rows) for rows in training.batches]
        missing = [len(gone.intersection(rows.tolist())) for rows in training.batches]
        C, kept, data = self._slopes
        T, n = training.length, world.model.size
        B, q = T // self.experiment.epochs, self.experiment.decay
        ends = np.outer(training.steps, [found.strong_convexity, found.smoothness])
        rho = np.abs(1 - ends).max(axis=1)
        return {
            "lam": found.strong_convexity,
            "M": found.smoothness,
            "Lam": found.hessian_lipschitz,
            "C": C,
            "kept_C": kept,
            "all_C": max(C, kept),
            "Gm": data,
            "steps": training.steps.tolist(),
            "sizes": sizes,
            "missing": missing,
            "eta": float(training.steps[0]),
            "q": q,
            "T": T,
            "t": T,
            "s": T,
            "n": n,
            "m": len(gone),
            "B": B,
            "b": max(sizes),
            "b_u": 0,
            "E": self.experiment.epochs - 1,
            "rho_0": float(rho[0]),
            "rho_max": float(rho.max()),
            "K_one": (1 - q) * max(1.0, rho.max()) ** (B - 1) / (training.steps[0] * max(sizes)),
            "beta": max(m / b for m, b in zip(missing, sizes, strict=True)),
            "k": getattr(self.experiment, "k", None) or T,
        }

    @property
    def hypotheses(self) -> dict[str, bool]:
        k, training = self.constants, self.world.training
        constant = bool((training.steps == training.steps[0]).all())
        return {
            "no clip": not self.world.learning.value.clip_active,
            "steps at most 2/M": bool((training.steps * k["M"] <= 2).all()),
            "smooth curvature": bool(np.isfinite(k["Lam"])),
            "one row": k["m"] == 1,
            "whole batches": set(k["sizes"]) == {k["n"]},
            "one step size": constant,
            "steps at most 2/(lam + M)": bool((training.steps * (k["lam"] + k["M"]) <= 2).all()),
            "steps that vanish": self.experiment.decay ** k["T"] < 1e-9,
            "shrinking steps": self.experiment.decay < 1,
            "strong convexity": k["lam"] > 0,
            "quadratic losses": k["Lam"] == 0,
            "equal Hessians": self.experiment.loss == "quadratic",
            "something is kept": all(m < b for m, b in zip(k["missing"], k["sizes"], strict=True)),
        }

    def _length(self, value: Any, **at: Any) -> Observable:
        largest = float(np.linalg.norm(np.vstack([self.learned, self.retrained]), axis=1).max())
        room = 64 * float(np.finfo(float).eps) * max(1.0, largest) * len(self.learned)
        return Observable(value, at=at, rounding=room, unit="length")

    @observable
    def path_distance(self) -> Observable:
        """Distance of the retrained from the learned model."""
        return self._length(float(self.apart[-1]))
