"""The recursion by whichever of the equivalent ways takes the fewest operations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.device.memory import HOST, Part, insist
from simulators.device.reporting import Progress
from simulators.trajectory.explicit import Explicit
from simulators.trajectory.gram import Gram
from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.model import Model
from simulators.trajectory.operations import VARIANTS, fastest
from simulators.trajectory.recursion import (
    Differences,
    Recursion,
    differences,
    line_sets,
    lines_part,
    write_back,
)
from simulators.trajectory.softmax_score import SoftmaxScore
from simulators.trajectory.training import Training


@typed
def follow(
    model: Model,
    training: Training,
    forget: str | Sequence[Iterable[int]],
    recursion: Recursion | None = None,
    *,
    variant: str = "auto",
    initial: np.ndarray | None = None,
    out: np.ndarray | None = None,
    memory: float = 1 << 30,
    record_norms: bool = False,
    progress: Progress | None = None,
) -> Differences:
    """`differences`, by two products with the batch, by explicit Hessians or in Gram coordinates.

    All variants find the same numbers up to rounding; "auto" takes the one with the fewest
    operations (`operations.fastest`).  Gram needs a model of linear scores and `initial` None.

    Source: hf Table 1 and section (a), corrected.  Raises ValueError as `differences`.
    """
    validation.choice("variant", variant, ("auto", *VARIANTS))
    sets = line_sets(forget, model.size)
    if variant == "auto":
        variant = fastest(model, training, len(sets), started=initial is not None)
    if variant != "gram":
        return differences(
            Explicit(model) if variant == "explicit" else model,
            training,
            sets,
            recursion,
            initial=initial,
            out=out,
            memory=memory,
            record_norms=record_norms,
            progress=progress,
        )
    if initial is not None or not isinstance(model, LinearScore | SoftmaxScore):
        raise ValueError(
            "variant must be 'products' or 'explicit' for a model without linear scores or with "
            "initial vectors, got 'gram'"
        )
    home = Gram(model, training.start)
    shifted_training = replace(training, start=home.origin)
    budget = validation.scalar("memory", memory, low=0.0, low_open=True)
    chunk = int(min(max(budget / 2 // (8.0 * home.parameters), 1), len(sets)))
    if out is None:
        lines = Part("forget", len(sets), len(sets) * (8 * model.parameters + 160))
        # A chunk's coefficients, and a byte for each that says whether it is finite.
        worked = (
            lines_part(home, shifted_training, sets[:chunk], budget).size + chunk * home.parameters
        )
        insist(HOST, kept=[lines, Part("forget", len(sets), worked)])
    # Zeros: what memory holds before may look like NaN, which no argument may have.
    vectors = np.zeros((len(sets), model.parameters)) if out is None else out
    if vectors.shape != (len(sets), model.parameters):
        raise ValueError(
            f"out must have shape {(len(sets), model.parameters)}, got {vectors.shape}"
        )
    norms, learned_model, active = [], np.empty(0), False
    for low in range(0, len(sets), chunk):
        part = sets[low : low + chunk]
        position = (low * training.length, len(sets) * training.length)

        # The offset is a default: bound to this chunk, whatever the loop does to `position` later.
        def report(steps: int, _: int, done: tuple[int, int] = position) -> None:
            if progress is not None:
                progress(done[0] + steps, done[1])

        chunk_result = differences(
            home,
            shifted_training,
            part,
            recursion,
            memory=budget,
            record_norms=record_norms,
            progress=report,
        )
        # Back from coefficients, straight to the lines' places.
        home.vectors(chunk_result.vectors, out=vectors[low : low + chunk])
        write_back(vectors)
        learned_model, active = home.vectors(chunk_result.learned), chunk_result.clip_active
        if chunk_result.norms is not None:
            norms.append(chunk_result.norms)
    return Differences(vectors, learned_model, np.concatenate(norms) if norms else None, active)
