"""What an instance of the class that gradient steps declare needs: the most of several bounds."""

from __future__ import annotations

import math
from dataclasses import replace

from accounting.mechanism._certified import SAME_LENGTH, TIGHT
from accounting.mechanism._coverage import descent, scales_alike, seeing
from accounting.mechanism._lower import epoch_lower, poisson_lower
from accounting.mechanism._setting import (
    RESIZING,
    GradientSteps,
    multiplier,
    row_share,
    setting,
    surely_moved,
)
from accounting.mechanism._unhidden import secret
from accounting.numerics.attempt import attempt
from accounting.sampled.divisor import divisor_epsilon
from accounting.sampled.privacy import sampled_epsilon

_DOWN = 1 - 1e-9


def needed(steps: GradientSteps, delta: float) -> tuple[float, str]:
    """epsilon that some instance of the declared class needs, and which."""
    known = [(_by_divisor(steps, delta), "two divisors of no gradients at all")]
    projected = any(each.radius is not None for each in steps.segments)
    repeated = any(each.noise.drawn == "repeated" for each in steps.segments)
    reference = steps.mechanism.relation.reference in SAME_LENGTH
    invertible = all(each.optimizer == "sgd" for each in steps.segments)
    if not projected and not repeated and reference and invertible and scales_alike(steps):
        nothing: tuple[float, str] = (0.0, "")
        by_rows, _ = attempt(lambda: _by_rows(steps, delta), nothing)
        known.append(by_rows)
    best = max(known)
    return best if best[0] > 0 else (0.0, "")


def _by_divisor(steps: GradientSteps, delta: float) -> float:
    """Two Gaussians whose deviations are as the two divisors."""
    mechanism = steps.mechanism
    if mechanism.relation.adjacency not in RESIZING:
        return 0.0
    if any(each.radius is not None for each in steps.segments):
        return 0.0
    every = mechanism.released == "every"
    least, ratios = 0.0, set()
    for each in steps.segments:
        divisor = each.divisor
        follows = divisor.is_ == "from_n" and divisor.beside is not None
        beside = divisor.beside.value if follows and divisor.beside else divisor.value.value
        # Noise that is added after the division is not divided.
        pair = (divisor.value.value, beside) if each.noise.on == "sum" else (1.0, 1.0)
        ratios.add(pair[0] / pair[1])
        entries = (mechanism.dimension or 1) * each.count
        plain = each.optimizer == "sgd" and each.noise.drawn == "fresh" and secret(each)
        if every and plain and pair[0] != pair[1]:
            least = max(least, divisor_epsilon(*pair, entries, delta))
    alone = len(ratios) == 1 and all(descent(each) and secret(each) for each in steps.segments)
    if not every and alone and steps.first.noise.drawn == "fresh":
        # The last state of no gradients is one Gaussian, as wide as one over the divisor.
        ratio = ratios.pop()
        if ratio != 1:
            least = divisor_epsilon(ratio, 1.0, mechanism.dimension or 1, delta)
    return least


def _by_rows(steps: GradientSteps, delta: float) -> tuple[float, str]:
    """Linear losses: the row in question in the batches that it is drawn to."""
    mechanism = steps.mechanism
    if mechanism.released != "every":
        if not all(descent(each) for each in steps.segments):
            return 0.0, ""
        case = setting(steps, surely_moved)
        both = {(), tuple(case.sampled.published)}
        settings = [replace(case.sampled, published=times) for times in both]
        epsilon = max(sampled_epsilon(each, case.sigma, delta, "lower") for each in settings)
        return epsilon * _DOWN, "linear losses below"
    case = setting(seeing(steps), surely_moved)
    sampled, sigma = case.sampled, case.sigma
    drawn, adjacency = sampled.sampling, mechanism.relation.adjacency
    if drawn in TIGHT:
        # The row in question alone has a gradient: rows that move take no part.
        alone = replace(sampled, adjacency="replace" if adjacency == "replace" else "zero-out")
        epsilon = sampled_epsilon(alone, sigma, delta, "training")
        return epsilon * _DOWN, "linear losses need as much"
    if drawn == "poisson":
        return poisson_lower(sampled, sigma, delta), "linear losses below"
    if drawn == "shuffled":
        return _epoch(steps, delta), "the largest sum of an epoch below"
    alone = sampled.training_alone()
    return sampled_epsilon(alone, sigma, delta, "lower") * _DOWN, "linear losses below"


def _epoch(steps: GradientSteps, delta: float) -> float:
    """The first shuffled epoch, with the largest noise of all."""
    mechanism, batches = steps.mechanism, steps.first.batches
    assert mechanism.n is not None
    assert batches.size is not None
    count = mechanism.n / batches.size
    most = int(count) if batches.last == "dropped" else math.ceil(count)
    length = min(most, int(steps.seen.sum()))
    if not length or not bool(steps.seen[:length].all()):
        return 0.0
    segments = [each for each in steps.segments if each.sees]
    # In clips; a row that may be shorter than the clip moves less.
    sigma = max(multiplier(each) / surely_moved(each) / row_share(each) for each in segments)
    full = all(each.clip.each == "row" and each.row_gradient is None for each in segments)
    pairs = {"zero": [(2.0, 1.0)], "replace": [(2.0, 0.0)]} if full else {}
    adjacency = mechanism.relation.adjacency
    return epoch_lower(length, count, sigma, delta, [(1.0, 0.0), *pairs.get(adjacency, [])])
