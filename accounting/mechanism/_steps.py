"""Steps of a mechanism: clipped noisy gradient steps, and maps of which only bounds are known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from accounting.mechanism._constant import NATURAL, POSITIVE, RATE, Constant
from accounting.mechanism._kinds import (
    Either,
    Flag,
    Nested,
    OneWord,
    Text,
    WholeNumber,
    entry,
    unknown,
)
from accounting.mechanism._node import Node

DRAWN = ("poisson", "fixed", "shuffled", "cyclic", "full")
ZERO = Constant(value=0.0)


@dataclass(frozen=True, kw_only=True)
class GaussianNoise(Node):
    """Gaussian noise of a step."""

    deviation: Constant = entry(NATURAL, "Standard deviation of a coordinate.")
    on: str = entry(
        OneWord(("sum", "mean", "iterate")),
        "What it is added to: the sum of a batch, the sum over the divisor, or the state.",
    )
    drawn: str = entry(
        OneWord(("fresh", "repeated", "public")),
        "Anew for every step; once for several; or so that others know it, as with a known seed.",
        "fresh",
    )
    seed: str = entry(
        OneWord(("system", "chosen")),
        "Of the generator: entropy of the system, or a number that was chosen and is kept secret.",
        "system",
    )


@dataclass(frozen=True, kw_only=True)
class Sampling(Node):
    """How the rows of a step are chosen."""

    drawn: str = entry(
        OneWord(DRAWN),
        "poisson: every row by itself; fixed: so many without replacement; shuffled: a new order "
        "every epoch; cyclic: one order for all epochs; full: all rows.",
    )
    rate: Constant | None = entry(RATE, "Of poisson: the chance of a row, whatever n is.", None)
    rate_without: Constant | None = entry(
        RATE, "Of poisson: that of the run without the rows in question, where it differs.", None
    )
    size: int | None = entry(
        WholeNumber(),
        "Rows of a batch; of poisson the expected number: the rate is size over n.",
        None,
    )
    last: str = entry(
        OneWord(("kept", "dropped", "filled")),
        "A last batch of an epoch that is smaller: made as it is, left out, or filled with rows.",
        "kept",
    )

    def _check(self) -> None:
        if unknown(self.drawn, self.rate, self.size):
            return
        given = {name for name in ("rate", "size") if getattr(self, name) is not None}
        if self.drawn == "poisson" and len(given) != 1:
            raise ValueError(
                f"rate or size must be given for poisson, and not both, got {len(given)} of them"
            )
        if self.drawn in ("fixed", "shuffled", "cyclic") and given != {"size"}:
            raise ValueError(
                f"size must be given for {self.drawn}, and no rate, got {sorted(given)}"
            )
        if self.drawn == "full" and given:
            raise ValueError(f"{given.pop()} must be left out for full, got a value")
        if self.rate_without is not None and self.rate is None:
            raise ValueError("rate_without must be left out without rate, got a value")


@dataclass(frozen=True, kw_only=True)
class Clip(Node):
    """What is clipped, and to which norm."""

    norm: Constant | None = entry(POSITIVE, "C; left out where nothing is clipped.", None)
    each: str = entry(
        OneWord(("row", "group", "microbatch", "batch", "nothing")),
        "What is clipped by itself: the gradient of a row, every group of its parameters, the mean "
        "of a few rows, the mean of the batch; or nothing.",
    )
    groups: int | None = entry(
        WholeNumber(), "Groups of parameters, each clipped to the norm.", None
    )
    decay: str = entry(
        OneWord(("outside", "inside")),
        "Whether weight decay is added to a gradient before the clip (inside) or after it.",
        "outside",
    )

    def _check(self) -> None:
        if self.norm is None and not unknown(self.each) and self.each != "nothing":
            raise ValueError(f"norm must be given where each is {self.each}, got none")
        if self.each == "group" and self.groups is None:
            raise ValueError("groups must be given where each is group, got none")
        if self.groups is not None and not unknown(self.each) and self.each != "group":
            raise ValueError(f"groups must be left out where each is {self.each}, got a value")


@dataclass(frozen=True, kw_only=True)
class Divisor(Node):
    """What the sum of a batch is divided by."""

    value: Constant = entry(POSITIVE, "The number.")
    is_: str = entry(
        OneWord(("constant", "from_n", "batch")),
        "Fixed beforehand; computed from the number of rows; the rows that the batch happens to "
        "have.",
    )
    beside: Constant | None = entry(POSITIVE, "Of from_n: the divisor of the adjacent data.", None)

    def _check(self) -> None:
        if self.beside is not None and not unknown(self.is_) and self.is_ != "from_n":
            raise ValueError(f"beside must be left out where is is {self.is_}, got a value")


@dataclass(frozen=True, kw_only=True)
class Gradient(Node):
    """x <- proj(x - eta (sum of clipped gradients + noise)/divisor - eta decay x), `count` times.

    Noise as the field says: on the sum, on the mean, or on the state after the step.
    """

    mark: ClassVar[str] = "batches"

    count: int = entry(WholeNumber(), "Steps.")
    sees: bool | int = entry(
        Either((Flag(), WholeNumber(low=0)), "true, false or a whole number of rows"),
        "Whether the rows in question are in the data, or how many of them are.",
    )
    batches: Sampling = entry(Nested((Sampling,)), "How rows are chosen.")
    clip: Clip = entry(Nested((Clip,)), "What is clipped.")
    divisor: Divisor = entry(Nested((Divisor,)), "What divides the sum.")
    noise: GaussianNoise = entry(Nested((GaussianNoise,)), "The noise.")
    step_size: Constant = entry(POSITIVE, "eta.")
    decay: Constant = entry(NATURAL, "lambda, of the weight decay.", ZERO)
    optimizer: str = entry(
        Text(), "sgd; or the name of another, which sees the noisy gradients alone.", "sgd"
    )
    momentum: Constant = entry(NATURAL, "Of past steps in this one.", ZERO)
    radius: Constant | None = entry(
        POSITIVE, "Of the ball onto which every step projects; none if left out.", None
    )
    row_gradient: Constant | None = entry(
        POSITIVE, "The most that the gradient of a row in question is along the path.", None
    )

    # True is 1 to Python, and means other rows: values that differ by it are not equal.
    by_number: bool = field(init=False, repr=False, default=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "by_number", not isinstance(self.sees, bool))

    def _check(self) -> None:
        if self.row_gradient is None or unknown(self.row_gradient, self.clip):
            return
        if self.clip.norm is None or unknown(self.clip.norm):
            return
        if not self.row_gradient.value <= self.clip.norm.value:
            raise ValueError(
                f"row_gradient must be at most clip.norm = {self.clip.norm.value:g}, "
                f"got {self.row_gradient.value:g}"
            )


@dataclass(frozen=True, kw_only=True)
class Maps(Node):
    """Maps with |psi(x) - psi'(x')| <= contraction |x - x'| + shift, then noise; `count` times."""

    mark: ClassVar[str] = "contraction"

    count: int = entry(WholeNumber(), "Steps.")
    contraction: Constant = entry(NATURAL, "c.")
    shift: Constant = entry(NATURAL, "How far the map of one run differs from that of the other.")
    noise: GaussianNoise = entry(Nested((GaussianNoise,)), "The noise, on the iterate.")
    radius: Constant | None = entry(
        POSITIVE, "Of the ball onto which every step projects; none if left out.", None
    )

    def _check(self) -> None:
        if not unknown(self.noise) and not unknown(self.noise.on) and self.noise.on != "iterate":
            raise ValueError(f"noise.on must be 'iterate' for maps, got {self.noise.on!r}")
