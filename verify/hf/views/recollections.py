"""What the recursion's vectors leave of the distance to retraining (hf Theorems 3.1 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.path_run import PathRun


class Recollections(View, of=PathRun):
    """Hessian-free recollection: its vectors, with Hessians of whole batches or of what stays."""

    run: PathRun

    def follow(self, hessian: Any, sets: Sequence[Iterable[int]]) -> Any:
        """The recursion for sets of rows (`simulators.trajectory.recursion.Followed`).

        hessian: "batch", of whole batches, or "kept", of the rows that stay. With the norms on the
        way (sets, T + 1). Raises NotMeasured unless retraining divides by the whole batch.
        """
        from simulators.trajectory.recursion import Recursion
        from simulators.trajectory.variants import follow

        if self.run.scaling != "linear":
            raise NotMeasured("retraining divides by what is kept of a batch")
        task = self.run.task
        recursion = Recursion(hessian, "linear")
        return follow(task.model, task.training, sets, recursion, variant="auto", record_norms=True)

    @cached_property
    def _of_whole_batches(self) -> Any:
        return self.follow("batch", [self.run.task.forget])

    @cached_property
    def _of_remaining_rows(self) -> Any:
        return self.follow("kept", [self.run.task.forget])

    @property
    def vector(self) -> np.ndarray:
        """The set's vector with whole batches' Hessians, which is added to w_T (p,)."""
        return np.asarray(self._of_whole_batches.vectors[0])

    @property
    def error(self) -> float:
        """|v_T - w_T - vector|. Raises NotMeasured where that is rounding."""
        error = float(np.linalg.norm(self.run.difference[-1] - self.vector))
        if not error > self.run.length(0.0).rounding:
            raise NotMeasured("there is no error above rounding")
        return error

    def _error_of(self, recursion: Any) -> Observable:
        vector = np.asarray(recursion.vectors[0])
        error = float(np.linalg.norm(self.run.difference[-1] - vector))
        return self.run.length(error, norms=recursion.norms[0, :-1].tolist())

    @observable
    def batch_error(self) -> Observable:
        """What the vector with whole batches' Hessians leaves of the distance."""
        return self._error_of(self._of_whole_batches)

    @observable
    def kept_error(self) -> Observable:
        """What the vector with the kept rows' Hessians leaves of the distance."""
        return self._error_of(self._of_remaining_rows)

    @observable
    def additivity_gap(self) -> Observable:
        """Distance of the set's vector from the sum of those of its rows, with kept Hessians."""
        task = self.run.task
        of_rows = self.follow("kept", [[u] for u in task.forget])
        gap = self._of_remaining_rows.vectors[0] - of_rows.vectors.sum(axis=0)
        batches = task.training.batches
        # Row u of the set by step: 1.0 where its batch holds it.
        present = [[float(u in rows) for rows in batches] for u in task.forget]
        at = {"present": np.array(present), "row_norms": of_rows.norms[:, :-1]}
        return self.run.length(float(np.linalg.norm(gap)), **at)
