"""Shifted divergences of discrete laws on the line: the exact minimiser is a taut string."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from accounting.numerics.arguments import typed
from simulators.exact.discrete import check_numbers, check_points

Number = float | Fraction


def _taut(clock: list[Number], low: list[Number], high: list[Number]) -> list[Number]:
    """The taut string through the gates [low_i, high_i] at increasing times clock_i.

    First and last gates are points. The shortest path also minimises every sum of convex functions
    of its slopes, weighted by time.
    """
    path: list[Number] = [low[0]]
    start = 0
    last = len(clock) - 1
    while start < last:
        here, time = path[start], clock[start]
        steep: tuple[Number, int] | None = None
        flat: tuple[Number, int] | None = None
        bend: tuple[Number, int] | None = None
        for i in range(start + 1, last + 1):
            up = (high[i] - here) / (clock[i] - time)
            down = (low[i] - here) / (clock[i] - time)
            if flat is not None and up < flat[0]:
                bend = flat
                break
            if steep is not None and down > steep[0]:
                bend = steep
                break
            if steep is None or up <= steep[0]:
                steep = (up, i)
            if flat is None or down >= flat[0]:
                flat = (down, i)
        slope, end = bend if bend is not None else ((low[last] - here) / (clock[last] - time), last)
        path.extend(here + slope * (clock[i] - time) for i in range(start + 1, end + 1))
        start = end
    return path


@typed
def shifted_law(
    points_p: Sequence[Number],
    p: Sequence[Number],
    points_q: Sequence[Number],
    q: Sequence[Number],
    distance: Number,
) -> list[Number] | None:
    """The law p' on q's points with W_inf(p, p') <= distance that is nearest q; None if none is.

    p' minimises every f-divergence from q at once: D_alpha of it is the shifted divergence
    D^(distance)_alpha(p || q) (sglu Def. D.1). W_inf(p, p') <= z says F_p(x - z) <= F'(x) <=
    F_p(x + z), so F' is a path between two obstacles in the clock F_q. Exact on Fractions.
    Points must be increasing and q > 0.
    """
    check_points("p", points_p, p)
    check_points("q", points_q, q)
    if not all(x > 0 for x in q):
        raise ValueError("q must be positive at each of its points")
    check_numbers("distance", [distance])
    if not distance >= 0:
        raise ValueError(f"distance must be >= 0, got {distance!r}")

    def mass(keep: Sequence[bool]) -> Number:
        return sum((w for w, inside in zip(p, keep, strict=True) if inside), Fraction(0))

    total, everything = mass([True] * len(p)), sum(q, Fraction(0))
    if mass([x < points_q[0] - distance for x in points_p]) > 0:
        return None
    clock: list[Number] = [Fraction(0)]
    low: list[Number] = [Fraction(0)]
    high: list[Number] = [Fraction(0)]
    for i, (point, weight) in enumerate(zip(points_q, q, strict=True)):
        final = i + 1 == len(q)
        clock.append(everything if final else clock[-1] + weight)
        coverage = mass([x <= point + distance for x in points_p])
        if final and coverage < total:
            return None
        high.append(total if final else coverage)
        low.append(total if final else mass([x < points_q[i + 1] - distance for x in points_p]))
    if any(a > b for a, b in zip(low, high, strict=True)):
        return None
    path = _taut(clock, low, high)
    return [b - a for a, b in pairwise(path)]
