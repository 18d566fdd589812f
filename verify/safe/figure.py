"""The figure of `side_by_side`: regret, distance, accuracies and certified epsilon by round."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from simulators.runs.stream_curves import MethodCurve, path_length, regret_order
from simulators.runs.stream_problem import StreamProblem
from verify.safe.side_by_side import METHODS, corrected_regret

# Okabe and Ito's colours; a method without noise has the colour of its noisy version, dashed.
STYLES: dict[str, dict[str, Any]] = {
    METHODS[0]: {"color": "#d55e00", "linestyle": "-"},
    METHODS[1]: {"color": "#d55e00", "linestyle": "--"},
    METHODS[2]: {"color": "#0072b2", "linestyle": "-"},
    METHODS[3]: {"color": "#0072b2", "linestyle": "--"},
    METHODS[4]: {"color": "#009e73", "linestyle": "-"},
    METHODS[5]: {"color": "#cc79a7", "linestyle": "-."},
    METHODS[6]: {"color": "#1b1b1b", "linestyle": ":"},
    METHODS[7]: {"color": "#777777", "linestyle": (0, (6, 2))},
}
PANELS = (
    ("regret", "regret up to round t"),
    ("distance", "distance to retraining"),
    ("kept", "accuracy, kept"),
    ("forgotten", "accuracy, forgotten"),
    ("test", "accuracy, test"),
    ("epsilon", "certified ε of round t"),
)


def figure(problems: Sequence[StreamProblem], curves: Sequence[Sequence[MethodCurve]]) -> Any:
    """A matplotlib figure: a row for every data set, a panel for every quantity.

    problems: the streams.  curves: of every stream, all methods.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from verify.plots.style import GRID, settings

    rows = 2 * len(problems)
    with mpl.rc_context(settings("safe-comparison")):
        drawing = Figure(figsize=(10.5, 3.0 * rows + 0.9), layout="constrained")
        FigureCanvasAgg(drawing)
        grid = drawing.subplots(rows, 3, squeeze=False)
        for i, (problem, mine) in enumerate(zip(problems, curves, strict=True)):
            axes = grid[2 * i : 2 * i + 2].ravel()
            for axis, (name, label) in zip(axes, PANELS, strict=True):
                _panel(axis, name, mine)
                axis.set(xlabel="round t", ylabel=label)
                axis.spines[["top", "right"]].set_visible(False)
                axis.grid(True, color=GRID, linewidth=0.6)
            t = np.arange(1, problem.rounds + 1)
            axes[0].plot(
                t,
                regret_order(path_length(problem)),
                color="#e69f00",
                label="√t + V_t, printed order",
            )
            axes[0].plot(
                t, corrected_regret(problem), color="#56b4e9", label="corrected bound of tracking"
            )
            axes[0].set_title(
                f"{problem.name}: {problem.stream.n} rows, {int(problem.stream.sizes[0])} leave in "
                "each round",
                loc="left",
            )
        handles, labels = grid[0, 0].get_legend_handles_labels()
        drawing.legend(
            handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8
        )
    return drawing


def _panel(axis: Any, name: str, curves: Sequence[MethodCurve]) -> None:
    for curve in curves:
        values = getattr(curve, name)
        t = np.arange(1, len(values) + 1)
        if name in ("regret", "distance", "epsilon"):
            # What is 0 or infinite has no place on a logarithmic axis.
            inside = np.isfinite(values) & (values > 0)
            axis.set_yscale("log")
            t, values = t[inside], values[inside]
        axis.plot(t, values, label=curve.method, **STYLES[curve.method])
