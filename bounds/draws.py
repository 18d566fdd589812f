"""Random arguments inside every range and hypothesis of a form: moderate, plain and wide ones.

Plain ones are 0, 1/2, 1, 2 and the ends of ranges, where conditions turn and sums are empty; random
points all but never meet those.  Wide ones are log-uniform over all sizes, where digits are lost.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from bounds.forms import Form, Sentence
from bounds.symbols import Symbol

TRIES = 400
PLAIN = (0, 1, 2, 3)
HALVES = (0.0, 0.5, 1.0, 2.0)
LARGEST = 40
DECADES = 9
"""Wide numbers lie between 10^-DECADES and 10^DECADES above the lower end of a range."""
NEAREST = 12
"""Wide numbers of a finite range come as near to its ends as 10^-NEAREST of its width."""
MOST = 10**6
"""The largest wide whole number above the lower end of a range."""


def draw(symbol: Symbol, rng: np.random.Generator) -> Any:
    """A random value in the range of one symbol, small enough for exact arithmetic."""
    if symbol.kind == "hits":
        return {int(j): int(rng.integers(1, 4)) for j in rng.choice(3, size=2, replace=False)}
    if symbol.kind == "list":
        low, high = symbol.typical
        values = rng.choice(np.arange(int(low), int(high) + 1), size=4, replace=False)
        return [int(k) for k in (np.sort(values) if symbol.increasing else values)]
    if symbol.kind == "integer":
        return int(rng.integers(int(max(symbol.low, 0)), int(_top(symbol)) + 1))
    if math.isfinite(symbol.low) and math.isfinite(symbol.high):
        return float(rng.uniform(symbol.low, symbol.high))
    if math.isfinite(symbol.low):
        # From 0.007 to 7.4 above the lower end: neither rounding nor overflow plays a part.
        return float(symbol.low + np.exp(rng.uniform(-5, 2)))
    return float(rng.normal())


def draw_plain(symbol: Symbol, rng: np.random.Generator) -> Any:
    """One of the simplest values in the range of one symbol, its ends among them."""
    inside = _plain_values(symbol)
    if symbol.kind in ("hits", "list") or not inside:
        return draw(symbol, rng)
    chosen = inside[rng.integers(len(inside))]
    return int(chosen) if symbol.kind == "integer" and np.isfinite(chosen) else float(chosen)


def draw_wide(symbol: Symbol, rng: np.random.Generator, most: int = MOST) -> Any:
    """A value anywhere in the range of one symbol, log-uniform in its distance from an end of it.

    Whole numbers are at most `most` above the lower end.  Every third one is moderate: few
    hypotheses hold where all arguments are of different sizes.
    """
    if symbol.kind in ("hits", "list") or rng.random() < 1 / 3:
        return draw(symbol, rng)
    if symbol.kind == "integer":
        low = max(symbol.low, 0) if math.isfinite(symbol.low) else 0
        room = max(min(symbol.high - low, most), 0)
        # Log-uniform in 1 + the distance; the half keeps the last whole number from being rarest.
        return int(low + np.floor(np.expm1(rng.uniform(0, np.log1p(room + 0.5)))))
    value = _wide_real(symbol, rng)
    return value if _contains(symbol, value) else draw(symbol, rng)


def _wide_real(symbol: Symbol, rng: np.random.Generator) -> float:
    low, high = symbol.low, symbol.high
    if math.isfinite(low) and math.isfinite(high):
        # At most half the width, so that both ends are come near to in the same way.
        share = 0.5 * 10 ** rng.uniform(-NEAREST, 0) * (high - low)
        return float(low + share if rng.random() < 0.5 else high - share)
    size = 10 ** rng.uniform(-DECADES, DECADES)
    if math.isfinite(low):
        return float(low + size)
    return float(-size if rng.random() < 0.5 else size)


@lru_cache(maxsize=4096)
def _plain_values(symbol: Symbol) -> tuple[float, ...]:
    whole = symbol.kind == "integer"
    high = min(symbol.high, _top(symbol)) if whole else symbol.high
    values = {*(PLAIN if whole else HALVES), symbol.low, high}
    inside = sorted(x for x in values if np.isfinite(x) and _contains(symbol, x))
    return (*inside, np.inf) if symbol.infinite else tuple(inside)


def _top(symbol: Symbol) -> float:
    """The largest whole number tried: the upper end of a range may be what a form can bear."""
    return min(symbol.high, symbol.low + LARGEST) if math.isfinite(symbol.low) else LARGEST


def _contains(symbol: Symbol, x: float) -> bool:
    try:
        symbol.validate(x)
    except ValueError:
        return False
    return True


def admissible(
    statement: Sentence,
    form: Form,
    rng: np.random.Generator,
    drawn: Callable[[Symbol, np.random.Generator], Any] = draw,
    others: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Random inputs of the form, and of `others`, inside every range and hypothesis.

    RuntimeError if none is met.
    """
    for _ in range(TRIES):
        names = (*form.arguments, *others)
        inputs = {name: drawn(statement.symbols[name], rng) for name in names}
        if not _may_hold(statement, inputs):  # cheaper than the message of a refusal
            continue
        try:
            form.validate(inputs)
        except ValueError:
            continue
        return inputs
    raise RuntimeError(f"no admissible inputs found for {statement.id} {form.name}")


def _may_hold(statement: Sentence, inputs: dict[str, Any]) -> bool:
    """Whether no hypothesis refuses the inputs."""
    with np.errstate(all="ignore"):
        for requirement in statement.requires:
            if requirement.speaks(inputs):
                at = {name: _array(inputs[name]) for name in requirement.names}
                try:
                    satisfied = np.all(requirement.holds(**at))
                except (ValueError, TypeError, ArithmeticError):
                    continue  # `validate` says what is wrong
                if not satisfied:
                    return False
    return True


def _array(value: Any) -> Any:
    return value if isinstance(value, dict) else np.asarray(value)
