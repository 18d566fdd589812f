"""Bounds on the gradients of the requested rows, in place of the clip: what problems share."""

from __future__ import annotations

from typing import Any

import numpy as np

from accounting.numerics.validation import real
from accounting.problems.answer import Array
from accounting.sampled.schedules import LEAST_SHARE

HELP = "The most that the gradient of a requested row is along the path, in place of C; released."


def share_of_clip(name: str, norms: object, clip: float) -> Array:
    """norms/clip, rounded up, at most 1. Raises ValueError outside [1e-9 clip, clip]."""
    lengths = real(name, norms, low=0.0)
    if not ((lengths >= LEAST_SHARE * clip) & (lengths <= clip)).all():
        raise ValueError(
            f"{name} must be in [{LEAST_SHARE:g} clip, clip] for clip = {clip:g}, got {norms!r}"
        )
    share: Array = np.minimum(lengths / clip * (1 + 2.0**-50), 1.0)
    return share


def condition(name: str) -> str:
    """What an answer rests on where such a bound is given."""
    return (
        f"the gradients of the requested rows are <= {name} along the path, whatever the noise and "
        f"the batches; {name} is released, and so is what it tells of them"
    )


def shares(name: str, norms: Any, clip: float, seen: int, unseen: int) -> Any:
    """What part of C the gradient of a requested row is at most, of the steps that see it.

    norms: bounds on it, a number or one for each of the `seen` steps; None: the clip alone.
    """
    if norms is None:
        return 1.0
    share = share_of_clip(name, norms, clip)
    if share.ndim and share.size != seen:
        raise ValueError(
            f"{name} must be {seen} numbers, one for every step that sees the row by steps, "
            f"requests and unlearning_steps, got {share.size}"
        )
    return np.pad(share, (0, unseen), mode="edge") if share.ndim else float(share)
