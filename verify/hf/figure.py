"""The figure of `comparison`: error shares of every method against the deletion ratio."""

from collections.abc import Sequence
from typing import Any

from verify.hf.comparison import MethodEntry

# Okabe and Ito's colours, in the order in which methods appear.
COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#1b1b1b")
DASHES = ("-", "--", "-.", ":", (0, (4, 1, 1, 1)), (0, (6, 2)), (0, (1, 1)))


def figure(entries: Sequence[MethodEntry]) -> Any:
    """A matplotlib figure with a panel for every data set."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from verify.plots.style import GRID, settings

    names = list(dict.fromkeys(e.data for e in entries))
    with mpl.rc_context(settings("hf-comparison")):
        drawing = Figure(figsize=(4.6 * len(names), 4.6), layout="constrained")
        FigureCanvasAgg(drawing)
        axes = drawing.subplots(1, len(names), squeeze=False)[0]
        for axis, name in zip(axes, names, strict=True):
            mine = [e for e in entries if e.data == name]
            pairs = dict.fromkeys((e.method, e.retraining) for e in mine)
            for (method, retraining), colour, dash in zip(pairs, COLOURS, DASHES, strict=False):
                rows = [e for e in mine if (e.method, e.retraining) == (method, retraining)]
                axis.semilogy(
                    [100 * e.ratio for e in rows],
                    [e.share for e in rows],
                    color=colour,
                    linestyle=dash,
                    marker="o",
                    markersize=3.4,
                    label=f"{method} ({retraining})",
                )
            axis.axhline(1.0, color="#777777", linewidth=0.8)
            axis.set(
                title=name, xlabel="deleted samples, %", ylabel="error / |retrained - learned|"
            )
            axis.spines[["top", "right"]].set_visible(False)
            axis.grid(True, color=GRID, linewidth=0.6)
        handles, labels = axes[0].get_legend_handles_labels()
        drawing.legend(
            handles, labels, loc="outside lower center", ncols=2, frameon=False, fontsize=8
        )
    return drawing
