"""A picture on axes: margins reckoned from their words, and words where there is room for them.

Most of what a figure costs in matplotlib is text boxes for a layout that is solved twice, and new
ticks. So margins are reckoned from the widest number and the lines of words, and pages keep axes
(`inline`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

import verify.plots.marks as marks
from verify.plots.facts import title
from verify.plots.labels import filled, plain, width
from verify.plots.names import BREAKS, joint_names, line_names
from verify.plots.picture import EXPERIMENT, Picture
from verify.plots.places import NEAR, Box, Points, Surface, close, marker_boxes
from verify.plots.style import CARD, INK, MARK, POINTS, SIZE, SOFT, WORDS
from verify.plots.ticks import labels_of, set_locator, thin

WIDE, HIGH = SIZE[0] * POINTS, SIZE[1] * POINTS
LINE, TICK, EDGE = 11.0, 7.0, 3.0  # heights and lengths, in points
LETTERS, TITLE, SMALL = 8.5, 9.5, 6.5  # sizes of letters
LEADING = 1.25
MARKER, CROSS = 4.5, 8.0  # from the middle of a marker to words beside it
HANDLE = 40.0  # of a line and the spaces beside it, in a legend

Text = Callable[[str], str]


@dataclass(frozen=True)
class Entry:
    """A name in the legend below the axes, with what it names."""

    text: str
    handle: Any


def compose(figure: Figure, axes: Axes, picture: Picture, below: str, text: Text = str) -> None:
    """Draws the picture on axes that are empty and have its scales.

    below: small print under the picture.  text: makes labels; `plain` where formulas cost too much.
    """
    set_locator(axes, picture)
    handles = marks.draw_curves(axes, picture)
    # Limits are kept from the last picture unless they are computed anew.
    axes.relim()
    axes.autoscale(True)
    axes.autoscale_view()
    marks.make_room(axes, picture)
    patch = marks.hatch(axes, picture)
    if patch is not None:
        handles[BREAKS["above"]] = patch
    names = line_names(picture)
    unseen = [Entry(n.text, handles[c]) for c, n in names.items() if not n.seen]
    _place(figure, axes, picture, below, text, unseen)
    entries = _name(axes, picture, handles)
    if entries:
        # Words that found no place need rows below the axes, which move everything above.
        _place(figure, axes, picture, below, text, [*entries, *unseen])
        entries = _name(axes, picture, handles, frozenset(entry.text for entry in entries))
        _place(figure, axes, picture, below, text, [*entries, *unseen])


def clear(figure: Figure, axes: Axes) -> None:
    """Takes everything off that `compose` drew."""
    for artist in (*axes.lines, *axes.collections, *axes.texts, *figure.texts, *figure.legends):
        artist.remove()


def _place(
    figure: Figure, axes: Axes, picture: Picture, below: str, text: Text, entries: list[Entry]
) -> None:
    """Title, labels, legend and small print, and the axes between them."""
    for artist in (*figure.texts, *figure.legends):
        artist.remove()
    title_lines = filled(title(picture), WIDE - 10, TITLE, bold=True)
    top = EDGE + _lines(title_lines) * TITLE * LEADING + 5
    axes.set_xlabel(filled(text(picture.x_label), WIDE - 70))
    small = _small_print(below, text)
    print_height = _lines(small) * SMALL * LEADING + 3 if small else 0.0
    columns = _columns(entries)
    rows = -(-len(entries) // columns) if entries else 0
    legend_height = rows * LETTERS * 1.35 + 2 if rows else 0.0
    label_height = _lines(axes.get_xlabel()) * LINE
    bottom = EDGE + print_height + legend_height + label_height + LINE + TICK + 3
    height = HIGH - bottom - top
    # Where there are ticks depends on how much room they have.
    axes.set_position((0.1, bottom / HIGH, 0.85, height / HIGH))
    axes.set_ylabel(filled(text(picture.y_label), height - 4))
    # The numbers of the vertical axis depend on its height, and its margin on the numbers.
    thin(axes, WIDE - 60, height)
    widest = max((width(label) for _, label in labels_of(axes.yaxis)), default=0.0)
    left = EDGE + _lines(axes.get_ylabel()) * LINE + widest + TICK + 4
    last = labels_of(axes.xaxis)
    # The last number may reach beyond the end of its axis.
    right = max([8.0, *(width(t) / 2 - (1 - at) * (WIDE - left - 8) + 3 for at, t in last[-1:])])
    length = WIDE - left - right
    thin(axes, length, height)
    axes.set_position((left / WIDE, bottom / HIGH, length / WIDE, height / HIGH))
    # Else matplotlib measures every label of every tick a second time to place these two.
    axes.xaxis.set_label_coords(0.5, -(TICK + LINE + 1) / height)
    axes.yaxis.set_label_coords(-(TICK + widest + 3) / length, 0.5)
    put: dict[str, Any] = {"x": EDGE / WIDE, "ha": "left"}
    figure.text(
        s=title_lines, y=1 - EDGE / HIGH, va="top", weight="bold", fontsize=TITLE, color=INK, **put
    )
    if small:
        spaced: dict[str, Any] = {"fontsize": SMALL, "linespacing": LEADING, "color": SOFT}
        figure.text(s=small, y=EDGE / HIGH, va="bottom", **spaced, **put)
    if entries:
        figure.legend(
            [entry.handle for entry in entries],
            [entry.text for entry in entries],
            loc="lower left",
            bbox_to_anchor=(0.0, (EDGE + print_height - 2) / HIGH),
            borderaxespad=0.0,
            borderpad=0.2,
            labelspacing=0.25,
            columnspacing=1.2,
            handletextpad=0.6,
            ncols=columns,
            frameon=False,
            fontsize=LETTERS,
        )


def _name(
    axes: Axes, picture: Picture, handles: dict[str, Any], listed: frozenset[str] = frozenset()
) -> list[Entry]:
    """Writes names beside what they name; returns those that find no place without touching
    anything, for the legend.

    listed: names that are in the legend already.
    """
    for artist in list(axes.texts):
        artist.remove()
    surface, styles = _surface(axes, picture), marks.styles(picture)
    entries = []
    # What is shortest has the fewest places, and chooses first.
    names = joint_names(picture)
    for curve in sorted(names, key=lambda name: len(surface.drawn[name])):
        words = names[curve]
        box = None
        if words not in listed:
            gap = MARKER if "marker" in styles[curve] else NEAR
            box = surface.beside(curve, width(words, LETTERS) + 2, LETTERS * 1.2, gap)
        if box is None:
            entries.append(Entry(words, handles[curve]))
        else:
            _write(axes, words, box, WORDS.get(styles[curve]["color"], INK))
    if picture.marks:
        entries += _name_crosses(axes, picture, surface, handles, listed)
    if picture.side is not None:
        entries += _name_side(axes, picture, surface, handles, listed)
    return entries


def _name_crosses(
    axes: Axes, picture: Picture, surface: Surface, handles: dict[str, Any], listed: frozenset[str]
) -> list[Entry]:
    words = "counterexample" if len(picture.marks) == 1 else "counterexamples"
    entry = Entry(words, handles[marks.CROSSES])
    box = None if words in listed else surface.beside(words, width(words, 8) + 2, 9.6, CROSS)
    if box is None:
        return [entry]
    _write(axes, words, box, WORDS[MARK["color"]], 8)
    return []


def _name_side(
    axes: Axes, picture: Picture, surface: Surface, handles: dict[str, Any], listed: frozenset[str]
) -> list[Entry]:
    assert picture.side is not None
    words = BREAKS[picture.side]
    if words not in listed:
        for low, high in marks.hatched_edges(axes, picture):
            edges = [close(axes.transData.transform(corners)) for corners in (low, high)]
            half = words.rindex(" ", 0, len(words) // 2 + 4)
            for text in (words, f"{words[:half]}\n{words[half + 1 :]}"):
                wide = max(width(line, 8) for line in text.split("\n")) + 3
                box = surface.within(wide, 9.8 * _lines(text), *edges)
                if box is not None:
                    _write(axes, text, box, WORDS[MARK["color"]], 8)
                    return []
    return [Entry(words, handles[BREAKS["above"]])]


def _surface(axes: Axes, picture: Picture) -> Surface:
    """What stands on the axes, in points."""
    box: Bbox = axes.get_window_extent()
    drawn: dict[str, Points] = {}
    taken: list[Box] = []
    styles = marks.styles(picture)
    for curve in picture.curves:
        corners = _visible(axes, np.column_stack([curve.x, curve.y]))
        dotted = styles[curve.name]["linestyle"] == ""
        drawn[curve.name] = corners if dotted else close(corners)
        if curve.name == EXPERIMENT and picture.marks:
            # Crosses have a name of their own.
            plain_points = [p for p in zip(curve.x, curve.y, strict=True) if p not in picture.marks]
            drawn[curve.name] = _visible(axes, np.array(plain_points).reshape(-1, 2))
        taken += marker_boxes(corners, 4.5) if "marker" in styles[curve.name] else []
        if curve.low:
            ends = [np.column_stack([curve.x, end]) for end in (curve.low, curve.high)]
            drawn[f"band of {curve.name}"] = np.concatenate(
                [close(_visible(axes, end)) for end in ends]
            )
    if picture.marks:
        corners = _visible(axes, np.array(picture.marks))
        words = "counterexample" if len(picture.marks) == 1 else "counterexamples"
        drawn[words] = corners
        taken += marker_boxes(corners, MARK["markersize"] + 1)
    return Surface((box.x0, box.y0, box.x1, box.y1), drawn, taken)


def _visible(axes: Axes, corners: Points) -> Points:
    """Corners in points, without those that have no place on the scales."""
    if axes.get_yscale() == "log":
        corners = corners[corners[:, 1] > 0]
    if not len(corners):
        return corners.reshape(0, 2)
    placed: Points = axes.transData.transform(corners)
    return placed


def _write(axes: Axes, words: str, box: Box, colour: str, size: float = LETTERS) -> None:
    """Words in the middle of a box, on a ground that covers the grid and hatches."""
    ends = axes.transAxes.inverted().transform([box[:2], box[2:]])
    x, y = ends.mean(axis=0)
    ground = {"facecolor": CARD, "edgecolor": "none", "pad": 0.6}
    axes.text(
        x,
        y,
        words,
        transform=axes.transAxes,
        ha="center",
        va="center",
        multialignment="center",
        fontsize=size,
        color=colour,
        linespacing=1.1,
        bbox=ground,
        zorder=1.9,
    )


def _columns(entries: list[Entry]) -> int:
    """As many as fit in a row."""
    wide = [width(plain(entry.text), LETTERS) + HANDLE for entry in entries]
    for columns in range(len(wide), 1, -1):
        # Matplotlib fills columns, the first ones with what is left over.
        tall, over = divmod(len(wide), columns)
        ends = [sum(tall + (i < over) for i in range(c + 1)) for c in range(columns)]
        parts = [wide[a:b] for a, b in zip((0, *ends), ends, strict=False)]
        if sum(max(part) for part in parts if part) <= WIDE - 2 * EDGE:
            return columns
    return 1


def _small_print(below: str, text: Text) -> str:
    if not below:
        return ""
    return "\n".join(filled(text(part), WIDE - 20, SMALL) for part in below.split("\n"))


def _lines(text: str) -> int:
    return text.count("\n") + 1
