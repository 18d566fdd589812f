"""The last k steps of training again, on what is kept (mini eq 10, Algorithms 1 and 3)."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.path_run import PathRun
from verify.mini.views.vectors import last_steps, sides


class RewindingErrors(View, of=PathRun):
    """Retraining for the last k steps, from the stored w_{s-k}."""

    run: PathRun

    @cached_property
    def _change(self) -> np.ndarray:
        """The last k steps on what is kept, from w_{s-k}, minus w_s (p,)."""
        from simulators.trajectory.rewind import rewind

        task, k = self.run.task, last_steps(self.run)
        how = {"scaling": self.run.scaling, "from_point": self.run.learned[-1 - k]}
        point = rewind(task.model, task.training, task.forget, k, **how)
        return np.asarray(point - self.run.learned[-1])

    @observable
    def rewound_error(self) -> Observable:
        """What retraining for the last k steps leaves of the distance."""
        k = last_steps(self.run)
        error = float(np.linalg.norm(self.run.difference[-1] - self._change))
        return self.run.length(error, distance=float(self.run.distances[-1 - k]))

    @observable
    def restarted_move(self) -> Observable:
        """What the last k steps on kept rows change, beside Algorithms 1 and 3 and eq (10)."""
        from simulators.trajectory.mini import mini, printed_algorithm_1, printed_algorithm_3

        task = self.run.task
        k = last_steps(self.run)
        end = self.run.learned[-1]
        if not 2 <= k < task.training.length:
            raise NotMeasured("k is not between 2 and T - 1")
        arguments = (task.model, task.training, task.forget, k)
        forms = {
            "printed_1": printed_algorithm_1(*arguments) - end,
            "printed_3": printed_algorithm_3(*arguments) - end,
            "corrected": mini(*arguments) - end,
        }
        return sides(self.run, self._change, **forms)
