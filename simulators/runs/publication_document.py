"""What the command says of a run of publications unasked, and what it keeps of their trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulators.runs.data import about
from simulators.runs.scores import described, majority
from simulators.runs.stream_curves import curve_of, norms, regret_order, trial_curves
from simulators.runs.stream_methods import Publications
from simulators.runs.stream_problem import StreamProblem
from simulators.runs.trial_moments import Quantity, TrialMoments, TrialStatistics, TrialValues

LAST: Quantity = ("published", "points", "last")


def values_of(problem: StreamProblem, published: Publications, kept: slice) -> TrialValues:
    """What is told of these trials of the problem."""
    curves = trial_curves(problem, published.models)
    curves["path"] = norms(np.diff(problem.optimal, axis=0)).T
    every = {name: values[kept] for name, values in curves.items()}
    trials = len(every["path"])
    # The same in all trials, and a mean over trials.
    for name in ("sigma", "errors", "gradients"):
        values = getattr(published, name)
        every[name] = np.broadcast_to(values, (trials, problem.rounds))
    points: dict[Quantity, np.ndarray] = {
        ("curve", name, ""): values for name, values in every.items()
    }
    points[LAST] = published.models[-1][kept].reshape(trials, -1)
    numbers: dict[Quantity, np.ndarray] = {
        ("regret", "", ""): every["excess"].sum(axis=1),
        ("path_length", "", ""): every["path"].sum(axis=1),
        ("distance", "", "last"): every["distance"][:, -1],
        ("test", "accuracy", "last"): every["test"][:, -1],
    }
    return TrialValues(numbers, points, {})


def document_of(run: Any, statistics: TrialStatistics) -> dict[str, Any]:
    """A section a key, in the order of telling; statistics: of `values_of` all trials.

    run: a `simulators.runs.publication_run.PublicationRun`, which imports this module.
    """
    problem, experiment = run.problem, run.experiment
    moments = _curves(statistics.moments)
    curve = curve_of(
        problem,
        experiment.method,
        moments["sigma"].largest,
        moments["errors"].largest,
        {name: each.mean for name, each in moments.items()},
    )
    path = moments["path"].mean.cumsum()
    rounds = {
        "regret": curve.regret,
        "distance": curve.distance,
        "sigma": curve.sigma,
        "certified_epsilon": curve.epsilon,
        "accuracy_kept": curve.kept,
        "accuracy_forgotten": curve.forgotten,
        "accuracy_test": curve.test,
        "path_length": path,
        "printed_order": regret_order(path),
        "gradient_evaluations": curve.gradients,
    }
    return {
        "method": curve.method,
        "data": about(problem.train),
        "settings": experiment.settings,
        "rounds": rounds,
        "test": {
            "rows": len(problem.test),
            "majority_class": majority(problem.train, problem.test)[1],
            "accuracy": float(curve.test[-1]),
        },
        "regret": float(curve.regret[-1]),
        "joint_epsilon": curve.joint,
        "gradient_evaluations": float(curve.gradients[-1]),
        "moments": {"published": described(statistics.moments[LAST])},
        "problem": {
            "n": problem.stream.n,
            "deleted": int(problem.stream.sizes.sum()),
            "step_length": problem.stream.gamma,
            "steps": problem.stream.steps,
            "releases": problem.releases,
            "row_norm": problem.risk.row_norm,
        },
    }


def _curves(moments: Mapping[Quantity, TrialMoments]) -> dict[str, TrialMoments]:
    """The curves of `values_of`, by their names."""
    return {name: each for (section, name, _), each in moments.items() if section == "curve"}
