"""How plots look: colours, dashes, sizes, and matplotlib's parameters."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

# Okabe and Ito's colours, told apart by all common kinds of colour vision; lines of one picture
# differ in dashes or markers too, so that a print without colour still reads.
STYLES: Mapping[str, dict[str, Any]] = {
    "printed": {"color": "#d55e00", "linestyle": "-"},
    "corrected": {"color": "#0072b2", "linestyle": "--"},
    "tight": {"color": "#009e73", "linestyle": "-."},
    "stored": {"color": "#cc79a7", "linestyle": (0, (4, 1, 1, 1, 1, 1))},
    "fixed comparator": {"color": "#009e73", "linestyle": "-."},
    "active": {"color": "#cc79a7", "linestyle": "-", "marker": "v", "markersize": 3.2},
    "restart": {"color": "#56b4e9", "linestyle": (0, (8, 2, 2, 2))},
    "retraining": {"color": "#e69f00", "linestyle": (0, (1, 1))},
    "online DP": {"color": "#777777", "linestyle": (0, (3, 1, 1, 1, 1, 1))},
    "exact instance": {"color": "#777777", "linestyle": ":", "marker": "s", "markersize": 2.6},
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
# The side on which a measurement breaks the claim, and a measurement that does.
HATCH: Mapping[str, Any] = {
    "facecolor": "none",
    "edgecolor": "#d55e00",
    "hatch": "////",
    "alpha": 0.28,
    "linewidth": 0,
}
MARK: Mapping[str, Any] = {
    "color": "#d55e00",
    "linestyle": "",
    "marker": "X",
    "markersize": 8,
    "zorder": 5,
    "markeredgecolor": "#1b1b1b",
    "markeredgewidth": 0.7,
}
INK, GRID, SOFT, CARD = "#1b1b1c", "#d9d9d9", "#5c6168", "#fefefe"
# Colour of a line -> of the words about it, at a contrast of 4.5 to white and more.
WORDS: Mapping[str, str] = {
    "#d55e00": "#a04600",
    "#0072b2": "#0069a3",
    "#009e73": "#00704f",
    "#cc79a7": "#9b3d72",
    "#56b4e9": "#1d6a96",
    "#e69f00": "#855c00",
    "#777777": "#5c5c5c",
    "#1b1b1b": "#1b1b1d",
}
# What the colours become inside a page, which sets the variables for its light and dark schemes.
# Words are in the page's ink where it sets no colour for them.
VARIABLES: Mapping[str, str] = {
    "#d55e00": "var(--printed)",
    "#0072b2": "var(--corrected)",
    "#009e73": "var(--tight)",
    "#cc79a7": "var(--other)",
    "#1b1b1b": "var(--experiment)",
    INK: "var(--ink)",
    GRID: "var(--rule)",
    SOFT: "var(--soft)",
    CARD: "var(--card)",
    **{colour: f"var(--words-{line[1:]}, var(--ink))" for line, colour in WORDS.items()},
}
SIZE = (4.8, 3.4)  # inches
POINTS = 72
"""In an inch."""


def settings(name: str) -> Any:
    """Parameters of matplotlib under which to draw and save; equal names give equal files."""
    return {
        "svg.hashsalt": name,
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
        "hatch.linewidth": 0.7,
        "font.family": "DejaVu Sans",
        "font.size": 9,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.titlecolor": INK,
    }


@contextmanager
def fonts_in_silence() -> Iterator[None]:
    """Without the remarks on dates of the fonts that a PDF holds."""
    log = logging.getLogger("fontTools")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)
