"""Where words stand in a plot without touching a line, a point or other words.

All lengths are points from the lower left corner of the figure. Lines are given as points so close
to each other that no box of words fits between two of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""Rows (x, y)."""
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
NEAR, CLEAR = 3.0, 1.5
"""Between words and the line that they name, and around words."""
SPACING = 3.0
"""Between two points of a line."""
ALONG = 16
"""Places that are tried along a line."""
DISTANT = 24.0
"""From which on other lines are far enough away."""


@dataclass
class Surface:
    """The axes of a plot, what is drawn on them, and the words that stand there already.

    drawn: points of every line, by its name.  taken: boxes that nothing may touch.
    """

    inside: Box
    drawn: dict[str, Points]
    taken: list[Box] = field(default_factory=list)

    def beside(self, name: str, width: float, height: float, gap: float = NEAR) -> Box | None:
        """A box of this size next to a line, where other lines are farther away; taken then.

        gap: between the box and the line, from the middle of its markers.
        """
        own = self.drawn[name]
        if not len(own):
            return None
        anchors = own[np.unique(np.linspace(0, len(own) - 1, ALONG).round().astype(int))]
        boxes = _around(anchors, width, height, gap)
        others = [points for other, points in self.drawn.items() if other != name and len(points)]
        clear = self._clear(boxes) & (_distances(boxes, own) >= gap - 1e-9)
        if others:
            apart = _distances(boxes, np.concatenate(others))
            # Words belong to the line that is nearest by far.
            clear &= apart >= 2 * NEAR
        else:
            apart = np.full(len(boxes), DISTANT)
        if not clear.any():
            return None
        # Of good places the one closest to the right end, where lines are read.
        worth = np.where(clear, np.minimum(apart, DISTANT) + 6 * boxes[:, 2] / self.inside[2], -1)
        return self._take(boxes[int(worth.argmax())])

    def within(self, width: float, height: float, low: Points, high: Points) -> Box | None:
        """A box of this size between two edges, given as rows (x, y) on the same x; taken then."""
        if not len(low):
            return None
        left, bottom, right, top = self.inside
        xs = np.linspace(left + CLEAR, right - width - CLEAR, 14)
        ys = np.linspace(bottom + CLEAR, top - height - CLEAR, 14)
        if xs[0] > xs[-1] or ys[0] > ys[-1]:
            return None
        grid = np.array([(x, y, x + width, y + height) for x in xs for y in ys])
        boxes = grid[self._clear(grid)]
        # The edges have to pass below and above a box all along it.
        floor = np.where(_along(boxes, low), low[:, 1], -np.inf).max(axis=1)
        roof = np.where(_along(boxes, high), high[:, 1], np.inf).min(axis=1)
        ends = (boxes[:, 0] >= low[0, 0] - 1) & (boxes[:, 2] <= low[-1, 0] + 1)
        fits = ends & (boxes[:, 1] >= floor + NEAR) & (boxes[:, 3] <= roof - NEAR)
        lines = [points for points in self.drawn.values() if len(points)]
        room = _distances(boxes, np.concatenate(lines)) if lines else np.full(len(boxes), DISTANT)
        fits &= room >= 2 * NEAR
        if not fits.any():
            return None
        return self._take(boxes[int(np.where(fits, room, -1).argmax())])

    def _clear(self, boxes: Points) -> NDArray[np.bool_]:
        """Which boxes lie on the axes and touch nothing that is taken."""
        left, bottom, right, top = self.inside
        clear = (boxes[:, 0] >= left + CLEAR) & (boxes[:, 2] <= right - CLEAR)
        clear &= (boxes[:, 1] >= bottom + CLEAR) & (boxes[:, 3] <= top - CLEAR)
        for x0, y0, x1, y1 in self.taken:
            apart = (boxes[:, 2] + CLEAR < x0) | (boxes[:, 0] - CLEAR > x1)
            clear &= apart | (boxes[:, 3] + CLEAR < y0) | (boxes[:, 1] - CLEAR > y1)
        return clear

    def _take(self, box: Points) -> Box:
        x0, y0, x1, y1 = map(float, box)
        self.taken.append((x0, y0, x1, y1))
        return x0, y0, x1, y1


def close(corners: Points) -> Points:
    """Points on the line through these corners, not farther apart than `SPACING`."""
    if len(corners) < 2:
        return corners
    steps = np.diff(corners, axis=0)
    counts = np.maximum(1, np.ceil(np.hypot(*steps.T) / SPACING)).astype(int)
    begins = np.repeat(np.arange(len(steps)), counts)
    shares = (np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[
        begins
    ]
    between = corners[begins] + shares[:, None] * steps[begins]
    return np.concatenate([between, corners[-1:]])


def marker_boxes(points: Sequence[Sequence[float]] | Points, size: float) -> list[Box]:
    """Squares of this size around points."""
    half = size / 2
    return [(x - half, y - half, x + half, y + half) for x, y in points]


def _around(anchors: Points, width: float, height: float, gap: float) -> Points:
    """Boxes above, below, left and right of each anchor, at a distance of `gap`."""
    shifts = []
    for up in (gap, -gap - height):
        for across in (0.0, -width / 2, -width):
            shifts.append((across, up))
    for across in (gap, -gap - width):
        for up in (0.0, -height / 2, -height):
            shifts.append((across, up))
    # Farther up and down: beside a steep line.
    shifts += [(-width / 2, 3 * gap), (-width / 2, -3 * gap - height)]
    corners = (anchors[:, None, :] + np.array(shifts)[None, :, :]).reshape(-1, 2)
    return np.concatenate([corners, corners + np.array([width, height])], axis=1)


def _along(boxes: Points, edge: Points) -> NDArray[np.bool_]:
    """Which points of an edge lie above, in or below each box."""
    return (edge[:, 0] > boxes[:, :1] - SPACING) & (edge[:, 0] < boxes[:, 2:3] + SPACING)


def _distances(boxes: Points, points: Points) -> NDArray[np.float64]:
    """From each box to the nearest of the points; 0 inside."""
    across = np.maximum(boxes[:, :1] - points[:, 0], points[:, 0] - boxes[:, 2:3])
    up = np.maximum(boxes[:, 1:2] - points[:, 1], points[:, 1] - boxes[:, 3:4])
    nearest: NDArray[np.float64] = np.hypot(np.maximum(across, 0), np.maximum(up, 0)).min(
        axis=1, initial=np.inf
    )
    return nearest
