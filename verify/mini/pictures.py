"""Mini and Rewind against the steps they follow, with the bound r^k |Dw_{T-k}| (mini Theorem 1)."""

from collections.abc import Mapping
from typing import Any

from verify.mini.comparison import compare
from verify.plots import scenes
from verify.plots.picture import Picture

VARIABLES: Mapping[str, str] = {
    "k": "steps followed $k$ [steps]",
    "ratio": "share of the samples deleted [-]",
    "steps": "steps of training [steps]",
}
POINTS: Mapping[str, tuple[float, ...]] = {
    "k": (1, 2, 5, 10, 20, 50, 100, 200, 400),
    "ratio": (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3),
    "steps": (20, 50, 100, 200, 500, 1000),
}
SCENE: Mapping[str, float] = {"k": 10, "ratio": 0.1, "steps": 400, "eta": 0.5}


def errors(over: str, changed: Mapping[str, Any]) -> Picture:
    """The picture over one of `VARIABLES`; `changed` replaces entries of `SCENE`.

    Raises ValueError for another variable or input.
    """
    points, fixed = scenes.inputs(over, changed, VARIABLES, POINTS, SCENE)
    rows = []
    for point in points:
        s = {**fixed, over: point}
        run = compare(float(s["eta"]), int(s["steps"]), float(s["ratio"]), k=int(s["k"]))
        error_values = {
            "rewind's bound": run.bound,
            "Mini": run.mini,
            "Rewind": run.rewind,
            "DeltaGrad": run.deltagrad,
            "doing nothing": run.moved,
        }
        rows.append((float(point), error_values))
    return Picture(
        "mini.thm1",
        "Distance to retraining",
        VARIABLES[over],
        "distance to the retrained parameters [parameter]",
        scenes.caption(fixed),
        over != "ratio",
        True,
        scenes.curves(rows),
    )
