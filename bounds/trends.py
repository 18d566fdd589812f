"""Which way forms go in their arguments, and where to: a list beside a paper's statements.

`trends.json` has a line a claim: argument -> way, or form -> way where forms differ. A way is
"rises" or "falls", with the others held fixed, and further "to 0", "to inf" or "to" another form,
which it meets as the argument grows without end. What is not listed is not claimed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from bounds.draws import admissible, draw, draw_plain
from bounds.forms import Form
from bounds.library import paper
from bounds.statements import Statement

NAME = "trends.json"
WAYS = {"rises": 1, "falls": -1}
ROUNDING = 1e-9
FAR = (1e3, 1e6, 1e9, 1e12)
"""How many times an argument is taken to see where a form goes."""
NEAR, WIDE = 0.01, 10.0
"""How near a form is to another that it meets; how much of it is left, or gained, at an end."""
LEAST = 1e-6
"""What an argument moves of a form, as a share, where something is seen of the form's end."""


@dataclass(frozen=True)
class Trend:
    """One form goes one way in one argument, and to an end, which may be ""."""

    form: Form
    name: str
    way: str
    end: str = ""

    def broken(self, low: Mapping[str, Any], high: Mapping[str, Any]) -> str:
        """How two inputs, apart in the argument only, contradict it; "" where they do not."""
        values = value(self.form, low), value(self.form, high)
        if step(*values) * WAYS[self.way] >= 0:
            return ""
        return (
            f"{self.form.statement.id} {self.form.name} {self.way} in {self.name}, but is "
            f"{values[0]!r} at {dict(low)} and {values[1]!r} at {self.name} = {high[self.name]!r}"
        )

    def missed(self, inputs: Mapping[str, Any]) -> str:
        """How far out the form stays where it should not; "" where it ends well, or none can tell.

        None can tell where the argument hardly matters (as M at beta = mu), or where the form is
        still on its way: it moves by more than a hundredth, or farther than just before.
        """
        if not self.end or self.end in ends(self.form, self.name, inputs):
            return ""
        far = {n: value(self.form, p) for n, p in away(self.form, self.name, inputs).items()}
        early, before, last = list(far.values())[-3:]
        if not abs(last - before) <= NEAR * abs(before) or abs(last - before) > abs(before - early):
            return ""
        if abs(last - value(self.form, inputs)) <= LEAST * abs(last):
            return ""
        about = f"{self.form.statement.id} {self.form.name}"
        return f"{about} goes to {self.end} as {self.name} grows, but is {far} from {dict(inputs)}"


def value(form: Form, inputs: Mapping[str, Any]) -> float:
    """The form; NaN where it has no value."""
    try:
        with np.errstate(all="ignore"):
            return float(form(**{n: inputs[n] for n in form.arguments if n in inputs}))
    except (ValueError, ArithmeticError):
        return math.nan


def step(first: float, second: float) -> int:
    """1 where the second is larger, -1 where it is smaller, 0 where rounding or NaN hide it."""
    if math.isnan(first) or math.isnan(second) or first == second:
        return 0
    size = max((abs(x) for x in (first, second) if math.isfinite(x)), default=0.0)
    return 0 if abs(second - first) <= ROUNDING * size else int(np.sign(second - first))


def pairs(
    form: Form, name: str, rng: np.random.Generator, count: int
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Admissible inputs that differ in one argument, the smaller first; half of them plain."""
    symbol = form.statement.symbols[name]
    for number in range(count):
        sampler = draw_plain if number % 2 else draw
        try:
            inputs = admissible(form.statement, form, rng, drawn=sampler)
        except RuntimeError:
            return
        other = {**inputs, name: sampler(symbol, rng)}
        if other[name] != inputs[name] and admits(form, other):
            yield (inputs, other) if inputs[name] < other[name] else (other, inputs)


def admits(form: Form, inputs: Mapping[str, Any]) -> bool:
    """Whether the form takes these inputs."""
    try:
        form.validate(inputs)
    except ValueError:
        return False
    return True


def away(form: Form, name: str, inputs: Mapping[str, Any]) -> dict[float, dict[str, Any]]:
    """The inputs with the argument many times as large, by what it then is."""
    if not math.isfinite(inputs[name]) or form.statement.symbols[name].high < math.inf:
        return {}
    values = [max(1, inputs[name]) * factor for factor in FAR]
    candidates = {x: {**inputs, name: x} for x in values}
    return {x: point for x, point in candidates.items() if admits(form, point)}


def ends(form: Form, name: str, inputs: Mapping[str, Any]) -> set[str]:
    """Where the form goes from these inputs as the argument grows: every end that it may have."""
    points = list(away(form, name, inputs).values())
    first = value(form, inputs)
    if len(points) < len(FAR) or math.isnan(first):
        return {"0", "inf", *form.statement.forms}  # nothing is seen
    last, limits = value(form, points[-1]), set()
    if abs(last) * WIDE <= abs(first):
        limits.add("0")
    if last >= WIDE * abs(first):
        limits.add("inf")
    for other in form.statement.forms.values():
        if other is not form and set(other.arguments) <= inputs.keys():
            meets = value(other, points[-1])
            if math.isfinite(meets) and abs(last - meets) <= NEAR * abs(meets):
                limits.add(other.name)
    return limits


@cache
def _read(package: str) -> dict[str, dict[str, str | dict[str, str]]]:
    beside = files(package) / NAME
    return dict(json.loads(beside.read_text("utf-8"))) if beside.is_file() else {}


def trends(statement: Statement) -> tuple[Trend, ...]:
    """What the list says of the forms of a statement. Raises ValueError for words of no meaning."""
    expected = _read(paper(statement.paper).package).get(statement.id, {})
    entries = []
    for name, ways in expected.items():
        of_forms = ways if isinstance(ways, dict) else dict.fromkeys(_with(statement, name), ways)
        for form, words in of_forms.items():
            way, _, end = words.partition(" to ")
            if form not in _with(statement, name) or way not in WAYS:
                raise ValueError(f"{statement.id}: {form} in {name} {words} says nothing")
            if end not in ("", "0", "inf", *statement.forms):
                raise ValueError(f"{statement.id}: {form} in {name} goes to {end!r}, no form")
            entries.append(Trend(statement[form], name, way, end))
    return tuple(entries)


def _with(statement: Statement, name: str) -> tuple[str, ...]:
    """The forms that take the argument."""
    return tuple(n for n, form in statement.forms.items() if name in form.arguments)
