"""What a privacy library remembers of a training: noise, sampling, steps; and for which adjacency.

Plain numbers, so that they may come from one library and go to another, or become a problem.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from accounting.numerics import validation
from accounting.problems.answer import shown
from accounting.sampled.divisor import divisor_epsilon

ADJACENCIES = {
    "delete": "a row is in the data of one run and in the other it is not (add or remove)",
    "zero": "a row of one run is a row of zeros in the other",
    "replace": "a row of one run is any other row in the other",
}
SAMPLING = ("poisson", "fixed", "full")


@dataclass(frozen=True)
class Segment:
    """`steps` steps at one noise multiplier (> 0, of the clip) and sampling rate in (0, 1]."""

    noise_multiplier: float
    sampling_rate: float
    steps: int

    def __post_init__(self) -> None:
        ends: dict[str, Any] = {"low": 0.0, "low_open": True}
        for name, high in (("noise_multiplier", math.inf), ("sampling_rate", 1.0)):
            value = validation.scalar(name, getattr(self, name), high=high, **ends)
            object.__setattr__(self, name, value)
        if math.isinf(self.noise_multiplier):
            raise ValueError("noise_multiplier must be finite, got inf")
        object.__setattr__(self, "steps", validation.count("steps", self.steps, low=1))


@dataclass(frozen=True)
class TrainingHistory:
    """A training with clipped gradients and Gaussian noise, as its accountant knows it.

    Attributes:
        segments: in order; neighbours that are equal are joined.
        adjacency: a key of `ADJACENCIES`.
        sampling: "poisson"; "fixed": so many rows without replacement, which needs n; "full".
        n, clip: number of rows and C, where they are known.
        step_size, weight_decay: eta, a number or one for each step, and lambda, where known.
        divisor: what the noisy sum of a batch was divided by, where it is known.
        dimension: numbers in the model, where it is known.
    """

    segments: tuple[Segment, ...]
    adjacency: str = "delete"
    sampling: str = "poisson"
    n: int | None = None
    clip: float | None = None
    step_size: float | tuple[float, ...] | None = None
    weight_decay: float | None = None
    divisor: float | None = None
    dimension: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", _joined(self.segments))
        validation.choice("adjacency", self.adjacency, tuple(ADJACENCIES))
        validation.choice("sampling", self.sampling, SAMPLING)
        if self.n is not None:
            object.__setattr__(self, "n", validation.count("n", self.n, low=1))
        if self.clip is not None:
            clip = validation.scalar("clip", self.clip, low=0.0, low_open=True, high_open=True)
            object.__setattr__(self, "clip", clip)
        if self.divisor is not None:
            validation.scalar("divisor", self.divisor, low=0.0, low_open=True, high_open=True)
        if self.dimension is not None:
            validation.count("dimension", self.dimension, low=1)
        if self.weight_decay is not None:
            validation.scalar("weight_decay", self.weight_decay, low=0.0, high_open=True)
        if self.step_size is not None:
            ends: dict[str, Any] = {"low": 0.0, "low_open": True, "high_open": True}
            each = validation.real("step_size", self.step_size, **ends)
            if each.shape not in ((), (self.steps,)):
                raise ValueError(
                    f"step_size must be one number or {self.steps}, got shape {each.shape}"
                )
        if self.sampling == "fixed" and self.n is None:
            raise ValueError("n must be given with sampling fixed, got none")
        if self.sampling == "full" and any(each.sampling_rate < 1 for each in self.segments):
            raise ValueError("sampling must be poisson or fixed for a sampling rate below 1")

    @property
    def steps(self) -> int:
        """Of all segments."""
        return sum(each.steps for each in self.segments)

    @property
    def only(self) -> Segment:
        """The one segment. Raises ValueError where noise or sampling rate changed on the way."""
        if len(self.segments) > 1:
            raise ValueError(f"segments must be one, got {len(self.segments)}")
        return self.segments[0]

    @property
    def batch_size(self) -> int:
        """The whole part of n times the sampling rate, by which Opacus divides; needs one segment.

        The sampling rate is not this over n where that was no whole number.  One over a number of
        batches is Opacus' own, whose product is rounded as it comes: 98 rows in 49 batches are
        divided by 1.  Any other is taken for a batch size over n.
        """
        if self.n is None:
            raise ValueError("n must be known for a batch size, got none")
        return self.batch_size_on(self.n)

    def batch_size_on(self, rows: int) -> int:
        """The same for so many rows at the same rate: what Opacus divides by in a run on them."""
        count = validation.count("rows", rows, low=1)
        rate = self.only.sampling_rate
        # B/n times n may fall an ulp short of B; Opacus' own rates are taken as they are rounded
        # there.
        slack = 0.0 if rate == 1 / round(1 / rate) else 2.0**-50
        return max(1, int(count * rate * (1 + slack)))

    @property
    def divisor_follows(self) -> bool | None:
        """Whether what divides the sum is made from n, as Opacus does; None where not known."""
        if self.n is None or self.divisor is None:
            return None
        return self.divisor == self.batch_size

    def divisor_remark(self, removed: int = 1, delta: float = 1e-5) -> str | None:
        """Whose number divides the noisy sum, and what it costs if it follows the rows that stay.

        None where Opacus divides by the same number without `removed` rows.  Raises ValueError
        where n or the divisor is not known.
        """
        if self.n is None or self.divisor is None:
            raise ValueError("n and divisor must be known for a remark, got none")
        deletions = validation.count("removed", removed, low=1, high=self.n - 1)
        here, there = self.divisor, self.batch_size_on(self.n - deletions)
        if here == there:
            return None
        whose = "is the whole part of n q" if self.divisor_follows else "was set"
        remark = (
            f"the sum of a batch is divided by expected_batch_size = {here:g}, which {whose}; "
            f"Opacus would retrain on {self.n - deletions} rows with {there}: set "
            f"optimizer.expected_batch_size = {here:g} there, and in the further steps"
        )
        if self.dimension is not None:
            least = divisor_epsilon(here, there, self.dimension, delta)
            remark += (
                f"; two divisors alone cost epsilon >= {shown(least, 3, up=False)} at delta = "
                f"{delta:g} with {self.dimension} weights"
            )
        return remark

    def insist(self, adjacency: str) -> None:
        """Raises ValueError, with the reason, where the history is for another adjacency.

        Deleting a row, and putting zeros in its place, are one under Poisson sampling and in full
        batches: the noisy sum is the same, as what divides it is fixed.
        """
        relation = validation.choice("adjacency", adjacency, tuple(ADJACENCIES))
        alike = {"delete", "zero"}
        if self.adjacency == relation:
            return
        if {self.adjacency, relation} <= alike and self.sampling != "fixed":
            return
        _differs(self.adjacency, relation)


def _differs(one: str, other: str) -> NoReturn:
    raise ValueError(
        f"adjacency must be {one!r}: {ADJACENCIES[one]}; got {other!r}: {ADJACENCIES[other]}; a "
        "number for the one does not hold for the other"
    )


def _joined(segments: object) -> tuple[Segment, ...]:
    if not isinstance(segments, Iterable):
        raise ValueError(f"segments must be Segments, got {segments!r}")
    pieces: list[Segment] = []
    for each in segments:
        if not isinstance(each, Segment):
            raise ValueError(f"segments must be Segments, got {each!r}")
        last = pieces[-1] if pieces else None
        same = ("noise_multiplier", "sampling_rate")
        if last and all(getattr(last, name) == getattr(each, name) for name in same):
            pieces[-1] = Segment(each.noise_multiplier, each.sampling_rate, last.steps + each.steps)
        else:
            pieces.append(each)
    if not pieces:
        raise ValueError("segments must be at least one, got none")
    return tuple(pieces)
