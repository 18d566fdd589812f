"""What the command says of a run of an online learner unasked."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulators.runs.scores import moments, scored
from simulators.runs.streams import DescribedStream


def document_of(
    experiment: Any, source: DescribedStream, requests: Any, rule: Any, result: Any
) -> dict[str, Any]:
    """A section a key, in the order of telling."""
    stream = source.stream
    c = stream.constants
    settings = experiment.settings
    if not experiment.schedule:
        settings = {**settings, "deletions": experiment.kind}
    return {
        "learner": experiment.learner,
        "data": source.about,
        "rounds": stream.rounds,
        "dimension": stream.dimension,
        "constants": {
            "strong_convexity": c.strong_convexity,
            "smoothness": c.smoothness,
            "lipschitz": c.lipschitz,
            "diameter": c.diameter,
        },
        "regret": _mean(result, moving=True),
        "constant_regret": _mean(result, moving=False),
        "train": _scores(result, source.rows, source.rows),
        "test": _scores(result, source.test, source.rows),
        "noise": {"per_step": rule.get("step_noise", 0.0), "variance": result.noise_variance},
        "published": _published(requests, rule, result),
        "gradient_evaluations": dict(result.gradient_evaluations),
        "settings": settings,
    }


def _mean(result: Any, moving: bool) -> dict[str, float]:
    """Regret against the comparators in force, or against the minimiser of all losses."""
    regret, error = result.mean_regret(moving=moving)
    return {"mean": regret, "standard_error": error}


def _scores(result: Any, rows: Any, learned: Any) -> dict[str, Any]:
    """How well the last models predict these rows; nothing where there are none."""
    section = scored({"last": result.final[0]}, rows, learned)
    last: dict[str, Any] = section.pop("last", {})
    return {**section, **last}


def _published(requests: Any, rule: dict[str, Any], result: Any) -> list[dict[str, Any]]:
    """Moments over trials of what each request published, and of the run without the deleted."""
    if requests is None:
        return []
    sigmas = rule.get("sigmas", 0.0)
    # Noise that follows the path has a size of its own in every trial.
    common = isinstance(sigmas, int | float | np.ndarray)
    levels = np.broadcast_to(sigmas, len(requests)) if common else None
    distances = result.distances()
    entries = []
    for i, (u, tau) in enumerate(zip(requests.indices, requests.times, strict=True)):
        entry: dict[str, Any] = {"index": int(u), "time": int(tau)}
        if levels is not None:
            entry["sigma"] = float(levels[i])
        entry["largest_distance"] = float(distances[:, i].max())
        entry["learned"] = moments(result.published[0][:, i], "sigma and radius")
        entry["retrained"] = moments(result.published[-1][:, i], "sigma and radius")
        entries.append(entry)
    return entries
