"""Drawing a `Picture`: matplotlib's object interface, no global state, the same file every time."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import verify.plots.svg as svg
from simulators.data.disk import write
from verify.plots.description import alternative, source
from verify.plots.facts import title
from verify.plots.labels import plain
from verify.plots.marks import frame, scales
from verify.plots.picture import Picture
from verify.plots.sheet import compose
from verify.plots.style import POINTS, SIZE, fonts_in_silence, settings
from verify.plots.ticks import set_formatters

SUFFIXES = (".svg", ".png", ".pdf")
HELD = 420
"""Characters of what is held fixed, below a picture; a caption has all of it."""


def draw(picture: Picture) -> Figure:
    """A figure that stands alone, with label, paper, verdict and fact above.

    Below stand the inputs held fixed, why there is no cross, the paper, and what draws it again.

    Raises ValueError where a cross lies off the side that breaks the claim, or a point on it is no
    cross.
    """
    picture.insist_on_sides()
    with mpl.rc_context(settings(picture.id)):
        figure = Figure(figsize=SIZE, dpi=POINTS)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0.1, 0.1, 0.8, 0.8))
        scales(axes, *picture.logs)
        set_formatters(axes, *picture.logs)
        frame(axes)
        compose(figure, axes, picture, _below(picture))
        return figure


def _below(picture: Picture) -> str:
    """Held values, remarks and paper, a line each where they fit."""
    held = picture.fixed
    if len(plain(held)) > HELD:
        # Cut between two values: half a formula cannot be set.
        held = f"{held[:HELD].rpartition(', ')[0]}, …"
    of = ". ".join(filter(None, (picture.paper, source(picture))))
    return "\n".join(filter(None, (held, picture.note, of)))


def save(picture: Picture, path: Path, also: Iterable[str] = ()) -> list[Path]:
    """Writes the plot as SVG, PNG or PDF, by the suffix, and also under these suffixes; returns the
    files. Equal pictures give equal files.

    Raises:
        ValueError: another suffix, a file cannot be written, or points that contradict their side.
    """
    paths = list(dict.fromkeys([path, *(path.with_suffix(f".{kind}") for kind in also)]))
    for each in paths:
        insist_on_suffix(each)
    figure = draw(picture)
    for each in paths:
        write_drawn(figure, picture.id, each, title(picture), alternative(picture))
    return paths


def insist_on_suffix(path: Path) -> None:
    """ValueError where the file's suffix names no kind of picture."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"out must end in {', '.join(SUFFIXES)}, got {str(path)!r}")


def write_drawn(
    figure: Figure, name: str, path: Path, headline: str = "", alternative: str = ""
) -> None:
    """Writes a figure of this name as SVG, PNG or PDF, by the suffix; errors as of `save`.

    headline, alternative: title and description of an SVG for who does not see it.
    """
    kind = path.suffix.lower()[1:]
    about: dict[str, Any] = {"Title": headline} if headline else {}
    dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    buffer = io.BytesIO()
    with mpl.rc_context(settings(name)), fonts_in_silence():
        figure.savefig(buffer, format=kind, dpi=200, metadata={**dates[kind], **about})
    content = buffer.getvalue()
    if kind == "svg":
        text = svg.alone(content.decode("utf-8"))
        text = svg.described(text, name, headline, alternative) if headline else text
        content = text.encode("utf-8")
    try:
        write(path, content)
    except OSError as error:
        raise ValueError(f"out must be writable, got {path}: {error.strerror}") from error


def embed(figure: Figure, name: str) -> str:
    """Any figure in these colours as an `<svg>` element; `name` sets its ids apart in the page."""
    buffer = io.StringIO()
    with mpl.rc_context(settings(name)):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return svg.embeddable(buffer.getvalue(), name)


def save_figure(drawing: Any, path: Path) -> None:
    """Writes a figure of its own as a stand-alone SVG; equal numbers give equal files."""
    buffer = io.BytesIO()
    with mpl.rc_context(settings("headline") | {"svg.fonttype": "path"}):
        drawing.savefig(buffer, format="svg", facecolor="white", metadata={"Date": None})
    write(path, buffer.getvalue())
