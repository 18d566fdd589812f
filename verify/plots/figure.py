"""Drawing a `Picture`: matplotlib's object interface, no global state, the same file every time."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simulators.disk import write
from verify.plots.curves import Picture

# Okabe and Ito's colours, told apart by all common kinds of colour vision; lines differ in
# dashes too, so that a print without colour still reads.
STYLES: Mapping[str, dict[str, Any]] = {
    "printed": {"color": "#d55e00", "linestyle": "-"},
    "corrected": {"color": "#0072b2", "linestyle": "--"},
    "tight": {"color": "#009e73", "linestyle": "-."},
    "stored": {"color": "#cc79a7", "linestyle": (0, (4, 1, 1, 1, 1, 1))},
    "fixed comparator": {"color": "#009e73", "linestyle": "-."},
    "active": {"color": "#cc79a7", "linestyle": "-"},
    "restart": {"color": "#56b4e9", "linestyle": "--"},
    "retraining": {"color": "#e69f00", "linestyle": (0, (1, 1))},
    "online DP": {"color": "#777777", "linestyle": (0, (3, 1, 1, 1, 1, 1))},
    "experiment": {"color": "#1b1b1b", "linestyle": "", "marker": "o", "markersize": 3.6},
}
# Curves of other names, in their order.
OTHERS: tuple[dict[str, Any], ...] = (
    {"color": "#cc79a7", "linestyle": ":"},
    {"color": "#e69f00", "linestyle": (0, (6, 2))},
    {"color": "#1b1b1b", "linestyle": "-.", "marker": "s", "markersize": 2.8},
    {"color": "#56b4e9", "linestyle": "-", "marker": "^", "markersize": 3.2},
    {"color": "#777777", "linestyle": (0, (3, 1, 1, 1, 1, 1))},
    {"color": "#009e73", "linestyle": (0, (1, 1)), "marker": "v", "markersize": 3.2},
)
INK, GRID = "#1b1b1c", "#d9d9d9"
# What the colours become inside a page, which sets the variables for its light and dark schemes.
VARIABLES = {
    "#d55e00": "var(--printed)",
    "#0072b2": "var(--corrected)",
    "#009e73": "var(--tight)",
    "#cc79a7": "var(--other)",
    "#1b1b1b": "var(--experiment)",
    INK: "var(--ink)",
    GRID: "var(--rule)",
}
SIZE = (4.8, 3.2)  # inches
SUFFIXES = (".svg", ".png", ".pdf")


def draw(picture: Picture) -> Figure:
    """A figure that stands alone: forms as lines, the experiment as dots, the claim's name above.

    Below stand the inputs held fixed and the paper; a page says both beside the plot (`inline`).
    """
    with mpl.rc_context(settings(picture.id)):
        figure = Figure(figsize=SIZE, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        xs = [x for c in picture.curves for x in c.x]
        log_x = picture.log_x and min(xs) > 0
        curves_of(axes, picture)
        if not log_x and all(x == int(x) for x in xs):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        scales(axes, log_x, picture.log_y and any(y > 0 for c in picture.curves for y in c.y))
        frame(axes)
        title = f"{picture.title}  ·  {picture.id}"
        figure.suptitle(title, x=0.01, ha="left", fontsize=10)
        lines = (textwrap.fill(text, 96) for text in (picture.fixed, picture.paper) if text)
        note = "\n".join(lines)
        figure.supxlabel(note, x=0.01, ha="left", fontsize=6.5, linespacing=1.4)
        return figure


def curves_of(axes: Axes, picture: Picture) -> None:
    """Draws the curves, with labels and a legend above them."""
    others = cycle(OTHERS)
    for curve in picture.curves:
        style = STYLES[curve.name] if curve.name in STYLES else next(others)
        axes.plot(curve.x, curve.y, label=curve.name, **{"linewidth": 1.6, **style})
    axes.set_xlabel(textwrap.fill(picture.x_label, 60))
    axes.set_ylabel(textwrap.fill(picture.y_label, 36))
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0.2,
        ncols=columns(picture),
        frameon=False,
        fontsize=8.5,
    )


def columns(picture: Picture) -> int:
    """Of the legend."""
    return len(picture.curves) if len(picture.curves) <= 4 else 3


def scales(axes: Axes, log_x: bool, log_y: bool) -> None:
    if log_x:
        axes.set_xscale("log")
    if log_y:
        axes.set_yscale("log", nonpositive="mask")


def frame(axes: Axes) -> None:
    """A grid, and no frame on top and at the right."""
    axes.grid(True, which="major", color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def save(picture: Picture, path: Path) -> None:
    """Writes the plot as SVG, PNG or PDF, by the suffix; equal pictures give equal files.

    Raises:
        ValueError: another suffix, or the file cannot be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"out must end in {', '.join(SUFFIXES)}, got {str(path)!r}")
    kind = path.suffix.lower()[1:]
    dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    figure, drawn = draw(picture), io.BytesIO()
    with mpl.rc_context(settings(picture.id) | {"svg.fonttype": "path"}):
        figure.savefig(drawn, format=kind, dpi=200, metadata=dates[kind])
    try:
        write(path, drawn.getvalue())
    except OSError as error:
        raise ValueError(f"out must be writable, got {path}: {error.strerror}") from error


def embed(figure: Figure, name: str) -> str:
    """Any figure in these colours as an `<svg>` element; `name` sets its ids apart in the page."""
    buffer = io.StringIO()
    with mpl.rc_context(settings(name)):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return embeddable(buffer.getvalue(), name)


def settings(name: str) -> Any:
    """Parameters of matplotlib under which to draw and save; equal names give equal files."""
    return {
        "svg.hashsalt": name,
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",
        "font.size": 9,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.titlecolor": INK,
    }


def embeddable(text: str, name: str) -> str:
    """A file of SVG as an element of a page; `name` sets its ids apart."""
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<style.*?</style>", "", text, flags=re.S)  # would style the whole page
    used = set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", text))
    wanted = {a or b for a, b in used}
    prefix = re.sub(r"[^a-z0-9]", "-", name.lower())

    def identifier(match: re.Match[str]) -> str:
        return f' id="{prefix}-{match[1]}"' if match[1] in wanted else ""

    text = re.sub(r' id="([^"]+)"', identifier, text)
    text = re.sub(r"url\(#", f"url(#{prefix}-", text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    text = re.sub(r"(font(?:-family)?: [^;'\"]*)'[^;\"]*", r"\1inherit", text)
    text = re.sub(r">\s+<", "><", text)
    return text


def save_figure(drawing: Any, path: Path) -> None:
    """Writes a figure of its own as a stand-alone SVG; equal numbers give equal files."""
    drawn = io.BytesIO()
    with mpl.rc_context(settings("headline") | {"svg.fonttype": "path"}):
        drawing.savefig(drawn, format="svg", facecolor="white", metadata={"Date": None})
    write(path, drawn.getvalue())
