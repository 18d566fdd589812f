"""Which gradient steps the accountants speak of, and which of their theorems."""

from __future__ import annotations

from dataclasses import replace

from accounting.mechanism._setting import RESIZING, GradientSteps
from accounting.mechanism._steps import Gradient


def uncovered(steps: GradientSteps) -> tuple[str, ...]:
    """Fields of which nothing of ours speaks, each with why."""
    mechanism, found = steps.mechanism, []
    resizing = mechanism.relation.adjacency in RESIZING
    if mechanism.layers:
        found.append(f"layers: {', '.join(mechanism.layers)} keep something of rows")
    if mechanism.outputs > 1:
        found.append("outputs: several vectors after gradient steps")
    if mechanism.start.value > 0:
        found.append("start: the first states differ")
    for at, each in enumerate(steps.segments):
        path = f"steps[{at}]"
        if not _one_scale(each, resizing=resizing):
            what = "the size that a batch happens to have"
            if each.divisor.is_ == "from_n":
                what = "it follows the number of rows"
            found.append(f"{path}.divisor: {what}")
        if each.clip.each == "microbatch" and resizing:
            found.append(f"{path}.clip: a row that leaves changes all microbatches after it")
    return tuple(found)


def scales_alike(steps: GradientSteps) -> bool:
    """Whether both runs divide by the same number in every step, which is known."""
    resizing = steps.mechanism.relation.adjacency in RESIZING
    return all(_one_scale(each, resizing=resizing) for each in steps.segments)


def _one_scale(segment: Gradient, *, resizing: bool) -> bool:
    divisor = segment.divisor
    if divisor.is_ == "from_n":
        same = divisor.beside is not None and divisor.beside.value == divisor.value.value
        return same or not resizing
    # Batches of one size are no accident.
    sizes = segment.batches.drawn in ("full", "fixed") and not resizing
    return divisor.is_ == "constant" or sizes


def alike(steps: GradientSteps) -> bool:
    """Whether rows that both runs have are drawn alike in both."""
    if steps.mechanism.relation.adjacency not in RESIZING:
        return True
    batches = [each.batches for each in steps.segments]
    by_rates = all(each.rate is not None and each.rate_without is None for each in batches)
    return steps.first.batches.drawn == "full" or by_rates


def contracts(steps: GradientSteps) -> bool:
    """Whether the steps are noisy contractions of the kind that the accountants know."""
    mechanism = steps.mechanism
    known = mechanism.losses == "linear" or (
        mechanism.losses == "scalar" and mechanism.smoothness is not None
    )
    plain = all(each.clip.each == "row" and descent(each) for each in steps.segments)
    return known and plain and mechanism.n is not None and not dropped(steps)


def descent(segment: Gradient) -> bool:
    """Whether a step goes along the noisy gradient of its own batch, decay outside the clip."""
    plain = segment.optimizer == "sgd" and segment.momentum.value == 0
    return plain and (segment.clip.decay == "outside" or segment.decay.value == 0)


def dropped(steps: GradientSteps) -> bool:
    """Whether some rows are in no batch of a shuffled epoch."""
    batches, n = steps.first.batches, steps.mechanism.n
    short = batches.size is not None and n is not None and n % batches.size > 0
    return batches.drawn == "shuffled" and batches.last == "dropped" and short


def seeing(steps: GradientSteps) -> GradientSteps:
    """The steps that see a row in question, where the others are the same in both runs."""
    segments = tuple(each for each in steps.segments if each.sees)
    if not alike(steps) or len(segments) == len(steps.segments):
        return steps
    # Epochs are counted from the first step on.
    if bool(steps.seen[: int(steps.seen.sum())].all()) or steps.first.batches.drawn == "poisson":
        return GradientSteps(replace(steps.mechanism, steps=segments, released="every"))
    return steps
