"""How plots look: colours, dashes, sizes, and matplotlib's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
# What no experiment may reach, and what does.
SHADE: Mapping[str, Any] = {"color": "#d55e00", "alpha": 0.1, "linewidth": 0}
MARK: Mapping[str, Any] = {
    "color": "#d55e00",
    "linestyle": "",
    "marker": "X",
    "markersize": 8,
    "zorder": 5,
    "markeredgecolor": "#1b1b1b",
    "markeredgewidth": 0.7,
}
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
