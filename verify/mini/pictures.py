"""Mini and Rewind against the steps they follow, with the bound r^k |Dw_{T-k}| (mini Theorem 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verify.mini.comparison import compare
from verify.plots.curves import Curve, Picture

VARIABLES: Mapping[str, str] = {
    "k": "steps followed",
    "ratio": "share of the samples deleted",
    "steps": "steps of training",
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
    if over not in VARIABLES:
        raise ValueError(f"over must be one of {', '.join(VARIABLES)}, got {over!r}")
    if unknown := sorted(changed.keys() - SCENE.keys()):
        raise ValueError(
            f"{unknown[0]} is not an input of the scene; its inputs are {', '.join(SCENE)}"
        )
    points = changed.get(over, POINTS[over])
    if not isinstance(points, Sequence) or len(points) < 2:
        raise ValueError(f"{over} must be a list of at least two numbers, got {points!r}")
    fixed = {**SCENE, **changed}
    fixed.pop(over)
    curves: dict[str, list[tuple[float, float]]] = {}
    for point in points:
        s = {**fixed, over: point}
        run = compare(float(s["eta"]), int(s["steps"]), float(s["ratio"]), k=int(s["k"]))
        found = {
            "rewind's bound": run.bound,
            "Mini": run.mini,
            "Rewind": run.rewind,
            "DeltaGrad": run.deltagrad,
            "doing nothing": run.moved,
        }
        for name, value in found.items():
            if value > 0:
                curves.setdefault(name, []).append((float(point), value))
    return Picture(
        "mini.thm1",
        "Distance to retraining",
        VARIABLES[over],
        "distance to the retrained parameters",
        ", ".join(f"{name} = {value:g}" for name, value in fixed.items()),
        over != "ratio",
        True,
        tuple(
            Curve(name, tuple(x for x, _ in pairs), tuple(y for _, y in pairs))
            for name, pairs in curves.items()
        ),
    )
