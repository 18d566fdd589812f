"""Draws and noise that nobody else knows.

The key of the generator has 128 bits from the system and is never written anywhere, so that a run
that goes on after a crash, or from a copy, draws anew.
"""

import secrets
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from accounting.numerics import validation


class SecretSource:
    """A generator (Philox) for the draws of rows and the noise of steps.

    seed: None for a secret one.  With a number everything can be drawn again by whoever knows it:
    for tests, and never for a certificate.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.secret = seed is None
        key = secrets.randbits(128)
        if seed is not None:
            key = validation.count("seed", seed, low=0)
        self._generator = np.random.Generator(np.random.Philox(key=key))

    def inclusions(self, count: int, rate: float) -> NDArray[np.bool_]:
        """One draw a row, whether it is in the batch."""
        # random() is below 1, so that the rate 1 takes every row.
        return self._generator.random(count) < rate

    def normals(self, like: Any) -> Any:
        """Standard Gaussian numbers in the shape, precision and place of a tensor."""
        values = self._generator.standard_normal(tuple(like.shape))
        return torch.as_tensor(values, dtype=like.dtype).to(like.device)

    def __getstate__(self) -> dict[str, bool]:
        # A copy, or what was written to a file, must not draw what this one draws.
        return {"secret": self.secret}

    def __setstate__(self, state: dict[str, bool]) -> None:
        self.secret = state["secret"]
        self._generator = np.random.Generator(np.random.Philox(key=secrets.randbits(128)))
