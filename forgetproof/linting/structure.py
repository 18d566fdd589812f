"""Findings that need no number: what a mechanism's fields say by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from accounting.mechanism import UNKNOWN, Gradient, Maps, Mechanism
from forgetproof.linting.codes import CODES, Level

_ORIGINS = {
    "assumed": "is assumed, and no code enforces it",
    "estimated": "is an estimate, and no bound",
    "rows": "was computed from private rows, which the number then shows",
}


@dataclass(frozen=True)
class Remark:
    """A finding without its place in a file: the code, its level, the field, and a sentence."""

    code: str
    level: Level
    key: str
    message: str

    @classmethod
    def of(cls, code: str, key: str, message: str, level: Level | None = None) -> Remark:
        """A remark of the code's own level unless another is given."""
        return cls(code, level or CODES[code].level, key, message)


def structure(mechanism: Mechanism) -> Iterator[Remark]:
    """Every remark on the mechanism as it stands, in the order of its fields."""
    for path, constant in mechanism.constants:
        if not constant.firm:
            by = f" ({constant.by})" if constant.by else ""
            yield Remark.of("FP210", path, f"{path} {_ORIGINS[constant.origin]}{by}")
    for what in mechanism.tuned_on_rows:
        message = f"{what} was chosen by looking at private rows, which no number here counts"
        yield Remark.of("FP213", "tuned_on_rows", message)
    for layer in mechanism.layers:
        message = f"{layer} keeps or mixes something of rows beside the clipped gradients"
        yield Remark.of("FP211", "layers", message)
    steps = mechanism.steps if _known(mechanism.steps) else ()
    for place, step in enumerate(steps):
        yield from _noise(mechanism, step, f"steps[{place}]")
        if isinstance(step, Gradient):
            yield from _gradient(mechanism, step, f"steps[{place}]")
    yield from _requests(mechanism)


def _noise(mechanism: Mechanism, step: Gradient | Maps, path: str) -> Iterator[Remark]:
    noise = step.noise
    if not _known(noise):
        return
    key = f"{path}.noise"
    if noise.drawn == "public":
        message = "whoever knows the seed of the noise subtracts it"
        yield Remark.of("FP205", f"{key}.drawn", message)
    several = mechanism.released not in ("last", UNKNOWN) or mechanism.outputs not in (1, UNKNOWN)
    if noise.drawn == "repeated" and several:
        message = "one noise stands in several releases, and their difference has none"
        yield Remark.of("FP205", f"{key}.drawn", message)
    if _known(noise.deviation) and noise.deviation.value == 0 and _tells(step):
        message = "a step that tells of the rows has no noise"
        # Noise of later steps may hide it: then the number says so, and this is where to look.
        last = mechanism.steps[-1] is step or mechanism.released == "every"
        yield Remark.of("FP205", f"{key}.deviation", message, "error" if last else "note")


def _tells(step: Gradient | Maps) -> bool:
    """Whether the state after the step depends on the rows in question, by this step alone."""
    if isinstance(step, Gradient):
        return _known(step.sees) and step.sees > 0
    known = _known(step.shift) and _known(step.contraction)
    return known and (step.shift.value > 0 or step.contraction.value > 0)


def _gradient(mechanism: Mechanism, step: Gradient, path: str) -> Iterator[Remark]:
    divisor, clip = step.divisor, step.clip
    if _known(divisor) and divisor.is_ == "from_n":
        message = "the divisor follows n: a row that leaves changes the scale of all noise"
        yield Remark.of("FP202", f"{path}.divisor.is", message, "warning")
    if _known(divisor) and divisor.is_ == "batch":
        message = "the divisor is the size that the batch happens to have"
        yield Remark.of("FP202", f"{path}.divisor.is", message, "warning")
    if _known(clip) and clip.each == "nothing" and step.row_gradient is None:
        message = "nothing is clipped: a row moves the sum as far as its gradient is long"
        yield Remark.of("FP203", f"{path}.clip.each", message, "warning")
    if _known(clip) and clip.decay == "inside":
        message = "weight decay stands inside the clip, and steps are not known to contract"
        yield Remark.of("FP203", f"{path}.clip.decay", message, "warning")
    if mechanism.released == "every":
        # What is computed of noisy gradients that are all billed costs nothing more.
        return
    if step.optimizer not in ("sgd", UNKNOWN):
        message = f"{step.optimizer} keeps earlier gradients: no bound on the last state is known"
        yield Remark.of("FP211", f"{path}.optimizer", message)
    elif _known(step.momentum) and step.momentum.value > 0:
        message = "momentum keeps earlier gradients: no bound on the last state is known"
        yield Remark.of("FP211", f"{path}.momentum", message)


def _requests(mechanism: Mechanism) -> Iterator[Remark]:
    if mechanism.requests != "adaptive" or mechanism.released != "last":
        return
    steps = mechanism.steps if _known(mechanism.steps) else ()
    if any(isinstance(step, Gradient) and step.sees in (False, 0) for step in steps):
        message = (
            "requests may depend on a released model, which a bound on the last does not count"
        )
        yield Remark.of("FP212", "requests", message)


def _known(value: Any) -> bool:
    """Whether a draft says it."""
    return bool(value != UNKNOWN)
