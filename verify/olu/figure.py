"""The figure of `comparison`: regret of every learner against the number of deletions."""

from collections.abc import Sequence
from typing import Any

from verify.olu.comparison import LEARNERS, LearnerEntry, allocation_totals

# Okabe and Ito's colours; learners that certify nothing, something, or everything exactly differ
# in dashes too.
STYLES: dict[str, dict[str, Any]] = {
    LEARNERS[0]: {"color": "#d55e00", "linestyle": "-"},
    LEARNERS[1]: {"color": "#0072b2", "linestyle": "--"},
    LEARNERS[2]: {"color": "#009e73", "linestyle": "-."},
    LEARNERS[3]: {"color": "#cc79a7", "linestyle": (0, (4, 1, 1, 1))},
    LEARNERS[4]: {"color": "#1b1b1b", "linestyle": ":"},
    LEARNERS[5]: {"color": "#777777", "linestyle": (0, (6, 2))},
    LEARNERS[6]: {"color": "#e69f00", "linestyle": (0, (1, 1))},
    LEARNERS[7]: {"color": "#56b4e9", "linestyle": (0, (3, 1, 1, 1, 1, 1))},
}


def figure(entries: Sequence[LearnerEntry]) -> Any:
    """A matplotlib figure: a panel for every stream, and one for the allocation of the noise."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from verify.plots.style import GRID, settings

    names = list(dict.fromkeys(e.data for e in entries))
    with mpl.rc_context(settings("olu-comparison")):
        drawing = Figure(figsize=(3.7 * (len(names) + 1), 4.6), layout="constrained")
        FigureCanvasAgg(drawing)
        axes = drawing.subplots(1, len(names) + 1, squeeze=False)[0]
        for axis, name in zip(axes, names, strict=False):
            mine = [e for e in entries if e.data == name]
            for learner in dict.fromkeys(e.learner for e in mine):
                rows = sorted((e for e in mine if e.learner == learner), key=lambda e: e.deletions)
                axis.loglog(
                    [e.deletions for e in rows],
                    [e.regret for e in rows],
                    marker="o",
                    markersize=3.4,
                    label=learner,
                    **STYLES[learner],
                )
            first = mine[0]
            axis.set(
                title=f"{name}: T = {first.rounds}, d = {first.dimension}",
                xlabel="number of deletions k",
                ylabel="regret against the moving comparator",
            )
        totals = allocation_totals([1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000])
        k = [row[0] for row in totals]
        axes[-1].loglog(k, [row[2] for row in totals], label="paper", **STYLES[LEARNERS[1]])
        axes[-1].loglog(k, [row[1] for row in totals], label="least", **STYLES[LEARNERS[2]])
        axes[-1].set(
            title="Noise for k equal shifts a",
            xlabel="number of deletions k",
            ylabel="total variance in units of a²/(2ε)",
        )
        axes[-1].legend(frameon=False, fontsize=8)
        for axis in axes:
            axis.spines[["top", "right"]].set_visible(False)
            axis.grid(True, color=GRID, linewidth=0.6)
        handles, labels = axes[0].get_legend_handles_labels()
        drawing.legend(
            handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8
        )
    return drawing
