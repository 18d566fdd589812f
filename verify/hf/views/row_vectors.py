"""Vectors of one row where Hessians are equal: linear in the centres (hf eq 10, Algorithm 2).

A row's loss is h/2 |w - c_u|^2 up to a constant, with the mean cbar of all centres.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.path_run import PathRun
from verify.hf.views.recollections import Recollections


class RowVectors(View, of=PathRun):
    """The recursion's vector of the first row to forget, beside its parts along it."""

    run: PathRun

    def _centres(self) -> dict[str, np.ndarray]:
        """cbar, of all rows, and c_u, of the row (p,)."""
        hypotheses = self.run.hypotheses
        if not (hypotheses["equal Hessians"] and hypotheses["whole batches"]):
            raise NotMeasured("it needs equal Hessians and whole batches")
        if not hypotheses["one step size"]:
            raise NotMeasured("it needs one step size")
        h, rows = self.run.constants["lam"], self.run.task.data.features
        return {"cbar": rows.mean(axis=0) / h, "c_u": rows[self.run.task.forget[0]] / h}

    def _along(self, vector: np.ndarray, **points: np.ndarray) -> Observable:
        """The length of a vector that is linear in the points, and their parts along it."""
        length = float(np.linalg.norm(vector))
        parts = {name: float(point @ vector) / length for name, point in points.items()}
        return self.run.length(length, h=self.run.constants["lam"], **parts)

    @observable
    def row_vector(self) -> Observable:
        """Length of the vector of one row, where Hessians are equal."""
        centres = self._centres()
        recursion = self.run.view(Recollections).follow("batch", [[self.run.task.forget[0]]])
        return self._along(recursion.vectors[0], **centres, w0=self.run.learned[0])

    @observable
    def repaired_vector(self) -> Observable:
        """Length of a row's vector after a repair as long as training, where Hessians are equal."""
        centres, task = self._centres(), self.run.task
        rows, end = [task.forget[0]], self.run.learned[-1]
        stored = self.run.view(Recollections).follow("kept", [rows]).vectors[0]
        # The repair trains on from w_T, once with the row and once without it.
        repair = replace(task.training, start=end)
        without = replace(repair, start=end + stored)
        vector = without.run(task.model, rows).last - repair.run(task.model).last
        return self._along(vector, **centres, w0=end, a0=stored)
