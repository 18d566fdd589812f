"""What was executed, as a document of `forgetproof/mechanism/1`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from forgetproof.engine.planning import Interval
from forgetproof.engine.refusals import Refused
from forgetproof.engine.settings import Settings

SCHEMA = "forgetproof/mechanism/1"


def mechanism_document(
    settings: Settings,
    intervals: Sequence[Interval],
    releases: Sequence[int],
    *,
    secret: bool,
    dimension: int,
) -> dict[str, Any]:
    """Return the document; its claim is the target of the settings.

    intervals: steps as executed.  releases: after how many steps a model was released.  secret:
    whether nobody knows the generator's key.  Raises Refused where no row has left.
    """
    gone = np.cumsum([each.left for each in intervals]).tolist()
    if not gone or not gone[-1]:
        raise Refused("ids must have left for a mechanism of deletions, got none that has")
    total = sum(each.steps for each in intervals)
    earlier = sorted({t for t in releases if 0 < t < total})
    segments = [
        _segment(settings, each.steps, gone[-1] - before, secret)
        for each, before in zip(intervals, gone, strict=True)
        if each.steps
    ]
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "name": f"{gone[-1]} of {settings.rows} rows left after {intervals[0].steps} steps",
        "relation": {"adjacency": "zero", "rows": gone[-1], "reference": "N+K"},
        "n": settings.rows,
        "dimension": dimension,
        "losses": "scalar" if settings.contracts else "any",
        "steps": segments,
        "released": earlier or "last",
        "requests": "oblivious",
        "claims": [{"epsilon": settings.epsilon, "delta": settings.delta}],
    }
    if settings.contracts:
        document["smoothness"] = _enforced(
            settings.smoothness, f"rows scaled to length {settings.row_bound:g}, {settings.loss}"
        )
    return document


def _segment(settings: Settings, count: int, rows: int, secret: bool) -> dict[str, Any]:
    """So many equal steps that see so many of the rows in question."""
    how = "gradient of a row"
    if settings.outputs > 1:
        how = f"{settings.outputs} outputs, each clipped to {settings.clip:g} by itself"
    segment: dict[str, Any] = {
        "count": count,
        "sees": rows,
        "batches": {"drawn": "poisson", "rate": settings.rate},
        "clip": {"norm": _enforced(settings.row_clip, how), "each": "row"},
        "divisor": {"value": settings.divisor, "is": "constant"},
        "noise": {
            "deviation": settings.deviation,
            "on": "sum",
            "drawn": "fresh" if secret else "public",
            "seed": "system" if secret else "chosen",
        },
        "step_size": settings.step_size,
        "decay": settings.decay,
    }
    if settings.document().get("radius") is not None:
        segment["radius"] = _enforced(settings.radius, "projection after every step")
    return segment


def _enforced(value: float, by: str) -> dict[str, Any]:
    return {"value": value, "origin": "enforced", "by": by}
