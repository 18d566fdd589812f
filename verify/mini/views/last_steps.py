"""What the last k steps of the recursion leave (mini Theorem 1, Algorithm 2, eqs 9 and 17)."""

from __future__ import annotations

import numpy as np

from simulators.experiment import NotMeasured, Observable, View, observable
from simulators.experiments.path_run import PathRun
from verify.mini.views.vectors import last_steps, sides


class LastStepErrors(View, of=PathRun):
    """The last k steps by the recursion, on top of the learned model."""

    run: PathRun

    @observable
    def short_error(self) -> Observable:
        """What the last k steps of the recursion leave of the distance."""
        from simulators.trajectory.mini import mini

        task, k = self.run.task, last_steps(self.run)
        point = mini(task.model, task.training, task.forget, k)
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
        from simulators.trajectory.mini import mini

        task, k = self.run.task, last_steps(self.run)
        training = task.training
        part = training.part(-k, training.length, self.run.learned[-1 - k])
        whole, alone = (mini(task.model, t, task.forget, k) for t in (training, part))
        if float(np.linalg.norm(whole - alone)) > self.run.length(0.0).rounding:
            raise NotMeasured("they do not suffice")
        points = np.unique(part.run(task.model).points, axis=0)
        return Observable(len(points), at={"m": 0})
