"""Shrinks inputs to round, small numbers while a property keeps holding; deterministic."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from verify.search.domain import Point

Keeps = Callable[[Point], bool]
# Tried in this order before digits are rounded: what a reader would pick.
NICE = (1.0, 2.0, 0.5, 0.0, 3.0, 0.1, 10.0, 1.5, 4.0, 0.25, 5.0, 0.2, 0.9, 0.01, 100.0, 0.99)
ROUNDS = 6


def minimise(point: Mapping[str, Any], keeps: Keeps, *, rounds: int = ROUNDS) -> Point:
    """The inputs, each replaced by the simplest number for which `keeps` still answers True.

    Coordinates are taken in turn until nothing changes. `keeps` must answer False, not raise,
    outside the domain; it holds for the given point.
    """
    best = dict(point)
    for _ in range(rounds):
        before = dict(best)
        best = _drop_entries(best, keeps)
        for name in best:
            for value in _simpler(best[name]):
                if keeps({**best, name: value}):
                    best[name] = value
                    break
        if _same(best, before):
            break
    return best


def complexity(value: Any) -> tuple[float, float]:
    """How much a value asks of its reader: significant digits first, then size."""
    if isinstance(value, Mapping):
        return (float(sum(value.values())), float(sum(value)))
    if isinstance(value, list | tuple):
        parts = [complexity(v) for v in value]
        return (len(parts) + sum(p[0] for p in parts), sum(p[1] for p in parts))
    number = float(value)
    if not math.isfinite(number):
        return (0.0, 0.0)
    return (float(digits(number)), abs(math.log10(abs(number))) if number else 0.0)


def digits(number: float) -> int:
    """Significant decimal digits of the shortest decimal that is this float; 0 has one."""
    mantissa = repr(float(number)).split("e")[0].replace(".", "").replace("-", "").strip("0")
    return max(1, len(mantissa))


def _simpler(value: Any) -> Iterator[Any]:
    """Candidates simpler than the value, simplest first."""
    if isinstance(value, bool | str) or value is None:
        return
    if isinstance(value, Mapping):
        yield from _fewer_hits(value)
    elif isinstance(value, list | tuple):
        yield from _plainer(list(value))
    elif isinstance(value, int):
        yield from _smaller(value)
    elif math.isfinite(value):
        yield from _rounder(float(value))


def _smaller(value: int) -> Iterator[int]:
    """0, 1, 2, ..., then powers of two and the number halved, all smaller in size."""
    sign = -1 if value < 0 else 1
    size = abs(value)
    doubled = (10 * 2**j for j in range(20))
    candidates = (
        *range(min(size, 11)),
        *doubled,
        *(size - size // 2**j for j in (1, 2, 3)),
        size - 1,
    )
    for candidate in dict.fromkeys(candidates):
        if 0 <= candidate < size:
            yield sign * candidate


def _rounder(value: float) -> Iterator[float]:
    now = complexity(value)
    nearest = (float(f"{value:.{n}e}") for n in range(6))
    whole = (math.copysign(v, value) for v in NICE)
    for candidate in (*whole, *_powers(value), *nearest):
        if complexity(candidate) < now or (
            candidate in NICE and (value not in NICE or NICE.index(candidate) < NICE.index(value))
        ):
            yield candidate


def _powers(value: float) -> Iterator[float]:
    """One digit at the value's own decade and its neighbours."""
    if value:
        decade = math.floor(math.log10(abs(value)))
        for digit in (1, 2, 5):
            for power in (decade, decade + 1):
                yield math.copysign(float(f"{digit}e{power}"), value)


def _drop_entries(point: Point, keeps: Keeps) -> Point:
    """The point without the entries that lists can spare: all at once, as they belong together."""
    lists = {name: list(v) for name, v in point.items() if isinstance(v, list | tuple)}
    at = 0
    while lists and at < min(map(len, lists.values())) > 1:
        shorter = {name: v[:at] + v[at + 1 :] for name, v in lists.items()}
        if keeps({**point, **shorter}):
            point, lists = {**point, **shorter}, shorter
        else:
            at += 1
    return point


def _plainer(value: list[Any]) -> Iterator[list[Any]]:
    """With one entry simpler."""
    for at, entry in enumerate(value):
        for candidate in _simpler(entry):
            yield [*value[:at], candidate, *value[at + 1 :]]


def _fewer_hits(value: Mapping[int, int]) -> Iterator[dict[int, int]]:
    """Without one position; then one replaced point less at a position."""
    for position in value:
        if len(value) > 1:
            yield {j: n for j, n in value.items() if j != position}
        if value[position] > 1:
            yield {**value, position: 1}


def _same(first: Point, second: Point) -> bool:
    return all(type(first[k]) is type(second[k]) and first[k] == second[k] for k in first)
