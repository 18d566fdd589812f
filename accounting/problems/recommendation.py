"""What follows from answers: what to add, and which one to take."""

from collections.abc import Collection, Mapping

import numpy as np

from accounting.problems.answer import NONE_SUFFICES, Answer, Array, Question, shown


def application(deviation: Array, to: str) -> str:
    """What to add to what, for the standard deviation of a coordinate, one or for every place."""
    if not np.isfinite(deviation).all():
        return NONE_SUFFICES
    low, high = shown(deviation.min()), shown(deviation.max())
    if deviation.ndim == 0 or low == high:
        return f"add N(0, s^2 I), s = {high} in every coordinate, to {to}"
    return f"add N(0, s_i^2 I), s_i from {low} to {high} in every coordinate, to {to}"


def recommended(
    question: Question, by: Mapping[str, Answer], preferred: Collection[str]
) -> str | None:
    """The accountant with the least noise, or the least epsilon, of those preferred and valid."""
    sizes = {
        name: float((answer.noise if question == "noise" else answer.epsilon).max())
        for name, answer in by.items()
        if name in preferred and answer.valid and answer.epsilon is not None
    }
    return min(sizes, key=lambda name: sizes[name], default=None)
