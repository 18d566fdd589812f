"""Single steps of runs on a path, against the same by hand."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.runs.unlearning import HessianFree
from verify.hf.self_tests.runs import SETTINGS, PathsByHand, equality
from verify.hf.views.steps import StepFactors, StepRemainders
from verify.self_tests import Equality


def equalities() -> Iterator[Equality]:
    """Remainders of whole batches, and eigenvalues of their steps."""
    run: Any = HessianFree(**SETTINGS, decay=0.9, statistics="set").run()
    run.view(StepRemainders)
    run.view(StepFactors)
    hand = PathsByHand(run)
    remainders = [hand.remainder(t, rows) for t, rows in enumerate(hand.batches)]
    yield equality(run, "taylor_remainder", remainders)
    yield equality(run, "step_remainder", hand.rates * np.array(remainders))
    eigenvalues = [
        np.linalg.eigvalsh(np.eye(3) - rate * hand.hessian(w, rows))
        for w, (rows, _, rate) in zip(hand.learned, hand.steps(), strict=False)
    ]
    yield equality(run, "stretch", [np.abs(line).max() for line in eigenvalues])
    yield equality(run, "longest_stretch", np.abs(eigenvalues).max())
    yield equality(run, "top_eigenvalue", [line.max() for line in eigenvalues])
