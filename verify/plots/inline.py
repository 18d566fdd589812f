"""Plots for pages: `figure.draw` without its price, for hundreds of them.

Most of what a figure costs is not its curves: labels set as formulas, text boxes for a layout that
is solved twice, a hidden first pass, and new ticks. So the axes are kept, one for each pair of
scales; labels of ticks are plain text with raised digits; margins are reckoned from the widest
label and the number of lines. What was drawn before leaves no trace.
"""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import (
    AutoLocator,
    LogFormatterSciNotation,
    MaxNLocator,
    ScalarFormatter,
)

from verify.plots.figure import draw, embed, embeddable
from verify.plots.labels import plain, width
from verify.plots.marks import curves_of, finish, frame, rows, scales
from verify.plots.picture import Picture, near
from verify.plots.style import SIZE, settings

RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
POINTS = 72
LINE, LEGEND, TICK, EDGE = 11.0, 13.0, 7.0, 3.0  # heights and lengths, in points


class Powers(LogFormatterSciNotation):
    """Matplotlib's labels of logarithmic axes, as plain text: `3 × 10⁻⁴`."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        # The formatter sets formulas; their few patterns are turned into plain text.
        text = str(super().__call__(x, pos)).removeprefix(r"$\mathdefault{").removesuffix("}$")
        factor, power, exponent = text.replace(r"\times", " × ").partition("10^{")
        return f"{factor}10{exponent[:-1].translate(RAISED)}" if power else text


class Sparse(Powers):
    """Labels between the powers, none at all where they would run into each other."""

    crowded = False

    def __call__(self, x: float, pos: int | None = None) -> str:
        return "" if self.crowded else super().__call__(x, pos)


@cache
def _sheet(log_x: bool, log_y: bool) -> tuple[Figure, Axes]:
    figure = Figure(figsize=SIZE, dpi=POINTS)
    FigureCanvasSVG(figure)
    axes = figure.add_axes((0.1, 0.1, 0.8, 0.8))
    scales(axes, log_x, log_y)
    for axis, log in ((axes.xaxis, log_x), (axes.yaxis, log_y)):
        plain = ScalarFormatter(useMathText=False)
        axis.set_major_formatter(Powers() if log else plain)
        if log:
            axis.set_minor_formatter(Sparse(minor_thresholds=(1, 0.4)))
    frame(axes)
    figure.patch.set_visible(False)
    axes.patch.set_visible(False)
    return figure, axes


def inline_svg(picture: Picture) -> str:
    """The plot as an `<svg>` element for a page: text as text, ids unique, the page's colours."""
    if near(picture):  # an inset is worth its price
        return embed(draw(replace(picture, title="", verdict="", fixed="", paper="")), picture.id)
    buffer = io.StringIO()
    log_x, log_y = picture.logs
    with mpl.rc_context(settings(picture.id)):
        figure, axes = _sheet(log_x, log_y)
        # The sheet is shared: curves of the picture before must go.
        for artist in (*axes.lines, *axes.collections):
            artist.remove()
        if not log_x:
            whole = all(x == int(x) for c in picture.curves for x in c.x)
            # Locators stay with the axes, so they are set either way.
            axes.xaxis.set_major_locator(MaxNLocator(integer=True) if whole else AutoLocator())
        curves_of(axes, picture, plain)
        # Limits are kept from the last picture unless they are found anew.
        axes.relim()
        axes.autoscale(True)
        axes.autoscale_view()
        finish(axes, picture)
        _margins(axes, picture)
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(buffer, metadata={"Date": None})
    return embeddable(buffer.getvalue(), picture.id)


def _margins(axes: Axes, picture: Picture) -> None:
    """Places the axes where all labels fit, and leaves out labels that would overlap."""
    wide, high = SIZE[0] * POINTS, SIZE[1] * POINTS
    widest = max(map(width, _labels(axes.yaxis)), default=0.0)
    left_margin = EDGE + _lines(axes.get_ylabel()) * LINE + widest + TICK + 5
    bottom = EDGE + _lines(axes.get_xlabel()) * LINE + LINE + TICK + 5
    top = EDGE + rows(picture) * LEGEND
    length = wide - left_margin - 8
    height = high - bottom - top
    axes.set_position((left_margin / wide, bottom / high, length / wide, height / high))
    # Else matplotlib measures every label of every tick a second time to place these two.
    axes.xaxis.set_label_coords(0.5, -(TICK + LINE + 1) / height)
    axes.yaxis.set_label_coords(-(TICK + widest + 4) / length, 0.5)
    between = axes.xaxis.get_minor_formatter()
    if isinstance(between, Sparse):
        # Reset first: the formatter itself is asked for its labels below.
        between.crowded = False
        between.crowded = not _apart(axes.xaxis, length)


def _lines(text: str) -> int:
    return text.count("\n") + 1


def _ticks(axis: Axis) -> list[tuple[float, str]]:
    """Places of the labels along the axis, from 0 to 1, and what they say."""
    low, high = sorted(axis.get_view_interval())
    first, last = axis.get_transform().transform([low, high])
    ticks: list[tuple[float, str]] = []
    for formatter, locations in (
        (axis.get_major_formatter(), axis.get_majorticklocs()),
        (axis.get_minor_formatter(), axis.get_minorticklocs()),
    ):
        inside = [float(x) for x in locations if low <= x <= high]
        along = (axis.get_transform().transform(inside) - first) / (last - first)
        ticks += zip(along.tolist(), formatter.format_ticks(inside), strict=True)
    return sorted((place, text) for place, text in ticks if text)


def _labels(axis: Axis) -> list[str]:
    return [text for _, text in _ticks(axis)]


def _apart(axis: Axis, length: float) -> bool:
    """Whether no two labels along an axis of so many points come closer than a space."""
    # Half a label to both sides of its tick.
    ends = [(at * length - width(t) / 2, at * length + width(t) / 2) for at, t in _ticks(axis)]
    return all(label_span[1] + 3 <= next_span[0] for label_span, next_span in pairwise(ends))
