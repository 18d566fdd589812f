"""The figure of `comparison`: distance to retraining against the steps followed."""

from collections.abc import Sequence
from typing import Any

from verify.mini.comparison import RetrainingDistances

STYLES: dict[str, dict[str, Any]] = {
    "moved": {"color": "#777777", "linestyle": "-", "label": "doing nothing"},
    "mini": {"color": "#d55e00", "linestyle": "-", "marker": "o", "label": "Mini"},
    "rewind": {"color": "#009e73", "linestyle": "-.", "label": "Rewind"},
    "bound": {"color": "#0072b2", "linestyle": "--", "label": "bound of Rewind"},
    "deltagrad": {"color": "#cc79a7", "linestyle": ":", "label": "DeltaGrad"},
}


def figure(runs: Sequence[RetrainingDistances]) -> Any:
    """A matplotlib figure over k, for runs that differ in k only."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from verify.plots.style import GRID, settings

    first = runs[0]
    with mpl.rc_context(settings("mini-comparison")):
        drawing = Figure(figsize=(5.4, 3.6), layout="constrained")
        FigureCanvasAgg(drawing)
        axis = drawing.subplots()
        for name, style in STYLES.items():
            pairs = [(r.k, getattr(r, name)) for r in runs if getattr(r, name) > 0]
            axis.loglog([k for k, _ in pairs], [y for _, y in pairs], markersize=3.4, **style)
        axis.set(
            title=f"T = {first.steps}, step {first.eta:g}, {first.ratio:.0%} deleted",
            xlabel="steps followed k",
            ylabel="distance to retraining",
        )
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(True, color=GRID, linewidth=0.6)
        axis.legend(frameon=False, fontsize=8)
    return drawing
