"""Shifts as they arrive, step by step, for a policy that does not see ahead.

What it knows is a phase.  Where every step draws for itself there is one.  Of an epoch one place is
drawn: phase 0 as long as the row has not been in a batch of the epoch, phase 1 afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accounting.sampled._blocks import Inclusions


@dataclass(frozen=True)
class Arrival:
    """From a phase to the next, with what arrives, and the chance of it in that phase."""

    first: int
    then: int
    shift: float
    chance: float


def arrivals(blocks: Inclusions) -> list[list[Arrival]]:
    """Those of every step that may see a row, sigma = 1; shifts rounded up."""
    return _of_steps(blocks) if blocks.stepwise else _of_epochs(blocks)


def _of_steps(blocks: Inclusions) -> list[list[Arrival]]:
    shifts = (blocks.shift * (1 + 2 * blocks.error)).tolist()
    chances, zeros = blocks.chance.tolist(), blocks.zero.tolist()
    return [
        [Arrival(0, 0, 0.0, none), *(Arrival(0, 0, *each) for each in zip(*both, strict=True))]
        for none, *both in zip(zeros, shifts, chances, strict=True)
    ]


def _of_epochs(blocks: Inclusions) -> list[list[Arrival]]:
    epochs, places = blocks.shift.shape
    # At its own place; the rest arrives in the last batch, where the row was in an earlier one.
    own = blocks.shift - np.where(np.arange(places) < places - 1, blocks.late[:, None], 0.0)
    own, late = own * (1 + 4 * blocks.error), blocks.late * (1 + 2 * blocks.error)
    # The chance that the place is this one or a later one, or none.
    still = np.cumsum(blocks.chance[:, ::-1], axis=1)[:, ::-1] + blocks.zero[:, None]
    some = blocks.chance > 0
    hazard = np.where(some, blocks.chance / np.where(some, still, 1.0), 0.0)
    hazard = np.minimum(hazard, 1.0)
    steps: list[list[Arrival]] = []
    for e in range(epochs):
        for i in range(places):
            last = i == places - 1
            after, more = (0, float(late[e])) if last else (1, 0.0)
            steps.append(
                [
                    Arrival(0, after, float(own[e, i]), float(hazard[e, i])),
                    Arrival(0, 0, 0.0, 1 - float(hazard[e, i])),
                    Arrival(1, after, more, 1.0),
                ]
            )
    # The last epoch may be longer than the chain; beyond it no place has a chance.
    return steps[: blocks.clock.size]
