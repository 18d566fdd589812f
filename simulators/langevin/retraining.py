"""Retraining from scratch: the reference law of every guarantee."""

from __future__ import annotations

from typing import Unpack

from accounting.numerics.arguments import typed
from simulators.data.row_data import RowData
from simulators.engine.plan import Plan, RunSettings, epochs
from simulators.engine.result import RunResult
from simulators.losses.base import Loss
from simulators.random.seeds import Purpose

FRESH = (Purpose.RETRAIN_NOISE, Purpose.RETRAIN_INITIAL)
"""Streams independent of those of learning and unlearning with the same seed."""


@typed
def retrain(
    loss: Loss, data: RowData, *, retrain_epochs: int, **settings: Unpack[RunSettings]
) -> RunResult:
    """Run `retrain_epochs` epochs of Algorithm 1 on `data` from a fresh start.

    The guarantee compares with T epochs (Def. 2.3 of sglu), T + K epochs, or the stationary law;
    which one is the caller's to say.  The noise is independent of that of `learn_unlearn` with
    the same seed.  settings: see `plan.RunSettings`.

    Returns a Run with `retrained` (trials, *shape).  Raises ValueError for bad input.
    """
    count = epochs("retrain_epochs", retrain_epochs)
    plan = Plan.of(loss, [data], **settings)
    trace = plan.run([plan.phase(data, count)], purposes=FRESH)[0]
    return RunResult(
        learned=None,
        retrained=trace.snapshots[0],
        gradient_evaluations={"retrain": trace.gradient_evaluations[0]},
        steps={"retrain": trace.steps[0]},
        settings=plan.settings(algorithm="retraining", retrain_epochs=count),
    )
