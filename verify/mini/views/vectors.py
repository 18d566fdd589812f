"""Equalities of vectors, compared with their forms as lengths; and which steps are the last."""

from __future__ import annotations

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable
from simulators.runs.path_run import PathRun


def sides(run: PathRun, vectors: np.ndarray, **forms: np.ndarray) -> Observable:
    """|vector| for an equality of vectors; a form's value is |vector| + |vector - form|.

    vectors: the left side (p,), or a line a value (.., p). forms: what "printed", "corrected" or
    another form of the right side is, of the same shape; the run can work it out itself.
    """
    sizes = np.linalg.norm(vectors, axis=-1)
    gaps = {name: np.linalg.norm(vectors - form, axis=-1) for name, form in forms.items()}
    return run.length(sizes, **{name: sizes + gap for name, gap in gaps.items()})


def last_steps(run: PathRun) -> int:
    """k of the run's settings. Raises NotMeasured where it is none of the steps."""
    k = int(run.experiment.k)
    if not 1 <= k <= run.task.training.length:
        raise NotMeasured("k is none of the steps")
    return k
