"""The figure of a reproduced table: printed numbers and ours, a colour for every column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from verify.showcases.cells import Cell

# Okabe and Ito's colours.
COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#777777")
DASHES = ("-", ":", "-.", (0, (5, 1, 1, 1, 1, 1)))


def figure(title: str, quantity: str, cells: Sequence[Cell], log: bool) -> Any:
    """Rows along the axis; crosses: the paper's numbers, lines: ours, a dash an interpretation."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from verify.plots.marks import frame
    from verify.plots.style import settings

    rows = list(dict.fromkeys(cell.row for cell in cells))
    names = list(dict.fromkeys(cell.column for cell in cells))
    interpretations = list(dict.fromkeys(r for cell in cells for r in cell.ours))
    with mpl.rc_context(settings(title)):
        drawing = Figure(figsize=(6.4, 4.4), layout="constrained")
        FigureCanvasAgg(drawing)
        axes = drawing.subplots()
        for name, colour in zip(names, cycle(COLOURS), strict=False):
            mine = {cell.row: cell for cell in cells if cell.column == name}
            positions = {row: x for x, row in enumerate(rows) if row in mine}
            printed = [(x, mine[r].printed) for r, x in positions.items() if mine[r].printed]
            if printed:
                label = f"{name}, printed"
                axes.plot(*zip(*printed, strict=True), "x", color=colour, label=label)
            for interpretation, dash in zip(interpretations, cycle(DASHES), strict=False):
                points = [
                    (x, *mine[r].ours[interpretation])
                    for r, x in positions.items()
                    if interpretation in mine[r].ours
                ]
                if points:
                    xs, ys, errors = zip(*points, strict=True)
                    axes.errorbar(
                        xs,
                        ys,
                        [e or 0.0 for e in errors],
                        color=colour,
                        linestyle=dash,
                        marker="o",
                        markersize=2.6,
                        linewidth=1.2,
                        label=f"{name}, {interpretation}",
                    )
        if log and all(m > 0 for cell in cells for m, _ in cell.ours.values()):
            axes.set_yscale("log")
        axes.set_xticks(range(len(rows)), rows, rotation=30, ha="right", fontsize=7)
        axes.set_ylabel(quantity)
        frame(axes)
        drawing.suptitle(title, x=0.01, ha="left", fontsize=10)
        drawing.legend(loc="outside right upper", frameon=False, fontsize=6.5)
    return drawing
