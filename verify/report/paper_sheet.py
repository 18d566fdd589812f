"""Text and formulas on sheets of paper, line by line, as PDF: drawn by matplotlib alone.

matplotlib is a part of the extra `report`, has fonts of its own for text and for mathematics, and
writes the same bytes on every machine; neither LaTeX nor a browser is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import Any, BinaryIO

import matplotlib as mpl
from matplotlib.backends.backend_pdf import FigureCanvasPdf, PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ft2font import FT2Font
from matplotlib.mathtext import MathTextParser

from bounds.unicode_formulas import unicode_formula
from verify.plots.style import fonts_in_silence
from verify.report.mathtext import parts, readable

WIDTH, HEIGHT = 595.0, 842.0
"""Of a sheet of A4, in points of 1/72 inch."""
MARGIN = 62.0
LEADING = 1.36
"""The distance of lines over the size of letters."""
SMALLEST = 0.7
"""The least size of a formula over that of text; what is wider than the page then is text."""
FAMILIES = ("STIXGeneral", "DejaVu Serif")
_SETTINGS: Any = {
    "pdf.fonttype": 42,
    "mathtext.fontset": "stix",
    "font.family": list(FAMILIES),
}


@dataclass(frozen=True)
class StyledText:
    """Words of one style: plain, bold or italic."""

    text: str
    style: str = "plain"


class PaperSheets:
    """A document that is written from the top of its first sheet to the end of its last."""

    def __init__(self, file: BinaryIO, title: str) -> None:
        # Without dates the same errata are the same bytes.
        self._about = {"Title": title, "Creator": "forgetproof", "CreationDate": None}
        self._file = file
        self._open = ExitStack()
        self._figure: Figure | None = None
        self._left = 0.0
        self._number = 0

    def __enter__(self) -> PaperSheets:
        # Fonts are chosen where text is placed, and embedded at the end: all of it within these.
        self._open.enter_context(mpl.rc_context(_SETTINGS))
        self._open.enter_context(fonts_in_silence())
        self._pages = self._open.enter_context(PdfPages(self._file, metadata=self._about))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        with self._open:
            self._finish()

    def space(self, points: float) -> None:
        """Some white, which no sheet begins with."""
        self._left -= points

    def sheet(self) -> None:
        """What follows stands on a new sheet."""
        self._finish()

    def keep(self, points: float) -> None:
        """Begins a new sheet unless so much of this one is left."""
        if self._figure is not None and self._left < points:
            self.sheet()

    def paragraph(self, *runs: StyledText, size: float = 10.5, indent: float = 0.0) -> None:
        """Words in lines, the first of which hangs out by nothing."""
        room = WIDTH - 2 * MARGIN - indent
        for line in _lines(runs, size, room):
            self._down(size * LEADING)
            x = MARGIN + indent
            for text, style in line:
                self._put(x, text, style, size)
                x += _width(text, style, size)
        self.space(0.35 * size)

    def formula(self, tex: str, size: float = 10.5, indent: float = 18.0) -> None:
        """A formula in lines that end before relations and signs; as text where it has no sign."""
        room = WIDTH - 2 * MARGIN - indent
        try:
            lines = list(_formula_lines(readable(tex), size, room))
        except ValueError:
            self.paragraph(StyledText(_unicode(tex), "plain"), size=size, indent=indent)
            return
        for source, scale, above, below in lines:
            self._down(above + 2)
            self._put(MARGIN + indent, source, "plain", size * scale)
            self.space(below + 2)
        self.space(0.4 * size)

    def _down(self, points: float) -> None:
        if self._figure is None or self._left < points:
            self._finish()
            self._figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
            FigureCanvasPdf(self._figure)
            self._left = HEIGHT - 2 * MARGIN
            self._number += 1
            self._figure.text(0.5, 34 / HEIGHT, str(self._number), size=9, ha="center")
        self._left -= points

    def _put(self, x: float, text: str, style: str, size: float) -> None:
        assert self._figure is not None
        y = MARGIN + self._left
        math = text.startswith("$")
        self._figure.text(
            x / WIDTH,
            y / HEIGHT,
            text if math else text.replace("$", r"\$"),
            fontproperties=_font(style),
            size=size,
            va="baseline",
            parse_math=math,
        )

    def _finish(self) -> None:
        if self._figure is not None:
            self._pages.savefig(self._figure)
        self._figure = None


@lru_cache(maxsize=8)
def _font(style: str) -> FontProperties:
    return FontProperties(
        family=list(FAMILIES),
        weight="bold" if style == "bold" else "normal",
        style="italic" if style == "italic" else "normal",
    )


@lru_cache(maxsize=20_000)
def _width(text: str, style: str, size: float) -> float:
    """The width of text, in points."""
    font = _face(style)
    font.set_size(size, 72)
    # The ink of a text ends before its last space: it is measured with a sign behind it.
    widths = []
    for sample in (f"{text}|", "|"):
        font.set_text(sample)
        widths.append(font.get_width_height()[0] / 64)
    return float(widths[0] - widths[1])


@lru_cache(maxsize=8)
def _face(style: str) -> FT2Font:
    """The font of a style; signs that it lacks are taken from the second family."""
    properties = _font(style)
    files = []
    for family in FAMILIES:
        one = properties.copy()
        one.set_family(family)
        files.append(findfont(one))
    return get_font(files)


def _lines(runs: Iterable[StyledText], size: float, room: float) -> Iterator[list[tuple[str, str]]]:
    """Lines of (text, style), none wider than the room unless a word is."""
    line: list[tuple[str, str]] = []
    used = 0.0
    for run in runs:
        for word in re.findall(r"\s*\S+\s*", run.text):
            text = " ".join(word.split()) + (" " if word[-1].isspace() else "")
            if word[0].isspace() and line and not line[-1][0].endswith(" "):
                text = f" {text}"
            width = _width(text, run.style, size)
            if line and used + _width(text.rstrip(), run.style, size) > room:
                yield line
                line, used = [], 0.0
            # Words of one style are one piece.
            if line and line[-1][1] == run.style:
                text = line.pop()[0] + text
            line.append((text, run.style))
            used += width
    if line:
        yield line


def _formula_lines(tex: str, size: float, room: float) -> Iterator[tuple[str, float, float, float]]:
    """(source, scale, height above the line, depth below it) of each line of a formula."""
    line = ""
    for part in [*parts(tex), ""]:
        longer = f"{line} {part}".strip()
        if part and (not line or _measured(longer, size)[0] <= room):
            line = longer
            continue
        width, above, below = _measured(line, size)
        scale = min(1.0, room / width)
        if scale < SMALLEST:
            raise ValueError(f"a formula must fit {room:.0f} points, got {width:.0f}")
        yield f"${line}$", scale, above * scale, below * scale
        line = part


@lru_cache(maxsize=4_000)
def _measured(tex: str, size: float) -> tuple[float, float, float]:
    """Width, height above the line and depth below it, in points.

    Raises ValueError for a command that mathtext lacks.
    """
    properties = FontProperties(size=size, math_fontfamily=_SETTINGS["mathtext.fontset"])
    parsed = MathTextParser("path").parse(f"${tex}$", 72, properties)
    width, height, depth = parsed[:3]
    return float(width), float(height - depth), float(depth)


def _unicode(tex: str) -> str:
    try:
        return unicode_formula(tex)
    except ValueError:  # a third party's TeX may have a command without a sign
        return tex
