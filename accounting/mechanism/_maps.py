"""Maps of which only bounds are known: what is certified of them, and what linear maps need.

All laws are Gaussian, so that mu says everything: the states between two releases are a noisy
contraction that starts from one point, and what is released adds up as squares of mu.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from accounting.contraction.noisy_contraction import NoisyContraction
from accounting.mechanism._setting import refuse
from accounting.mechanism._steps import Maps
from accounting.mechanism._value import MechanismFields

MOST_STEPS = 2 * 10**6
_UP, _DOWN = 1 + 2.0**-46, 1 - 2.0**-40


@dataclass(frozen=True)
class GaussianTruth:
    """mu of the mechanism: at most `upper`, and at least `lower` for some maps of the class."""

    lower: float
    upper: float
    route: str


def chain(mechanism: MechanismFields) -> NoisyContraction:
    """The noisy contraction of all steps; noise that others know is none.

    Raises FieldNotCovered where gradient steps stand among the maps.
    """
    segments = [each for each in mechanism.steps if isinstance(each, Maps)]
    if len(segments) < len(mechanism.steps):
        refuse("steps", "gradient steps stand among the maps")
    counts = [each.count for each in segments]
    if sum(counts) > MOST_STEPS:
        refuse("steps.count", f"there are more than {MOST_STEPS} steps")
    arrays = (
        [each.contraction.value for each in segments],
        [each.shift.value for each in segments],
        [0.0 if each.noise.drawn == "public" else each.noise.deviation.value for each in segments],
    )
    c, shift, noise = (np.repeat(np.asarray(array, float), counts) for array in arrays)
    radii = [math.inf if each.radius is None else each.radius.value for each in segments]
    # Where some steps project onto larger balls, or onto none, the largest diameter is safe.
    return NoisyContraction(c, shift, noise, mechanism.start.value, 2 * max(radii))


def gaussian_truth(mechanism: MechanismFields) -> GaussianTruth:
    """mu of a mechanism of maps, from both sides."""
    process = chain(mechanism)
    repeated = any(each.noise.drawn == "repeated" for each in mechanism.steps)
    if repeated and (process.size > 1 or mechanism.outputs > 1):
        return _repeated(mechanism, process)
    adaptive = mechanism.requests == "adaptive" and mechanism.released != "every"
    if mechanism.released == "every":
        lower = upper = _every(process)
        route = "every state is seen; shifts need as much"
    else:
        times = mechanism.released if isinstance(mechanism.released, tuple) else ()
        parts = _parts(process, [*times, process.size])
        lower = math.hypot(*(_linear(part) for part in parts))
        upper = math.hypot(*(part.mu for part in parts))
        route = "a noisy contraction; linear maps below"
    if adaptive:
        # What requests may depend on was seen, whenever it was: every state is counted.
        upper = _every(process)
        route = "every state is counted, as requests may depend on them; linear maps below"
    if math.isfinite(process.diameter):
        # A projection takes something from linear maps.
        lower = 0.0
        route += "; nothing is known from below of maps that project"
    root = math.sqrt(mechanism.outputs)
    return GaussianTruth(lower * root * _DOWN, upper * root * _UP, route)


def _every(process: NoisyContraction) -> float:
    """mu where every state is seen: each step is a Gaussian mechanism of its own shift."""
    shift = process.shift.copy()
    shift[0] += process.contraction[0] * process.initial_distance
    if (shift[process.noise == 0] > 0).any():
        return math.inf
    hidden = process.noise > 0
    with np.errstate(over="ignore"):
        return float(np.sqrt(((shift[hidden] / process.noise[hidden]) ** 2).sum()))


def _parts(process: NoisyContraction, ends: list[int]) -> list[NoisyContraction]:
    """The steps between two releases; only the first part has a distance at its start."""
    parts = []
    for first, end in pairwise([0, *ends]):
        part = slice(first, end)
        start = process.initial_distance if first == 0 else 0.0
        parts.append(
            NoisyContraction(
                process.contraction[part],
                process.shift[part],
                process.noise[part],
                start,
                process.diameter,
            )
        )
    return parts


def _linear(process: NoisyContraction) -> float:
    """mu of linear maps whose shifts all go one way; 0 where it leaves the floats."""
    after = np.append(np.cumprod(process.contraction[::-1])[::-1], 1.0)
    mean = process.initial_distance * float(after[0]) + float((process.shift * after[1:]).sum())
    # math.hypot neither overflows nor underflows on the way.
    deviation = math.hypot(*(process.noise * after[1:]).tolist())
    if deviation > 0:
        return mean / deviation
    # Noise that is forgotten is none; noise that underflows is some.
    kept = np.append(np.cumprod(process.contraction[::-1] > 0)[::-1], True)[1:]
    lost = bool(((process.noise > 0) & kept).any())
    return math.inf if mean > 0 and not lost else 0.0


def _repeated(mechanism: MechanismFields, process: NoisyContraction) -> GaussianTruth:
    """One noise for several steps or outputs: what is seen of it twice is no noise."""
    moved = bool((process.shift > 0).any())
    apart = moved or float(process.contraction[0]) * process.initial_distance > 0
    several = mechanism.outputs > 1 or mechanism.released != "last"
    free = math.isinf(process.diameter)
    if several and apart and free:
        route = "one noise in several releases: the difference of two has none"
        return GaussianTruth(math.inf, math.inf, route)
    return GaussianTruth(0.0, math.inf, "one noise for several steps, of which nothing is known")
