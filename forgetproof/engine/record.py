"""What was executed, as a document of `forgetproof/mechanism/1`.

The template is written before the first step, with one segment; what was executed is the same with
as many segments as there were intervals, each with its count and the rows in question it saw.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from forgetproof.engine.planning import Interval
from forgetproof.engine.refusals import EngineRefusal
from forgetproof.engine.settings import EngineSettings

SCHEMA = "forgetproof/mechanism/1"


def mechanism_template(settings: EngineSettings, secret: bool) -> dict[str, Any]:
    """Return the document of one step, for one row that leaves; its claim is the target.

    secret: whether nobody knows the key of the generator.
    """
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "name": f"noisy {settings.loss} steps of an UnlearningEngine",
        "relation": {"adjacency": "zero", "rows": 1, "reference": "N+K"},
        "n": settings.rows,
        "losses": "scalar" if settings.contracts else "any",
        "steps": [_segment(settings, secret)],
        "released": "last",
        "requests": "oblivious",
        "claims": [{"epsilon": settings.epsilon, "delta": settings.delta}],
    }
    if settings.contracts:
        by = f"rows scaled to length {settings.row_bound:g}, {settings.loss} loss"
        document["smoothness"] = _enforced(settings.smoothness, by)
    return document


def _segment(settings: EngineSettings, secret: bool) -> dict[str, Any]:
    by = "gradient of a row"
    if settings.outputs > 1:
        by = f"{settings.outputs} outputs, each clipped to {settings.clip:g} by itself"
    segment: dict[str, Any] = {
        "count": 1,
        "sees": True,
        "batches": {"drawn": "poisson", "rate": settings.rate},
        "clip": {"norm": _enforced(settings.row_clip, by), "each": "row"},
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


def executed_mechanism(
    template: dict[str, Any],
    intervals: Sequence[Interval],
    releases: Sequence[int] = (),
    runs: Sequence[tuple[int, float]] = (),
) -> dict[str, Any]:
    """Return the document of the intervals, for all rows that left.

    releases: after how many steps a model was released.  runs: (steps, step size) of the training,
    the first interval, where it had others than the template's.  Raises EngineRefusal where no row
    has left: then no two runs are compared.
    """
    gone = np.cumsum([each.left for each in intervals]).tolist()
    if not gone or not gone[-1]:
        raise EngineRefusal("ids must have left for a mechanism of deletions, got none that has")
    total = sum(each.steps for each in intervals)
    earlier = sorted({t for t in releases if 0 < t < total})
    (step,) = template["steps"]
    training = [{"count": count, "step_size": eta} for count, eta in runs]
    first, *others = zip(intervals, gone, strict=True)
    segments = [
        {**step, **each, "sees": gone[-1]} for each in training or [{"count": first[0].steps}]
    ]
    segments += [
        {**step, "count": each.steps, "sees": gone[-1] - before}
        for each, before in others
        # A request that needs no step leaves no segment.
        if each.steps
    ]
    relation = {**template["relation"], "rows": gone[-1]}
    return {
        **template,
        "relation": relation,
        "steps": segments,
        "released": earlier or template["released"],
    }
