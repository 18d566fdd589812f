"""Random streams that depend on (seed, claim, block, purpose) only.

Trials are computed in blocks of one fixed size.  Block k of claim c draws from
SeedSequence(seed, spawn_key=(c, k, purpose)), so its numbers do not depend on how many blocks a
call computes, on the process that computes it, or on the memory at hand.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from accounting import validation


class Purpose(IntEnum):
    """What a stream is used for; each has its own numbers."""

    NOISE = 0
    INITIAL = 1
    RETRAIN_NOISE = 2
    RETRAIN_INITIAL = 3
    BATCHES = 4
    PUBLICATION = 5
    STEP_NOISE = 6
    DELETIONS = 7
    PROJECTION = 8


def sequence(seed: object, claim: object, block: int, purpose: Purpose) -> np.random.SeedSequence:
    """The seed sequence of one block; ValueError unless seed and claim are integers >= 0."""
    return np.random.SeedSequence(
        validation.count("seed", seed, low=0),
        spawn_key=(validation.count("claim", claim, low=0), block, int(purpose)),
    )


def generator(seed: object, claim: object, block: int, purpose: Purpose) -> np.random.Generator:
    """A numpy generator (SFC64) on that sequence."""
    return np.random.Generator(np.random.SFC64(sequence(seed, claim, block, purpose)))
