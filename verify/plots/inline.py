"""Plots for pages: `figure.draw` without its price, for hundreds of them.

The axes are kept, one for each pair of scales, and labels are plain text. What was drawn before
leaves no trace.
"""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

import verify.plots.svg as svg
from verify.plots.description import alternative
from verify.plots.facts import title
from verify.plots.labels import plain
from verify.plots.marks import frame, scales
from verify.plots.picture import Picture
from verify.plots.sheet import clear, compose
from verify.plots.style import POINTS, SIZE, settings
from verify.plots.ticks import set_formatters


@cache
def _sheet(log_x: bool, log_y: bool) -> tuple[Figure, Axes]:
    figure = Figure(figsize=SIZE, dpi=POINTS)
    FigureCanvasSVG(figure)
    axes = figure.add_axes((0.1, 0.1, 0.8, 0.8))
    scales(axes, log_x, log_y)
    set_formatters(axes, log_x, log_y)
    frame(axes)
    figure.patch.set_visible(False)
    axes.patch.set_visible(False)
    return figure, axes


def inline_svg(picture: Picture) -> str:
    """The plot as an `<svg>` element for a page: text as text, ids unique, the page's colours.

    Raises ValueError where a cross lies off the side that breaks the claim, or a point on it is no
    cross.
    """
    picture.insist_on_sides()
    buffer = io.StringIO()
    with mpl.rc_context(settings(picture.id)):
        figure, axes = _sheet(*picture.logs)
        clear(figure, axes)
        compose(figure, axes, picture, "", plain)
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(buffer, metadata={"Date": None})
    element = svg.embeddable(buffer.getvalue(), picture.id)
    return svg.described(element, picture.id, title(picture), alternative(picture))
