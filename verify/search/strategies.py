"""Hypothesis strategies for the admissible inputs of a formula; they shrink to readable numbers.

No draw is rejected: where a hypothesis of the formula fails, arguments are replaced one by one by
those of a fixed admissible point until it holds. Hypothesis is imported when a strategy is made.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.symbols import Symbol
from verify.search.coordinates import LEAST, LENGTH, MOST, POSITIONS, SPAN, Axis
from verify.search.domain import Domain, Point, domain
from verify.search.minimise import minimise

TRIES = 50  # of a random point, before it is moved towards one that is known

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def points(where: Domain) -> SearchStrategy[Point]:
    """Admissible inputs of a domain, as keyword arguments."""
    from hypothesis import strategies as st

    safe = anchor(where)
    columns = {axis.symbol.name: axis.symbol for axis in where.axes}

    @st.composite
    def draw_point(draw: Any) -> Point:
        length = draw(st.integers(1, LENGTH)) if where.has_lists else LENGTH
        point: Point = {name: draw(values(s, length)) for name, s in columns.items()}
        point = where.complete({**point, **dict(where.fixed)})
        if where.admits(point):
            return point
        order = draw(st.permutations(sorted(columns)))
        for name in order:
            point[name] = _resized(safe[name], length if columns[name].kind == "list" else None)
            point = where.complete(point)
            if where.admits(point):
                return point
        return dict(safe)

    return draw_point()


def sampled(where: Domain, rng: np.random.Generator) -> Point:
    """Admissible inputs of a domain at random, however thin it is: no draw fails.

    After `TRIES` draws that no hypothesis admits, arguments of the last are replaced by those of
    a fixed admissible point, one by one.
    """
    units = (rng.random(where.size) for _ in range(TRIES))
    for unit in units:
        point = where.decode(unit)
        if where.admits(point):
            return point
    safe = where.encode(anchor(where))
    for coordinate in rng.permutation(where.size):
        unit[coordinate] = safe[coordinate]
        point = where.decode(unit)
        if where.admits(point):
            return point
    return anchor(where)


def inputs(statement: Any, form: str | None = None) -> SearchStrategy[Point]:
    """Admissible inputs of a formula, or of the arguments that one form takes."""
    return points(domain(statement, None if form is None else statement[form].arguments))


def values(symbol: Symbol, length: int = LENGTH) -> SearchStrategy[Any]:
    """Values of one symbol, few digits first."""
    from hypothesis import strategies as st

    axis = Axis(symbol)
    if symbol.kind == "hits":
        counts = st.lists(st.integers(0, 3), min_size=POSITIONS, max_size=POSITIONS)
        return counts.map(lambda ns: {j: n for j, n in enumerate(ns) if n} or {0: 1})
    if symbol.kind == "integer":
        least = axis.decode([0.0])
        return st.integers(least, min(axis.decode([1.0]), least + SPAN))
    if symbol.kind == "list":
        units = st.lists(_units(), min_size=length, max_size=length)
        return units.map(lambda us: _readable(axis.decode(us, length), symbol))
    return st.one_of(_decimals(symbol), _units().map(lambda u: axis.decode([u])))


def _units() -> SearchStrategy[float]:
    from hypothesis import strategies as st

    return st.floats(0, 1, allow_nan=False, width=32).map(float)


@lru_cache(maxsize=1024)
def _decimals(symbol: Symbol) -> SearchStrategy[float]:
    """Decimals of one to three digits inside the range, the shortest first."""
    from hypothesis import strategies as st

    low, high = symbol.low, symbol.high
    exponents = range(math.floor(math.log10(LEAST)), math.ceil(math.log10(MOST)) + 1)
    offset = low if math.isfinite(low) and low > 0 and float(low).is_integer() else 0.0
    signs = (1.0, -1.0) if low < 0 else (1.0,)
    decimals: list[float] = []
    for digits in ((1, 2, 3, 5), (4, 6, 7, 8, 9), (11, 12, 15, 19, 25, 33, 75, 95, 98, 99)):
        for exponent in sorted(exponents, key=abs):
            for digit in digits:
                for sign in signs:
                    for value in (sign * float(f"{digit}e{exponent}"),):
                        decimals += [value, float(f"{offset + value:.12g}")]
    candidates = [v for v in dict.fromkeys(decimals) if _in_range(symbol, v)]
    if not symbol.low_open and math.isfinite(low):
        candidates.append(float(low))
    if not symbol.high_open and math.isfinite(high):
        candidates.append(float(high))
    return st.sampled_from(candidates or [Axis(symbol).decode([0.5])])


def _in_range(symbol: Symbol, value: float) -> bool:
    try:
        symbol.validate(value)
    except ValueError:
        return False
    return True


def _readable(entries: list[Any], symbol: Symbol) -> list[Any]:
    """The entries with three digits, where the range still admits them."""
    short = [e if isinstance(e, int) else float(f"{e:.3g}") for e in entries]
    return short if _in_range(symbol, short) else entries  # type: ignore[arg-type]


def _resized(value: Any, length: int | None) -> Any:
    """A list of the safe point repeated or cut to the length that the other lists have."""
    if length is None:
        return value
    return sorted((list(value) * length)[:length])


def anchor(where: Domain) -> Point:
    """A readable admissible point, the same every time.

    Raises ValueError when the domain seems empty.
    """
    unit = where.sample(np.random.default_rng(0))
    own = where.statement.symbols
    narrower = [a.symbol for a in where.axes if a.symbol != own[a.symbol.name]]

    def keeps(point: Point) -> bool:
        whole = where.complete(point)
        return where.admits(whole) and all(_in_range(s, whole[s.name]) for s in narrower)

    return where.complete(minimise(where.decode(unit), keeps))
