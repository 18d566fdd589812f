"""What stands on the axes of a plot: curves, crosses, and the side that breaks the claim."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from verify.plots.picture import Curve, Picture
from verify.plots.places import Points
from verify.plots.style import GRID, HATCH, MARK, OTHERS, STYLES

GAP = 0.015  # share of the axes' height that the line of an equality keeps free beside it
HEADROOM = 0.16  # of the axes' height, hatched beyond the line where it ends the picture
CROSSES = "counterexamples"


def styles(picture: Picture) -> dict[str, dict[str, Any]]:
    """Curve -> its style; those without one of their own take the others in turn."""
    others = cycle(OTHERS)
    return {c.name: STYLES[c.name] if c.name in STYLES else next(others) for c in picture.curves}


def scales(axes: Axes, log_x: bool, log_y: bool) -> None:
    if log_x:
        axes.set_xscale("log")
    if log_y:
        axes.set_yscale("log", nonpositive="mask")


def frame(axes: Axes) -> None:
    """A grid, and no frame on top and at the right."""
    axes.grid(True, which="major", color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def draw_curves(axes: Axes, picture: Picture) -> dict[str, Any]:
    """Draws curves, bands and crosses; returns what a legend shows of them, by their names."""
    handles: dict[str, Any] = {}
    for curve in picture.curves:
        style = styles(picture)[curve.name]
        (handles[curve.name],) = axes.plot(curve.x, curve.y, **{"linewidth": 1.6, **style})
        if curve.low:
            band = {"color": style["color"], "alpha": 0.18, "linewidth": 0}
            axes.fill_between(curve.x, curve.low, curve.high, **band)
    if picture.marks:
        xs, ys = zip(*picture.marks, strict=True)
        (handles[CROSSES],) = axes.plot(xs, ys, **MARK)
    return handles


def make_room(axes: Axes, picture: Picture) -> None:
    """Moves the end of the axes away from a line beyond which there is nothing but its side."""
    bound, side = picture.bound, picture.side
    if bound is None or side is None:
        return
    scale = axes.yaxis.get_transform()
    low, high = scale.transform(np.array(axes.get_ylim()))
    with np.errstate(divide="ignore", invalid="ignore"):
        heights = scale.transform(np.array(bound.y, dtype=float))
    heights = heights[np.isfinite(heights)]
    if not heights.size or low == high:
        return
    room = HEADROOM * (high - low)
    if side != "below":
        high = max(high, heights.max() + room)
    if side != "above":
        low = min(low, heights.min() - room)
    axes.set_ylim(*scale.inverted().transform(np.array([low, high])).tolist())


def hatch(axes: Axes, picture: Picture) -> Patch | None:
    """Hatches where nothing may be measured, up to the edges of the axes; returns it for a
    legend."""
    limits = axes.get_ylim()
    for xs, inner, edge, there in _hatched(axes, picture):
        axes.fill_between(xs, inner, edge, where=there, **HATCH)
    # fill_between moves the limits.
    axes.set_ylim(*limits)
    return Patch(**HATCH) if picture.side else None


def hatched_edges(axes: Axes, picture: Picture) -> Iterator[tuple[Points, Points]]:
    """Lower and upper edge of each hatched part, as corners in data coordinates."""
    for xs, inner, edge, there in _hatched(axes, picture):
        for run in _runs(there):
            line = np.array([(xs[i], inner[i]) for i in run])
            rim = np.array([(xs[i], edge) for i in run])
            yield (line, rim) if edge == axes.get_ylim()[1] else (rim, line)


def _hatched(
    axes: Axes, picture: Picture
) -> Iterator[tuple[tuple[float, ...], list[float], float, list[bool]]]:
    """Abscissas, the line's edge, the axes' edge, and where: above and below, as the side says."""
    bound, side = picture.bound, picture.side
    if bound is None or side is None:
        return
    bound = _ordered(bound)
    limits = axes.get_ylim()
    there = [picture.speaks(x) for x in bound.x]
    # Both edges of the axes in turn; an inequality has one of them.
    for edge, apart in zip(limits, (-GAP, GAP), strict=True):
        if side == ("below" if edge == limits[1] else "above"):
            continue
        room = apart if side == "above and below" else 0.0
        # The check's tolerance: points within it are no violation, so they are not hatched.
        slack = picture.tolerance if edge == limits[1] else -picture.tolerance
        inside = _moved(axes, [y + slack * abs(y) for y in bound.y], room)
        yield bound.x, [min(max(y, limits[0]), limits[1]) for y in inside], edge, there


def _ordered(curve: Curve) -> Curve:
    """The curve from left to right."""
    if all(a <= b for a, b in zip(curve.x, curve.x[1:], strict=False)):
        return curve
    xs, ys = zip(*sorted(zip(curve.x, curve.y, strict=True)), strict=True)
    return Curve(curve.name, xs, ys)


def _runs(there: list[bool]) -> Iterator[range]:
    """Places that follow each other, two at least, at which something is so."""
    start = 0
    for place, so in enumerate([*there, False]):
        if not so:
            if place - start > 1:
                yield range(start, place)
            start = place + 1


def _moved(axes: Axes, ys: list[float], room: float) -> list[float]:
    """Heights on the axes, moved up by a share of the axes' own height."""
    if not room:
        return ys
    scale = axes.yaxis.get_transform()
    low, high = scale.transform(np.array(axes.get_ylim()))
    with np.errstate(divide="ignore", invalid="ignore"):
        # In the scale's own coordinates, so that a gap has one height everywhere.
        positions = scale.transform(np.array(ys, dtype=float)) + room * (high - low)
    ordinates: list[float] = scale.inverted().transform(positions).tolist()
    return ordinates
