"""Drawing a `Picture`: matplotlib's object interface, no global state, the same file every time."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simulators.data.disk import write
from verify.plots.labels import filled
from verify.plots.marks import curves_of, finish, frame, scales
from verify.plots.picture import Picture
from verify.plots.style import SIZE, VARIABLES, settings

PLOT = '<svg class="forgetproof"'
SUFFIXES = (".svg", ".png", ".pdf")


def draw(picture: Picture) -> Figure:
    """A figure that stands alone, with the claim's name and its verdict above.

    Below stand the inputs held fixed, why there is no cross, and the paper; a page says them beside
    the plot (`inline`).
    """
    with mpl.rc_context(settings(picture.id)):
        figure = Figure(figsize=SIZE, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        curves_of(axes, picture)
        log_x, log_y = picture.logs
        xs = [x for c in picture.curves for x in c.x]
        if not log_x and all(x == int(x) for x in xs):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        scales(axes, log_x, log_y)
        frame(axes)
        name = f"{picture.title}  ·  {picture.id}"
        title = filled(f"{name}  ·  {picture.verdict}" if picture.verdict else name, 62)
        figure.suptitle(title, x=0.01, ha="left", fontsize=10)
        texts = picture.fixed, picture.note, picture.paper
        note = "\n".join(filled(text, 96) for text in texts if text)
        figure.supxlabel(note, x=0.01, ha="left", fontsize=6.5, linespacing=1.4)
        finish(axes, picture)
        return figure


def save(picture: Picture, path: Path) -> None:
    """Writes the plot as SVG, PNG or PDF, by the suffix; equal pictures give equal files.

    Raises:
        ValueError: another suffix, or the file cannot be written.
    """
    insist_on_suffix(path)
    write_drawn(draw(picture), picture.id, path)


def insist_on_suffix(path: Path) -> None:
    """ValueError where the file's suffix names no kind of picture."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"out must end in {', '.join(SUFFIXES)}, got {str(path)!r}")


def write_drawn(figure: Figure, name: str, path: Path) -> None:
    """Writes a figure of this name as SVG, PNG or PDF, by the suffix; errors as of `save`."""
    kind = path.suffix.lower()[1:]
    dates: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    buffer = io.BytesIO()
    # Text as paths: the file looks the same where the font is missing.
    with mpl.rc_context(settings(name) | {"svg.fonttype": "path"}):
        figure.savefig(buffer, format=kind, dpi=200, metadata=dates[kind])
    try:
        write(path, buffer.getvalue())
    except OSError as error:
        raise ValueError(f"out must be writable, got {path}: {error.strerror}") from error


def embed(figure: Figure, name: str) -> str:
    """Any figure in these colours as an `<svg>` element; `name` sets its ids apart in the page."""
    buffer = io.StringIO()
    with mpl.rc_context(settings(name)):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return embeddable(buffer.getvalue(), name)


def embeddable(text: str, name: str) -> str:
    """A file of SVG as an element of a page; `name` sets its ids apart."""
    text = text[text.index("<svg") :].strip()
    # Metadata and styles would leak into the page around it.
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<style.*?</style>", "", text, flags=re.S)  # would style the whole page
    used = set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", text))
    references = {a or b for a, b in used}
    prefix = re.sub(r"[^a-z0-9]", "-", name.lower())

    # Ids that nothing refers to go: they are most of matplotlib's, and would clash.
    def identifier(match: re.Match[str]) -> str:
        return f' id="{prefix}-{match[1]}"' if match[1] in references else ""

    text = re.sub(r' id="([^"]+)"', identifier, text)
    text = re.sub(r"url\(#", f"url(#{prefix}-", text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    text = re.sub(r"(font(?:-family)?: [^;'\"]*)'[^;\"]*", r"\1inherit", text)
    text = re.sub(r">\s+<", "><", text)
    return text


def standalone(element: str) -> str:
    """The file of an element that `embeddable` made, with the colours of a light page."""
    svg = element[: element.index("</svg>") + len("</svg>")]
    colours = ";".join(f"{v[4:-1]}:{colour}" for colour, v in VARIABLES.items())
    style = f"{colours};background:#ffffff;font-family:DejaVu Sans,sans-serif"
    return f'{PLOT} style="{style}"{svg.removeprefix("<svg")}\n'


def save_figure(drawing: Any, path: Path) -> None:
    """Writes a figure of its own as a stand-alone SVG; equal numbers give equal files."""
    buffer = io.BytesIO()
    with mpl.rc_context(settings("headline") | {"svg.fonttype": "path"}):
        drawing.savefig(buffer, format="svg", facecolor="white", metadata={"Date": None})
    write(path, buffer.getvalue())
