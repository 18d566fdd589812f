"""What a problem executes as a noisy contraction, for those that are one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accounting.contraction.noisy_contraction import NoisyContraction


@dataclass(frozen=True, eq=False)
class Process:
    """A problem at a given noise, as maps with noise.

    Attributes:
        chain: the maps up to what is released last.
        outputs: how many vectors are released with noise of their own.
        origin: where the initial distance comes from: public, assumed, or rows.
    """

    chain: NoisyContraction
    outputs: int = 1
    origin: str = "public"


def released_once(distance: float, noise: Any, outputs: int = 1, origin: str = "public") -> Process:
    """A model at most so far from what it is compared with, released with this noise."""
    same, still = np.ones(1), np.zeros(1)
    chain = NoisyContraction(same, still, np.full(1, float(noise)), distance)
    return Process(chain, outputs, origin)
