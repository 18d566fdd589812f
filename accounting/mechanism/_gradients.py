"""Gradient steps: the epsilon that is certified of them, and the epsilon that an instance needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from accounting.curves.gaussian import epsilon_gdp
from accounting.mechanism._lower import epoch_lower, poisson_lower
from accounting.mechanism._setting import (
    RESIZING,
    GradientSteps,
    most_moved,
    multiplier,
    refuse,
    row_share,
    setting,
    surely_moved,
)
from accounting.mechanism._steps import Gradient
from accounting.mechanism._value import MechanismFields
from accounting.numerics.attempt import attempt
from accounting.sampled.divisor import divisor_epsilon
from accounting.sampled.privacy import sampled_epsilon
from accounting.sampled.training_alone import available

_DOWN, _UP = 1 - 1e-9, 1 + 2.0**-40
_TIGHT = ("cyclic", "full")  # their composition is a Gaussian curve, attained by linear losses


@dataclass(frozen=True)
class Truth:
    """epsilon of a mechanism at a delta: lower <= what its worst instance has <= upper.

    Attributes:
        route: how the numbers were found.
        open_fields: fields of which nothing of ours speaks, with why; `upper` is then infinite.
    """

    lower: float
    upper: float
    route: str
    open_fields: tuple[str, ...] = ()


def gradient_truth(mechanism: MechanismFields, delta: float) -> Truth:
    """epsilon at delta of gradient steps, from both sides.

    Raises NotCovered where maps stand among them.
    """
    steps = GradientSteps(mechanism)
    if mechanism.relation.adjacency == "maps":
        refuse("relation.adjacency", "gradient steps are about rows")
    if not steps.seen.any() and _alike(steps):
        return Truth(0.0, 0.0, "no step sees the rows in question")
    bare = _without_secret(steps, delta)
    if bare is not None:
        return bare
    least, how = _lower(steps, delta)
    upper, route, open_fields = math.inf, "", _uncovered(steps)
    if not open_fields:
        upper, route, open_fields = _upper(steps, delta)
    said = f"{route}; {how}" if route and how else route or how or "nothing is known"
    return Truth(min(least, upper), upper, said, open_fields)


def largest_mu(mechanism: MechanismFields) -> float:
    """mu of the Gaussian mechanism that sees every state, with the row in every batch; inf if none.

    Whatever the batches are, known batches tell no less.
    """
    steps = GradientSteps(mechanism)
    if _uncovered(steps) or _without_secret(steps, 0.5) is not None or not _alike(steps):
        return math.inf
    drawn = steps.first.batches.drawn
    # Another row may stand in the place: two rows move the sum.
    kappa = 2.0 if mechanism.relation.adjacency == "replace" else 1.0
    moved = steps.spread(_relative)
    squares = (kappa * steps.present * moved * steps.seen) ** 2
    size, n = steps.first.batches.size, mechanism.n
    if drawn not in ("cyclic", "shuffled"):
        return float(np.sqrt(squares.sum())) * _UP
    if size is None or n is None or steps.first.batches.last == "filled":
        return math.inf
    batches = n // size if steps.first.batches.last == "dropped" else -(-n // size)
    if drawn == "shuffled":
        # The row is in one batch of each epoch, in whichever.
        return float(np.sqrt(squares.max() * -(-steps.total // batches))) * _UP
    return float(np.sqrt(max(squares[at::batches].sum() for at in range(batches)))) * _UP


def _relative(segment: Gradient) -> float:
    """The most that a row moves the sum of a batch, over its noise; 0 where no row is seen."""
    return most_moved(segment) / multiplier(segment) if segment.sees else 0.0


# What is not hidden at all.


def _without_secret(steps: GradientSteps, delta: float) -> Truth | None:
    """The truth where some step that sees the rows has nothing that hides them; else None."""
    mechanism = steps.mechanism
    seeing = [each for each in steps.segments if each.sees]
    free = all(each.radius is None for each in steps.segments)
    unclipped = [each for each in seeing if each.clip.each == "nothing"]
    if unclipped:
        sure = free and _drawn(steps, unclipped) > delta
        lower = math.inf if sure else 0.0
        return Truth(lower, math.inf, "a row may move a step as far as it likes")
    bare = [each for each in seeing if not _secret(each)]
    if bare:
        # Noise of later steps hides something of what is released last.
        forgotten = any(each.step_size.value * each.decay.value == 1 for each in steps.segments)
        noisy = forgotten or any(_secret(each) for each in steps.segments)
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


def _secret(segment: Gradient) -> bool:
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
    rate = _rate(steps, first)
    return rate < 1 and _drawn(steps, [first]) * (1 - rate**first.count) > delta


# What none of our accountants speaks of.


def _uncovered(steps: GradientSteps) -> tuple[str, ...]:
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
        divisor, path = each.divisor, f"steps[{at}]"
        if divisor.is_ == "batch" and not (
            each.batches.drawn in ("full", "fixed") and not resizing
        ):
            found.append(f"{path}.divisor: the size that a batch happens to have")
        same = divisor.beside is not None and divisor.beside.value == divisor.value.value
        if divisor.is_ == "from_n" and resizing and not same:
            found.append(f"{path}.divisor: it follows the number of rows")
        if each.clip.each == "microbatch" and resizing:
            found.append(f"{path}.clip: a row that leaves changes all microbatches after it")
    return tuple(found)


def _alike(steps: GradientSteps) -> bool:
    """Whether rows that both runs have are drawn alike in both."""
    if steps.mechanism.relation.adjacency not in RESIZING:
        return True
    batches = [each.batches for each in steps.segments]
    given = all(each.rate is not None and each.rate_without is None for each in batches)
    return steps.first.batches.drawn == "full" or given


def _contracts(steps: GradientSteps) -> bool:
    """Whether the steps are noisy contractions of the kind that the accountants know."""
    mechanism = steps.mechanism
    known = mechanism.losses == "linear" or (
        mechanism.losses == "scalar" and mechanism.smoothness is not None
    )
    plain = all(each.clip.each == "row" and _descent(each) for each in steps.segments)
    return known and plain and mechanism.n is not None and not _dropped(steps)


def _descent(segment: Gradient) -> bool:
    """Whether a step goes along the noisy gradient of its own batch, decay outside the clip."""
    plain = segment.optimizer == "sgd" and segment.momentum.value == 0
    return plain and (segment.clip.decay == "outside" or segment.decay.value == 0)


def _dropped(steps: GradientSteps) -> bool:
    """Whether some rows are in no batch of a shuffled epoch."""
    batches, n = steps.first.batches, steps.mechanism.n
    short = batches.size is not None and n is not None and n % batches.size > 0
    return batches.drawn == "shuffled" and batches.last == "dropped" and short


# What is certified.


def _upper(steps: GradientSteps, delta: float) -> tuple[float, str, tuple[str, ...]]:
    """epsilon that is certified, by which route, and why there is none."""
    whole, refusal = attempt(partial(_composition, steps, delta), math.inf)
    best = (whole, "the composition of all steps")
    if steps.mechanism.released != "every" and _contracts(steps):
        after, refusal = attempt(partial(_contraction, steps, delta), math.inf)
        best = min(best, (after, "noisy SGD on sampled batches"))
    if math.isfinite(best[0]):
        return (*best, ())
    return math.inf, "", (refusal,) if refusal else ()


def _composition(steps: GradientSteps, delta: float) -> float:
    """Every state is counted: optimizers and projections only read what was released."""
    made = setting(_seeing(steps), most_moved)
    if made.sampled.reference != "T+K":
        refuse("relation.reference", "the composition is of runs of the same length")
    bounds = [float(epsilon_gdp(largest_mu(steps.mechanism), delta))]
    if available() or made.sampled.sampling in ("shuffled", *_TIGHT):
        whole = replace(made.sampled, published=())
        bounds.append(sampled_epsilon(whole, made.sigma, delta, "training"))
    return min(bounds)


def _seeing(steps: GradientSteps) -> GradientSteps:
    """The steps that see a row in question, where the others are the same in both runs."""
    segments = tuple(each for each in steps.segments if each.sees)
    if not _alike(steps) or len(segments) == len(steps.segments):
        return steps
    # Epochs are counted from the first step on.
    if bool(steps.seen[: int(steps.seen.sum())].all()) or steps.first.batches.drawn == "poisson":
        return GradientSteps(replace(steps.mechanism, steps=segments, released="every"))
    return steps


def _contraction(steps: GradientSteps, delta: float) -> float:
    """What later steps hide is counted."""
    made = setting(steps, most_moved, contracts=True)
    sampled = made.sampled
    if steps.mechanism.requests == "adaptive" and 0 < steps.length < steps.total:
        # What requests may depend on: the model after training is counted as seen.
        ends = sorted({*map(int, sampled.published), steps.length})
        sampled = replace(sampled, published=ends)
    return sampled_epsilon(sampled, made.sigma, delta, "exact")


# What an instance needs.


def _lower(steps: GradientSteps, delta: float) -> tuple[float, str]:
    """epsilon that some instance of the declared class needs, and which."""
    known = [(_by_divisor(steps, delta), "two divisors of no gradients at all")]
    projected = any(each.radius is not None for each in steps.segments)
    repeated = any(each.noise.drawn == "repeated" for each in steps.segments)
    reference = steps.mechanism.relation.reference in ("N+K", "other")
    invertible = all(each.optimizer == "sgd" for each in steps.segments)
    if not projected and not repeated and reference and invertible:
        nothing: tuple[float, str] = (0.0, "")
        found, _ = attempt(lambda: _by_rows(steps, delta), nothing)
        known.append(found)
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
        seen = (mechanism.dimension or 1) * each.count
        plain = each.optimizer == "sgd" and each.noise.drawn == "fresh" and _secret(each)
        if every and plain and pair[0] != pair[1]:
            least = max(least, divisor_epsilon(*pair, seen, delta))
    alone = len(ratios) == 1 and all(_descent(each) and _secret(each) for each in steps.segments)
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
        if not all(_descent(each) for each in steps.segments):
            return 0.0, ""
        made = setting(steps, surely_moved)
        both = {(), tuple(made.sampled.published)}
        settings = [replace(made.sampled, published=times) for times in both]
        found = max(sampled_epsilon(each, made.sigma, delta, "lower") for each in settings)
        return found * _DOWN, "linear losses below"
    made = setting(_seeing(steps), surely_moved)
    sampled, sigma = made.sampled, made.sigma
    drawn, adjacency = sampled.sampling, mechanism.relation.adjacency
    if drawn in _TIGHT:
        # The row in question alone has a gradient: rows that move take no part.
        alone = replace(sampled, adjacency="replace" if adjacency == "replace" else "zero-out")
        found = sampled_epsilon(alone, sigma, delta, "training")
        return found * _DOWN, "linear losses need as much"
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
    seen = min(most, int(steps.seen.sum()))
    if not seen or not bool(steps.seen[:seen].all()):
        return 0.0
    seeing = [each for each in steps.segments if each.sees]
    # In clips; a row that may be shorter than the clip moves less.
    sigma = max(multiplier(each) / surely_moved(each) / row_share(each) for each in seeing)
    full = all(each.clip.each == "row" and each.row_gradient is None for each in seeing)
    pairs = {"zero": [(2.0, 1.0)], "replace": [(2.0, 0.0)]} if full else {}
    adjacency = mechanism.relation.adjacency
    return epoch_lower(seen, count, sigma, delta, [(1.0, 0.0), *pairs.get(adjacency, [])])
