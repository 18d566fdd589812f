"""Curves on axes, with their legend, the side that is violated, counterexamples, and an inset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from verify.plots.labels import filled, plain, width
from verify.plots.picture import Picture, far, legend, near
from verify.plots.style import GRID, MARK, OTHERS, SHADE, STYLES

LEGEND = 8.5  # size of its letters
ROOM = 300.0  # points that a row of the legend may take
HANDLE = 40.0  # points of a line and the spaces beside it
GAP = 0.015  # share of the axes' height that the line of an equality keeps free beside it
VIOLATED, COUNTEREXAMPLE = "violated", "counterexample"
CORNER = (0.42, 0.38)  # width and height of an inset, as shares of the axes


def scales(axes: Axes, log_x: bool, log_y: bool) -> None:
    if log_x:
        axes.set_xscale("log")
    if log_y:
        axes.set_yscale("log", nonpositive="mask")


def frame(axes: Axes) -> None:
    """A grid, and no frame on top and at the right."""
    axes.grid(True, which="major", color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def rows(picture: Picture) -> int:
    """Of the legend."""
    # Rounded up.
    return -(-len(_entries(picture)) // _columns(picture))


def curves_of(axes: Axes, picture: Picture, text: Any = lambda label: label) -> None:
    """Draws the curves, what is violated, and a legend above them; `text` makes labels."""
    handles = _curves(axes, picture)
    axes.set_xlabel(filled(text(picture.x_label), 60))
    axes.set_ylabel(filled(text(picture.y_label), 36))
    names = _entries(picture)
    axes.legend(
        [handles[key] for key in names],
        list(names.values()),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0.2,
        columnspacing=1.2,
        handletextpad=0.6,
        ncols=_columns(picture),
        frameon=False,
        fontsize=LEGEND,
    )


def finish(axes: Axes, picture: Picture) -> None:
    """What needs the axes' limits: the shaded side, and the inset."""
    _shade(axes, picture)
    if names := near(picture):
        _inset(axes, picture, names)


def _entries(picture: Picture) -> dict[str, str]:
    entries = legend(picture)
    if picture.side:
        entries[VIOLATED] = VIOLATED
    if picture.marks:
        entries[COUNTEREXAMPLE] = COUNTEREXAMPLE
    return entries


def _columns(picture: Picture) -> int:
    """As many as fit in a row."""
    wide = [width(plain(name), LEGEND) + HANDLE for name in _entries(picture).values()]
    for columns in range(len(wide), 1, -1):
        # Matplotlib fills columns, the first ones with what is left over.
        tall, over = divmod(len(wide), columns)
        ends = [sum(tall + (i < over) for i in range(c + 1)) for c in range(columns)]
        parts = [wide[a:b] for a, b in zip((0, *ends), ends, strict=False)]
        if sum(max(part) for part in parts if part) <= ROOM:
            return columns
    return 1


def _curves(axes: Axes, picture: Picture) -> dict[str, Artist]:
    handles: dict[str, Artist] = {}
    others = cycle(OTHERS)
    for curve in picture.curves:
        style = STYLES[curve.name] if curve.name in STYLES else next(others)
        (handles[curve.name],) = axes.plot(curve.x, curve.y, **{"linewidth": 1.6, **style})
        if curve.low:
            band = {"color": style["color"], "alpha": 0.18, "linewidth": 0}
            axes.fill_between(curve.x, curve.low, curve.high, **band)
    if picture.marks:
        xs, ys = zip(*picture.marks, strict=True)
        (handles[COUNTEREXAMPLE],) = axes.plot(xs, ys, **MARK)
    handles.setdefault(COUNTEREXAMPLE, Line2D([], [], **MARK))
    handles[VIOLATED] = Patch(**SHADE)
    return handles


def _shade(axes: Axes, picture: Picture) -> None:
    """Where nothing may be measured, up to the edges of the axes; off the line of an equality."""
    bound, side = picture.bound, picture.side
    if bound is None or side is None:
        return
    limits = axes.get_ylim()
    there = [picture.speaks(x) for x in bound.x]
    # Both edges of the axes in turn; an inequality has one of them.
    for edge, apart in zip(limits, (-GAP, GAP), strict=True):
        if side == ("below" if edge == limits[1] else "above"):
            continue
        room = apart if side == "above and below" else 0.0
        # The check's tolerance: points within it are no violation, so they are not shaded.
        slack = picture.tolerance if edge == limits[1] else -picture.tolerance
        slack_edge = [y + slack * abs(y) for y in bound.y]
        inside = [min(max(y, limits[0]), limits[1]) for y in _moved(axes, slack_edge, room)]
        axes.fill_between(bound.x, inside, edge, where=there, **SHADE)
    # fill_between moves the limits.
    axes.set_ylim(*limits)


def _moved(axes: Axes, ys: Sequence[float], room: float) -> list[float]:
    """Heights on the axes, moved up by a share of the axes' own height."""
    if not room:
        return list(ys)
    scale = axes.yaxis.get_transform()
    low, high = scale.transform(np.array(axes.get_ylim()))
    with np.errstate(divide="ignore", invalid="ignore"):
        # In the scale's own coordinates, so that a gap has one height everywhere.
        positions = scale.transform(np.array(ys, dtype=float)) + room * (high - low)
    ordinates: list[float] = scale.inverted().transform(positions).tolist()
    return ordinates


def _inset(axes: Axes, picture: Picture, names: tuple[str, ...]) -> None:
    """The curves of these names at a scale of their own, between them and what is far away."""
    low, high = axes.get_ylim()
    place = axes.transData.transform
    tops = [max(c.y) for c in picture.curves if c.name in names]
    share = axes.transAxes.inverted().transform(place((picture.curves[0].x[0], max(tops))))[1]
    # Above the curves where they lie low, else in the lower part.
    bottom = min(share + 0.16, 0.9 - CORNER[1]) if share < 0.5 else 0.1
    box = axes.inset_axes((0.5, bottom, *CORNER))
    curves = tuple(c for c in picture.curves if c.name in names)
    inner = replace(picture, curves=curves, log_y=far(curves))
    _curves(box, inner)
    scales(box, *inner.logs)
    box.margins(y=0.15)
    box.set_xticks([])
    box.minorticks_off()
    box.tick_params(labelsize=6.5)
    _shade(box, inner)
    axes.set_ylim(low, high)
