"""The bound as a line, the measurements as points, and the side hatched on which they break it."""

from __future__ import annotations

import math
import textwrap
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from forgetproof.inequality.verdict import BoundVerdict
from verify.plots.figure import write_drawn
from verify.plots.marks import frame
from verify.plots.picture import LINEAR
from verify.plots.style import MARK, STYLES, settings

NAME = "check-bound"
SIZE = (4.8, 3.6)  # inches
HATCH: dict[str, Any] = {
    "facecolor": "none",
    "edgecolor": "#d55e00",
    "hatch": "///",
    "alpha": 0.28,
    "linewidth": 0,
}
BREAKS = {
    "exact": "a point here breaks the bound",
    "mean": "limits wholly in here break the bound",
    "lower limit": "a point here breaks the bound",
}
LARGEST = 1e250
"""Beyond it, and below its inverse, an axis has no room for its margins."""


def save(verdict: BoundVerdict, path: Path) -> None:
    """Writes the picture as SVG, PNG or PDF, by the suffix; equal verdicts give equal files.

    Raises ValueError where the file cannot be written.
    """
    with warnings.catch_warnings():
        # A letter that the font lacks is drawn as a box.
        warnings.simplefilter("ignore", UserWarning)
        write_drawn(draw(verdict), NAME, path)


def draw(verdict: BoundVerdict) -> Figure:
    """The figure, with the verdict and what the drawn points show as its title."""
    with mpl.rc_context(settings(NAME)):
        figure = Figure(figsize=SIZE, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        _scale(axes, verdict)
        handles = _points(axes, verdict)
        handles.append(_hatched(axes, verdict))
        frame(axes)
        axes.set_xlabel(_plain(verdict.over.variable))
        axes.set_ylabel(_filled(verdict.measurements.quantity, 40))
        sign = verdict.bound.relation
        claim = _filled(f"measured {sign} {verdict.bound.text}: {verdict.word.upper()}", 64)
        figure.suptitle(f"{claim}\n{_filled(verdict.sentence, 64)}", x=0.01, ha="left", fontsize=10)
        # What is held fixed stands above the lines' names, in one box with them.
        figure.legend(
            handles=handles,
            loc="outside lower left",
            ncols=2,
            frameon=False,
            fontsize=8,
            title=_filled(_below(verdict), 90),
            title_fontsize=6.5,
            alignment="left",
        )
        return figure


def _scale(axes: Axes, verdict: BoundVerdict) -> None:
    """A logarithmic axis where all that is drawn is above 0 and spans more than a linear one."""
    ordinates = np.concatenate([_finite(verdict.values), _finite(verdict.measurements.values)])
    if (
        ordinates.size
        and ordinates.min() > 1 / LARGEST
        and ordinates.max() > LINEAR * ordinates.min()
    ):
        axes.set_yscale("log", nonpositive="mask")
    points = verdict.measurements.points
    if (points == np.floor(points)).all():
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _points(axes: Axes, verdict: BoundVerdict) -> list[Any]:
    """Draws the bound, the measurements with their limits, and those that break it."""
    x, y = verdict.measurements.points, verdict.measurements.values
    few: dict[str, Any] = {"marker": "_", "markersize": 12} if len(x) == 1 else {}
    values = _drawable(verdict.values)
    style = {"linewidth": 1.6, **STYLES["printed"], **few, "label": "bound"}
    handles: list[Any] = list(axes.plot(x, values, **style))
    bad = verdict.failed
    if not bad.all():
        good = {**STYLES["experiment"], "label": "measured"}
        handles += axes.plot(x[~bad], _drawable(y)[~bad], **good)
    if verdict.measurements.basis == "mean":
        words = f"confidence limits, {verdict.level:g} over all points"
        low, high = _drawable(verdict.low), _drawable(verdict.high)
        handles.append(axes.vlines(x, low, high, colors="#1b1b1b", linewidth=0.8, label=words))
    if bad.any():
        cross = {**MARK, "markersize": 6, "label": "measured, and breaks the bound"}
        handles += axes.plot(x[bad], _drawable(y)[bad], **cross)
    return handles


def _hatched(axes: Axes, verdict: BoundVerdict) -> Patch:
    """Hatches the side of the bound on which a point breaks it, up to the edge of the axes."""
    low, high = axes.get_ylim()
    x, values = verdict.measurements.points, _drawable(verdict.values)
    if len(x) == 1:
        # A single point has no width to hatch: the whole axes have.
        x, values = np.array(axes.get_xlim()), np.repeat(values, 2)
    inside = np.clip(values, min(low, high), max(low, high))
    edges = {"<=": (high,), ">=": (low,), "==": (low, high)}[verdict.bound.relation]
    for edge in edges:
        axes.fill_between(x, inside, edge, where=np.isfinite(values).tolist(), **HATCH)
    axes.set_ylim(low, high)
    return Patch(**HATCH, label=BREAKS[verdict.measurements.basis])


def _below(verdict: BoundVerdict) -> str:
    """What is held fixed, where the points come from, and by what it was drawn."""
    fixed = ", ".join(f"{name} = {value:g}" for name, value in verdict.bound.symbols.items())
    parts = (fixed, verdict.measurements.source, "forgetproof check-bound")
    return "; ".join(part for part in parts if part)


def _drawable(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values that an axis has room for, NaN in place of others."""
    return np.where(np.abs(values) <= LARGEST, values, math.nan)


def _finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    room = _drawable(values)
    return room[np.isfinite(room)]


def _plain(text: str) -> str:
    """The text as it stands: a dollar sign would begin a formula."""
    return text.replace("$", r"\$")


def _filled(text: str, width: int) -> str:
    return _plain(textwrap.fill(text, width))
