"""What each step of the two paths shows: growth, remainders, factors, injections."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.path_observables import Paths

MOST_PARAMETERS = 500  # of a Hessian that is made whole


class Steps(Paths):
    """Observables of single steps, arrays of one value a step.

    Averages over a batch are along the learned path: of all its rows, or of those that are kept.
    """

    @cached_property
    def _moves(self) -> dict[str, np.ndarray]:
        """Of every step: mean gradients at w_t and v_t, of all rows and of kept ones, and mean
        Hessians times the difference."""
        import torch

        world, training = self.world, self.world.training
        gone = np.isin(np.arange(world.model.size), world.forget)
        found: dict[str, list[torch.Tensor]] = {}

        def note(name: str, value: torch.Tensor) -> None:
            found.setdefault(name, []).append(value)

        for t, rows in enumerate(training.batches):
            w, v = (world.model.tensor(path[t]) for path in (self.learned, self.retrained))
            for name, part in (("whole", rows), ("kept", rows[~gone[rows]])):
                share = world.model.full(len(part), 1 / max(len(part), 1))
                here, there = (world.model.tangent(at, part) for at in (w, v))
                note(f"{name} at w", here.gradient(share))
                note(f"{name} at v", there.gradient(share))
                note(f"{name} moved", here.apply((v - w)[None])[0] / max(len(part), 1))
        return {name: torch.stack(values).cpu().numpy() for name, values in found.items()}

    @cached_property
    def _factors(self) -> np.ndarray:
        """Eigenvalues of I - eta_t H of every whole batch at w_t (T, p)."""
        import torch

        world, training = self.world, self.world.training
        if world.model.parameters > MOST_PARAMETERS:
            raise NotMeasured("its Hessians are too large")
        found = []
        for w, rows, step in zip(self.learned, training.batches, training.steps, strict=False):
            H = world.model.tangent(world.model.tensor(w), rows).hessian() / len(rows)
            found.append(1 - float(step) * torch.linalg.eigvalsh(H).cpu().numpy())
        return np.array(found)

    @property
    def difference(self) -> np.ndarray:
        """v_t - w_t (T + 1, p)."""
        return np.asarray(self.retrained - self.learned)

    @cached_property
    def injected(self) -> np.ndarray:
        """The kept step minus the whole one at w_t (T, p)."""
        at = self._moves
        return np.asarray(self._rates * (at["whole at w"] - at["kept at w"]))

    @property
    def _rates(self) -> np.ndarray:
        return np.asarray(self.world.training.steps)[:, None]

    def _taylor(self, name: str) -> np.ndarray:
        """|g(v) - g(w) - H(w)(v - w)| of means over a batch (T,)."""
        at = self._moves
        left = at[f"{name} at v"] - at[f"{name} at w"] - at[f"{name} moved"]
        return np.asarray(np.linalg.norm(left, axis=1))

    @observable
    def step_growth(self) -> Observable:
        """By how much a step takes the two paths apart."""
        grown = np.maximum(np.diff(self.apart), 0)
        return self._length(grown, t=np.arange(1, len(grown) + 1))

    @observable
    def step_remainder(self) -> Observable:
        """What a step on a whole batch leaves of (8)."""
        steps = self.world.training.steps
        return self._length(steps * self._taylor("whole"), eta=steps, D=self.apart[:-1])

    @observable
    def taylor_remainder(self) -> Observable:
        """|g(v) - g(w) - H(w)(v - w)|, g the mean gradient of a batch."""
        return self._length(self._taylor("whole"), distance=self.apart[:-1])

    @observable
    def kept_remainder(self) -> Observable:
        """|g(v) - g(w) - H(w)(v - w)|, g the mean gradient of what is kept of a batch."""
        return self._length(self._taylor("kept"), Dw=self.apart[:-1])

    @observable
    def stretch(self) -> Observable:
        """Largest factor of a step on a whole batch."""
        return self._factor(np.abs(self._factors).max(axis=1), eta=self.world.training.steps)

    @observable
    def longest_stretch(self) -> Observable:
        """Largest factor of all steps on whole batches."""
        return self._factor(float(np.abs(self._factors).max()))

    @observable
    def top_eigenvalue(self) -> Observable:
        """Largest eigenvalue of a step on a whole batch."""
        return self._factor(self._factors.max(axis=1), eta=self.world.training.steps)

    @staticmethod
    def _factor(values: Any, **at: Any) -> Observable:
        return Observable(values, at=at, rounding=1e-13)

    @observable
    def injection(self) -> Observable:
        """Length of what a step adds to the difference."""
        k = self.constants
        share = np.array(k["missing"]) / np.array(k["sizes"])
        return self._length(np.linalg.norm(self.injected, axis=1), beta=share)

    def sides(self, left: np.ndarray, **forms: np.ndarray) -> Observable:
        """|left| for an equality of vectors; a form's value is |left| + |left - form|.

        Rows are values, of the form ("printed", "corrected") that the run can work out itself.
        """
        size = np.linalg.norm(left, axis=-1)
        off = {name: np.linalg.norm(left - x, axis=-1) for name, x in forms.items()}
        return self._length(size, **{name: size + x for name, x in off.items()})
