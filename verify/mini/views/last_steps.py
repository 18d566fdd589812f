"""What the last k steps of the recursion leave (mini Theorem 1, Algorithm 2, eqs 9 and 17)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.path_run import PathRun
from verify.mini.views.vectors import last_steps, sides


class LastStepErrors(View, of=PathRun):
    """The last k steps by the recursion, on top of the learned model."""

    run: PathRun

    def _unlearned(self, training: Any, k: int) -> np.ndarray:
        """What the last k steps of the recursion make of the end of training (p,)."""
        from simulators.trajectory.mini import mini

        return mini(self.run.task.model, training, self.run.task.forget, k)

    @observable
    def short_error(self) -> Observable:
        """What the last k steps of the recursion leave of the distance."""
        k = last_steps(self.run)
        point = self._unlearned(self.run.task.training, k)
        error = float(np.linalg.norm(self.run.retrained[-1] - point))
        # |v_t - w_t| before each of these steps, the last one first.
        distances = self.run.distances[:-1][::-1][:k].tolist()
        return self.run.length(error, distances=distances, c=0.01)

    @observable
    def followed_difference(self) -> Observable:
        """Length of the difference, beside the last k steps of the recursion from that before."""
        from simulators.trajectory.recursion import Recursion, differences

        task, difference = self.run.task, self.run.difference
        end = task.training.length
        start = end - last_steps(self.run)
        followed = differences(
            task.model,
            task.training.part(start, end, self.run.learned[start]),
            [task.forget],
            Recursion("kept", "mean"),
            initial=difference[start][None].copy(),
        )
        return sides(self.run, difference[-1], printed=followed.vectors[0])

    @observable
    def points_read(self) -> Observable:
        """How many iterates suffice for the last k steps of the recursion, w_s among them."""
        k, training = last_steps(self.run), self.run.task.training
        part = training.part(-k, training.length, self.run.learned[-1 - k])
        change = self._unlearned(training, k) - self._unlearned(part, k)
        if float(np.linalg.norm(change)) > self.run.length(0.0).rounding:
            raise NotMeasured("they do not suffice")
        points = np.unique(part.run(self.run.task.model).points, axis=0)
        return Observable(len(points), at={"m": 0})
