"""Stochastic gradient Langevin unlearning (sglu, Algorithm 1) and its full-batch case.

Learning: T epochs of projected noisy SGD on D with cyclic batches.  Unlearning: K epochs of the
same on D', from the learned point, with the same batches.  Noise of variance 2 eta sigma^2 per
coordinate and step; the gradient is averaged over the batch.  Exactly T and K epochs are run and
counted (the authors' released code runs K + 1 where K are billed).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from accounting.numerics.arguments import typed
from simulators.data.row_data import RowData
from simulators.engine.plan import Plan, RunSettings, epochs, retraining_epochs
from simulators.engine.result import RunResult
from simulators.langevin.retraining import FRESH
from simulators.losses.base import Loss


@typed
def learn_unlearn(
    loss: Loss,
    data: RowData,
    adjacent: RowData,
    *,
    learn_epochs: int,
    unlearn_epochs: int,
    retrain: bool | str = False,
    **settings: Unpack[RunSettings],
) -> RunResult:
    """Learn on `data` for T epochs, then unlearn on `adjacent` for K epochs, in every trial.

    data, adjacent: equal up to the replaced rows (any number of them: a batch request).
    retrain: "T" (or True) or "T+K" also runs so many epochs on `adjacent` from a fresh start with
    independent noise; `coupling.coupled_paths` has the coupled version.
    settings: see `plan.RunSettings`.

    Returns a Run with learned, unlearned and, when asked, retrained: (trials, *shape).
    Raises ValueError for bad input, naming the parameter.
    """
    learn = epochs("learn_epochs", learn_epochs)
    unlearn = epochs("unlearn_epochs", unlearn_epochs)
    target = "T" if retrain is True else retrain
    again = None if target is False else retraining_epochs(target, learn, unlearn)
    plan = Plan.of(loss, [data, adjacent], **settings)
    # One run of two phases: noise goes on where learning left its stream, batches begin at 0
    # again.
    trace = plan.run([plan.phase(data, learn), plan.phase(adjacent, unlearn)])[0]
    names = ["learn", "unlearn"]
    snapshots, steps, evaluations = trace.snapshots, trace.steps, trace.gradient_evaluations
    if again is not None:
        fresh = plan.run(
            [plan.phase(adjacent, again)],
            purposes=FRESH,
        )[0]
        names.append("retrain")
        snapshots = snapshots + fresh.snapshots
        steps = steps + fresh.steps
        evaluations = evaluations + fresh.gradient_evaluations
    return RunResult(
        learned=snapshots[0],
        unlearned=snapshots[1],
        retrained=None if again is None else snapshots[2],
        gradient_evaluations=dict(zip(names, evaluations, strict=True)),
        steps=dict(zip(names, steps, strict=True)),
        settings=plan.settings(
            algorithm="langevin", learn_epochs=learn, unlearn_epochs=unlearn, retrain=target
        ),
    )


@typed
def requests(
    loss: Loss,
    data: RowData,
    updates: Sequence[RowData],
    *,
    learn_epochs: int,
    unlearn_epochs: int | Sequence[int],
    **settings: Unpack[RunSettings],
) -> RunResult:
    """Learn on `data`, then serve the requests one after another (sglu, Thm 3.11, Cor. 3.12).

    updates: the data set after each request; each differs from the one before in the rows that
    request replaces (one row: a single request; several: a batch request).  unlearn_epochs: K, or
    one number K_s per request.  settings: see `plan.RunSettings`.

    Returns a Run whose requests[s] are the iterates (trials, *shape) published after request s + 1
    and whose unlearned are the last of them.  Raises ValueError for bad input.
    """
    learn = epochs("learn_epochs", learn_epochs)
    if not len(updates):
        raise ValueError("updates must hold at least one data set, got none")
    if isinstance(unlearn_epochs, Sequence):
        billed = [epochs("unlearn_epochs", value) for value in unlearn_epochs]
        if len(billed) != len(updates):
            raise ValueError(
                f"unlearn_epochs must have one entry per request ({len(updates)}), "
                f"got {len(billed)}"
            )
    else:
        billed = [epochs("unlearn_epochs", unlearn_epochs)] * len(updates)
    plan = Plan.of(loss, [data, *updates], **settings)
    phases = [plan.phase(data, learn)]
    phases += [plan.phase(update, count) for update, count in zip(updates, billed, strict=True)]
    trace = plan.run(phases)[0]
    names = ["learn"] + [f"request {number}" for number in range(1, len(updates) + 1)]
    return RunResult(
        learned=trace.snapshots[0],
        unlearned=trace.snapshots[-1],
        requests=tuple(trace.snapshots[1:]),
        gradient_evaluations=dict(zip(names, trace.gradient_evaluations, strict=True)),
        steps=dict(zip(names, trace.steps, strict=True)),
        settings=plan.settings(algorithm="langevin", learn_epochs=learn, unlearn_epochs=billed),
    )


@typed
def langevin_unlearning(
    loss: Loss,
    data: RowData,
    adjacent: RowData,
    *,
    learn_steps: int,
    unlearn_steps: int,
    retrain: bool | str = False,
    **settings: Unpack[RunSettings],
) -> RunResult:
    """Langevin unlearning (sglu, App. M): Algorithm 1 with the full batch, b = n, J = 1.

    An epoch is one step.  `batch_size` may be left out; any other than n is a ValueError.
    Otherwise as `learn_unlearn`.
    """
    size = settings.setdefault("batch_size", len(data))
    if size != len(data):
        raise ValueError(f"batch_size must be n = {len(data)} for the full batch, got {size!r}")
    return learn_unlearn(
        loss,
        data,
        adjacent,
        learn_epochs=learn_steps,
        unlearn_epochs=unlearn_steps,
        retrain=retrain,
        **settings,
    )
