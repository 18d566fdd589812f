"""A mechanism of gradient steps as the accountants of sampled batches take it.

The accountants count in units of eta C/B, with one divisor B and one clip C for all steps.  Where
the divisor D is no batch size, the same steps have the step size eta B/D and the ridge lambda D/B.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from accounting.mechanism._steps import Gradient
from accounting.mechanism._value import MechanismFields
from accounting.problems.answer import Array
from accounting.sampled.algorithm import SampledSGD

ADJACENCY = {"zero": "zero-out", "delete": "delete", "add": "add", "replace": "replace"}
REFERENCE = {"N+K": "T+K", "other": "T+K", "N": "T", "stationary": "stationary"}
RESIZING = ("delete", "add")
_UP = 1 + 2.0**-52


class FieldNotCovered(ValueError):
    """Nothing of ours speaks of a mechanism; the message begins with the path of the field."""


def refuse(field: str, why: str) -> NoReturn:
    """Raises FieldNotCovered for a field of the document."""
    raise FieldNotCovered(f"{field} must be otherwise, as {why}")


@dataclass(frozen=True)
class Setting:
    """A setting of the accountants, and the noise multiplier of its first step."""

    sampled: SampledSGD
    sigma: float


class GradientSteps:
    """All steps of a mechanism of gradient segments, one number a step.

    Raises FieldNotCovered where there are other segments, or where they are sampled in several
    ways.
    """

    def __init__(self, mechanism: MechanismFields) -> None:
        self.mechanism = mechanism
        segments = [each for each in mechanism.steps if isinstance(each, Gradient)]
        if len(segments) < len(mechanism.steps):
            refuse("steps", "maps stand among gradient steps")
        self.segments = segments
        self.first = segments[0]
        self.counts = [each.count for each in segments]
        self.total = sum(self.counts)
        self.present = self.spread(self._rows).astype(np.int64)

    def spread(self, of: Callable[[Gradient], float]) -> Array:
        """A number of every segment as one of every step."""
        return np.repeat(np.asarray([of(each) for each in self.segments], float), self.counts)

    def alike(self, field: str, of: Callable[[Gradient], Any]) -> Any:
        """What all segments have in common. Raises FieldNotCovered where they differ."""
        values = {of(each) for each in self.segments}
        if len(values) > 1:
            refuse(f"steps.{field}", "it differs between segments")
        return values.pop()

    def _rows(self, segment: Gradient) -> int:
        """How many of the rows in question are in the data."""
        if isinstance(segment.sees, bool):
            return self.mechanism.relation.rows if segment.sees else 0
        return segment.sees

    @property
    def seen(self) -> np.ndarray:
        """Whether a step sees a row in question."""
        return self.present > 0

    @property
    def length(self) -> int:
        """N, the steps of training: those before the first in which some row has left."""
        fewer = np.flatnonzero(self.present < self.present.max())
        leading = fewer[fewer > int(np.argmax(self.present))]
        return int(leading[0]) if leading.size else self.total

    def clip(self) -> float:
        """The largest clip of all segments."""
        return max(norm(each) for each in self.segments)

    def multipliers(self) -> Array:
        """Standard deviation of the noise on the sum of every step, in units of its clip."""
        return self.spread(multiplier)


def norm(segment: Gradient) -> float:
    """C of a segment; infinite where nothing is clipped."""
    return math.inf if segment.clip.norm is None else segment.clip.norm.value


def multiplier(segment: Gradient) -> float:
    """Noise on the sum of a batch over the clip; 0 for noise that others know."""
    if segment.noise.drawn == "public":
        return 0.0
    divisor = segment.divisor.value.value
    scale = {"sum": 1.0, "mean": divisor, "iterate": divisor / segment.step_size.value}
    # Divided first, so that a deviation that was sigma C gives sigma.
    return segment.noise.deviation.value / norm(segment) * scale[segment.noise.on]


def most_moved(segment: Gradient) -> float:
    """By how much a row moves the sum of a batch at most, in clips."""
    each = segment.clip.each
    if each == "group":
        # Every group of parameters moves by up to the clip, at right angles to the others.
        return math.sqrt(segment.clip.groups or 1)
    if each == "microbatch":
        # The clipped mean of a few rows may turn round.
        return 2.0
    if each == "batch":
        # The clipped mean of the batch may turn round, and is multiplied by the divisor.
        return 2.0 * segment.divisor.value.value
    return 1.0 if each == "row" else math.inf


def surely_moved(segment: Gradient) -> float:
    """By how much a row moves it where all other rows have no gradient, in clips."""
    each = segment.clip.each
    if each == "batch":
        return segment.divisor.value.value
    return 1.0 if each == "microbatch" else most_moved(segment)


def setting(
    steps: GradientSteps, moved: Callable[[Gradient], float], *, contracts: bool = False
) -> Setting:
    """The setting in which a row moves the sum of a batch by `moved` clips.

    contracts: whether its answers may rest on the contraction of the steps; else the smoothness is
    left out.  Raises FieldNotCovered, and ValueError for what the accountants refuse.
    """
    mechanism = steps.mechanism
    drawn = steps.alike("batches.drawn", lambda each: each.batches.drawn)
    divisor = steps.alike("divisor.value", lambda each: each.divisor.value.value)
    ridge = steps.alike("decay", lambda each: each.decay.value)
    if mechanism.relation.adjacency not in ADJACENCY:
        refuse("relation.adjacency", "gradient steps are about rows")
    if mechanism.relation.reference not in REFERENCE:
        refuse("relation.reference", "no accountant compares gradient steps with it")
    sampling = _Sampling(steps, drawn, divisor)
    clip = steps.clip()
    share = steps.spread(lambda each: norm(each) / clip * row_share(each))
    # Noise in units of the largest clip; what a row moves beyond its clip divides the noise.
    profile = steps.spread(lambda each: multiplier(each) * (norm(each) / clip) / moved(each))
    if not (profile > 0).all():
        refuse("steps.noise.deviation", "some step has no noise that is secret")
    scale = sampling.size / divisor
    smoothness = mechanism.smoothness.value if contracts and mechanism.smoothness else 0.0
    published = mechanism.released if isinstance(mechanism.released, tuple) else ()
    reference = REFERENCE[mechanism.relation.reference]
    sampled = SampledSGD(
        n=sampling.n,
        batch_size=sampling.size,
        steps=steps.length,
        unlearning_steps=steps.total - steps.length,
        step_size=_plain(steps.spread(lambda each: each.step_size.value) * scale),
        smoothness=smoothness,
        ridge=ridge / scale,
        noise_profile=_plain(profile / profile[0]),
        sampling=drawn,
        adjacency=ADJACENCY[mechanism.relation.adjacency],
        reference=reference,
        diameter=_diameter(steps, clip),
        rows=_rows(steps),
        row_share=_plain(share),
        published=published if reference == "T+K" else (),
        **sampling.rates(),
    )
    return Setting(sampled, float(profile[0]))


def _diameter(steps: GradientSteps, clip: float) -> float:
    """Of the smallest ball that all steps project into, in clips, rounded up."""
    radius = steps.alike("radius", lambda each: each.radius)
    if radius is None:
        return math.inf
    return float(2 * radius.value if clip == 1 else 2 * radius.value / clip * _UP)


def _rows(steps: GradientSteps) -> Any:
    """A number where the rows are there in training and gone afterwards, else one a step."""
    most = int(steps.present.max(initial=0))
    usual = np.where(np.arange(steps.total) < steps.length, most, 0)
    return most if most and (steps.present == usual).all() else steps.present


def row_share(segment: Gradient) -> float:
    """The part of the clip that the gradient of a row in question is at most, rounded up."""
    if segment.row_gradient is None:
        return 1.0
    return min(segment.row_gradient.value / norm(segment) * _UP, 1.0)


def _plain(array: Array) -> Any:
    """One number where all are the same."""
    return float(array[0]) if (array == array[0]).all() else array


class _Sampling:
    """n, the batch size that the accountants divide by, and the rates of poisson."""

    def __init__(self, steps: GradientSteps, drawn: str, divisor: float) -> None:
        self.steps, self.drawn, self.divisor = steps, drawn, divisor
        mechanism = steps.mechanism
        sizes = {each.batches.size for each in steps.segments}
        whole = divisor == int(divisor) if divisor < 2**52 else False
        if drawn in ("full", "poisson"):
            needed = math.ceil(divisor) + mechanism.relation.rows + 1
            self.n = mechanism.n or max(needed, 2)
            resized = mechanism.relation.adjacency in RESIZING
            fewest = max(self.n - resized * int(steps.present.max(initial=0)), 1)
            self.size = min(max(int(divisor) if whole else round(divisor), 1), fewest)
        else:
            if len(sizes) > 1:
                refuse("steps.batches.size", "it differs between segments")
            if mechanism.n is None:
                refuse("n", f"it is not known, and batches are {drawn}")
            self.n, self.size = mechanism.n, sizes.pop() or 1
            self._check_last()

    def _check_last(self) -> None:
        """A last batch that is smaller is made as it is; others only where there is none."""
        last = self.steps.alike("batches.last", lambda each: each.batches.last)
        short = self.n % self.size and self.drawn in ("shuffled", "cyclic")
        if short and last == "filled":
            refuse("steps.batches.last", "a row may be in two batches of an epoch")
        if short and last == "dropped":
            # The rows of the batch that is left out are in none.
            self.n -= self.n % self.size

    def rates(self) -> dict[str, Any]:
        """The fields of the accountants that say how likely a row is drawn."""
        if self.drawn != "poisson":
            return {}
        steps = self.steps
        by_rate = [each.batches.rate is not None for each in steps.segments]
        if not any(by_rate):
            return self._following()
        if all(by_rate):
            rate = steps.spread(lambda each: _value(each.batches.rate))
            if all(each.batches.rate_without is None for each in steps.segments):
                return {"rate": _plain(rate)}
            without = steps.spread(
                lambda each: _value(each.batches.rate_without or each.batches.rate)
            )
            return {"rate": _plain(rate), "rate_without": _plain(without)}
        seeing = [
            each.sees for each, known in zip(steps.segments, by_rate, strict=True) if not known
        ]
        late = {_value(each.batches.rate) for each in steps.segments if each.batches.rate}
        delete = steps.mechanism.relation.adjacency == "delete"
        # Training follows n, and the further steps have a rate of their own.
        if not delete or len(late) > 1 or not all(seeing) or any(self._seen(by_rate)):
            refuse("steps.batches.rate", "some segments have a rate, and some a size")
        return {**self._following(), "unlearning_rate": late.pop()}

    def _seen(self, given: list[bool]) -> list[bool]:
        pairs = zip(self.steps.segments, given, strict=True)
        return [bool(each.sees) for each, known in pairs if known]

    def _following(self) -> dict[str, Any]:
        """The rate is a size over the number of rows."""
        sizes = {each.batches.size for each in self.steps.segments if each.batches.size is not None}
        if self.steps.mechanism.n is None:
            refuse("n", "it is not known, and the rate follows it")
        if sizes == {self.size}:
            return {}
        spread = self.steps.spread(lambda each: each.batches.size or 0)
        if not spread.all():
            refuse("steps.batches.rate", "some segments have a rate, and some a size")
        present, adjacency = self.steps.present, self.steps.mechanism.relation.adjacency
        if adjacency == "add":
            return {"rate": spread / self.n, "rate_without": spread / (self.n - present)}
        if adjacency == "delete":
            fewest = self.n - int(present.max(initial=0))
            return {"rate": spread / (fewest + present), "rate_without": spread / fewest}
        return {"rate": _plain(spread / self.n)}


def _value(constant: Any) -> float:
    return float(constant.value)
