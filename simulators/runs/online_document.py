"""What the command says of a run of an online learner unasked."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulators.runs.scores import beside_majority, described, mean_with_error, scores_of
from simulators.runs.streams import DescribedStream
from simulators.runs.trial_moments import (
    Quantity,
    TrialMoments,
    TrialStatistics,
    TrialValues,
)


def document_of(
    experiment: Any,
    source: DescribedStream,
    requests: Any,
    rule: Any,
    statistics: TrialStatistics,
) -> dict[str, Any]:
    """A section a key, in the order of telling; statistics: of `values_of` all trials."""
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
        "regret": _mean(statistics.moments["regret", "", ""]),
        "constant_regret": _mean(statistics.moments["constant_regret", "", ""]),
        "train": _scores(statistics, "train", source.rows, source.rows),
        "test": _scores(statistics, "test", source.test, source.rows),
        "noise": {
            "per_step": rule.get("step_noise", 0.0),
            "variance": float(statistics.moments["noise", "variance", ""].mean),
        },
        "published": _published(requests, rule, statistics),
        **statistics.work,
        "settings": settings,
    }


def values_of(result: Any, source: DescribedStream, kept: slice) -> TrialValues:
    """What is told of these trials of a result."""
    numbers: dict[Quantity, np.ndarray] = {
        ("regret", "", ""): result.regret[kept],
        ("constant_regret", "", ""): result.constant_regret[kept],
    }
    last = result.final[0][kept]
    for section, rows in (("train", source.rows), ("test", source.test)):
        if rows is not None:
            name, values = scores_of(last, rows)
            numbers[section, name, "last"] = values
    points: dict[Quantity, np.ndarray] = {
        # A mean over trials already, where they differ.
        ("noise", "variance", ""): np.full(len(last), result.noise_variance),
    }
    if result.published.shape[2]:
        learned, retrained = result.published[0][kept], result.published[-1][kept]
        numbers["published", "distance", ""] = np.linalg.norm(learned - retrained, axis=2)
        points["published", "points", "learned"] = learned
        points["published", "points", "retrained"] = retrained
    work = {"gradient_evaluations": dict(result.gradient_evaluations)}
    return TrialValues(numbers, points, work)


def _mean(regret: TrialMoments) -> dict[str, float | None]:
    """Over the trials, with its standard error: 0 where they agree."""
    if regret.least == regret.largest:
        return {"mean": float(regret.least), "standard_error": 0.0}
    return {"mean": float(regret.mean), "standard_error": float(regret.standard_error or 0.0)}


def _scores(statistics: TrialStatistics, section: str, rows: Any, learned: Any) -> dict[str, Any]:
    """How well the last models predict these rows; nothing where there are none."""
    told = [
        mean_with_error(name, each)
        for (place, name, _), each in statistics.moments.items()
        if place == section
    ]
    if not told:
        return {}
    beside: dict[str, Any] = beside_majority({"last": told[0]}, rows, learned)
    last: dict[str, Any] = beside.pop("last")
    return {**beside, **last}


def _published(
    requests: Any, rule: dict[str, Any], statistics: TrialStatistics
) -> list[dict[str, Any]]:
    """Moments over trials of what each request published, and of the run without the deleted."""
    if requests is None:
        return []
    sigmas = rule.get("sigmas", 0.0)
    # Noise that follows the path has a size of its own in every trial.
    common = isinstance(sigmas, int | float | np.ndarray)
    levels = np.broadcast_to(sigmas, len(requests)) if common else None
    distances = statistics.moments["published", "distance", ""]
    laws = {law: statistics.moments["published", "points", law] for law in ("learned", "retrained")}
    entries = []
    for i, (u, tau) in enumerate(zip(requests.indices, requests.times, strict=True)):
        entry: dict[str, Any] = {"index": int(u), "time": int(tau)}
        if levels is not None:
            entry["sigma"] = float(levels[i])
        entry["largest_distance"] = float(distances.largest[i])
        for law, each in laws.items():
            entry[law] = described(each[i], "sigma and radius")
        entries.append(entry)
    return entries
