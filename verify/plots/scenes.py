"""What the wider pictures share: a scene of named inputs, one of which varies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from verify.plots.picture import Curve


def inputs(
    over: str,
    changed: Mapping[str, Any],
    variables: Mapping[str, str],
    points: Mapping[str, Sequence[float]],
    scene: Mapping[str, float],
) -> tuple[Sequence[float], dict[str, Any]]:
    """The points of the variable `over`, and the scene's other inputs with the changes made.

    Raises ValueError for another variable, an unknown input, or fewer than two points.
    """
    if over not in variables:
        raise ValueError(f"over must be one of {', '.join(variables)}, got {over!r}")
    if unknown := sorted(changed.keys() - scene.keys()):
        raise ValueError(
            f"{unknown[0]} is not an input of the scene; its inputs are {', '.join(scene)}"
        )
    chosen = changed.get(over, points[over])
    if not isinstance(chosen, Sequence) or len(chosen) < 2:
        raise ValueError(f"{over} must be a list of at least two numbers, got {chosen!r}")
    fixed = {**scene, **changed}
    fixed.pop(over)
    return chosen, fixed


def caption(fixed: Mapping[str, Any]) -> str:
    """The inputs held fixed, in words."""
    return ", ".join(f"{name} = {value:g}" for name, value in fixed.items())


def curves(rows: Iterable[tuple[float, Mapping[str, float]]]) -> tuple[Curve, ...]:
    """A curve for every name, from the values at each point; only positive, finite ones."""
    series: dict[str, list[tuple[float, float]]] = {}
    for x, values in rows:
        for name, y in values.items():
            if 0 < y < float("inf"):
                series.setdefault(name, []).append((float(x), float(y)))
    return tuple(
        Curve(name, tuple(x for x, _ in pairs), tuple(y for _, y in pairs))
        for name, pairs in series.items()
    )
