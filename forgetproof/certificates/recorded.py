"""What a ledger says was executed, as a mechanism document.

The settings of the ledger have it under "mechanism", with one step; what was executed is the same
with the steps of each interval, and how many of the rows that left were there.
"""

from typing import Any

from forgetproof.certificates.history import History


def recorded_mechanism(history: History) -> dict[str, Any]:
    """Return the document of all steps so far, for all rows that have left.

    Raises ValueError where no row has left, or the settings have no mechanism of one step.
    """
    settings = history.settings or {}
    template = settings.get("mechanism")
    if not isinstance(template, dict) or len(template.get("steps", ())) != 1:
        raise ValueError("settings must have a mechanism of one step, got none")
    if not history.left:
        raise ValueError("rows must have left for a certificate, got none that has")
    (step,) = template["steps"]
    total = sum(count for count, _ in history.segments)
    earlier = sorted({each.steps for each in history.releases if 0 < each.steps < total})
    sizes = [{} if size is None else {"step_size": size} for size in history.step_sizes]
    segments = zip(history.schedule, sizes, strict=True)
    return {
        **template,
        "relation": {**template["relation"], "rows": len(history.left)},
        "steps": [{**step, **size, "count": k, "sees": rows} for (k, rows), size in segments],
        "released": earlier or template["released"],
    }
