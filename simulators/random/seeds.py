"""Random streams that depend on (seed, claim, purpose) only, and where they say so on a block.

Noise is a function of counters under the key of SeedSequence(seed, spawn_key=(claim, purpose))
(`normals`).  What a law of the user's draws in blocks of trials comes from a generator on
SeedSequence(seed, spawn_key=(claim, block, purpose)).  Either way numbers do not depend on how many
trials a call computes, on the process that computes them, or on the memory at hand.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from accounting.numerics import validation


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


def key(seed: object, claim: object, purpose: Purpose) -> tuple[int, int]:
    """Two 32-bit words, the key of `philox`; ValueError unless seed and claim are integers >= 0."""
    low, high = _sequence(seed, claim, int(purpose)).generate_state(2, np.uint32)
    return int(low), int(high)


def generator(seed: object, claim: object, block: int, purpose: Purpose) -> np.random.Generator:
    """A numpy generator (SFC64) for one block."""
    return np.random.Generator(np.random.SFC64(_sequence(seed, claim, block, int(purpose))))


def _sequence(seed: object, claim: object, *rest: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(
        validation.count("seed", seed, low=0),
        spawn_key=(validation.count("claim", claim, low=0), *rest),
    )
