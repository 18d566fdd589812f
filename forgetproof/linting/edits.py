"""Edits of a mechanism: what somebody may have billed in place of what runs.

Each is one slip that is known from released code, with the code of the diagnostic that it would be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from accounting.mechanism import Constant, Gradient, Maps, Mechanism, PrivacyClaim

Step = Gradient | Maps
Change = Callable[[Mechanism], Mechanism]
_BILLED = (
    ("batches", "FP201"),
    ("divisor", "FP202"),
    ("clip", "FP203"),
    ("noise", "FP204"),
    ("count", "FP206"),
    ("sees", "FP206"),
    ("released", "FP207"),
    ("outputs", "FP207"),
    ("relation", "FP209"),
)
"""Part of a billed path -> the code of the slip."""
_SCALES = (
    (2.0, "twice as large"),
    (math.sqrt(2.0), "the root of 2 times as large"),
    (0.5, "half as large"),
    (math.sqrt(0.5), "the root of 1/2 times as large"),
)


@dataclass(frozen=True)
class MechanismEdit:
    """A change of the mechanism to what somebody may have billed.

    Attributes:
        code: of the slip that it would be.
        key: the field of the mechanism document.
        words: what would have to be so, after "if".
        change: the mechanism -> the edited one. It raises ValueError where the fields do not fit.
        billed: whether the claim itself says that it was computed so.
    """

    code: str
    key: str
    words: str
    change: Change
    billed: bool = False


def edits(mechanism: Mechanism, claim: PrivacyClaim) -> Iterator[MechanismEdit]:
    """The edits that are tried, those that the claim itself bills before all others.

    Of a mechanism that is no draft: what is not known is edited into nothing.
    """
    yield from _billed(claim)
    yield from _of_the_relation(mechanism)
    first = mechanism.steps[0]
    if isinstance(first, Gradient):
        yield from _of_gradients(first, mechanism.n)
    yield from _of_the_noise(mechanism)
    yield from _of_the_count(mechanism)


def _billed(claim: PrivacyClaim) -> Iterator[MechanismEdit]:
    for path, value in claim.billed:
        code = next((code for part, code in _BILLED if part in path), "FP100")

        def change(m: Mechanism, path: str = path, value: Any = value) -> Mechanism:
            return m.with_values({path: value})

        yield MechanismEdit(code, path, f"{path} were {value}, as billed", change, billed=True)


def _of_the_relation(mechanism: Mechanism) -> Iterator[MechanismEdit]:
    relation = mechanism.relation
    if relation.adjacency == "replace":
        yield MechanismEdit(
            "FP209",
            "relation.adjacency",
            "a row left and none took its place",
            lambda m: m.with_values({"relation.adjacency": "zero"}),
        )
    if relation.rows > 1:
        yield MechanismEdit(
            "FP209",
            "relation.rows",
            "it were about one row",
            lambda m: m.with_values({"relation.rows": 1}),
        )
    if mechanism.released not in ("last", ()):
        yield MechanismEdit(
            "FP207",
            "released",
            "only the last state were released",
            lambda m: m.edited(released="last"),
        )
    if mechanism.outputs > 1:
        yield MechanismEdit(
            "FP207", "outputs", "one vector were released", lambda m: m.edited(outputs=1)
        )


def _of_gradients(first: Gradient, n: Any) -> Iterator[MechanismEdit]:
    """Of batches, divisor, clip, and what the noise is added to."""
    if first.batches.drawn != "poisson":
        yield MechanismEdit(
            "FP201",
            "steps.batches.drawn",
            "batches were sampled by Poisson",
            lambda m: _each_gradient(m, lambda step: _poisson_sampled(step, n)),
        )
    if first.divisor.is_ != "constant":
        yield MechanismEdit(
            "FP202",
            "steps.divisor.is",
            "the divisor were fixed beforehand",
            lambda m: _each_gradient(m, _constant_divisor),
        )
    if first.clip.each != "row":
        yield MechanismEdit(
            "FP203",
            "steps.clip.each",
            "every row were clipped by itself",
            lambda m: _each_gradient(m, _row_clip),
        )
    for on in ("sum", "mean"):
        if first.noise.on != on:

            def change(m: Mechanism, on: str = on) -> Mechanism:
                return _each_gradient(m, lambda s: replace(s, noise=replace(s.noise, on=on)))

            yield MechanismEdit("FP204", "steps.noise.on", f"the noise were on the {on}", change)


def _each_gradient(mechanism: Mechanism, of: Callable[[Gradient], Gradient]) -> Mechanism:
    steps = tuple(of(s) if isinstance(s, Gradient) else s for s in mechanism.steps)
    return replace(mechanism, steps=steps)


def _poisson_sampled(step: Gradient, n: Any) -> Gradient:
    """Poisson sampling at a rate that does not follow n, as bills have it."""
    if n is None or step.batches.size is None:
        raise ValueError("n must be known, got none")
    rate = Constant(value=min(step.batches.size / n, 1.0))
    return replace(step, batches=replace(step.batches, drawn="poisson", rate=rate, size=None))


def _constant_divisor(step: Gradient) -> Gradient:
    return replace(step, divisor=replace(step.divisor, is_="constant", beside=None))


def _row_clip(step: Gradient) -> Gradient:
    return replace(step, clip=replace(step.clip, each="row", groups=None))


def _of_the_noise(mechanism: Mechanism) -> Iterator[MechanismEdit]:
    """Deviations at another scale, and deviation for variance."""
    values = [step.noise.deviation.value for step in mechanism.steps]
    if not any(values):
        return
    key = "steps.noise.deviation"
    for factor, words in _SCALES:

        def scaled(m: Mechanism, factor: float = factor) -> Mechanism:
            return _deviations(m, lambda value: value * factor)

        yield MechanismEdit("FP204", key, f"the noise were {words}", scaled)
    if any(value != 1 for value in values):
        yield MechanismEdit(
            "FP204",
            key,
            "its deviation were what is its variance",
            lambda m: _deviations(m, math.sqrt),
        )
        yield MechanismEdit(
            "FP204",
            key,
            "its variance were what is its deviation",
            lambda m: _deviations(m, lambda value: value**2),
        )


def _deviations(mechanism: Mechanism, of: Callable[[float], float]) -> Mechanism:
    def edited(step: Step) -> Step:
        deviation = Constant(value=of(step.noise.deviation.value))
        return replace(step, noise=replace(step.noise, deviation=deviation))

    return replace(mechanism, steps=tuple(edited(step) for step in mechanism.steps))


def _of_the_count(mechanism: Mechanism) -> Iterator[MechanismEdit]:
    """One step fewer that sees the rows, or one more that does not."""
    for place, step in enumerate(mechanism.steps):
        key = f"steps[{place}].count"
        blind = isinstance(step, Gradient) and not step.sees
        if blind or isinstance(step, Maps):
            yield MechanismEdit("FP206", key, "one step more had run", _counted(place, 1))
        if not blind and step.count > 1:
            yield MechanismEdit("FP206", key, "one step fewer had run", _counted(place, -1))


def _counted(place: int, by: int) -> Change:
    """So many steps more in one segment."""

    def change(mechanism: Mechanism) -> Mechanism:
        steps = list(mechanism.steps)
        steps[place] = replace(steps[place], count=steps[place].count + by)
        return replace(mechanism, steps=tuple(steps))

    return change
