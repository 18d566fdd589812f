"""What publications add: b_t ~ N(0, sigma_t^2 I) of SAFE's iterates (safe, eq 27) and of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from simulators.random.seeds import Purpose, generator

ENTRIES = 1 << 20
"""Aimed number of numbers drawn at a time."""


def normals(shape: Sequence[int], seed: int, claim: int, first_trial: int = 0) -> np.ndarray:
    """What publications (trials, T, *shape) add per sigma; trial r draws from (seed, claim, r).

    first_trial: number of the first of these trials.
    """
    return np.stack(
        [
            generator(seed, claim, r, Purpose.PUBLICATION).standard_normal(shape[1:])
            for r in range(first_trial, first_trial + shape[0])
        ]
    )


class Perturbations:
    """b_1, b_2, ... of a range of trials; trial r draws from (seed, claim, r) alone.

    first_trial: number of the trial that the range calls 0.
    """

    def __init__(
        self,
        trials: slice,
        shape: tuple[int, int],
        scales: np.ndarray,
        seed: int,
        claim: int,
        first_trial: int = 0,
    ) -> None:
        self.trials, self.shape, self.scales = trials, shape, scales
        self.chunk = max(1, ENTRIES // (shape[0] * shape[1]))
        numbers = (
            range(first_trial + trials.start, first_trial + trials.stop) if scales.any() else ()
        )
        self.random = [generator(seed, claim, r, Purpose.PUBLICATION) for r in numbers]

    def at(self, t: int) -> Iterator[tuple[slice, np.ndarray]]:
        """b_t of the next trials (trials, d, classes), chunk after chunk; rounds come in order."""
        begin, end = self.trials.start, self.trials.stop
        for first in range(begin, end, self.chunk):
            some = slice(first, min(first + self.chunk, end))
            noise = np.zeros((some.stop - some.start, *self.shape))
            if self.random:
                # A generator for each trial: chunks do not change what it draws.
                streams = self.random[some.start - begin : some.stop - begin]
                for line, stream in zip(noise, streams, strict=True):
                    stream.standard_normal(out=line)
                noise *= self.scales[t - 1]
            yield some, noise
