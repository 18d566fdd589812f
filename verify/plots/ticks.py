"""LinearNumbers at the ticks of a plot, as plain text; matplotlib's own are formulas, and slow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import (
    AutoLocator,
    Formatter,
    LogFormatterSciNotation,
    MaxNLocator,
)

from verify.plots.labels import RAISED, width
from verify.plots.picture import Picture
from verify.words import number, typeset

DIGITS = range(4, 17)
FACTORS = (tuple(range(2, 10)), (2, 5), (3,), ())
"""Of the numbers between two powers of 10 that have a label; the first that have room."""
LETTERS = 9.0
SPACE = 3
"""Points between two numbers."""


class LinearNumbers(Formatter):
    """Numbers of a linear axis with as many digits as tell them apart; no power is taken out."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self.format_ticks([x])[0]

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        # Ticks such as 0.30000000000000004 are steps that were added up.
        span = max(map(abs, values), default=0.0)
        clean = [0.0 if abs(x) < 1e-12 * span else x for x in values]
        texts: list[str] = []
        for digits in DIGITS:
            texts = [typeset(number(float(f"{x:.{digits}g}"), digits)) for x in clean]
            if len(set(texts)) == len(set(clean)):
                break
        return texts


class Powers(LogFormatterSciNotation):
    """Matplotlib's labels of logarithmic axes, as plain text: `3 × 10⁻⁴`."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        # The formatter sets formulas; their few patterns are turned into plain text.
        text = str(super().__call__(x, pos)).removeprefix(r"$\mathdefault{").removesuffix("}$")
        factor, power, exponent = text.replace(r"\times", " × ").partition("10^{")
        return f"{factor}10{exponent[:-1].translate(RAISED)}" if power else text


class Sparse(Powers):
    """Labels between the powers: of these factors, where all would run into each other."""

    factors: tuple[int, ...] = FACTORS[0]

    def __call__(self, x: float, pos: int | None = None) -> str:
        factor = round(x / 10.0 ** math.floor(math.log10(x) + 1e-9))
        return super().__call__(x, pos) if factor in self.factors else ""


def set_formatters(axes: Axes, log_x: bool, log_y: bool) -> None:
    """Plain text for the numbers of both axes."""
    # How many ticks there are depends on their size, also where other settings are in force.
    axes.tick_params(labelsize=LETTERS)
    for axis, log in ((axes.xaxis, log_x), (axes.yaxis, log_y)):
        axis.set_major_formatter(Powers() if log else LinearNumbers())
        if log:
            axis.set_minor_formatter(Sparse(minor_thresholds=(1, 0.4)))


def set_locator(axes: Axes, picture: Picture) -> None:
    """Ticks at whole numbers where all points are; they stay with the axes, so set either way."""
    if not picture.logs[0]:
        whole = all(x == int(x) for c in picture.curves for x in c.x)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True) if whole else AutoLocator())


def thin(axes: Axes, length: float, height: float) -> None:
    """Leaves out what would run into each other on axes of this length and height, in points."""
    for axis, along, room in ((axes.xaxis, length, 0.0), (axes.yaxis, height, 9.0)):
        between = axis.get_minor_formatter()
        if isinstance(between, Sparse):
            for factors in FACTORS:
                # The formatter itself is asked for its labels below.
                between.factors = factors
                if _apart(axis, along, room):
                    break
    locator = axes.xaxis.get_major_locator()
    if isinstance(locator, MaxNLocator):
        for most in (9, 6, 4, 3):
            locator.set_params(nbins=most)
            if _apart(axes.xaxis, length, 0.0):
                break


def labels_of(axis: Axis) -> list[tuple[float, str]]:
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


def _apart(axis: Axis, length: float, high: float) -> bool:
    """Whether no two labels along an axis of so many points come closer than a space.

    high: of a label along a vertical axis; 0 where its width counts.
    """
    # Half a label to both sides of its tick.
    halves = [(at * length, (high or width(text)) / 2) for at, text in labels_of(axis)]
    ends = [(at - half, at + half) for at, half in halves]
    return all(first[1] + SPACE <= second[0] for first, second in pairwise(ends))
