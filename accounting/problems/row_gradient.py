"""Bounds on the gradients of the requested rows, in place of the clip: what problems share."""

import numpy as np

from accounting.problems.answer import Array
from accounting.sampled_sgd import LEAST_SHARE
from accounting.validation import real

HELP = "The most that the gradient of a requested row is along the path, in place of C; released."


def share_of_clip(name: str, norms: object, clip: float) -> Array:
    """norms/clip, rounded up, at most 1. Raises ValueError outside [1e-9 clip, clip]."""
    found = real(name, norms, low=0.0)
    if not ((found >= LEAST_SHARE * clip) & (found <= clip)).all():
        raise ValueError(
            f"{name} must be in [{LEAST_SHARE:g} clip, clip] for clip = {clip:g}, got {norms!r}"
        )
    share: Array = np.minimum(found / clip * (1 + 2.0**-50), 1.0)
    return share


def condition(name: str) -> str:
    """What an answer rests on where such a bound is given."""
    return (
        f"the gradients of the requested rows are <= {name} along the path, whatever the noise and "
        f"the batches; {name} is released, and so is what it tells of them"
    )
