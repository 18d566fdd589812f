"""Steps that hide nothing: no noise, noise that others know, one noise twice, or no clip."""

from __future__ import annotations

import math

from accounting.mechanism._setting import GradientSteps
from accounting.mechanism._steps import Gradient
from accounting.mechanism._two_sides import Truth


def without_secret(steps: GradientSteps, delta: float) -> Truth | None:
    """The truth where some step that sees the rows has nothing that hides them; else None."""
    mechanism = steps.mechanism
    seeing = [each for each in steps.segments if each.sees]
    free = all(each.radius is None for each in steps.segments)
    unclipped = [each for each in seeing if each.clip.each == "nothing"]
    if unclipped:
        sure = free and _drawn(steps, unclipped) > delta
        lower = math.inf if sure else 0.0
        return Truth(lower, math.inf, "a row may move a step as far as it likes")
    bare = [each for each in seeing if not secret(each)]
    if bare:
        # Noise of later steps hides something of what is released last.
        forgotten = any(each.step_size.value * each.decay.value == 1 for each in steps.segments)
        noisy = forgotten or any(secret(each) for each in steps.segments)
        hidden = mechanism.released != "every" and noisy
        sure = not hidden and _drawn(steps, bare) > delta
        lower = math.inf if sure else 0.0
        return Truth(lower, math.inf, "steps that see the rows have no noise that is secret")
    repeated = [each for each in steps.segments if each.noise.drawn == "repeated"]
    if repeated and steps.total > 1:
        sure = free and mechanism.released == "every" and _differ(steps, delta)
        lower = math.inf if sure else 0.0
        return Truth(lower, math.inf, "one noise for several steps: the difference of two has none")
    return None


def secret(segment: Gradient) -> bool:
    """Whether the noise of a segment is there, and not known to others."""
    return segment.noise.drawn != "public" and segment.noise.deviation.value > 0


def _drawn(steps: GradientSteps, segments: list[Gradient]) -> float:
    """The chance that the row is in a batch of one of the segments."""
    out = 1.0
    for each in segments:
        out *= (1 - _rate(steps, each)) ** each.count
    return 1 - out


def _rate(steps: GradientSteps, segment: Gradient) -> float:
    """The chance of a row to be in one batch; 1 for the worst row of a public order."""
    batches, n = segment.batches, steps.mechanism.n
    if batches.drawn in ("full", "cyclic"):
        return 1.0
    if batches.rate is not None:
        return batches.rate.value
    return (batches.size or 0) / n if n else 0.0


def _differ(steps: GradientSteps, delta: float) -> bool:
    """Whether two steps under one noise differ in what they see of the row, with some chance."""
    first = steps.first
    if first.batches.drawn == "full":
        smooth = steps.mechanism.smoothness
        linear = steps.mechanism.losses == "linear" or (smooth is not None and smooth.value == 0)
        return not linear
    if first.batches.drawn == "cyclic":
        return steps.mechanism.n is not None and (first.batches.size or 0) < steps.mechanism.n
    # In all of the batches, or in none: nothing differs.
    rate = _rate(steps, first)
    return 1 - rate**first.count - (1 - rate) ** first.count > delta
